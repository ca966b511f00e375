// SPDX-License-Identifier: Apache-2.0
#include "query/plan.h"

#include <algorithm>

#include "query/estimate.h"
#include "query/query.h"

namespace loci::query {
namespace {

size_t Occurrences(const Goal& goal, Variable v) {
  return size_t{goal.start.is(v)} + goal.end.is(v) + goal.relation.is(v);
}

// Among goals that only test, the cheap ones first.
int TestRank(const Goal& goal) {
  switch (goal.kind) {
    case Goal::Kind::kCompare:
      return 0;
    case Goal::Kind::kFact:
      return 1;
    case Goal::Kind::kPath:
      return 2;
    case Goal::Kind::kLike:
      return 3;
    case Goal::Kind::kNot:
    case Goal::Kind::kOr:
      return 4;
  }
  return 5;
}

using Layout = std::vector<Variable>;

uint32_t ColumnOf(const Layout& layout, Variable v) {
  return static_cast<uint32_t>(std::find(layout.begin(), layout.end(), v) - layout.begin());
}

class Planner {
 public:
  Planner(const Context& context, Estimator* estimator, int level)
      : context_(context), estimator_(*estimator), level_(level) {}

  Result<Plan> Make(const Conjunction& conjunction, const Layout& seed, const Layout& out) {
    goals_ = &conjunction.goals;
    Prepare(seed, out);
    Plan plan;
    LOCI_TRY(Finish(seed, seed, false, {}, &plan));
    while (placed_count_ < goals_->size()) {
      const size_t chosen = Cheapest();
      if (chosen == goals_->size()) {
        return Error{ErrorKind::kUnsupported,
                     "the query's clauses have no order; this is a fault "
                     "of the planner, please report the query"};
      }
      LOCI_TRY(Generate(chosen, &plan));
    }
    Stage& last = plan.stages.back();
    std::vector<uint32_t> kept;
    for (Variable v : out) kept.push_back(last.kept[ColumnOf(layout_, v)]);
    last.kept = std::move(kept);
    return plan;
  }

 private:
  // The number of a row, carried through the branches of a goal that filters.
  Variable RowVariable() const { return context_.program().variables + level_; }

  void Prepare(const Layout& seed, const Layout& out) {
    const size_t variables = context_.program().variables + kMaxQueryDepth + 2;
    bound_.assign(variables, 0);
    uses_.assign(variables, 0);
    required_.assign(variables, 0);
    waiting_.resize(variables);
    const size_t n = goals_->size();
    open_.assign(n, 0);
    needed_.assign(n, 0);
    cost_.assign(n, 0);
    placed_.assign(n, 0);
    for (Variable v : out) required_[v] = 1;
    for (Variable v : seed) bound_[v] = 1;
    for (const Goal& goal : *goals_) {
      for (Variable v : goal.variables) ++uses_[v];
    }
    for (uint32_t i = 0; i < n; ++i) {
      const Goal& goal = (*goals_)[i];
      for (Variable v : goal.variables) {
        if (bound_[v] || IsIgnorable(goal, v)) continue;
        waiting_[v].push_back(i);
        ++open_[i];
        needed_[i] += std::binary_search(goal.needs.begin(), goal.needs.end(), v);
      }
      if (open_[i] == 0) {
        ready_.push_back(i);
      } else {
        cost_[i] = CostOf(goal);
      }
    }
  }

  // A variable that nothing else reads need not be bound: that it could be is enough.
  bool IsIgnorable(const Goal& goal, Variable v) const {
    if (bound_[v] || required_[v] || uses_[v] != 1) return false;
    if (goal.kind == Goal::Kind::kOr) {
      return !std::binary_search(goal.needs.begin(), goal.needs.end(), v);
    }
    if (goal.kind == Goal::Kind::kLike) return goal.start.is(v) && !goal.end.is(v);
    return (goal.kind == Goal::Kind::kFact || goal.kind == Goal::Kind::kPath) &&
           Occurrences(goal, v) == 1;
  }

