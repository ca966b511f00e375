// SPDX-License-Identifier: Apache-2.0
#include "text/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

namespace loci {
namespace {

constexpr std::string_view kJoining[] = {"of", "the", "de", "la", "van", "von", "du", "der", "del"};

bool HasDigit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

bool Has(uint32_t word, WordFlag flag) {
  return (word & flag) != 0;
}

}  // namespace

void Document::Clear() {
  words.clear();
  title_words = 0;
  is_entry = false;
  aliases.clear();
  phrases.clear();
}

void DocumentBuilder::AddWords(std::string_view text, bool numbered) {
  Tokenize(text, &tokens_);
  uint32_t sentence = UINT32_MAX;
  for (const Token& token : tokens_.list()) {
    const std::string_view folded = tokens_.Folded(token);
    if (!numbered && HasDigit(folded)) continue;  // before the lexicon, which it would only fill
    const Lexicon::Word word = lexicon_.Add(folded);
    uint32_t flags = 0;
    if (token.capital) flags |= kCapital;
    if (token.apart) flags |= kApart;
    if (token.sentence != sentence) flags |= kSentence;
    if (word.stop) flags |= kStop;
    sentence = token.sentence;
    document_.words.push_back(word.number << kWordFlagBits | flags);
  }
}

void DocumentBuilder::AddTitle(std::string_view text) {
  const auto begin = static_cast<uint32_t>(document_.words.size());
  AddWords(text, true);
  const auto end = static_cast<uint32_t>(document_.words.size());
  document_.title_words = end;
  const size_t bracket = text.find(" (");
  const uint32_t whole =
      bracket == std::string_view::npos || bracket == 0 ? end : WordsBefore(begin, bracket);
  AddAlias(begin, whole);
  if (const size_t comma = text.substr(0, bracket).find(", "); comma != std::string_view::npos) {
    if (const uint32_t before = WordsBefore(begin, comma); before - begin >= 2) {
      AddAlias(begin, before);
    }
  }
  if (const size_t arrow = text.rfind(" > "); arrow != std::string_view::npos) {
    AddAlias(WordsBefore(begin, arrow), end);
  }
}

// The number of the document's words when those of the last text up to an offset are counted.
uint32_t DocumentBuilder::WordsBefore(uint32_t begin, size_t offset) const {
  const auto& list = tokens_.list();
  const auto at =
      std::ranges::partition_point(list, [&](const Token& token) { return token.begin < offset; });
  return begin + static_cast<uint32_t>(at - list.begin());
}

void DocumentBuilder::AddNameAsTitle(std::string_view name, bool numbered) {
  const auto begin = static_cast<uint32_t>(document_.words.size());
  name_ = name;
  std::ranges::replace(name_, '_', ' ');
  AddWords(name_, numbered);
  document_.title_words = static_cast<uint32_t>(document_.words.size());
  // A name of which something is left out is not that name.
  if (document_.words.size() - begin == tokens_.list().size()) {
    AddAlias(begin, document_.title_words);
  }
}

void DocumentBuilder::AddBody(std::string_view text) {
  AddWords(text, true);
}

void DocumentBuilder::AddDate(std::string_view iso8601) {
  static constexpr std::string_view kMonths[] = {"january",   "february", "march",    "april",
                                                 "may",       "june",     "july",     "august",
                                                 "september", "october",  "november", "december"};
  const std::string_view day = iso8601.substr(0, iso8601.find('T'));
  const size_t year_end = day.find('-', 1);  // a first one is a sign
  std::string words(day.substr(0, year_end));
  if (year_end != std::string_view::npos) {
    const std::string_view rest = day.substr(year_end + 1);
    const size_t month =
        static_cast<size_t>(rest[0] - '0') * 10 + static_cast<size_t>(rest[1] - '0');
    if (month >= 1 && month <= 12) words = fmt::format("{} {}", kMonths[month - 1], words);
    if (rest.size() > 3) {
      const std::string_view number = rest.substr(rest[3] == '0' ? 4 : 3);
      words = fmt::format("{} {}", number, words);
    }
  }
  AddWords(words, true);
}

void DocumentBuilder::AddName(std::string_view name) {
  name_ = name;
  std::ranges::replace(name_, '_', ' ');
  AddWords(name_, false);
}

void DocumentBuilder::AddAlias(uint32_t begin, uint32_t end) {
  const uint32_t size = end - begin;
  if (size == 0 || size > kMaxAliasWords) return;
  const auto first = document_.words.begin() + begin;
  const bool stops =
      std::all_of(first, first + size, [](uint32_t word) { return Has(word, kStop); });
  const bool identifier = size == 1 && HasDigit(lexicon_[*first >> kWordFlagBits]);
  if (stops || identifier) return;
  for (const Document::Alias& alias : document_.aliases) {
    if (alias.begin == begin && alias.size == size) return;
  }
  document_.aliases.push_back({begin, size});
}

bool DocumentBuilder::JoinsNames(uint32_t word) {
  if (joining_.empty()) {
    for (const std::string_view joining : kJoining) {
      joining_.push_back(lexicon_.Add(joining).number);
    }
  }
  return std::ranges::find(joining_, word >> kWordFlagBits) != joining_.end();
}

void DocumentBuilder::Finish() {
  if (document_.title_words == 1 && document_.words.size() > 1) {
    const uint32_t word = document_.words[0];
    const char first = lexicon_[word >> kWordFlagBits].front();
    document_.is_entry = !Has(word, kCapital) && !(first >= '0' && first <= '9');
  }
  const std::vector<uint32_t>& words = document_.words;
  const auto size = static_cast<uint32_t>(words.size());
  const auto follows = [&](uint32_t i) {  // within the same sentence
    return i < size && !Has(words[i], kSentence) && !Has(words[i], kApart);
  };
  for (uint32_t at = 0; at < size;) {
    if (!Has(words[at], kCapital)) {
      ++at;
      continue;
    }
    uint32_t end = at + 1;
    while (end - at < kMaxPhraseWords && follows(end)) {
      const bool joins = follows(end + 1) && Has(words[end + 1], kCapital) &&
                         end + 1 - at < kMaxPhraseWords && JoinsNames(words[end]);
      if (!Has(words[end], kCapital) && !joins) break;
      ++end;
    }
    uint32_t begin = at;
    while (begin < end && Has(words[begin], kStop)) ++begin;
    const bool only_first =
        end - begin == 1 && Has(words[begin], kSentence) && begin >= document_.title_words;
    if (begin < end && !only_first) {
      stems_.clear();
      for (uint32_t i = begin; i < end; ++i) stems_.push_back(words[i] >> kWordFlagBits);
      document_.phrases.push_back({begin, end - begin, lexicon_.AddPhrase(stems_)});
    }
    at = end;
  }
}

uint8_t LengthCode(uint32_t length) {
  if (length < 8) return static_cast<uint8_t>(length);
  const int shift = 29 - std::countl_zero(length);  // leaves three bits
  return static_cast<uint8_t>(4 * shift + static_cast<int>(length >> shift));
}

uint32_t LengthOfCode(uint8_t code) {
  if (code < 8) return code;
  return (4u + code % 4) << (code / 4 - 1);
}

}  // namespace loci
