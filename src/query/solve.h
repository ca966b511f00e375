// SPDX-License-Identifier: Apache-2.0
//
// Solve: plan and run one conjunction, with some variables bound before.
#pragma once

#include <span>
#include <vector>

#include "query/collector.h"

namespace loci::query {

struct Seed {
  Variable variable;
  TermId value;
};

// The distinct values of `out` for which the conjunction holds, sorted (collector.h), at most
// `most`. The seeds hold all that the conjunction needs.
Result<Collector> Solve(Context* context, const Conjunction& conjunction,
                        std::span<const Seed> seeds, const std::vector<Variable>& out,
                        const std::vector<SortKey>& order, uint64_t most);

}  // namespace loci::query