  // The rows that a goal makes. Ends that nothing reads are dropped from them at once.
  double CostOf(const Goal& goal) const {
    const double rows = estimator_.Rows(goal, bound_);
    if (goal.kind != Goal::Kind::kFact || goal.relation.kind != Slot::Kind::kConstant) return rows;
    const auto is_dropped = [&](const Slot& slot) {
      return slot.kind == Slot::Kind::kNone ||
             (slot.kind == Slot::Kind::kVariable && IsIgnorable(goal, slot.index));
    };
    if (is_dropped(goal.end)) return std::min(rows, estimator_.Distinct(goal, Way::kForward));
    if (is_dropped(goal.start)) return std::min(rows, estimator_.Distinct(goal, Way::kInverse));
    return rows;
  }

  void Bind(Variable v) {
    bound_[v] = 1;
    for (uint32_t i : waiting_[v]) {
      if (placed_[i]) continue;
      const Goal& goal = (*goals_)[i];
      needed_[i] -= std::binary_search(goal.needs.begin(), goal.needs.end(), v);
      if (--open_[i] == 0) {
        ready_.push_back(i);
      } else {
        cost_[i] = CostOf(goal);
      }
    }
  }

  void Place(size_t i) {
    placed_[i] = 1;
    ++placed_count_;
    for (Variable v : (*goals_)[i].variables) --uses_[v];
  }

  size_t Cheapest() const {
    size_t best = goals_->size();
    for (size_t i = 0; i < goals_->size(); ++i) {
      if (placed_[i] || open_[i] == 0 || needed_[i] != 0) continue;
      const Goal& goal = (*goals_)[i];
      if (goal.kind == Goal::Kind::kCompare || goal.kind == Goal::Kind::kNot) continue;
      if (best == goals_->size() || cost_[i] < cost_[best]) best = i;
      if (context_.run().as_written) break;
    }
    return best;
  }

  bool IsRead(Variable v) const { return uses_[v] > 0 || required_[v]; }

  Result<void> Generate(size_t chosen, Plan* plan) {
    const Goal& goal = (*goals_)[chosen];
    Layout fresh;
    bool ignores = goal.kind == Goal::Kind::kOr || goal.start.kind == Slot::Kind::kNone ||
                   goal.end.kind == Slot::Kind::kNone;
    for (Variable v : goal.variables) {
      if (bound_[v]) continue;
      if (IsIgnorable(goal, v)) {
        ignores = true;
      } else {
        fresh.push_back(v);
      }
    }
    const Layout in = layout_;
    Place(chosen);
    Stage stage;
    Layout middle;
    for (uint32_t i = 0; i < in.size(); ++i) {
      if (!IsRead(in[i])) continue;
      stage.carried.push_back(i);
      middle.push_back(in[i]);
    }
    middle.insert(middle.end(), fresh.begin(), fresh.end());
    stage.added = static_cast<uint32_t>(fresh.size());
    LOCI_ASSIGN(stage.generate, MakeOperation(goal, in, middle));
    if (goal.kind == Goal::Kind::kOr) {
      LOCI_TRY(PlanBranches(goal, in, middle, &*stage.generate));
    }
    for (Variable v : fresh) Bind(v);
    return Finish(in, middle, ignores, std::move(stage), plan);
  }

  // Places what only tests, and drops what is not read behind it.
  Result<void> Finish(const Layout& in, const Layout& middle, bool ignores, Stage stage,
                      Plan* plan) {
    std::sort(ready_.begin(), ready_.end(), [this](uint32_t a, uint32_t b) {
      const int rank_a = TestRank((*goals_)[a]), rank_b = TestRank((*goals_)[b]);
      return rank_a != rank_b ? rank_a < rank_b : a < b;
    });
    for (uint32_t i : ready_) {
      const Goal& goal = (*goals_)[i];
      LOCI_ASSIGN(Operation filter, MakeOperation(goal, middle, {}));
      if (goal.kind == Goal::Kind::kOr || goal.kind == Goal::Kind::kNot) {
        LOCI_TRY(PlanTests(goal, middle, &filter));
      }
      Place(i);
      stage.filters.push_back(std::move(filter));
    }
    ready_.clear();
    layout_.clear();
    for (uint32_t i = 0; i < middle.size(); ++i) {
      if (!IsRead(middle[i])) continue;
      stage.kept.push_back(i);
      layout_.push_back(middle[i]);
    }
    const size_t came = stage.generate ? in.size() + stage.added : in.size();
    stage.distinct = ignores || layout_.size() < came;
    plan->stages.push_back(std::move(stage));
    return {};
  }

