// SPDX-License-Identifier: Apache-2.0
//
// The walk that explains why a path leads from one term to another: of those with the least proof
// the shortest, and of these the first in the canonical order, comparing fact by fact, each by
// subject, relation and object.
#pragma once

#include <optional>
#include <vector>

#include "query/context.h"

namespace loci::query {

// Negative, zero or positive in the canonical order.
int CompareFacts(const Context& context, const Fact& a, const Fact& b);

struct Walk {
  std::vector<Fact> facts;  // none for the walk of no step
  Proof proof;
};

// Nothing where there is no walk.
Result<std::optional<Walk>> BestWalk(const Context& context, const Goal& goal, TermId start,
                                     TermId end);

}  // namespace loci::query
