// SPDX-License-Identifier: Apache-2.0
#include "query/estimate.h"

#include <algorithm>

namespace loci::query {
namespace {

bool IsBound(const Slot& slot, const std::vector<uint8_t>& bound) {
  return slot.kind == Slot::Kind::kConstant ||
         (slot.kind == Slot::Kind::kVariable && bound[slot.index] != 0);
}

constexpr double kMembership = 0.5;  // a goal that only tests
constexpr double kMostCounted = 1000;
constexpr double kRelationsOfMemory = 10;  // a bound relation: one of some

}  // namespace

Estimator::Estimator(const Context* context)
    : context_(*context),
      sizes_(context->constants()),
      facts_(static_cast<double>(context->graph().Facts())),
      terms_(static_cast<double>(context->graph().Terms())) {}

const Estimator::Size& Estimator::SizeOf(uint32_t constant) {
  Size& size = sizes_[constant];
  if (!size.known) {
    const TermId id = context_.constant(constant);
    const Graph::RelationSize found = context_.graph().SizeOf(id);
    size = {true, static_cast<double>(found.facts), static_cast<double>(found.subjects),
            static_cast<double>(found.objects)};
  }
  return size;
}

// Whether nothing derives it.
bool Estimator::IsStored(TermId relation) const {
  return context_.graph().SizeOf(relation).facts == context_.run().stored->SizeOf(relation).facts;
}

double Estimator::Distinct(const Goal& goal, Way way) {
  const Size& size = SizeOf(goal.relation.index);
  return way == Way::kForward ? size.subjects : size.objects;
}

// Of a constant the facts are counted where they cannot be many: a node may have much of other
// relations and nothing of this one.
double Estimator::Degree(const Goal& goal, Way way, double average, double most) const {
  const Slot& slot = way == Way::kForward ? goal.start : goal.end;
  if (slot.kind != Slot::Kind::kConstant) return average;
  const TermId id = context_.constant(slot.index);
  const double bound = std::min(most, static_cast<double>(context_.graph().Degree(id, way)));
  if (goal.relation.kind != Slot::Kind::kConstant || bound > kMostCounted) return bound;
  const TermId relation = context_.constant(goal.relation.index);
  if (!IsStored(relation)) return average;
  Lists lists;
  const auto counted = context_.run().stored->Expand({&id, 1}, relation, way, &lists);
  return counted.ok() ? static_cast<double>(lists.others.size()) : bound;
}

double Estimator::FactRows(const Goal& goal, const std::vector<uint8_t>& bound) {
  Size size{true, facts_, terms_, terms_};
  if (goal.relation.kind == Slot::Kind::kConstant) {
    size = SizeOf(goal.relation.index);
  } else if (IsBound(goal.relation, bound)) {
    size.facts /= kRelationsOfMemory;
  }
  const bool start = IsBound(goal.start, bound), end = IsBound(goal.end, bound);
  if (size.facts == 0) return 0;
  if (start && end) return kMembership;
  if (start) {
    return Degree(goal, Way::kForward, size.facts / std::max(1.0, size.subjects), size.facts);
  }
  if (end) {
    return Degree(goal, Way::kInverse, size.facts / std::max(1.0, size.objects), size.facts);
  }
  return size.facts;
}

double Estimator::Fan(const Path& path, bool reversed) {
  const bool flipped = reversed != path.inverse;
  double fan = 0;
  switch (path.kind) {
    case Path::Kind::kRelation: {
      const Size& size = SizeOf(path.relation);
      return size.facts / std::max(1.0, flipped ? size.objects : size.subjects);
    }
    case Path::Kind::kSequence:
      fan = 1;
      for (const Path& part : path.parts) fan *= Fan(part, flipped);
      break;
    case Path::Kind::kAlternative:
      for (const Path& part : path.parts) fan += Fan(part, flipped);
      break;
    case Path::Kind::kPlus:
    case Path::Kind::kStar: {
      const double once = Fan(path.parts[0], flipped);
      // Three steps stand for all: enough to tell a chain from a fan-out.
      fan = once + once * once + once * once * once;
      if (path.kind == Path::Kind::kStar) fan += 1;
      break;
    }
    case Path::Kind::kOptional:
      fan = 1 + Fan(path.parts[0], flipped);
      break;
  }
  return std::min(fan, std::max(1.0, terms_));
}

// Of a cue that only rows know, what one that is a symbol recalls stands for all.
double Estimator::LikeRows(const Goal& goal, const std::vector<uint8_t>& bound) const {
  if (IsBound(goal.start, bound)) return kMembership;
  const bool written = goal.end.kind == Slot::Kind::kConstant;
  const TermView any{Kind::kSymbol, {}};
  const TermView cue = written ? context_.Name(context_.constant(goal.end.index)) : any;
  return static_cast<double>(context_.run().stored->HitsOf(cue));
}

double Estimator::Rows(const Goal& goal, const std::vector<uint8_t>& bound) {
  switch (goal.kind) {
    case Goal::Kind::kFact:
      return FactRows(goal, bound);
    case Goal::Kind::kPath: {
      const bool start = IsBound(goal.start, bound), end = IsBound(goal.end, bound);
      if (start && end) return kMembership;
      if (start) return Fan(goal.path, false);
      if (end) return Fan(goal.path, true);
      return terms_ * std::max(1.0, Fan(goal.path, false));
    }
    case Goal::Kind::kLike:
      return LikeRows(goal, bound);
    case Goal::Kind::kCompare:
    case Goal::Kind::kNot:
      return kMembership;
    case Goal::Kind::kOr: {
      double rows = 0;
      for (const Conjunction& branch : goal.branches) {
        double least = facts_ + 1;
        for (const Goal& inner : branch.goals) {
          if (inner.kind == Goal::Kind::kFact || inner.kind == Goal::Kind::kPath ||
              inner.kind == Goal::Kind::kLike) {
            least = std::min(least, Rows(inner, bound));
          }
        }
        rows += least;
      }
      return rows;
    }
  }
  return 0;
}

}  // namespace loci::query
