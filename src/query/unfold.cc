// SPDX-License-Identifier: Apache-2.0
#include "query/unfold.h"

#include <fmt/format.h>

#include <bit>

#include "query/strata.h"

namespace loci::query {
namespace {

// Beyond this many a rule is refused: branches of several `or`s multiply.
constexpr size_t kMostVariants = 4096;

template <class Visit>
void EachOperand(std::vector<Clause>* clauses, const Visit& visit) {
  for (Clause& clause : *clauses) {
    visit(&clause.left);
    visit(&clause.right);
    if (clause.relation) visit(&*clause.relation);
    for (auto& branch : clause.body.branches) EachOperand(&branch, visit);
  }
}

void Renumber(Path* path, const std::vector<uint32_t>& numbers) {
  if (path->kind == Path::Kind::kRelation) path->relation = numbers[path->relation];
  for (Path& part : path->parts) Renumber(&part, numbers);
}

void RenumberPaths(std::vector<Clause>* clauses, const std::vector<uint32_t>& numbers) {
  for (Clause& clause : *clauses) {
    if (clause.kind == Clause::Kind::kAtom && !clause.relation) Renumber(&clause.path, numbers);
    if (clause.source) clause.source = numbers[*clause.source];
    for (auto& branch : clause.body.branches) RenumberPaths(&branch, numbers);
  }
}

// A variable that stands for a relation becomes its name. Where it was alone, as in ?p(...), the
// clause becomes an atom of that relation.
void Substitute(std::vector<Clause>* clauses, uint32_t variable, uint32_t constant) {
  EachOperand(clauses, [=](Operand* operand) {
    if (operand->kind != Operand::Kind::kVariable || operand->index != variable) return;
    operand->kind = Operand::Kind::kConstant;
    operand->index = constant;
  });
  for (Clause& clause : *clauses) {
    if (clause.relation && clause.relation->kind == Operand::Kind::kConstant) {
      clause.path = {};
      clause.path.relation = clause.relation->index;
      clause.relation.reset();
    }
    for (auto& branch : clause.body.branches) Substitute(&branch, variable, constant);
  }
}

}  // namespace

uint32_t Pool::Intern(const Term& term) {
  std::string key(1, static_cast<char>(term.kind));
  key += term.bytes;
  const auto [at, is_new] = numbers_.try_emplace(key, static_cast<uint32_t>(terms_.size()));
  if (is_new) terms_.push_back(term);
  return at->second;
}

// 0xFF is in no name, for names are UTF-8.
uint32_t Pool::Fresh() {
  return Intern({Kind::kSymbol, "\xFF" + std::to_string(terms_.size())});
}

void Pool::Adopt(RuleTree* tree) {
  std::vector<uint32_t> numbers;
  for (const Term& term : tree->names.constants) numbers.push_back(Intern(term));
  tree->names.constants.clear();
  tree->relation = numbers[tree->relation];
  if (tree->confidence) tree->confidence = numbers[*tree->confidence];
  for (auto& branch : tree->body.branches) {
    EachOperand(&branch, [&](Operand* operand) {
      if (operand->kind == Operand::Kind::kConstant) operand->index = numbers[operand->index];
    });
    RenumberPaths(&branch, numbers);
  }
}

Result<RuleProgram> AnalyzePooled(std::string_view text, const RuleTree& tree, const Pool& pool) {
  RuleTree own = tree;
  // Only the confidence is looked up among the constants.
  if (own.confidence) {
    own.names.constants = {pool.at(*own.confidence)};
    own.confidence = 0;
  }
  return AnalyzeRule(text, own, false);
}

Unfolder::Unfolder(bool recursive, Pool* pool, RuleGroup* group)
    : recursive_(recursive),
      pool_(*pool),
      group_(*group),
      real_(group->relations),
      members_(group->relations.begin(), group->relations.end()) {}

bool Unfolder::NeedsGroup(const Path& path) const {
  bool needs = false;
  EachRelation(path, false,
               [&](uint32_t relation, bool) { needs = needs || members_.contains(relation); });
  return needs;
}

bool Unfolder::NeedsGroup(const Clause& clause) const {
  if (clause.kind == Clause::Kind::kAtom) {
    return !clause.source && (clause.relation.has_value() || NeedsGroup(clause.path));
  }
  bool needs = false;
  if (clause.kind == Clause::Kind::kGroup) {
    EachRelation(clause.body, false, [&](uint32_t relation, bool negated) {
      needs = needs || (!negated && (relation == kAnyRelation || members_.contains(relation)));
    });
  }
  return needs;
}

Result<void> Unfolder::Add(std::string_view text, const RuleTree& rule) {
  if (!recursive_) return Emit(text, rule, true);
  struct Form {
    RuleTree rule;
    size_t done = 0;  // clauses that need nothing more
  };
  std::vector<Form> forms;
  const auto put = [&](RuleTree form, size_t done) { forms.push_back({std::move(form), done}); };
  for (const auto& branch : rule.body.branches) {
    RuleTree form = rule;
    form.body.branches = {branch};
    put(std::move(form), 0);
  }
  while (!forms.empty()) {
    if (forms.size() + group_.variants.size() > kMostVariants) {
      return Error{ErrorKind::kLimit,
                   fmt::format("a rule of {} unfolds into more than {}, as branches of \"or\" "
                               "multiply; name parts of it by rules of their own",
                               ToNotation(pool_.at(rule.relation)), kMostVariants)};
    }
    Form form = std::move(forms.back());
    forms.pop_back();
    std::vector<Clause>& clauses = form.rule.body.branches[0];
    while (form.done < clauses.size() && !NeedsGroup(clauses[form.done])) ++form.done;
    if (form.done == clauses.size()) {
      LOCI_TRY(Emit(text, form.rule, true));
      continue;
    }
    const size_t at = form.done;
    const Clause clause = clauses[at];
    if (clause.kind == Clause::Kind::kGroup) {
      for (const auto& branch : clause.body.branches) {
        RuleTree next = form.rule;
        std::vector<Clause>& into = next.body.branches[0];
        into.erase(into.begin() + static_cast<ptrdiff_t>(at));
        into.insert(into.begin() + static_cast<ptrdiff_t>(at), branch.begin(), branch.end());
        put(std::move(next), at);
      }
    } else if (clause.relation) {
      put(form.rule, at + 1);
      for (uint32_t member : real_) {
        RuleTree next = form.rule;
        Substitute(&next.body.branches[0], clause.relation->index, member);
        for (Operand* end : {&next.subject, &next.object}) {
          if (end->index != clause.relation->index || end->kind != Operand::Kind::kVariable)
            continue;
          end->kind = Operand::Kind::kConstant;
          end->index = member;
        }
        put(std::move(next), at);
      }
    } else if (clause.path.kind == Path::Kind::kRelation) {
      put(form.rule, at + 1);
    } else {
      const uint32_t relation = pool_.Fresh();
      LOCI_TRY(AddPath(clause.path, relation));
      if (MakeAutomaton(clause.path, false).nullable) {
        RuleTree none = form.rule;
        Path& path = none.body.branches[0][at].path;
        path = {};
        path.kind = Path::Kind::kSequence;  // of nothing: the walk of no step
        put(std::move(none), at + 1);
      }
      clauses[at].path = {};
      clauses[at].path.relation = relation;
      put(std::move(form.rule), at + 1);
    }
  }
  return {};
}

Result<void> Unfolder::Emit(std::string_view text, const RuleTree& rule, bool counts) {
  Variant variant;
  variant.relation = rule.relation;
  variant.counts = counts;
  LOCI_ASSIGN(variant.rule, AnalyzePooled(text, rule, pool_));
  group_.variants.push_back(std::move(variant));
  return {};
}

// All walks of at least one step.
Result<void> Unfolder::AddPath(const Path& path, uint32_t relation) {
  const Automaton automaton = MakeAutomaton(path, false);
  const auto add = [this](uint32_t member) {
    members_.insert(member);
    group_.relations.push_back(member);
  };
  add(relation);
  std::vector<uint32_t> from;  // by step: the walks that begin with it
  for (size_t i = 0; i < automaton.steps.size(); ++i) add(from.emplace_back(pool_.Fresh()));
  for (uint32_t i = 0; i < automaton.steps.size(); ++i) {
    if (automaton.first >> i & 1) LOCI_TRY(AddStep(relation, {from[i], false}, std::nullopt));
    if (automaton.last >> i & 1) LOCI_TRY(AddStep(from[i], automaton.steps[i], std::nullopt));
    for (uint64_t next = automaton.follow[i]; next != 0; next &= next - 1) {
      LOCI_TRY(AddStep(from[i], automaton.steps[i], from[std::countr_zero(next)]));
    }
  }
  return {};
}

// relation(?x, ?y) <- step(?x, ?y), or <- step(?x, ?z), next(?z, ?y)
Result<void> Unfolder::AddStep(uint32_t relation, const Automaton::Step& step,
                               std::optional<uint32_t> next) {
  const auto variable = [](uint32_t index) {
    Operand operand;
    operand.kind = Operand::Kind::kVariable;
    operand.index = index;
    return operand;
  };
  const auto atom = [](uint32_t of, bool inverse, const Operand& left, const Operand& right) {
    Clause clause;
    clause.path.relation = of;
    clause.path.inverse = inverse;
    clause.left = left;
    clause.right = right;
    return clause;
  };
  RuleTree rule;
  rule.names.variables = {"x", "y", "z"};
  rule.relation = relation;
  rule.subject = variable(0);
  rule.object = variable(1);
  std::vector<Clause>& clauses = rule.body.branches.emplace_back();
  clauses.push_back(atom(step.relation, step.inverse, variable(0), variable(next ? 2 : 1)));
  if (next) clauses.push_back(atom(*next, false, variable(2), variable(1)));
  return Emit("", rule, false);
}

}  // namespace loci::query
