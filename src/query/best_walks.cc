// SPDX-License-Identifier: Apache-2.0
#include "query/best_walks.h"

#include <bit>
#include <utility>

namespace loci::query {

void BestWalks::Clear(size_t starts, size_t steps) {
  starts_ = starts;
  steps_ = static_cast<uint32_t>(steps);
  arrivals_.Clear();
  best_.clear();
  waits_.clear();
  fresh_.clear();
  ends_.Clear();
  end_best_.clear();
  departures_.assign(steps, {});
}

void BestWalks::Accept(uint32_t start, TermId node, Proof proof) {
  const uint32_t end = ends_.Insert(node, start);
  if (end == end_best_.size()) {
    end_best_.push_back(proof);
  } else {
    end_best_[end] = std::min(end_best_[end], proof);
  }
}

bool BestWalks::TakeDepartures(uint32_t step, std::vector<Departure>* out) {
  *out = std::exchange(departures_[step], {});
  return !out->empty();
}

void BestWalks::Arrive(uint32_t start, TermId node, uint32_t step, Proof proof) {
  const uint32_t arrival = arrivals_.Insert(node, start * steps_ + step);
  if (arrival == best_.size()) {
    best_.push_back(proof);
    waits_.push_back(0);
  } else if (proof < best_[arrival]) {
    best_[arrival] = proof;
  } else {
    return;
  }
  if (!std::exchange(waits_[arrival], 1)) fresh_.push_back(arrival);
}

bool BestWalks::DepartAgain(const Automaton& automaton) {
  bool any = false;
  for (uint32_t arrival : std::exchange(fresh_, {})) {
    waits_[arrival] = 0;
    const uint32_t start = arrivals_.other(arrival) / steps_;
    const uint32_t step = arrivals_.other(arrival) % steps_;
    const TermId node = arrivals_.node(arrival);
    if (automaton.last >> step & 1) Accept(start, node, best_[arrival]);
    for (uint64_t next = automaton.follow[step]; next != 0; next &= next - 1) {
      departures_[std::countr_zero(next)].push_back({start, node, best_[arrival]});
      any = true;
    }
  }
  return any;
}

void BestWalks::List(Lists* out) const {
  out->Clear();
  out->ends.assign(starts_, 0);
  for (uint32_t i = 0; i < ends_.size(); ++i) ++out->ends[ends_.other(i)];
  uint64_t sum = 0;
  for (uint64_t& end : out->ends) sum += std::exchange(end, sum);
  out->others.resize(sum);
  out->proofs.resize(sum);
  // Each list's end is its beginning until it is filled.
  for (uint32_t i = 0; i < ends_.size(); ++i) {
    const uint64_t at = out->ends[ends_.other(i)]++;
    out->others[at] = ends_.node(i);
    out->proofs[at] = end_best_[i];
  }
}

}  // namespace loci::query
