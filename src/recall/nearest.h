// SPDX-License-Identifier: Apache-2.0
//
// Near words: for a word of a cue that no document has, those that may have been meant. Edits are
// those of Damerau and Levenshtein, restricted: a letter left out, put in or changed, or two
// neighbours exchanged.
//
//   words of 4 letters and more   all within one edit, made one by one and looked up: some 500
//   of 8 letters and more         also those within two that share the first third
//   of 3 letters and more         those that it begins, as if by two
//
// A word's value is -edits + ln(1 + documents) / 10. The kMostNear best are taken, each for as much
// of a word as e to the power of what its value is below the best one's. (With every long word of
// 465 questions mistyped, one candidate loses 8 points of recall@5, four 6, eight less.) On stems,
// as the lexicon has no other form; so that a misspelled ending does no harm, the word less one of
// a few endings is looked for as well, for .3 less.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recall/collection.h"

namespace loci::recall {

struct NearWord {
  std::string stem;
  uint32_t weight;  // in 2^-16, of a word as written
};

inline constexpr size_t kMostNear = 8;

// The best first, of equal ones the first in order.
std::vector<NearWord> NearWords(const Collection& collection, std::string_view folded,
                                std::string_view stem);

// The edits between two words, or most + 1 where they are more.
uint32_t Edits(std::string_view a, std::string_view b, uint32_t most);

}  // namespace loci::recall
