// SPDX-License-Identifier: Apache-2.0
//
// One step of a path, taken from many nodes.
#pragma once

#include <span>

#include "query/context.h"

namespace loci::query {

// The neighbours that each node reaches by the step, through facts
// of the goal's source only, if it has one.
Result<void> ExpandStep(const Context& context, const Goal& goal, const Automaton::Step& step,
                        std::span<const TermId> nodes, Lists* out);

// The fact behind a step from one node to another.
Fact FactOfStep(const Context& context, const Automaton::Step& step, TermId from, TermId to);

}  // namespace loci::query
