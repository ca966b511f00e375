// SPDX-License-Identifier: Apache-2.0
//
// Breadth first from the start, level by level, until a state that may end the path stands at the
// end; back from there, marking what lies on a shortest walk; then forward along the marks, at each
// node by the least fact. A fact and the node that one stands on tell the next node, so the walk is
// at one node at a time, though maybe in several states.
#include "query/walk.h"

#include <bit>

#include "query/batch.h"
#include "query/step.h"

namespace loci::query {
namespace {

// Nodes reached by a number of steps, each with states in which it was not reached by fewer; later
// narrowed to states on a shortest walk.
struct Level {
  DenseTable nodes;
  std::vector<uint64_t> states;

  void Add(TermId node, uint64_t more) {
    const uint32_t number = nodes.Insert(node);
    if (number == states.size()) states.push_back(0);
    states[number] |= more;
  }
  uint64_t StatesAt(TermId node) {
    const uint32_t known = nodes.size(), number = nodes.Insert(node);
    if (number == known) states.push_back(0);
    return states[number];
  }
};

class Walker {
 public:
  Walker(const Context& context, const Goal& goal, TermId start, TermId end)
      : context_(context), goal_(goal), path_(goal.forward), start_(start), end_(end) {}

  Result<std::optional<std::vector<Fact>>> Run() {
    if (start_ == end_ && path_.nullable) return std::optional(std::vector<Fact>());
    if ((start_ | end_) >= kOwnTerms) return std::optional<std::vector<Fact>>();
    LOCI_ASSIGN(const bool found, Forward());
    if (!found) return std::optional<std::vector<Fact>>();
    LOCI_TRY(Backward());
    return Choose();
  }

 private:
  // Steps that may come after any of the states.
  uint64_t After(uint64_t states) const {
    uint64_t steps = 0;
    for (; states != 0; states &= states - 1) steps |= path_.follow[std::countr_zero(states)];
    return steps;
  }

  // Of the states, those that the step may come after.
  uint64_t Before(uint64_t states, uint32_t step) const {
    uint64_t before = 0;
    for (uint64_t rest = states; rest != 0; rest &= rest - 1) {
      const int state = std::countr_zero(rest);
      if (path_.follow[state] >> step & 1) before |= uint64_t{1} << state;
    }
    return before;
  }

  Result<bool> Forward() {
    DenseTable seen;
    std::vector<uint64_t> seen_states;
    std::vector<std::vector<TermId>> departures(path_.steps.size());
    for (uint32_t step = 0; step < path_.steps.size(); ++step) {
      if (path_.first >> step & 1) departures[step].push_back(start_);
    }
    for (bool more = true; more;) {
      more = false;
      Level& level = levels_.emplace_back();
      for (uint32_t step = 0; step < path_.steps.size(); ++step) {
        if (departures[step].empty()) continue;
        LOCI_TRY(ExpandStep(context_, goal_, path_.steps[step], departures[step], &lists_));
        departures[step].clear();
        for (TermId node : lists_.others) {
          const uint32_t number = seen.Insert(node);
          if (number == seen_states.size()) seen_states.push_back(0);
          if (seen_states[number] >> step & 1) continue;
          seen_states[number] |= uint64_t{1} << step;
          level.Add(node, uint64_t{1} << step);
        }
        LOCI_TRY(context_.meter().CheckMemory(seen.bytes() * 2));
      }
      if ((level.StatesAt(end_) & path_.last) != 0) return true;
      for (uint32_t i = 0; i < level.states.size(); ++i) {
        const uint64_t steps = After(level.states[i]);
        for (uint32_t step = 0; step < path_.steps.size(); ++step) {
          if ((steps >> step & 1) == 0) continue;
          departures[step].push_back(level.nodes.node(i));
          more = true;
        }
      }
    }
    return false;
  }

  Result<void> Backward() {
    Level last;
    last.Add(end_, levels_.back().StatesAt(end_) & path_.last);
    levels_.back() = std::move(last);
    for (size_t i = levels_.size() - 1; i > 0; --i) {
      Level& reached = levels_[i - 1];
      Level useful;
      for (uint32_t step = 0; step < path_.steps.size(); ++step) {
        std::vector<TermId> nodes;
        for (uint32_t n = 0; n < levels_[i].states.size(); ++n) {
          if (levels_[i].states[n] >> step & 1) nodes.push_back(levels_[i].nodes.node(n));
        }
        if (nodes.empty()) continue;
        Automaton::Step back = path_.steps[step];
        back.inverse = !back.inverse;
        LOCI_TRY(ExpandStep(context_, goal_, back, nodes, &lists_));
        for (TermId node : lists_.others) {
          const uint64_t states = Before(reached.StatesAt(node), step);
          if (states != 0) useful.Add(node, states);
        }
      }
      reached = std::move(useful);
    }
    return {};
  }

  Result<std::optional<std::vector<Fact>>> Choose() {
    std::vector<Fact> walk;
    TermId at = start_;
    uint64_t steps = path_.first;
    for (Level& next : levels_) {
      std::optional<Fact> least;
      TermId least_to = 0;
      uint64_t states = 0;
      for (uint32_t step = 0; step < path_.steps.size(); ++step) {
        if ((steps >> step & 1) == 0) continue;
        LOCI_TRY(ExpandStep(context_, goal_, path_.steps[step], {&at, 1}, &lists_));
        for (TermId to : lists_.others) {
          if ((next.StatesAt(to) >> step & 1) == 0) continue;
          const Fact fact = FactOfStep(context_, path_.steps[step], at, to);
          const int order = least ? CompareFacts(context_, fact, *least) : -1;
          if (order > 0) continue;
          if (order < 0) states = 0;
          states |= uint64_t{1} << step;
          least = fact;
          least_to = to;
        }
      }
      if (!least) return std::optional<std::vector<Fact>>();  // damaged bytes, told by Verify
      walk.push_back(*least);
      at = least_to;
      steps = After(states);
    }
    return std::optional(std::move(walk));
  }

  const Context& context_;
  const Goal& goal_;
  const Automaton& path_;
  const TermId start_, end_;
  std::vector<Level> levels_;  // by number of steps, from 1
  Lists lists_;
};

}  // namespace

int CompareFacts(const Context& context, const Fact& a, const Fact& b) {
  if (const int order = context.Compare(a.subject, b.subject)) return order;
  if (const int order = context.Compare(a.relation, b.relation)) return order;
  return context.Compare(a.object, b.object);
}

Result<std::optional<std::vector<Fact>>> ShortestWalk(const Context& context, const Goal& goal,
                                                      TermId start, TermId end) {
  return Walker(context, goal, start, end).Run();
}

}  // namespace loci::query
