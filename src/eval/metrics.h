// SPDX-License-Identifier: Apache-2.0
//
// Measures of a ranking against judgements, as trec_eval computes them and BEIR reports them:
//
//   recall@k  relevant documents among the first k, over all relevant ones
//   ndcg@k    sum of grade / log2(rank + 1) over the first k, over the same sum of the best order
//             that the judgements allow; gains are the grades themselves (not 2^grade - 1), grades
//             below 0 count as 0
//   mrr@k     1 / rank of the first relevant document, 0 where none is among the first k
//
// A mean comes with the 95 % interval of the normal approximation, mean +- 1.96 s / sqrt(n) with s
// the queries' standard deviation (n - 1), cut to [0, 1]. It needs no random numbers, as a
// bootstrap would, and at a hundred queries or more differs from one by less than a third digit.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "eval/judged.h"

namespace loci::eval {

enum class MeasureKind { kRecall, kNdcg, kMrr };

struct MeasureInfo {
  std::string_view name;
  MeasureKind kind;
  size_t depth;
};

// recall@100 is BEIR's second figure, and how far down a reverse dictionary is looked at.
inline constexpr std::array<MeasureInfo, 7> kMeasures = {{
    {"recall@2", MeasureKind::kRecall, 2},
    {"recall@5", MeasureKind::kRecall, 5},
    {"recall@10", MeasureKind::kRecall, 10},
    {"recall@20", MeasureKind::kRecall, 20},
    {"recall@100", MeasureKind::kRecall, 100},
    {"ndcg@10", MeasureKind::kNdcg, 10},
    {"mrr@10", MeasureKind::kMrr, 10},
}};

// One figure for each of kMeasures, in their order.
using Figures = std::array<double, kMeasures.size()>;

// Of one query. At least one grade is above 0: what has no right answer cannot be measured.
Figures Measure(std::span<const Hit> ranking, const Grades& grades);

bool HasRelevant(const Grades& grades);

struct Mean {
  double mean = 0, low = 0, high = 1;
};
// Of at least one value; of one value the interval is all of [0, 1].
Mean MeanOf(std::span<const double> values);

// Means of each measure over queries.
std::array<Mean, kMeasures.size()> MeansOf(std::span<const Figures> queries);

// The value below or at which the share of all values lies, by the nearest rank: of (0, 1], at
// least one value. Orders the values.
double Percentile(double share, std::span<double> values);

}  // namespace loci::eval
