// SPDX-License-Identifier: Apache-2.0
#include "query/pattern.h"

#include <algorithm>

namespace loci::query {

std::optional<Pattern> AsPattern(const Context& context, std::span<const Seed> seeds) {
  const Program& program = context.program();
  if (program.root.goals.size() != 1 || program.head.size() != 1 || !program.order.empty()) {
    return std::nullopt;
  }
  const Goal& goal = program.root.goals[0];
  if (goal.kind != Goal::Kind::kFact || goal.source ||
      goal.relation.kind != Slot::Kind::kConstant) {
    return std::nullopt;
  }
  const Variable unknown = program.head[0];
  const bool forward = goal.end.is(unknown);
  const Slot& known = forward ? goal.start : goal.end;
  if (!(forward ? goal.end : goal.start).is(unknown) || known.is(unknown)) return std::nullopt;
  Pattern pattern{context.constant(goal.relation.index), kNoTerm,
                  forward ? Way::kForward : Way::kInverse};
  if (known.kind == Slot::Kind::kConstant) pattern.known = context.constant(known.index);
  for (const Seed& seed : seeds) {
    if (seed.variable == unknown) return std::nullopt;
    if (known.is(seed.variable)) pattern.known = seed.value;
  }
  if (pattern.known == kNoTerm) return std::nullopt;
  return pattern;
}

Result<std::vector<TermId>> RunPattern(const Context& context, const Pattern& pattern) {
  Lists lists;
  LOCI_TRY(context.graph().Expand({&pattern.known, 1}, pattern.relation, pattern.way, &lists));
  std::vector<TermId> values = std::move(lists.others);
  LOCI_TRY(context.meter().Charge(values.size() + 1));
  if (values.size() < 2) return values;
  const TermId ordered = context.graph().ordered_ids();
  if (std::all_of(values.begin(), values.end(), [=](TermId id) { return id < ordered; })) {
    if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  } else {
    std::sort(values.begin(), values.end(),
              [&](TermId a, TermId b) { return context.Compare(a, b) < 0; });
  }
  return values;
}

}  // namespace loci::query
