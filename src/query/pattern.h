// SPDX-License-Identifier: Apache-2.0
//
// Pattern: the query of one fact with one unknown end, `relation(?s, ?x)` with ?s given or
// `relation(?x, constant)`: the most frequent of all, answered by one call of the graph. (Through
// the pipeline it costs about ten times as much, all of it bookkeeping.)
#pragma once

#include <optional>
#include <vector>

#include "query/solve.h"

namespace loci::query {

struct Pattern {
  TermId relation, known;
  Way way;  // from the known end
};

// Nothing where the program is another kind of query.
std::optional<Pattern> AsPattern(const Context& context, std::span<const Seed> seeds);

// The values of the unknown in the canonical order.
Result<std::vector<TermId>> RunPattern(const Context& context, const Pattern& pattern);

}  // namespace loci::query
