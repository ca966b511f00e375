// SPDX-License-Identifier: Apache-2.0
#include "text/stemmer.h"

#include <fmt/format.h>
#include <libstemmer.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "text/tokens.h"

namespace loci {
namespace {

constexpr size_t kShortest = 3;  // shorter words have no endings worth cutting

// Function words. Sorted, as folded by the tokenizer.
constexpr std::array<std::string_view, 83> kEnglishStops = {
    "a",     "about", "also",    "am",    "an",    "and",  "are",    "as",    "at",    "be",
    "been",  "being", "both",    "but",   "by",    "can",  "could",  "did",   "do",    "does",
    "for",   "from",  "had",     "has",   "have",  "he",   "her",    "him",   "his",   "how",
    "i",     "if",    "in",      "into",  "is",    "it",   "its",    "me",    "my",    "not",
    "of",    "on",    "or",      "our",   "s",     "she",  "should", "so",    "such",  "t",
    "than",  "that",  "the",     "their", "them",  "then", "there",  "these", "they",  "this",
    "those", "to",    "too",     "us",    "was",   "we",   "were",   "what",  "when",  "where",
    "which", "while", "who",     "whom",  "whose", "why",  "will",   "with",  "would", "you",
    "your",  "yours", "yourself"};
static_assert(std::ranges::is_sorted(kEnglishStops));

bool IsPlainWord(std::string_view word) {
  return std::ranges::none_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void Stemmer::Close::operator()(sb_stemmer* stemmer) const {
  sb_stemmer_delete(stemmer);
}

Result<Stemmer> Stemmer::Make(std::string_view language) {
  Stemmer stemmer;
  if (language == kNoStemmer) return stemmer;
  // libstemmer knows other names of a language too ("en"): each has one here.
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) {
    if (language == *name) stemmer.snowball_.reset(sb_stemmer_new(*name, nullptr));
  }
  if (!stemmer.snowball_) {
    return Error{ErrorKind::kUsage, fmt::format("there is no stemmer '{}'; there are {}",
                                                Excerpt(language), fmt::join(Languages(), ", "))};
  }
  stemmer.english_ = language == kDefaultStemmer;
  return stemmer;
}

std::string_view Stemmer::Stem(std::string_view folded) {
  if (!snowball_ || folded.size() < kShortest || !IsPlainWord(folded)) return folded;
  const auto* bytes = reinterpret_cast<const sb_symbol*>(folded.data());
  const sb_symbol* stem = sb_stemmer_stem(snowball_.get(), bytes, static_cast<int>(folded.size()));
  if (stem == nullptr) return folded;  // out of memory, says libstemmer
  std::string_view result(reinterpret_cast<const char*>(stem),
                          static_cast<size_t>(sb_stemmer_length(snowball_.get())));
  if (english_ && result.size() > 6 && (result.ends_with("tor") || result.ends_with("sor"))) {
    result.remove_suffix(2);
  }
  return result.empty() ? folded : result;
}

bool Stemmer::IsStop(std::string_view folded) const {
  return english_ && std::ranges::binary_search(kEnglishStops, folded);
}

std::vector<std::string> Languages() {
  std::vector<std::string> all{kNoStemmer};
  for (const char** name = sb_stemmer_list(); *name != nullptr; ++name) all.emplace_back(*name);
  std::ranges::sort(all);
  return all;
}

}  // namespace loci
