// SPDX-License-Identifier: Apache-2.0
#include "eval/metrics.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace loci::eval {
namespace {

int64_t GradeOf(const Grades& grades, const std::string& document) {
  const auto found = grades.find(document);
  return found == grades.end() ? 0 : std::max<int64_t>(found->second, 0);
}

// Of grades by rank.
double DiscountedGain(std::span<const int64_t> grades, size_t depth) {
  double sum = 0;
  for (size_t i = 0; i < std::min(depth, grades.size()); ++i) {
    sum += static_cast<double>(grades[i]) / std::log2(static_cast<double>(i) + 2);
  }
  return sum;
}

double Value(const MeasureInfo& measure, std::span<const int64_t> found,
             std::span<const int64_t> ideal) {
  const std::span<const int64_t> head = found.first(std::min(measure.depth, found.size()));
  const auto relevant = [](int64_t grade) { return grade > 0; };
  switch (measure.kind) {
    case MeasureKind::kRecall:
      return static_cast<double>(std::count_if(head.begin(), head.end(), relevant)) /
             static_cast<double>(ideal.size());
    case MeasureKind::kNdcg:
      return DiscountedGain(head, measure.depth) / DiscountedGain(ideal, measure.depth);
    case MeasureKind::kMrr: {
      const auto first = std::find_if(head.begin(), head.end(), relevant);
      return first == head.end() ? 0 : 1 / static_cast<double>(first - head.begin() + 1);
    }
  }
  return 0;
}

}  // namespace

Figures Measure(std::span<const Hit> ranking, const Grades& grades) {
  std::vector<int64_t> found, ideal;
  for (const Hit& hit : ranking) found.push_back(GradeOf(grades, hit.document));
  for (const auto& [document, grade] : grades) {
    if (grade > 0) ideal.push_back(grade);
  }
  std::sort(ideal.begin(), ideal.end(), std::greater<>());
  Figures figures;
  for (size_t i = 0; i < kMeasures.size(); ++i) figures[i] = Value(kMeasures[i], found, ideal);
  return figures;
}

bool HasRelevant(const Grades& grades) {
  return std::any_of(grades.begin(), grades.end(), [](const auto& one) { return one.second > 0; });
}

Mean MeanOf(std::span<const double> values) {
  constexpr double kNormal95 = 1.959963984540054;  // the 0.975 quantile
  const double n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  Mean result;
  result.mean = sum / n;
  if (values.size() < 2) return result;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  const double half = kNormal95 * std::sqrt(squares / (n - 1)) / std::sqrt(n);
  result.low = std::max(0.0, result.mean - half);
  result.high = std::min(1.0, result.mean + half);
  return result;
}

std::array<Mean, kMeasures.size()> MeansOf(std::span<const Figures> queries) {
  std::array<Mean, kMeasures.size()> means;
  for (size_t i = 0; i < kMeasures.size(); ++i) {
    std::vector<double> values;
    for (const Figures& figures : queries) values.push_back(figures[i]);
    means[i] = MeanOf(values);
  }
  return means;
}

double Percentile(double share, std::span<double> values) {
  std::sort(values.begin(), values.end());
  const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::clamp<size_t>(rank, 1, values.size()) - 1];
}

}  // namespace loci::eval
