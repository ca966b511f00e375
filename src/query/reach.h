// SPDX-License-Identifier: Apache-2.0
//
// Reach: the ends of a path from each of many starts, a set for each. All starts walk in lockstep,
// breadth first, over pairs of node and automaton state; a pair is visited once per start, so
// cycles end. Each level of the walk costs one call of the graph per step of the path, whatever the
// number of starts.
//
// The walk of no step. Where the path allows it, it leads from each start to itself, provided that
// the start is subject or object of some fact or a constant that the atom itself names.
#pragma once

#include <span>
#include <vector>

#include "query/batch.h"
#include "query/best_walks.h"
#include "query/plan.h"

namespace loci::query {

class Reach {
 public:
  // Both outlive this.
  Reach(const Operation* operation, Context* context);

  // From ends of the path (backward), or from starts. The starts are distinct.
  Result<void> Run(std::span<const TermId> starts, bool backward, Lists* out);

  // Every node that a walk may start from; superset of those that have one.
  Result<void> Starts(std::vector<TermId>* out);

  // Pairs that the last run visited: what decides how many starts the next should have.
  uint64_t visited() const { return context_.ranked() ? best_.visited() : table_.size(); }

 private:
  struct Mark {
    uint64_t seen = 0;      // states reached
    uint64_t pending = 0;   // of these, not yet walked on from
    uint64_t expanded = 0;  // steps taken from here
    bool accepted = false;
  };

  // accept(i) for each start that has the walk of no step.
  template <class Accept>
  Result<void> AddEmptyWalks(std::span<const TermId> starts, Accept accept);
  // Where proofs count: the best walk to each end.
  Result<void> RunRanked(std::span<const TermId> starts, Lists* out);
  Result<void> TakeStep(uint32_t step);
  void Arrive(uint32_t start, TermId node, uint64_t states);
  uint32_t NumberOf(TermId node, uint32_t start);

  const Operation& operation_;
  Context& context_;
  const Automaton* automaton_ = nullptr;
  size_t starts_ = 0;

  DenseTable table_;               // (node, start)
  std::vector<Mark> marks_;        // of each pair
  std::vector<uint32_t> arrived_;  // pairs with pending states
  struct Departure {
    uint32_t start;
    TermId node;
  };
  std::vector<std::vector<Departure>> departures_;  // by step
  BestWalks best_;
  Lists lists_;
};

}  // namespace loci::query