  End ToEnd(const Slot& slot, const Layout& in, const Layout& out) const {
    End end;
    if (slot.kind == Slot::Kind::kConstant) {
      end.role = End::Role::kConstant;
      end.value = context_.constant(slot.index);
    } else if (slot.kind == Slot::Kind::kVariable) {
      end.role = End::Role::kBound;
      end.column = ColumnOf(in, slot.index);
      if (end.column < in.size()) return end;
      end.column = ColumnOf(out, slot.index);
      end.role = end.column < out.size() ? End::Role::kNew : End::Role::kNone;
    }
    return end;
  }

  Result<Operation> MakeOperation(const Goal& goal, const Layout& in, const Layout& out) {
    Operation operation;
    operation.goal = &goal;
    operation.start = ToEnd(goal.start, in, out);
    operation.end = ToEnd(goal.end, in, out);
    operation.relation = ToEnd(goal.relation, in, out);
    if (goal.source) operation.source = context_.constant(*goal.source);
    if (goal.kind == Goal::Kind::kPath) {
      operation.forward_fan = estimator_.Fan(goal.path, false);
      operation.backward_fan = estimator_.Fan(goal.path, true);
    }
    return operation;
  }

  Result<void> PlanBranches(const Goal& goal, const Layout& in, const Layout& out,
                            Operation* operation) {
    Layout seed;
    for (uint32_t i = 0; i < in.size(); ++i) {
      const bool reads = std::binary_search(goal.variables.begin(), goal.variables.end(), in[i]);
      if (!reads && std::find(out.begin(), out.end(), in[i]) == out.end()) continue;
      seed.push_back(in[i]);
      operation->seed.push_back(i);
    }
    return PlanEach(goal, seed, out, operation);
  }

  Result<void> PlanTests(const Goal& goal, const Layout& in, Operation* operation) {
    Layout seed;
    for (Variable v : goal.variables) {
      if (!bound_[v]) continue;
      seed.push_back(v);
      operation->seed.push_back(ColumnOf(in, v));
    }
    seed.push_back(RowVariable());
    return PlanEach(goal, seed, {RowVariable()}, operation);
  }

  Result<void> PlanEach(const Goal& goal, const Layout& seed, const Layout& out,
                        Operation* operation) {
    for (const Conjunction& branch : goal.branches) {
      Planner planner(context_, &estimator_, level_ + 1);
      LOCI_ASSIGN(operation->branches.emplace_back(), planner.Make(branch, seed, out));
    }
    return {};
  }

  const Context& context_;
  Estimator& estimator_;
  const int level_;
  const std::vector<Goal>* goals_ = nullptr;

  std::vector<uint8_t> bound_, required_;       // by variable
  std::vector<uint32_t> uses_;                  // by variable: goals not yet placed that have it
  std::vector<std::vector<uint32_t>> waiting_;  // by variable: goals that have it and wait for it
  std::vector<uint32_t> open_, needed_;         // by goal: variables, needs that are not bound
  std::vector<double> cost_;                    // by goal
  std::vector<uint8_t> placed_;                 // by goal
  size_t placed_count_ = 0;
  std::vector<uint32_t> ready_;  // goals that only test
  Layout layout_;                // the columns behind the last stage
};

}  // namespace

Result<Plan> MakePlan(const Context& context, const Conjunction& conjunction,
                      const std::vector<Variable>& seed, const std::vector<Variable>& out) {
  Estimator estimator(&context);
  return Planner(context, &estimator, 0).Make(conjunction, seed, out);
}

}  // namespace loci::query
