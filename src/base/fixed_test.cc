// SPDX-License-Identifier: Apache-2.0
#include "base/fixed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace loci {
namespace {

std::vector<uint64_t> SomeScores() {
  std::vector<uint64_t> scores = {1, 2, 3, kScoreOne - 1, kScoreOne - 2, kScoreOne / 2, kScoreOne};
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t below = uint64_t{2} << (random() % 32);
    scores.push_back(1 + random() % below);
  }
  return scores;
}

TEST(FixedTest, AScoreComesBackAsItWas) {
  for (uint64_t score : SomeScores()) {
    ASSERT_EQ(ScoreOfWeight(WeightOfScore(score)), score) << score;
  }
  EXPECT_EQ(WeightOfScore(kScoreOne), 0u);
  EXPECT_EQ(WeightOfScore(kScoreOne / 2), uint64_t{1} << 40);
  EXPECT_EQ(WeightOfScore(1), uint64_t{32} << 40);
}

TEST(FixedTest, WeightsAreLogarithms) {
  for (uint64_t score : SomeScores()) {
    const long double exact = (32 - std::log2(static_cast<long double>(score))) * 1099511627776.0L;
    ASSERT_NEAR(static_cast<double>(static_cast<long double>(WeightOfScore(score)) - exact), 0,
                0.51)
        << score;
  }
}

TEST(FixedTest, SumsOfWeightsAreProductsOfScores) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    long double product = 1;
    uint64_t weight = 0;
    for (uint64_t n = random() % 8; n > 0; --n) {
      const uint64_t score = 1 + random() % kScoreOne;
      product *= static_cast<long double>(score) / 4294967296.0L;
      weight += WeightOfScore(score);
    }
    const double exact = static_cast<double>(product * 4294967296.0L);
    ASSERT_NEAR(static_cast<double>(ScoreOfWeight(weight)), std::max(1.0, exact), 0.51);
  }
  EXPECT_EQ(ScoreOfWeight(UINT64_MAX), 1u);
}

TEST(FixedTest, MoreWeightIsNoMoreScore) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 20000; ++i) {
    const uint64_t a = random() >> (19 + random() % 20), b = a + 1 + random() % 1000;
    ASSERT_GE(ScoreOfWeight(a), ScoreOfWeight(b));
  }
}

}  // namespace
}  // namespace loci
