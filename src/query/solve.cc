// SPDX-License-Identifier: Apache-2.0
#include "query/solve.h"

#include "query/pipeline.h"

namespace loci::query {

Result<Collector> Solve(Context* context, const Conjunction& conjunction,
                        std::span<const Seed> seeds, const std::vector<Variable>& out,
                        const std::vector<SortKey>& order, uint64_t most) {
  std::vector<Variable> bound;
  for (const Seed& seed : seeds) bound.push_back(seed.variable);
  LOCI_ASSIGN(const Plan plan, MakePlan(*context, conjunction, bound, out));
  return RunPlan(context, plan, seeds, out.size(), order, most);
}

Result<Collector> RunPlan(Context* context, const Plan& plan, std::span<const Seed> seeds,
                          size_t columns, const std::vector<SortKey>& order, uint64_t most) {
  RowBatch seed;
  seed.rows = 1;
  for (const Seed& one : seeds) seed.columns.push_back({one.value});
  Pipeline pipeline(&plan, context);
  Collector collector(context, columns, order, most);
  pipeline.Open(std::move(seed));
  RowBatch rows;
  for (bool more = most > 0; more;) {
    LOCI_ASSIGN(more, pipeline.Next(&rows));
    if (!more) break;
    LOCI_TRY(context->meter().Charge(rows.rows));
    LOCI_TRY(collector.Add(rows));
    if (columns == 0 && !context->ranked()) break;
  }
  LOCI_TRY(collector.Finish());
  return collector;
}

}  // namespace loci::query
