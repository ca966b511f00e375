// SPDX-License-Identifier: Apache-2.0
//
// Explain: the first derivation of an answer. In each conjunction the variables that the answer
// leaves open take, one after the other in order of appearance, the first value in the canonical
// order with which the rest can hold. Then each atom has its fact, where it says "_" the first
// that matches; a path its shortest walk; an `or` its first branch that holds; `not` and
// comparisons have none. Where rules derive facts, the best proof comes before all of that, and a
// derived fact has its rule, of several the first by text, and the derivation of the rule's body.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "query/derivation.h"
#include "query/query.h"
#include "query/rule_set.h"
#include "query/solve.h"

namespace loci::query {

// The run is ranked by proof where there are rules; these may be null. The seeds bind all variables
// of the head. kNotFound where they are no answer.
Result<Derivation> ExplainAnswer(Context* context, const RuleSet* rules,
                                 std::span<const Seed> seeds, const DerivationLimits& limits);

// The statements of a tree, each fact once, where it is cited first. `before` orders sources.
std::vector<Evidence> ListEvidence(const Derivation& derivation,
                                   const std::function<bool(TermId, TermId)>& before);

}  // namespace loci::query
