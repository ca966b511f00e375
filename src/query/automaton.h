// SPDX-License-Identifier: Apache-2.0
//
// Automaton: a path as the position automaton of its expression (Glushkov 1961). A state is a step
// of the path that was just taken, so there are no empty transitions, and with at most 64 steps a
// set of states is one word: the walk over the graph is bit-parallel in them.
#pragma once

#include <cstdint>
#include <vector>

#include "query/tree.h"

namespace loci::query {

inline constexpr size_t kMaxPathSteps = 64;

struct Automaton {
  struct Step {
    uint32_t relation;  // constant
    bool inverse;       // from the object to the subject
  };
  std::vector<Step> steps;
  std::vector<uint64_t> follow;  // the steps that may come after each
  uint64_t first = 0, last = 0;  // steps that may begin and end a walk
  bool nullable = false;         // the walk of no step
};

size_t CountSteps(const Path& path);

// Of the path from its start to its end, or reversed, from its end to its start. The numbering of
// steps is the same for both. The path has at most kMaxPathSteps.
Automaton MakeAutomaton(const Path& path, bool reversed);

}  // namespace loci::query
