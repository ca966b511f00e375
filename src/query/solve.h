// SPDX-License-Identifier: Apache-2.0
//
// Solve: run one conjunction, with some variables bound before.
#pragma once

#include <span>
#include <vector>

#include "query/collector.h"
#include "query/plan.h"

namespace loci::query {

struct Seed {
  Variable variable;
  TermId value;
};

// Plans and runs: the distinct values of `out` for which the conjunction holds, sorted
// (collector.h), at most `most`. The seeds hold all that the conjunction needs.
Result<Collector> Solve(Context* context, const Conjunction& conjunction,
                        std::span<const Seed> seeds, const std::vector<Variable>& out,
                        const std::vector<SortKey>& order, uint64_t most);

// Runs a plan made for these seeds and so many variables.
Result<Collector> RunPlan(Context* context, const Plan& plan, std::span<const Seed> seeds,
                          size_t columns, const std::vector<SortKey>& order, uint64_t most);

}  // namespace loci::query
