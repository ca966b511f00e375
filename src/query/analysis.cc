// SPDX-License-Identifier: Apache-2.0
#include "query/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/parser.h"

namespace loci::query {
namespace {

using NameIndex = uint32_t;
constexpr Variable kUnscoped = UINT32_MAX;

void SortUnique(std::vector<uint32_t>* v) {
  std::sort(v->begin(), v->end());
  v->erase(std::unique(v->begin(), v->end()), v->end());
}

std::vector<uint32_t> Union(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

std::vector<uint32_t> Intersection(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

std::vector<uint32_t> Difference(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  std::vector<uint32_t> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

class Analyzer {
 public:
  Analyzer(std::string_view text, QueryTree tree, bool lines)
      : text_(text),
        lines_(lines),
        tree_(std::move(tree)),
        scope_(tree_.names.variables.size(), kUnscoped),
        first_at_(tree_.names.variables.size(), UINT32_MAX) {}

  Result<Program> Run() {
    if (tree_.infer_at) {
      return Unsupported(*tree_.infer_at, "\"with infer\" is not yet in this version");
    }
    std::vector<NameIndex> mentioned;  // outside of any `not`
    for (const auto& branch : tree_.body.branches) {
      for (const Clause& clause : branch) Collect(clause, &mentioned, nullptr);
    }
    SortUnique(&mentioned);
    LOCI_TRY(MapHead(mentioned));
    LOCI_TRY(ResolveRoot());
    LOCI_TRY(CheckHead(mentioned));
    LOCI_TRY(ResolveOrder());
    program_.variables = most_variables_;
    program_.constants = std::move(tree_.names.constants);
    program_.written = std::move(tree_.names.variables);
    program_.limit = tree_.limit.value_or(UINT64_MAX);
    program_.offset = tree_.offset.value_or(0);
    return std::move(program_);
  }

 private:
  Error Fault(size_t at, std::string_view message) const {
    return ErrorAt(text_, at, message, lines_);
  }
  Error Unsupported(size_t at, std::string_view message) const {
    Error error = Fault(at, message);
    error.kind = ErrorKind::kUnsupported;
    return error;
  }

  static bool IsPlain(const Clause& clause) {
    return clause.kind == Clause::Kind::kAtom || clause.kind == Clause::Kind::kCompare ||
           clause.kind == Clause::Kind::kOperator;
  }

  // Adds the names of a clause: those outside of `not` to *positive, those inside to *negative
  // (where that is not null). Names may come twice.
  void Collect(const Clause& clause, std::vector<NameIndex>* positive,
               std::vector<NameIndex>* negative) {
    const auto add = [&](const Operand& operand) {
      if (operand.kind != Operand::Kind::kVariable) return;
      first_at_[operand.index] = std::min(first_at_[operand.index], operand.at);
      if (positive != nullptr) positive->push_back(operand.index);
    };
    if (IsPlain(clause)) {
      if (clause.relation) add(*clause.relation);
      add(clause.left);
      add(clause.right);
    }
    for (const Operand& argument : clause.arguments) add(argument);
    if (clause.kind == Clause::Kind::kNot) {
      positive = negative;
      if (positive == nullptr) return;
    }
    for (const auto& branch : clause.body.branches) {
      for (const Clause& inner : branch) Collect(inner, positive, negative);
    }
  }

  Result<Variable> NewVariable(NameIndex name, int level) {
    if (level_of_.size() == kMaxQueryVariables) {
      Error error = Fault(first_at_[name], fmt::format("more than {} variables; name parts of the "
                                                       "query by rules, or split it",
                                                       kMaxQueryVariables));
      error.kind = ErrorKind::kLimit;
      return error;
    }
    const auto variable = static_cast<Variable>(level_of_.size());
    level_of_.push_back(level);
    name_of_.push_back(name);
    most_variables_ = std::max(most_variables_, variable + 1);
    scope_[name] = variable;
    return variable;
  }

  std::string NameOf(Variable v) const { return "?" + tree_.names.variables[name_of_[v]]; }

  Result<void> MapHead(const std::vector<NameIndex>& mentioned) {
    std::vector<NameIndex> head;
    for (const Operand& variable : tree_.head) head.push_back(variable.index);
    if (!tree_.has_head) head = mentioned;  // names are numbered by appearance
    for (NameIndex name : head) {
      LOCI_ASSIGN(program_.head.emplace_back(), NewVariable(name, 0));
      program_.names.push_back(tree_.names.variables[name]);
    }
    return {};
  }

  // Several branches are one goal, so that below there are conjunctions only.
  Result<void> ResolveRoot() {
    if (tree_.body.branches.size() > 1) {
      std::vector<Clause> whole(1);
      whole[0].kind = Clause::Kind::kGroup;
      whole[0].at = 0;
      whole[0].body = std::move(tree_.body);
      return Resolve(whole, 0, &program_.root);
    }
    return Resolve(tree_.body.branches[0], 0, &program_.root);
  }

  // Names that belong to this conjunction: see the header.
  std::vector<NameIndex> OwnNames(const std::vector<Clause>& clauses) {
    std::vector<NameIndex> direct, positive, all;
    for (const Clause& clause : clauses) {
      std::vector<NameIndex> outside, inside;
      Collect(clause, &outside, &inside);
      SortUnique(&outside);
      if (IsPlain(clause)) direct.insert(direct.end(), outside.begin(), outside.end());
      positive.insert(positive.end(), outside.begin(), outside.end());
      inside.insert(inside.end(), outside.begin(), outside.end());
      SortUnique(&inside);
      all.insert(all.end(), inside.begin(), inside.end());
    }
    SortUnique(&direct);
    SortUnique(&positive);
    std::sort(all.begin(), all.end());
    std::vector<NameIndex> shared;  // in two clauses or more
    for (size_t i = 1; i < all.size(); ++i) {
      if (all[i] == all[i - 1]) shared.push_back(all[i]);
    }
    SortUnique(&shared);
    return Union(direct, Intersection(shared, positive));
  }

  Result<void> Resolve(const std::vector<Clause>& clauses, int level, Conjunction* out) {
    const size_t before = level_of_.size();
    std::vector<NameIndex> opened;
    for (NameIndex name : OwnNames(clauses)) {
      if (scope_[name] != kUnscoped) continue;
      LOCI_TRY(NewVariable(name, level));
      opened.push_back(name);
    }
    if (level == 0) NoteOuter();
    for (const Clause& clause : clauses) CountBinder(clause, 1);
    out->goals.resize(clauses.size());
    for (size_t i = 0; i < clauses.size(); ++i) {
      CountBinder(clauses[i], -1);
      LOCI_TRY(ResolveClause(clauses[i], level, &out->goals[i]));
      CountBinder(clauses[i], 1);
    }
    for (const Clause& clause : clauses) CountBinder(clause, -1);
    LOCI_TRY(Close(level, out));
    for (NameIndex name : opened) scope_[name] = kUnscoped;
    level_of_.resize(before);
    name_of_.resize(before);
    return {};
  }

  void CountBinder(const Clause& clause, int change) {
    std::vector<NameIndex> names;
    switch (clause.kind) {
      case Clause::Kind::kAtom:
      case Clause::Kind::kGroup:
        Collect(clause, &names, nullptr);
        break;
      case Clause::Kind::kOperator:
        if (clause.left.kind == Operand::Kind::kVariable) names.push_back(clause.left.index);
        break;
      case Clause::Kind::kCompare:
      case Clause::Kind::kNot:
        return;
    }
    SortUnique(&names);
    for (NameIndex name : names) {
      if (scope_[name] != kUnscoped) binders_of_[scope_[name]] += change;
    }
  }

  void NoteOuter() {
    for (NameIndex name = 0; name < scope_.size(); ++name) {
      if (scope_[name] == kUnscoped) continue;
      program_.outer.push_back(scope_[name]);
      program_.outer_names.push_back(tree_.names.variables[name]);
    }
  }

  Slot ToSlot(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::kVariable:
        return {Slot::Kind::kVariable, scope_[operand.index], operand.index};
      case Operand::Kind::kConstant:
        return {Slot::Kind::kConstant, operand.index};
      case Operand::Kind::kAnonymous:
        break;
    }
    return {};
  }

  Result<void> ResolveClause(const Clause& clause, int level, Goal* goal) {
    goal->at = clause.at;
    goal->source = clause.source;
    switch (clause.kind) {
      case Clause::Kind::kAtom:
        LOCI_TRY(ResolveAtom(clause, goal));
        break;
      case Clause::Kind::kCompare:
        goal->kind = Goal::Kind::kCompare;
        goal->comparison = clause.comparison;
        goal->start = ToSlot(clause.left);
        goal->end = ToSlot(clause.right);
        break;
      case Clause::Kind::kOperator:
        if (clause.op == Operator::kLike) return ResolveLike(clause, goal);
        return Unsupported(clause.at,
                           fmt::format("\"{}\" is not yet in this version; a relation of that "
                                       "name is written <{}>",
                                       OperatorName(clause.op), OperatorName(clause.op)));
      case Clause::Kind::kNot:
      case Clause::Kind::kGroup:
        return ResolveBranches(clause, level, goal);
    }
    for (const Slot& slot : {goal->start, goal->end, goal->relation}) {
      if (slot.kind == Slot::Kind::kVariable) goal->variables.push_back(slot.index);
    }
    SortUnique(&goal->variables);
    (goal->kind == Goal::Kind::kCompare ? goal->needs : goal->binds) = goal->variables;
    return {};
  }

  // The cue must be bound, what is recalled need not be.
  Result<void> ResolveLike(const Clause& clause, Goal* goal) {
    goal->kind = Goal::Kind::kLike;
    goal->by_words = depth_of_not_ > 0;
    goal->start = ToSlot(clause.left);
    goal->end = ToSlot(clause.right);
    if (goal->end.kind == Slot::Kind::kVariable) goal->needs.push_back(goal->end.index);
    if (goal->start.kind == Slot::Kind::kVariable) goal->binds.push_back(goal->start.index);
    goal->variables = Union(goal->needs, goal->binds);
    goal->binds = Difference(goal->binds, goal->needs);
    program_.recalls = true;
    return {};
  }

  Result<void> ResolveAtom(const Clause& clause, Goal* goal) {
    goal->start = ToSlot(clause.left);
    goal->end = ToSlot(clause.right);
    if (clause.relation) {
      goal->relation = ToSlot(*clause.relation);
      return {};
    }
    if (clause.path.kind == Path::Kind::kRelation) {
      goal->relation = {Slot::Kind::kConstant, clause.path.relation};
      if (clause.path.inverse) std::swap(goal->start, goal->end);
      return {};
    }
    if (const size_t steps = CountSteps(clause.path); steps > kMaxPathSteps) {
      Error error = Fault(clause.path.at, fmt::format("a path of {} steps, at most {} are allowed; "
                                                      "join two atoms by a variable, or use "
                                                      "\"or\" between atoms",
                                                      steps, kMaxPathSteps));
      error.kind = ErrorKind::kLimit;
      return error;
    }
    goal->kind = Goal::Kind::kPath;
    goal->path = clause.path;
    goal->forward = MakeAutomaton(clause.path, false);
    goal->backward = MakeAutomaton(clause.path, true);
    return {};
  }

  Result<void> ResolveBranches(const Clause& clause, int level, Goal* goal) {
    goal->kind = clause.kind == Clause::Kind::kNot ? Goal::Kind::kNot : Goal::Kind::kOr;
    goal->branches.resize(clause.body.branches.size());
    depth_of_not_ += goal->kind == Goal::Kind::kNot;
    for (size_t i = 0; i < goal->branches.size(); ++i) {
      Conjunction& branch = goal->branches[i];
      const auto outer = static_cast<Variable>(level_of_.size());
      LOCI_TRY(Resolve(clause.body.branches[i], level + 1, &branch));
      std::vector<Variable> seen;
      for (const Goal& inner : branch.goals) {
        for (Variable v : inner.variables) {
          if (v < outer) seen.push_back(v);
        }
      }
      SortUnique(&seen);
      goal->variables = Union(goal->variables, seen);
      std::erase_if(branch.binds, [outer](Variable v) { return v >= outer; });
      goal->binds = i == 0 ? branch.binds : Intersection(goal->binds, branch.binds);
      goal->needs = Union(goal->needs, branch.needs);
    }
    depth_of_not_ -= goal->kind == Goal::Kind::kNot;
    if (goal->kind == Goal::Kind::kNot) {
      goal->needs = goal->variables;
      goal->binds.clear();
      return {};
    }
    goal->needs = Union(goal->needs, Difference(goal->variables, goal->binds));
    goal->binds = Difference(goal->binds, goal->needs);
    return {};
  }

  // Solves for an order of the goals; each is visited once per variable that it waits for.
  Result<void> Close(int level, Conjunction* out) {
    const std::vector<Goal>& goals = out->goals;
    std::vector<std::vector<uint32_t>> waiting(level_of_.size());
    std::vector<uint8_t> bound(level_of_.size(), 0);
    std::vector<size_t> missing(goals.size());
    std::vector<uint32_t> ready;
    std::vector<Variable> needs;
    for (uint32_t i = 0; i < goals.size(); ++i) {
      missing[i] = goals[i].needs.size();
      if (missing[i] == 0) ready.push_back(i);
      for (Variable v : goals[i].needs) waiting[v].push_back(i);
    }
    const auto bind = [&](Variable v) {
      if (bound[v]) return;
      bound[v] = 1;
      for (uint32_t i : waiting[v]) {
        if (--missing[i] == 0) ready.push_back(i);
      }
    };
    size_t done = 0;
    while (done < goals.size()) {
      if (ready.empty()) {
        LOCI_TRY(Demand(level, goals, missing, bound, &needs));
        for (Variable v : needs) bind(v);
        continue;
      }
      const uint32_t i = ready.back();
      ready.pop_back();
      ++done;
      for (Variable v : goals[i].binds) bind(v);
    }
    std::vector<Variable> binds;
    for (const Goal& goal : goals) binds.insert(binds.end(), goal.binds.begin(), goal.binds.end());
    SortUnique(&binds);
    SortUnique(&needs);
    out->needs = std::move(needs);
    out->binds = Difference(binds, out->needs);
    return {};
  }

  // No goal is ready: what they wait for must come from outside, or is bound by nothing. Demanded
  // first is what no goal here can bind, then what clauses around bind, all else last.
  Result<void> Demand(int level, const std::vector<Goal>& goals, const std::vector<size_t>& missing,
                      const std::vector<uint8_t>& bound, std::vector<Variable>* needs) const {
    std::vector<uint8_t> bindable(bound.size(), 0);
    for (const Goal& goal : goals) {
      for (Variable v : goal.binds) bindable[v] = 1;
    }
    for (int turn = 0; turn < 3; ++turn) {
      const size_t before = needs->size();
      for (size_t i = 0; i < goals.size(); ++i) {
        if (missing[i] == 0) continue;
        for (Variable v : goals[i].needs) {
          if (bound[v] || level_of_[v] >= level) continue;
          if (turn == 2 || !bindable[v] || (turn == 1 && binders_of_[v] > 0)) needs->push_back(v);
        }
      }
      if (needs->size() > before) return {};
    }
    for (size_t i = 0; i < goals.size(); ++i) {
      if (missing[i] == 0) continue;
      for (Variable v : goals[i].needs) {
        if (!bound[v]) return Unbound(goals[i], v);
      }
    }
    return {};
  }

  Error Unbound(const Goal& goal, Variable v) const {
    const std::string name = NameOf(v);
    if (goal.kind == Goal::Kind::kCompare) {
      return Fault(first_at_[name_of_[v]],
                   fmt::format("{} is compared, but no atom binds it; add one such as "
                               "relation(?subject, {})",
                               name, name));
    }
    if (goal.kind == Goal::Kind::kLike) {
      return Fault(first_at_[name_of_[v]],
                   fmt::format("{} is the cue of like, but no atom binds it; add one such as "
                               "text(?subject, {}), or write the cue as a text",
                               name, name));
    }
    if (goal.kind == Goal::Kind::kNot) {
      return Fault(goal.at, fmt::format("{} occurs inside and outside of this \"not\", but no atom "
                                        "outside binds it; add one, or give it another name inside",
                                        name));
    }
    return Fault(first_at_[name_of_[v]],
                 fmt::format("{} is not bound in every branch of \"or\"; bind it in each, or give "
                             "the query a head such as (?x) <- without it",
                             name));
  }

  Result<void> CheckHead(const std::vector<NameIndex>& mentioned) const {
    for (size_t i = 0; i < program_.head.size(); ++i) {
      const Variable v = program_.head[i];
      if (std::binary_search(program_.root.binds.begin(), program_.root.binds.end(), v)) continue;
      const std::string& name = program_.names[i];
      if (!tree_.has_head) {
        const auto at = std::find(tree_.names.variables.begin(), tree_.names.variables.end(), name);
        return Fault(first_at_[at - tree_.names.variables.begin()],
                     fmt::format("?{} is not bound by an atom", name));
      }
      const Operand& written = tree_.head[i];
      const bool occurs = std::binary_search(mentioned.begin(), mentioned.end(), written.index);
      return Fault(
          written.at,
          occurs
              ? fmt::format("?{} of the head is not bound by an atom in every branch", name)
              : fmt::format("found ?{}, expected a variable of the body outside of \"not\"", name));
    }
    return {};
  }

  Result<void> ResolveOrder() {
    for (const OrderKey& key : tree_.order) {
      SortKey out{key.by_score, 0, key.descending};
      if (!key.by_score) {
        const std::string& name = tree_.names.variables[key.variable];
        const auto at = std::find(program_.names.begin(), program_.names.end(), name);
        if (at == program_.names.end()) {
          return Fault(key.at, fmt::format("found ?{}, expected a variable of the head or "
                                           "\"score\" to order by",
                                           name));
        }
        out.column = static_cast<uint32_t>(at - program_.names.begin());
      }
      program_.order.push_back(out);
    }
    return {};
  }

  std::string_view text_;
  const bool lines_;
  QueryTree tree_;
  Program program_;
  std::vector<Variable> scope_;     // by name: its variable at the place at hand
  std::vector<uint32_t> first_at_;  // by name: the offset at which it first occurs in the body
  std::vector<int> level_of_;       // by variable: the nesting of its conjunction
  std::vector<NameIndex> name_of_;  // by variable
  // By variable: clauses around the place at hand, but those that hold it, that may bind it.
  std::vector<int> binders_of_ = std::vector<int>(kMaxQueryVariables, 0);
  Variable most_variables_ = 0;
  int depth_of_not_ = 0;
};

}  // namespace

Result<Program> Analyze(std::string_view text, QueryTree tree, bool lines) {
  return Analyzer(text, std::move(tree), lines).Run();
}

}  // namespace loci::query
