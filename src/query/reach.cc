// SPDX-License-Identifier: Apache-2.0
#include "query/reach.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "query/step.h"

namespace loci::query {

Reach::Reach(const Operation* operation, Context* context)
    : operation_(*operation),
      context_(*context),
      departures_(operation->goal->forward.steps.size()) {}

uint32_t Reach::NumberOf(TermId node, uint32_t start) {
  const uint32_t number = table_.Insert(node, start);
  if (number == marks_.size()) marks_.emplace_back();
  return number;
}

void Reach::Arrive(uint32_t start, TermId node, uint64_t states) {
  const uint32_t number = NumberOf(node, start);
  Mark& mark = marks_[number];
  const uint64_t fresh = states & ~mark.seen;
  if (fresh == 0) return;
  if (mark.pending == 0) arrived_.push_back(number);
  mark.seen |= fresh;
  mark.pending |= fresh;
  mark.accepted = mark.accepted || (fresh & automaton_->last) != 0;
}

template <class Accept>
Result<void> Reach::AddEmptyWalks(std::span<const TermId> starts, Accept accept) {
  std::vector<uint8_t> is_node;
  LOCI_TRY(context_.graph().AreNodes(starts, &is_node));
  for (uint32_t i = 0; i < starts.size(); ++i) {
    const bool named = starts[i] == operation_.start.value || starts[i] == operation_.end.value;
    if (is_node[i] || named) accept(i);
  }
  return {};
}

Result<void> Reach::TakeStep(uint32_t step) {
  std::vector<Departure> departures = std::exchange(departures_[step], {});
  // Many starts may stand at one node: it is asked for once. One start never takes a step twice.
  DenseTable nodes;
  std::vector<uint32_t> node_of;
  std::vector<TermId> frontier;
  for (const Departure& departure : departures) {
    const auto next = static_cast<uint32_t>(frontier.size());
    node_of.push_back(starts_ == 1 ? next : nodes.Insert(departure.node));
    if (node_of.back() == next) frontier.push_back(departure.node);
  }
  LOCI_TRY(ExpandStep(context_, *operation_.goal, automaton_->steps[step], frontier, &lists_));
  for (size_t i = 0; i < departures.size(); ++i) {
    const uint64_t end = lists_.end(node_of[i]);
    LOCI_TRY(context_.meter().Charge(end - lists_.begin(node_of[i]) + 1));
    for (uint64_t e = lists_.begin(node_of[i]); e < end; ++e) {
      Arrive(departures[i].start, lists_.others[e], uint64_t{1} << step);
    }
    LOCI_TRY(context_.meter().CheckMemory(table_.bytes() + marks_.capacity() * sizeof(Mark)));
  }
  return {};
}

Result<void> Reach::Run(std::span<const TermId> starts, bool backward, Lists* out) {
  automaton_ = backward ? &operation_.goal->backward : &operation_.goal->forward;
  if (context_.ranked() && !operation_.goal->source) return RunRanked(starts, out);
  starts_ = starts.size();
  table_.Clear();
  marks_.clear();
  arrived_.clear();
  if (automaton_->nullable) {
    LOCI_TRY(
        AddEmptyWalks(starts, [&](uint32_t i) { marks_[NumberOf(starts[i], i)].accepted = true; }));
  }
  for (uint64_t steps = automaton_->first; steps != 0; steps &= steps - 1) {
    auto& departures = departures_[std::countr_zero(steps)];
    for (uint32_t i = 0; i < starts.size(); ++i) {
      departures.push_back({i, starts[i]});
    }
  }
  for (bool more = true; more;) {
    more = false;
    for (uint32_t step = 0; step < departures_.size(); ++step) {
      if (!departures_[step].empty()) LOCI_TRY(TakeStep(step));
    }
    for (uint32_t number : std::exchange(arrived_, {})) {
      Mark& mark = marks_[number];
      uint64_t steps = 0;
      for (uint64_t states = std::exchange(mark.pending, 0); states != 0; states &= states - 1) {
        steps |= automaton_->follow[std::countr_zero(states)];
      }
      steps &= ~mark.expanded;
      mark.expanded |= steps;
      for (; steps != 0; steps &= steps - 1) {
        departures_[std::countr_zero(steps)].push_back({table_.other(number), table_.node(number)});
        more = true;
      }
    }
  }
  out->Clear();
  out->ends.assign(starts.size(), 0);
  for (uint32_t i = 0; i < marks_.size(); ++i) out->ends[table_.other(i)] += marks_[i].accepted;
  uint64_t sum = 0;
  for (uint64_t& end : out->ends) sum += std::exchange(end, sum);
  out->others.resize(sum);
  // Each list's end is its beginning until it is filled.
  for (uint32_t i = 0; i < marks_.size(); ++i) {
    if (marks_[i].accepted) out->others[out->ends[table_.other(i)]++] = table_.node(i);
  }
  return {};
}

Result<void> Reach::RunRanked(std::span<const TermId> starts, Lists* out) {
  best_.Clear(starts.size(), automaton_->steps.size());
  if (automaton_->nullable) {
    LOCI_TRY(AddEmptyWalks(starts, [&](uint32_t i) { best_.Accept(i, starts[i], {}); }));
  }
  for (uint64_t steps = automaton_->first; steps != 0; steps &= steps - 1) {
    const auto step = static_cast<uint32_t>(std::countr_zero(steps));
    for (uint32_t i = 0; i < starts.size(); ++i) best_.Depart(step, {i, starts[i], {}});
  }
  std::vector<BestWalks::Departure> departures;
  while (true) {
    for (uint32_t step = 0; step < automaton_->steps.size(); ++step) {
      if (!best_.TakeDepartures(step, &departures)) continue;
      std::vector<TermId> frontier;
      for (const auto& departure : departures) frontier.push_back(departure.node);
      std::sort(frontier.begin(), frontier.end());
      frontier.erase(std::unique(frontier.begin(), frontier.end()), frontier.end());
      LOCI_TRY(ExpandStep(context_, *operation_.goal, automaton_->steps[step], frontier, &lists_));
      for (const auto& departure : departures) {
        const auto at = std::lower_bound(frontier.begin(), frontier.end(), departure.node);
        const auto list = static_cast<size_t>(at - frontier.begin());
        LOCI_TRY(context_.meter().Charge(lists_.end(list) - lists_.begin(list) + 1));
        for (uint64_t e = lists_.begin(list); e < lists_.end(list); ++e) {
          best_.Arrive(
              departure.start, lists_.others[e], step,
              lists_.proofs.empty() ? departure.proof : departure.proof + lists_.proofs[e]);
        }
      }
      LOCI_TRY(context_.meter().CheckMemory(best_.bytes()));
    }
    if (!best_.DepartAgain(*automaton_)) break;
  }
  best_.List(out);
  return {};
}

Result<void> Reach::Starts(std::vector<TermId>* out) {
  const Graph& graph = context_.graph_of(*operation_.goal);
  const Automaton& path = operation_.goal->forward;
  if (path.nullable) {
    LOCI_TRY(graph.Nodes(out));
    LOCI_TRY(context_.meter().Charge(out->size()));
  }
  Lists lists;
  std::vector<TermId> subjects;
  // Where only stored facts count, whoever can take a step is a node already.
  const bool listed = path.nullable && !context_.ranked();
  for (uint64_t steps = listed ? 0 : path.first; steps != 0; steps &= steps - 1) {
    const Automaton::Step step = path.steps[std::countr_zero(steps)];
    const TermId relation = context_.constant(step.relation);
    subjects.clear();
    LOCI_TRY(graph.SubjectsOf(relation, &subjects));
    LOCI_TRY(context_.meter().Charge(subjects.size()));
    if (!step.inverse) out->insert(out->end(), subjects.begin(), subjects.end());
    for (size_t i = 0; step.inverse && i < subjects.size(); i += kBatchRows) {
      const size_t n = std::min(kBatchRows, subjects.size() - i);
      LOCI_TRY(graph.Expand({&subjects[i], n}, relation, Way::kForward, &lists));
      LOCI_TRY(context_.meter().Charge(lists.others.size()));
      out->insert(out->end(), lists.others.begin(), lists.others.end());
    }
  }
  std::sort(out->begin(), out->end());
  out->erase(std::unique(out->begin(), out->end()), out->end());
  return {};
}

}  // namespace loci::query
