// SPDX-License-Identifier: Apache-2.0
#include "recall/nearest.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/fixed.h"
#include "recall/cue.h"
#include "text/lexicon.h"

namespace loci::recall {
namespace {

constexpr size_t kShortestEdited = 4, kShortestTwice = 8, kShortestBeginning = 3;
constexpr size_t kLongest = 64;
constexpr int64_t kSuffixPenalty = (int64_t{3} << kWeightBits) / 10;
constexpr std::string_view kSuffixes[] = {"ing", "ion", "al", "ed", "er", "es", "ly", "e", "s"};

class Search {
 public:
  explicit Search(const Collection& collection) : collection_(collection) {}

  // Also looks for what is near to this, behind what else was looked for by so much.
  void Add(std::string_view wanted, int64_t penalty) {
    wanted_ = wanted;
    penalty_ = penalty;
    if (wanted_.size() > kLongest) return;
    if (wanted_.size() >= kShortestEdited) WithinOneEdit();
    if (wanted_.size() >= kShortestTwice) {
      SharingBeginning(wanted_.substr(0, wanted_.size() / 3), 2);
    }
    if (wanted_.size() >= kShortestBeginning) SharingBeginning(wanted_, 2);
  }

  std::vector<NearWord> Best() {
    std::vector<NearWord> near;
    std::ranges::sort(found_, [](const Found& x, const Found& y) {
      return x.value != y.value ? x.value > y.value : x.word < y.word;
    });
    for (const Found& found : found_) {
      if (near.size() == kMostNear) break;
      near.push_back({found.word, Power(found_[0].value - found.value)});
    }
    return near;
  }

 private:
  static constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";

  struct Found {
    std::string word;
    int64_t value;  // in 2^-40
  };

  // e to the power of -x, in 2^-16; x in 2^-40.
  static uint32_t Power(int64_t x) {
    const auto weight = static_cast<uint64_t>(static_cast<__int128>(x) * 14427 / 10000);
    return static_cast<uint32_t>(ScoreOfWeight(weight) >> (32 - kUnitBits));
  }

  void WithinOneEdit() {
    std::string word;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      word = wanted_;
      word.erase(i, 1);
      Try(word, 1);
      if (i + 1 < wanted_.size() && wanted_[i] != wanted_[i + 1]) {
        word = wanted_;
        std::swap(word[i], word[i + 1]);
        Try(word, 1);
      }
      for (const char letter : kLetters) {
        if (letter == wanted_[i]) continue;
        word = wanted_;
        word[i] = letter;
        Try(word, 1);
      }
    }
    for (size_t i = 0; i <= wanted_.size(); ++i) {
      for (const char letter : kLetters) {
        word = wanted_;
        word.insert(i, 1, letter);
        Try(word, 1);
      }
    }
  }

  // Words that begin so: those within so many edits, and if it is all that is wanted, each of them.
  void SharingBeginning(std::string_view beginning, uint32_t edits) {
    for (const Collection::Part& part : collection_.parts()) {
      const uint32_t first = part.text->LowerBound(beginning);
      for (uint32_t word = first; word < part.text->words(); ++word) {
        const std::string_view there = part.text->Word(word);
        if (!there.starts_with(beginning)) break;
        if (beginning.size() == wanted_.size()) {
          Try(there, edits);
        } else if (const uint32_t found = Edits(wanted_, there, edits); found <= edits) {
          Try(there, found);
        }
      }
    }
  }

  void Try(std::string_view word, uint32_t edits) {
    if (word.empty() || word.front() == kPhraseMark) return;
    const bool known = std::ranges::any_of(collection_.parts(), [&](const Collection::Part& part) {
      return part.text->Find(word).has_value();
    });
    if (!known) return;
    const uint64_t documents = collection_.DocumentsWith(word, &where_);
    if (documents == 0) return;
    // ln(n) / 10 is log2(n) / 14.427.
    const auto frequency = static_cast<int64_t>(Log2(1 + documents) * 1000 / 14427);
    const int64_t value = frequency - (int64_t{edits} << kWeightBits) - penalty_;
    const auto before = std::ranges::find(found_, word, &Found::word);
    if (before == found_.end()) {
      found_.push_back({std::string(word), value});
    } else {
      before->value = std::max(before->value, value);
    }
  }

  const Collection& collection_;
  std::string_view wanted_;
  int64_t penalty_ = 0;
  std::vector<Found> found_;
  std::vector<uint32_t> where_;
};

}  // namespace

uint32_t Edits(std::string_view a, std::string_view b, uint32_t most) {
  const size_t longer = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (longer - shorter > most || longer > kLongest) return most + 1;
  std::array<std::array<uint32_t, kLongest + 1>, 3> rows;
  for (uint32_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (uint32_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i - 1) % 3];
    row[0] = i;
    uint32_t least = i;
    for (uint32_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], rows[(i - 2) % 3][j - 2] + 1);
      }
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
  }
  return std::min(rows[a.size() % 3][b.size()], most + 1);
}

std::vector<NearWord> NearWords(const Collection& collection, std::string_view folded,
                                std::string_view stem) {
  Search search(collection);
  search.Add(stem, 0);
  for (const std::string_view suffix : kSuffixes) {
    if (!folded.ends_with(suffix)) continue;
    const std::string_view rest = folded.substr(0, folded.size() - suffix.size());
    if (rest.size() >= kShortestEdited && rest != stem) search.Add(rest, kSuffixPenalty);
  }
  return search.Best();
}

}  // namespace loci::recall
