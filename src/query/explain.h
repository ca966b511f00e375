// SPDX-License-Identifier: Apache-2.0
//
// Explain: the first derivation of an answer. In each conjunction the variables that the answer
// leaves open take, one after the other in order of appearance, the first value in the canonical
// order with which the rest can hold. Then each atom has its fact, where it says "_" the first
// that matches; a path its shortest walk; an `or` its first branch that holds; `not` and
// comparisons have none.
#pragma once

#include <span>
#include <vector>

#include "query/query.h"
#include "query/solve.h"

namespace loci::query {

// The seeds bind all variables of the head. kNotFound where they are no answer.
Result<std::vector<Evidence>> ExplainAnswer(Context* context, std::span<const Seed> seeds);

}  // namespace loci::query
