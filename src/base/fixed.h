// SPDX-License-Identifier: Apache-2.0
//
// Scores in fixed point, and their logarithms.
//
// A score is in (0, 1], a whole number of 2^-32. What multiplies many of them adds up weights
// instead: -log2 of a score, a whole number of 2^-40. Sums of integers are exact in any order,
// where products would be rounded at each step and depend on it; so there is one rounding on the
// way in and one on the way out. A score alone comes back as it was: neighbours near 1 are 2^-32
// apart, and their weights 369 units.
//
// All functions use integers only (a logarithm bit by bit, by squaring; a power as a product of
// roots of 2), so that they are the same on every machine.
#pragma once

#include <cstdint>

namespace loci {

inline constexpr uint64_t kScoreOne = uint64_t{1} << 32;

inline constexpr int kWeightBits = 40;

// log2 of a whole number from 1, to the nearest 2^-40.
uint64_t Log2(uint64_t n);

// -log2(score / 2^32), to the nearest 2^-40. The score is from 1 to kScoreOne, whose weight is 0.
uint64_t WeightOfScore(uint64_t score);

// The score of a weight, to the nearest 2^-32, and at least 1.
uint64_t ScoreOfWeight(uint64_t weight);

}  // namespace loci
