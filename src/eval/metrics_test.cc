// SPDX-License-Identifier: Apache-2.0
//
// Against worked examples that others published, and in lockstep with formulas written out anew on
// random rankings. The whole verb is scored once more, by a program of its own, in
// tests/cli/eval_recall.test.
#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>
#include <vector>

namespace loci::eval {
namespace {

std::vector<Hit> Ranking(const std::vector<std::string>& documents) {
  std::vector<Hit> hits;
  for (const std::string& document : documents) hits.push_back({document, 0});
  return hits;
}

double Of(std::string_view measure, const std::vector<Hit>& ranking, const Grades& grades) {
  const Figures figures = Measure(ranking, grades);
  for (size_t i = 0; i < kMeasures.size(); ++i) {
    if (kMeasures[i].name == measure) return figures[i];
  }
  ADD_FAILURE() << measure;
  return -1;
}

// The example of Wikipedia's "Discounted cumulative gain": grades 3 2 3 0 1 2 in this order, and
// beside them one document of grade 3 and one of grade 2 that were not found. It gives DCG 6.861,
// ideal DCG 8.740 over six ranks; over ten, the two others (1, 0) join: 8.740 + 1/log2(8).
TEST(Metrics, PublishedExampleOfNdcg) {
  const Grades grades = {{"d1", 3}, {"d2", 2}, {"d3", 3}, {"d4", 0},
                         {"d5", 1}, {"d6", 2}, {"d7", 3}, {"d8", 2}};
  const auto ranking = Ranking({"d1", "d2", "d3", "d4", "d5", "d6"});
  EXPECT_NEAR(Of("ndcg@10", ranking, grades), 6.861 / (8.740 + 1 / 3.0), 1e-4);
  EXPECT_NEAR(Of("recall@2", ranking, grades), 2 / 7.0, 1e-12);
  EXPECT_NEAR(Of("recall@5", ranking, grades), 4 / 7.0, 1e-12);
}

// The example of the reciprocal rank in Wikipedia's "Mean reciprocal rank": ranks 3, 2 and 1.
TEST(Metrics, PublishedExampleOfReciprocalRank) {
  const auto rank = [](std::vector<std::string> found, const std::string& right) {
    return Of("mrr@10", Ranking(found), {{right, 1}});
  };
  const double sum = rank({"catten", "cati", "cats"}, "cats") +
                     rank({"torii", "tori", "toruses"}, "tori") +
                     rank({"viruses", "virii", "viri"}, "viruses");
  EXPECT_NEAR(sum / 3, 11 / 18.0, 1e-12);
}

TEST(Metrics, NothingFoundIsZeroAndTheBestOrderIsOne) {
  const Grades grades = {{"a", 2}, {"b", 1}, {"c", 0}, {"d", -1}};
  for (const MeasureInfo& measure : kMeasures) {
    EXPECT_EQ(Of(measure.name, {}, grades), 0) << measure.name;
    EXPECT_EQ(Of(measure.name, Ranking({"c", "x", "d"}), grades), 0) << measure.name;
    EXPECT_EQ(Of(measure.name, Ranking({"a", "b"}), grades), 1) << measure.name;
  }
  EXPECT_LT(Of("ndcg@10", Ranking({"b", "a"}), grades), 1);
  EXPECT_FALSE(HasRelevant({{"c", 0}, {"d", -1}}));
  EXPECT_TRUE(HasRelevant(grades));
}

// The double: sums over ranks, each written as its definition reads.
TEST(Metrics, AgreesWithTheDefinitions) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    Grades grades;
    for (int i = 0; i < 40; ++i) {
      if (random() % 3 == 0) grades["d" + std::to_string(i)] = static_cast<int>(random() % 5) - 1;
    }
    grades["d0"] = 1;
    std::vector<std::string> order;
    for (int i = 0; i < 40; ++i) order.push_back("d" + std::to_string(i));
    std::shuffle(order.begin(), order.end(), random);
    order.resize(random() % 41);
    const auto grade = [&](const std::string& d) {
      return grades.count(d) != 0 ? static_cast<double>(grades[d]) : 0.0;
    };
    std::multiset<double> best;
    for (const auto& [document, g] : grades) best.insert(static_cast<double>(g));
    for (const int k : {2, 5, 10, 20, 100}) {
      double found = 0, relevant = 0, gain = 0, ideal = 0, reciprocal = 0;
      for (int rank = 1; rank <= k && rank <= static_cast<int>(order.size()); ++rank) {
        const double g = grade(order[rank - 1]);
        if (g > 0) gain += g * std::log(2.0) / std::log(rank + 1.0);
        if (g > 0) found += 1;
        if (g > 0 && reciprocal == 0) reciprocal = 1.0 / rank;
      }
      for (const double g : best) relevant += g > 0;
      int rank = 1;
      for (auto g = best.rbegin(); g != best.rend() && rank <= k && *g > 0; ++g, ++rank) {
        ideal += *g * std::log(2.0) / std::log(rank + 1.0);
      }
      const auto ranking = Ranking(order);
      EXPECT_NEAR(Of("recall@" + std::to_string(k), ranking, grades), found / relevant, 1e-12);
      if (k != 10) continue;
      EXPECT_NEAR(Of("ndcg@10", ranking, grades), gain / ideal, 1e-12);
      EXPECT_NEAR(Of("mrr@10", ranking, grades), reciprocal, 1e-12);
    }
  }
}

TEST(Metrics, MeanHasTheIntervalOfTheNormalApproximation) {
  // Mean 0.5, standard deviation (n - 1) sqrt(1/3): 0.5 +- 1.96 * 0.57735 / 2.
  const double four[] = {0, 1, 0, 1};
  EXPECT_DOUBLE_EQ(MeanOf(four).mean, 0.5);
  EXPECT_NEAR(MeanOf(four).low, 0, 1e-12);  // -0.066, cut
  EXPECT_NEAR(MeanOf(four).high, 1, 1e-12);
  const double eight[] = {0.4, 0.6, 0.4, 0.6, 0.4, 0.6, 0.4, 0.6};
  EXPECT_NEAR(MeanOf(eight).mean, 0.5, 1e-12);
  EXPECT_NEAR(MeanOf(eight).low, 0.5 - 1.959964 * std::sqrt(0.08 / 7 / 8), 1e-6);
  EXPECT_NEAR(MeanOf(eight).high, 0.5 + 1.959964 * std::sqrt(0.08 / 7 / 8), 1e-6);
  const double one[] = {0.3};
  EXPECT_EQ(MeanOf(one).low, 0);
  EXPECT_EQ(MeanOf(one).high, 1);
}

TEST(Metrics, PercentileIsTheNearestRank) {
  double values[] = {35, 20, 15, 50, 40};  // the example of Wikipedia's "Percentile"
  EXPECT_EQ(Percentile(0.05, values), 15);
  EXPECT_EQ(Percentile(0.30, values), 20);
  EXPECT_EQ(Percentile(0.40, values), 20);
  EXPECT_EQ(Percentile(0.50, values), 35);
  EXPECT_EQ(Percentile(1.00, values), 50);
}

}  // namespace
}  // namespace loci::eval
