// SPDX-License-Identifier: Apache-2.0
#include "query/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/fixed.h"
#include "query/print.h"
#include "query/reach.h"
#include "query/recaller.h"
#include "query/tell_recall.h"
#include "query/walk.h"

namespace loci::query {
namespace {

Error NoDerivation() {
  return {ErrorKind::kNotFound,
          "no derivation was found: the row is no answer of this query on this memory"};
}

class Teller {
 public:
  Teller(Context* context, const RuleSet* rules, const DerivationLimits& limits)
      : context_(context),
        rules_(rules),
        limits_(limits),
        values_(context->program().variables, kNoTerm) {
    for (size_t i = 0; rules != nullptr && i < rules->relations.size(); ++i) {
      derived_.emplace(context->constant(rules->relations[i]), rules->relations[i]);
    }
  }

  Result<Derivation> Run(std::span<const Seed> seeds) {
    for (const Seed& seed : seeds) values_[seed.variable] = seed.value;
    LOCI_TRY(Derive(context_->program().root));
    LOCI_TRY(context_->graph().Verify());
    return std::move(tree_);
  }

 private:
  // What is bound of the variables that the conjunction's goals see.
  std::vector<Seed> SeedsOf(const Conjunction& conjunction, std::vector<Variable>* open) const {
    std::vector<Variable> all;
    for (const Goal& goal : conjunction.goals) {
      all.insert(all.end(), goal.variables.begin(), goal.variables.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::vector<Seed> seeds;
    for (Variable v : all) {
      if (values_[v] != kNoTerm) {
        seeds.push_back({v, values_[v]});
      } else if (open != nullptr) {
        open->push_back(v);
      }
    }
    return seeds;
  }

  // The best proof with which the conjunction holds, or nothing.
  Result<std::optional<Proof>> BestProof(const Conjunction& conjunction) {
    const std::vector<Seed> seeds = SeedsOf(conjunction, nullptr);
    LOCI_ASSIGN(const Collector found, Solve(context_, conjunction, seeds, {}, {}, 1));
    return found.rows() > 0 ? std::optional(found.proof(0)) : std::nullopt;
  }

  // Each open variable takes the first value with which the rest holds by the best proof.
  Result<void> Derive(const Conjunction& conjunction) {
    std::vector<Variable> open;
    std::vector<Seed> seeds = SeedsOf(conjunction, &open);
    for (Variable v : open) {
      LOCI_ASSIGN(const Collector found, Solve(context_, conjunction, seeds, {v}, {}, 1));
      if (found.rows() == 0) return NoDerivation();
      values_[v] = found.at(0, 0);
      seeds.push_back({v, values_[v]});
    }
    for (size_t i = 0; i < conjunction.goals.size(); ++i) {
      if (tree_.nodes.size() >= limits_.nodes) {
        LeaveOut(fmt::format("{} more clauses", conjunction.goals.size() - i));
        break;
      }
      LOCI_TRY(DeriveGoal(conjunction.goals[i]));
    }
    for (Variable v : open) values_[v] = kNoTerm;
    return {};
  }

  Result<void> DeriveGoal(const Goal& goal) {
    switch (goal.kind) {
      case Goal::Kind::kFact:
        return DeriveFact(goal);
      case Goal::Kind::kPath:
        return DerivePath(goal);
      case Goal::Kind::kLike:
        return DeriveLike(goal);
      case Goal::Kind::kCompare:
        Put(Derivation::Kind::kCompare).clause = ToText(goal, Words());
        return {};
      case Goal::Kind::kNot: {
        const std::string text = ToText(goal, Words());
        Put(Derivation::Kind::kNot).clause = text.substr(std::string_view("not ").size());
        return {};
      }
      case Goal::Kind::kOr:
        return DeriveOr(goal);
    }
    return {};
  }

  // Where what is recalled is "_", it is the best.
  Result<void> DeriveLike(const Goal& goal) {
    const TermId cue = ValueOf(goal.end);
    LOCI_ASSIGN(const auto hits, context_->run().recaller->Of(*context_, cue, goal.by_words));
    const auto& ranked = hits->ranking.hits();
    uint32_t place = 0;
    if (goal.start.kind != Slot::Kind::kNone) {
      const auto at = hits->Find(ValueOf(goal.start));
      if (!at) return NoDerivation();
      place = hits->places[*at];
    }
    if (ranked.empty()) return NoDerivation();
    const TermId item = ranked[place].item;
    LOCI_ASSIGN(const RecallTold told, TellRecall(*context_->run().stored, *hits, place));
    Derivation::Node& node = Put(Derivation::Kind::kLike);
    node.clause = fmt::format("like({}, {})", ToNotation(context_->Name(item)),
                              ToNotation(context_->Name(cue)));
    node.score = ranked[place].score;
    node.words = told.words;
    ++level_;
    for (const std::string& link : told.links) Put(Derivation::Kind::kLink).clause = link;
    for (size_t i = 0; i < told.facts.size(); ++i) {
      if (tree_.nodes.size() >= limits_.nodes) {
        LeaveOut(fmt::format("{} more facts with words of the cue", told.facts.size() - i));
        break;
      }
      LOCI_TRY(CiteStored(told.facts[i]));
    }
    --level_;
    return {};
  }

  Result<void> CiteStored(const Fact& fact) {
    LOCI_ASSIGN(std::vector<TermId> sources, context_->run().stored->Sources(fact));
    if (sources.empty()) return NoDerivation();
    Derivation::Node& node = Put(Derivation::Kind::kStatement);
    node.fact = fact;
    node.sources = std::move(sources);
    return {};
  }

  Result<void> DeriveOr(const Goal& goal) {
    std::optional<Proof> best;
    size_t branch = 0;
    for (size_t i = 0; i < goal.branches.size(); ++i) {
      LOCI_ASSIGN(const std::optional<Proof> proof, BestProof(goal.branches[i]));
      if (!proof || (best && *best <= *proof)) continue;
      best = proof;
      branch = i;
      if (!context_->ranked()) break;
    }
    if (!best) return NoDerivation();
    Derivation::Node& node = Put(Derivation::Kind::kOr);
    node.clause = fmt::format("branch {} of {}", branch + 1, goal.branches.size());
    node.score = ScoreOfWeight(best->weight);
    ++level_;
    LOCI_TRY(Derive(goal.branches[branch]));
    --level_;
    return {};
  }

  Derivation::Node& Put(Derivation::Kind kind) {
    Derivation::Node& node = tree_.nodes.emplace_back();
    node.kind = kind;
    node.level = level_;
    return node;
  }

  void LeaveOut(std::string what) {
    Put(Derivation::Kind::kMore).clause = std::move(what);
    tree_.whole = false;
  }

  Wording Words() const {
    Wording wording;
    wording.variables = &context_->program().written;
    wording.constant = [this](uint32_t index) { return context_->Name(context_->constant(index)); };
    wording.value = [this](Variable v) {
      return values_[v] == kNoTerm ? std::nullopt : std::optional(context_->Name(values_[v]));
    };
    return wording;
  }

  std::string FactText(const Fact& fact) const {
    const auto name = [this](TermId id) { return ToNotation(context_->Name(id)); };
    return fmt::format("{}({}, {})", name(fact.relation), name(fact.subject), name(fact.object));
  }

  TermId ValueOf(const Slot& slot) const {
    switch (slot.kind) {
      case Slot::Kind::kConstant:
        return context_->constant(slot.index);
      case Slot::Kind::kVariable:
        return values_[slot.index];
      case Slot::Kind::kNone:
        break;
    }
    return kNoTerm;
  }

  // A fact with its proof, the better one first, of equal ones the first in the canonical order.
  struct Choice {
    Fact fact;
    Proof proof;
  };
  void Offer(const Choice& choice, std::optional<Choice>* best) const {
    if (*best && (*best)->proof < choice.proof) return;
    if (*best && (*best)->proof == choice.proof &&
        CompareFacts(*context_, (*best)->fact, choice.fact) <= 0) {
      return;
    }
    *best = choice;
  }

  Result<void> DeriveFact(const Goal& goal) {
    Fact fact{ValueOf(goal.start), ValueOf(goal.relation), ValueOf(goal.end)};
    const bool any_start = goal.start.kind == Slot::Kind::kNone;
    const bool any_end = goal.end.kind == Slot::Kind::kNone;
    if (!any_start && !any_end) return Cite(goal, fact);
    std::optional<Choice> best;
    std::vector<TermId> nodes{any_start ? fact.object : fact.subject};
    if (any_start && any_end) {
      nodes.clear();
      LOCI_TRY(context_->graph_of(goal).SubjectsOf(fact.relation, &nodes));
      SortTerms(&nodes);
    }
    for (size_t i = 0; i < nodes.size() && !(best && best->proof == Proof()); ++i) {
      LOCI_TRY(OfferFacts(goal, fact.relation, nodes[i], any_end ? Way::kForward : Way::kInverse,
                          &best));
    }
    if (!best) return NoDerivation();
    return Cite(goal, best->fact);
  }

  void SortTerms(std::vector<TermId>* terms) const {
    std::sort(terms->begin(), terms->end(),
              [this](TermId a, TermId b) { return context_->Compare(a, b) < 0; });
  }

  Result<void> OfferFacts(const Goal& goal, TermId relation, TermId node, Way way,
                          std::optional<Choice>* best) {
    Lists lists;
    LOCI_TRY(context_->graph_of(goal).Expand({&node, 1}, relation, way, &lists));
    LOCI_TRY(context_->meter().Charge(lists.others.size() + 1));
    std::vector<Fact> facts;
    for (TermId other : lists.others) {
      facts.push_back(way == Way::kForward ? Fact{node, relation, other}
                                           : Fact{other, relation, node});
    }
    std::vector<uint8_t> keep(facts.size(), 1);
    if (goal.source) {
      const TermId source = context_->constant(*goal.source);
      LOCI_TRY(context_->graph().HasSource(facts, source, &keep));
    }
    for (size_t i = 0; i < facts.size(); ++i) {
      if (keep[i]) Offer({facts[i], lists.proofs.empty() ? Proof() : lists.proofs[i]}, best);
    }
    return {};
  }

  Result<void> DerivePath(const Goal& goal) {
    TermId start = ValueOf(goal.start), end = ValueOf(goal.end);
    if (start == kNoTerm || end == kNoTerm) {
      LOCI_TRY(ChooseEnds(goal, &start, &end));
    }
    LOCI_ASSIGN(const auto walk, BestWalk(*context_, goal, start, end));
    if (!walk) return NoDerivation();
    Derivation::Node& node = Put(Derivation::Kind::kPath);
    node.clause = fmt::format("{}({}, {})", ToText(goal.path, Words()),
                              ToNotation(context_->Name(start)), ToNotation(context_->Name(end)));
    node.score = ScoreOfWeight(walk->proof.weight);
    ++level_;
    for (size_t i = 0; i < walk->facts.size(); ++i) {
      if (tree_.nodes.size() >= limits_.nodes) {
        LeaveOut(fmt::format("{} more steps of the walk", walk->facts.size() - i));
        break;
      }
      LOCI_TRY(Cite(goal, walk->facts[i]));
    }
    --level_;
    return {};
  }

  // Ends that are "_": those with the best proof, of equal ones the first start that leads
  // anywhere, the first end that it leads to.
  Result<void> ChooseEnds(const Goal& goal, TermId* start, TermId* end) {
    Operation operation;
    operation.goal = &goal;
    if (goal.start.kind == Slot::Kind::kConstant) operation.start.value = *start;
    if (goal.end.kind == Slot::Kind::kConstant) operation.end.value = *end;
    if (goal.source) operation.source = context_->constant(*goal.source);
    Reach reach(&operation, context_);
    const bool backward = *start == kNoTerm && *end != kNoTerm;
    std::vector<TermId> from{backward ? *end : *start};
    if (from[0] == kNoTerm) {
      from.clear();
      LOCI_TRY(reach.Starts(&from));
      SortTerms(&from);
    }
    Lists lists;
    std::optional<Choice> best;  // of a fact from start to end
    for (size_t i = 0; i < from.size() && !(best && best->proof == Proof()); ++i) {
      LOCI_TRY(reach.Run({&from[i], 1}, backward, &lists));
      for (size_t e = 0; e < lists.others.size(); ++e) {
        const TermId other = lists.others[e];
        const Fact ends = backward ? Fact{other, other, from[i]} : Fact{from[i], from[i], other};
        Offer({ends, lists.proofs.empty() ? Proof() : lists.proofs[e]}, &best);
      }
    }
    if (!best) return NoDerivation();
    *start = best->fact.subject;
    *end = best->fact.object;
    return {};
  }

  Result<void> Cite(const Goal& goal, const Fact& fact) {
    std::vector<TermId> sources;
    if (goal.source) {
      const TermId source = context_->constant(*goal.source);
      std::vector<uint8_t> said;
      LOCI_TRY(context_->graph().HasSource({&fact, 1}, source, &said));
      if (said[0]) sources.push_back(source);
    } else {
      LOCI_ASSIGN(sources, context_->graph().Sources(fact));
      if (sources.empty()) return DeriveByRule(fact);
    }
    if (sources.empty()) return NoDerivation();
    Derivation::Node& node = Put(Derivation::Kind::kStatement);
    node.fact = fact;
    node.sources = std::move(sources);
    return {};
  }

  // By the first rule, in the order of their texts, that gives the fact its proof.
  Result<void> DeriveByRule(const Fact& fact) {
    const auto relation = derived_.find(fact.relation);
    if (relation == derived_.end()) return NoDerivation();
    Marks marks;
    LOCI_TRY(context_->graph().Has({&fact, 1}, &marks));
    if (!marks.holds[0]) return NoDerivation();
    const Proof proof = marks.proofs.empty() ? Proof() : marks.proofs[0];
    const bool again = !told_.insert({fact.subject, fact.relation, fact.object}).second;
    Derivation::Node& node = Put(again ? Derivation::Kind::kAgain : Derivation::Kind::kDerived);
    node.clause = FactText(fact);
    node.score = ScoreOfWeight(proof.weight);
    if (again) return {};
    ++level_;
    if (level_ > limits_.levels || tree_.nodes.size() >= limits_.nodes) {
      LeaveOut("its derivation; ask why of it");
      --level_;
      return {};
    }
    const RuleSet::Derived& derived = rules_->derived.at(relation->second);
    for (uint32_t i = derived.first; i < derived.first + derived.count; ++i) {
      LOCI_ASSIGN(const bool told, TryRule(rules_->rules[i], fact, proof));
      if (told) {
        --level_;
        return {};
      }
    }
    return NoDerivation();
  }

  Result<bool> TryRule(const Rule& rule, const Fact& fact, const Proof& proof) {
    Context context(&context_->run(), &rule.program.program);
    std::vector<TermId> values(rule.program.program.variables, kNoTerm);
    for (const auto& [slot, value] : {std::pair{rule.program.subject, fact.subject},
                                      std::pair{rule.program.object, fact.object}}) {
      if (values[slot.index] != kNoTerm && values[slot.index] != value) return false;
      values[slot.index] = value;
    }
    std::swap(values_, values);
    Context* const outer = std::exchange(context_, &context);
    const Conjunction& body = rule.program.program.root;
    LOCI_ASSIGN(const std::optional<Proof> found, BestProof(body));
    const bool gives = found && *found + Proof{rule.program.weight, 1} == proof;
    if (gives) {
      Derivation::Node& node = Put(Derivation::Kind::kRule);
      node.clause = rule.text;
      node.fact = rule.statement;
      node.score = ScoreOfWeight(rule.program.weight);
      LOCI_ASSIGN(tree_.nodes.back().sources, context_->graph().Sources(rule.statement));
      LOCI_TRY(Derive(body));
    }
    context_ = outer;
    std::swap(values_, values);
    return gives;
  }

  Context* context_;
  const RuleSet* const rules_;
  const DerivationLimits limits_;
  std::vector<TermId> values_;            // by variable of the program at hand; kNoTerm where open
  std::map<TermId, uint32_t> derived_;    // the constants of derived relations
  std::set<std::array<TermId, 3>> told_;  // derived facts that are in the tree
  Derivation tree_;
  uint32_t level_ = 0;
};

}  // namespace

Result<Derivation> ExplainAnswer(Context* context, const RuleSet* rules,
                                 std::span<const Seed> seeds, const DerivationLimits& limits) {
  return Teller(context, rules, limits).Run(seeds);
}

std::vector<Evidence> ListEvidence(const Derivation& derivation,
                                   const std::function<bool(TermId, TermId)>& before) {
  std::vector<Evidence> evidence;
  std::map<std::array<TermId, 3>, size_t> cited;  // the place in evidence
  for (const Derivation::Node& node : derivation.nodes) {
    if (node.sources.empty()) continue;
    const Fact& fact = node.fact;
    const auto [at, is_new] =
        cited.try_emplace({fact.subject, fact.relation, fact.object}, evidence.size());
    if (is_new) {
      evidence.push_back({fact, node.sources});
      continue;
    }
    // Cited before, maybe from another source.
    std::vector<TermId>& sources = evidence[at->second].sources;
    sources.insert(sources.end(), node.sources.begin(), node.sources.end());
    std::sort(sources.begin(), sources.end(), before);
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  }
  return evidence;
}

}  // namespace loci::query
