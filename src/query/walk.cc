// SPDX-License-Identifier: Apache-2.0
//
// Level by level from the start, a level a step. A place is a node and the step by which it was
// reached; it keeps the least cost, the proof first and then the number of steps, and is walked on
// from again where that became less. Places that cost no less than the best end known are left
// alone. Back from the end, steps that add up to the least cost of a place are kept; then forward
// along these, at each node by the least fact. A fact and the node that one stands on tell the next
// node, so the walk is at one node at a time, though maybe at several places.
#include "query/walk.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "query/batch.h"
#include "query/step.h"

namespace loci::query {
namespace {

struct Cost {
  Proof proof;
  uint64_t steps = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

class Walker {
 public:
  Walker(const Context& context, const Goal& goal, TermId start, TermId end)
      : context_(context), goal_(goal), path_(goal.forward), start_(start), end_(end) {}

  Result<std::optional<Walk>> Run() {
    if (start_ == end_ && path_.nullable) return std::optional(Walk());
    LOCI_TRY(Forward());
    if (best_ == kNowhere) return std::optional<Walk>();
    LOCI_TRY(Backward());
    return Choose();
  }

 private:
  static constexpr Cost kNowhere{{UINT64_MAX, UINT64_MAX}, UINT64_MAX};

  // Where the walk begins: at the start, by no step.
  uint32_t FirstPlace() const { return static_cast<uint32_t>(path_.steps.size()); }
  uint64_t StepsFrom(uint32_t place) const {
    const uint32_t by = places_.other(place);
    return by == FirstPlace() ? path_.first : path_.follow[by];
  }

  void Arrive(TermId node, uint32_t step, const Cost& cost) {
    const uint32_t place = places_.Insert(node, step);
    if (place == costs_.size()) {
      costs_.push_back(cost);
      waits_.push_back(0);
    } else if (cost < costs_[place]) {
      costs_[place] = cost;
    } else {
      return;
    }
    if (!std::exchange(waits_[place], 1)) fresh_.push_back(place);
    if (node == end_ && (path_.last >> step & 1) != 0) best_ = std::min(best_, cost);
  }

  Result<void> Forward() {
    places_.Insert(start_, FirstPlace());
    costs_.emplace_back();
    waits_.push_back(1);
    fresh_.push_back(0);
    while (!fresh_.empty()) {
      const std::vector<uint32_t> level = std::exchange(fresh_, {});
      for (uint32_t place : level) waits_[place] = 0;
      for (uint32_t step = 0; step < path_.steps.size(); ++step) {
        std::vector<uint32_t> from;
        std::vector<TermId> nodes;
        for (uint32_t place : level) {
          if ((StepsFrom(place) >> step & 1) == 0 || costs_[place] >= best_) continue;
          from.push_back(place);
          nodes.push_back(places_.node(place));
        }
        if (nodes.empty()) continue;
        LOCI_TRY(ExpandStep(context_, goal_, path_.steps[step], nodes, &lists_));
        for (size_t i = 0; i < from.size(); ++i) {
          const Cost at = costs_[from[i]];
          for (uint64_t e = lists_.begin(i); e < lists_.end(i); ++e) {
            Arrive(lists_.others[e], step, {at.proof + ProofAt(e), at.steps + 1});
          }
        }
        LOCI_TRY(context_.meter().CheckMemory(places_.bytes() + costs_.size() * sizeof(Cost)));
      }
    }
    return {};
  }

  Proof ProofAt(uint64_t e) const { return lists_.proofs.empty() ? Proof() : lists_.proofs[e]; }

  Result<void> Backward() {
    onward_.resize(costs_.size());
    std::vector<uint8_t> seen(costs_.size(), 0);
    std::vector<uint32_t> level;
    const auto reach = [&](uint32_t place) {
      if (!std::exchange(seen[place], 1)) level.push_back(place);
    };
    for (uint32_t step = 0; step < path_.steps.size(); ++step) {
      if ((path_.last >> step & 1) == 0) continue;
      const auto place = places_.Find(end_, step);
      if (place && costs_[*place] == best_) reach(*place);
    }
    while (!level.empty()) {
      const std::vector<uint32_t> at = std::exchange(level, {});
      for (uint32_t step = 0; step < path_.steps.size(); ++step) {
        std::vector<uint32_t> to;
        std::vector<TermId> nodes;
        for (uint32_t place : at) {
          if (places_.other(place) != step) continue;
          to.push_back(place);
          nodes.push_back(places_.node(place));
        }
        if (nodes.empty()) continue;
        Automaton::Step back = path_.steps[step];
        back.inverse = !back.inverse;
        LOCI_TRY(ExpandStep(context_, goal_, back, nodes, &lists_));
        for (size_t i = 0; i < to.size(); ++i) {
          for (uint64_t e = lists_.begin(i); e < lists_.end(i); ++e) {
            for (uint32_t by = 0; by <= FirstPlace(); ++by) {
              const auto from = places_.Find(lists_.others[e], by);
              if (!from || (StepsFrom(*from) >> step & 1) == 0) continue;
              const Cost& cost = costs_[*from];
              if (Cost{cost.proof + ProofAt(e), cost.steps + 1} != costs_[to[i]]) continue;
              onward_[*from].push_back(to[i]);
              reach(*from);
            }
          }
        }
      }
    }
    return {};
  }

  Result<std::optional<Walk>> Choose() {
    Walk walk;
    walk.proof = best_.proof;
    std::vector<uint32_t> at = {0};
    while (walk.facts.size() < best_.steps) {
      std::optional<Fact> least;
      std::vector<uint32_t> next;
      for (uint32_t place : at) {
        for (uint32_t to : onward_[place]) {
          const Fact fact = FactOfStep(context_, path_.steps[places_.other(to)],
                                       places_.node(place), places_.node(to));
          const int order = least ? CompareFacts(context_, fact, *least) : -1;
          if (order > 0) continue;
          if (order < 0) next.clear();
          least = fact;
          next.push_back(to);
        }
      }
      if (!least) return std::optional<Walk>();  // damaged bytes, told by Verify
      walk.facts.push_back(*least);
      std::sort(next.begin(), next.end());
      next.erase(std::unique(next.begin(), next.end()), next.end());
      at = std::move(next);
    }
    return std::optional(std::move(walk));
  }

  const Context& context_;
  const Goal& goal_;
  const Automaton& path_;
  const TermId start_, end_;
  DenseTable places_;  // (node, step)
  std::vector<Cost> costs_;
  std::vector<uint8_t> waits_;                 // whether it is among
  std::vector<uint32_t> fresh_;                // the places whose cost became less
  Cost best_ = kNowhere;                       // of the end
  std::vector<std::vector<uint32_t>> onward_;  // by place: those that a best walk may go on to
  Lists lists_;
};

}  // namespace

int CompareFacts(const Context& context, const Fact& a, const Fact& b) {
  if (const int order = context.Compare(a.subject, b.subject)) return order;
  if (const int order = context.Compare(a.relation, b.relation)) return order;
  return context.Compare(a.object, b.object);
}

Result<std::optional<Walk>> BestWalk(const Context& context, const Goal& goal, TermId start,
                                     TermId end) {
  return Walker(context, goal, start, end).Run();
}

}  // namespace loci::query
