// SPDX-License-Identifier: Apache-2.0
#include "base/fixed.h"

#include <array>
#include <bit>

namespace loci {
namespace {

using Wide = unsigned __int128;

constexpr uint64_t kHalf = uint64_t{1} << 63;  // 1 in 1.63 bits

// The largest x with x * x <= n.
constexpr uint64_t SquareRoot(Wide n) {
  uint64_t root = 0;
  for (uint64_t bit = kHalf; bit != 0; bit >>= 1) {
    const uint64_t x = root | bit;
    if (static_cast<Wide>(x) * x <= n) root = x;
  }
  return root;
}

// 2^(-1/2), 2^(-1/4), ... in 1.63 bits.
constexpr std::array<uint64_t, kWeightBits> kRoots = [] {
  std::array<uint64_t, kWeightBits> roots{};
  uint64_t at = kHalf / 2;
  for (uint64_t& root : roots) root = at = SquareRoot(static_cast<Wide>(at) * kHalf);
  return roots;
}();

}  // namespace

uint64_t Log2(uint64_t n) {
  const int highest = 63 - std::countl_zero(n);
  // The fraction of log2 by squaring x in [1, 2): each time that x passes 2, a bit is 1. One bit
  // more than is kept, to round by.
  uint64_t x = n << (63 - highest), fraction = 0;
  for (int i = 0; i <= kWeightBits; ++i) {
    const Wide square = static_cast<Wide>(x) * x;
    const bool passed = (square >> 127) != 0;
    fraction = fraction * 2 + passed;
    x = static_cast<uint64_t>(square >> (passed ? 64 : 63));
  }
  return (static_cast<uint64_t>(highest) << kWeightBits) + ((fraction + 1) >> 1);
}

uint64_t WeightOfScore(uint64_t score) {
  return (uint64_t{32} << kWeightBits) - Log2(score);
}

uint64_t ScoreOfWeight(uint64_t weight) {
  const uint64_t whole = weight >> kWeightBits;
  if (whole > 32) return 1;
  uint64_t power = kHalf;
  for (int i = 0; i < kWeightBits; ++i) {
    if ((weight >> (kWeightBits - 1 - i) & 1) == 0) continue;
    power = static_cast<uint64_t>(static_cast<Wide>(power) * kRoots[i] >> 63);
  }
  const int drop = 31 + static_cast<int>(whole);
  const uint64_t score = drop == 63 ? (power >= kHalf) : ((power >> (drop - 1)) + 1) >> 1;
  return score == 0 ? 1 : score;
}

}  // namespace loci
