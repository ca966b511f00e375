// SPDX-License-Identifier: Apache-2.0
#include "query/step.h"

namespace loci::query {
namespace {

Result<void> KeepSource(const Context& context, const Automaton::Step& step, TermId source,
                        std::span<const TermId> nodes, Lists* lists) {
  std::vector<Fact> facts;
  for (size_t i = 0; i < nodes.size(); ++i) {
    for (uint64_t e = lists->begin(i); e < lists->end(i); ++e) {
      facts.push_back(FactOfStep(context, step, nodes[i], lists->others[e]));
    }
  }
  std::vector<uint8_t> keep;
  LOCI_TRY(context.run().stored->HasSource(facts, source, &keep));
  uint64_t to = 0, from = 0;
  for (uint64_t& end : lists->ends) {
    for (; from < end; ++from) {
      if (keep[from]) lists->others[to++] = lists->others[from];
    }
    end = to;
  }
  lists->others.resize(to);
  return {};
}

}  // namespace

Fact FactOfStep(const Context& context, const Automaton::Step& step, TermId from, TermId to) {
  const TermId relation = context.constant(step.relation);
  return step.inverse ? Fact{to, relation, from} : Fact{from, relation, to};
}

Result<void> ExpandStep(const Context& context, const Goal& goal, const Automaton::Step& step,
                        std::span<const TermId> nodes, Lists* out) {
  const TermId relation = context.constant(step.relation);
  const TermId source = goal.source ? context.constant(*goal.source) : kNoTerm;
  const Way way = step.inverse ? Way::kInverse : Way::kForward;
  LOCI_TRY(context.graph_of(goal).Expand(nodes, relation, way, out));
  LOCI_TRY(context.meter().Charge(nodes.size() + out->others.size()));
  LOCI_TRY(context.meter().CheckMemory(out->others.size() * sizeof(TermId)));
  return goal.source ? KeepSource(context, step, source, nodes, out) : Result<void>();
}

}  // namespace loci::query
