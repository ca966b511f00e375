// SPDX-License-Identifier: Apache-2.0
//
// BestWalks: what Reach keeps where facts have proofs: for each start, node and step by which the
// node was reached, the least proof of a walk. A walk departs again from a node whose proof became
// less; as proofs are never negative and sums never less than their parts, that ends.
#pragma once

#include <vector>

#include "query/automaton.h"
#include "query/batch.h"

namespace loci::query {

class BestWalks {
 public:
  struct Departure {
    uint32_t start;
    TermId node;
    Proof proof;
  };

  void Clear(size_t starts, size_t steps);
  void Accept(uint32_t start, TermId node, Proof proof);
  void Depart(uint32_t step, Departure departure) { departures_[step].push_back(departure); }
  // Those that wait to take a step; false where there are none.
  bool TakeDepartures(uint32_t step, std::vector<Departure>* out);
  void Arrive(uint32_t start, TermId node, uint32_t step, Proof proof);
  // Sends on who arrived since, accepts who may end; false where nobody goes on.
  bool DepartAgain(const Automaton& automaton);
  // The ends of each start with the least proof of each.
  void List(Lists* out) const;

  uint64_t visited() const { return arrivals_.size(); }
  uint64_t bytes() const {
    return arrivals_.bytes() + ends_.bytes() + (best_.capacity() + end_best_.capacity()) * 16;
  }

 private:
  size_t starts_ = 0;
  uint32_t steps_ = 1;
  DenseTable arrivals_;  // (node, start * steps + step)
  std::vector<Proof> best_;
  std::vector<uint8_t> waits_;
  std::vector<uint32_t> fresh_;
  DenseTable ends_;  // (node, start)
  std::vector<Proof> end_best_;
  std::vector<std::vector<Departure>> departures_;  // by step
};

}  // namespace loci::query
