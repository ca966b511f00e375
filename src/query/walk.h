// SPDX-License-Identifier: Apache-2.0
//
// The walk that explains why a path leads from one term to another: of the shortest, the first in
// the canonical order, comparing fact by fact, each by subject, relation and object.
#pragma once

#include <optional>
#include <vector>

#include "query/context.h"

namespace loci::query {

// Negative, zero or positive in the canonical order.
int CompareFacts(const Context& context, const Fact& a, const Fact& b);

// The facts in the order of the walk, none for the walk of no step; nothing where there is no walk.
Result<std::optional<std::vector<Fact>>> ShortestWalk(const Context& context, const Goal& goal,
                                                      TermId start, TermId end);

}  // namespace loci::query
