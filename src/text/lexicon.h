// SPDX-License-Identifier: Apache-2.0
//
// Lexicon: the words of many documents while an index of them is made. Words are stems and phrases,
// each with a number in order of arrival; each distinct form of a word is stemmed once.
//
// A phrase, a run of capitalised words, is the word "^" and its stems joined by spaces ("^mari
// curi"). No stem has either character, so the two kinds do not meet.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_table.h"
#include "text/stemmer.h"

namespace loci {

inline constexpr char kPhraseMark = '^';

class Lexicon {
 public:
  explicit Lexicon(Stemmer stemmer) : stemmer_(std::move(stemmer)) {}

  struct Word {
    uint32_t number;
    bool stop;
  };
  Word Add(std::string_view folded);
  uint32_t AddPhrase(std::span<const uint32_t> numbers);

  uint32_t size() const { return words_.size(); }
  std::string_view operator[](uint32_t number) const { return words_[number]; }

 private:
  Stemmer stemmer_;
  StringTable words_;
  StringTable forms_;
  std::vector<Word> of_form_;
  std::string phrase_;
};

}  // namespace loci
