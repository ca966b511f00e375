// SPDX-License-Identifier: Apache-2.0
#include "query/explain.h"

#include <algorithm>
#include <array>
#include <map>

#include "query/reach.h"
#include "query/walk.h"

namespace loci::query {
namespace {

Error NoDerivation() {
  return {ErrorKind::kNotFound,
          "no derivation was found: the row is no answer of this query on this memory"};
}

class Explainer {
 public:
  explicit Explainer(Context* context)
      : context_(*context), values_(context->program().variables, kNoTerm) {}

  Result<std::vector<Evidence>> Run(std::span<const Seed> seeds) {
    for (const Seed& seed : seeds) values_[seed.variable] = seed.value;
    LOCI_TRY(Derive(context_.program().root));
    LOCI_TRY(context_.graph().Verify());
    return std::move(evidence_);
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

  Result<bool> Holds(const Conjunction& conjunction) {
    const std::vector<Seed> seeds = SeedsOf(conjunction, nullptr);
    LOCI_ASSIGN(const Collector found, Solve(&context_, conjunction, seeds, {}, {}, 1));
    return found.rows() > 0;
  }

  Result<void> Derive(const Conjunction& conjunction) {
    std::vector<Variable> open;
    std::vector<Seed> seeds = SeedsOf(conjunction, &open);
    for (Variable v : open) {
      LOCI_ASSIGN(const Collector found, Solve(&context_, conjunction, seeds, {v}, {}, 1));
      if (found.rows() == 0) return NoDerivation();
      values_[v] = found.at(0, 0);
      seeds.push_back({v, values_[v]});
    }
    for (const Goal& goal : conjunction.goals) LOCI_TRY(DeriveGoal(goal));
    for (Variable v : open) values_[v] = kNoTerm;
    return {};
  }

  Result<void> DeriveGoal(const Goal& goal) {
    switch (goal.kind) {
      case Goal::Kind::kFact:
        return DeriveFact(goal);
      case Goal::Kind::kPath:
        return DerivePath(goal);
      case Goal::Kind::kCompare:
      case Goal::Kind::kNot:
        return {};
      case Goal::Kind::kOr:
        for (const Conjunction& branch : goal.branches) {
          LOCI_ASSIGN(const bool holds, Holds(branch));
          if (holds) return Derive(branch);
        }
        return NoDerivation();
    }
    return {};
  }

  TermId ValueOf(const Slot& slot) const {
    switch (slot.kind) {
      case Slot::Kind::kConstant:
        return context_.constant(slot.index);
      case Slot::Kind::kVariable:
        return values_[slot.index];
      case Slot::Kind::kNone:
        break;
    }
    return kNoTerm;
  }

  Result<void> DeriveFact(const Goal& goal) {
    Fact fact{ValueOf(goal.start), ValueOf(goal.relation), ValueOf(goal.end)};
    const bool any_start = goal.start.kind == Slot::Kind::kNone;
    const bool any_end = goal.end.kind == Slot::Kind::kNone;
    if (any_start || any_end) {
      std::optional<Fact> least;
      std::vector<TermId> nodes{any_start ? fact.object : fact.subject};
      if (any_start && any_end) {
        nodes.clear();
        if (fact.relation < kOwnTerms) {
          LOCI_TRY(context_.graph().SubjectsOf(fact.relation, &nodes));
        }
        SortTerms(&nodes);
      }
      for (size_t i = 0; i < nodes.size() && !least; ++i) {
        LOCI_ASSIGN(least, LeastFact(goal, fact.relation, nodes[i],
                                     any_end ? Way::kForward : Way::kInverse));
      }
      if (!least) return NoDerivation();
      fact = *least;
    }
    return Cite(goal, fact);
  }

  void SortTerms(std::vector<TermId>* terms) const {
    std::sort(terms->begin(), terms->end(),
              [this](TermId a, TermId b) { return context_.Compare(a, b) < 0; });
  }

  Result<std::optional<Fact>> LeastFact(const Goal& goal, TermId relation, TermId node, Way way) {
    std::optional<Fact> least;
    const TermId source = goal.source ? context_.constant(*goal.source) : kNoTerm;
    if ((relation | node) >= kOwnTerms || (goal.source && source >= kOwnTerms)) return least;
    Lists lists;
    LOCI_TRY(context_.graph().Expand({&node, 1}, relation, way, &lists));
    LOCI_TRY(context_.meter().Charge(lists.others.size() + 1));
    std::vector<Fact> facts;
    for (TermId other : lists.others) {
      facts.push_back(way == Way::kForward ? Fact{node, relation, other}
                                           : Fact{other, relation, node});
    }
    std::vector<uint8_t> keep(facts.size(), 1);
    if (goal.source) LOCI_TRY(context_.graph().HasSource(facts, source, &keep));
    for (size_t i = 0; i < facts.size(); ++i) {
      if (!keep[i]) continue;
      if (!least || CompareFacts(context_, facts[i], *least) < 0) least = facts[i];
    }
    return least;
  }

  Result<void> DerivePath(const Goal& goal) {
    TermId start = ValueOf(goal.start), end = ValueOf(goal.end);
    if (start == kNoTerm || end == kNoTerm) {
      LOCI_TRY(ChooseEnds(goal, &start, &end));
    }
    LOCI_ASSIGN(const auto walk, ShortestWalk(context_, goal, start, end));
    if (!walk) return NoDerivation();
    for (const Fact& fact : *walk) LOCI_TRY(Cite(goal, fact));
    return {};
  }

  // Ends that are "_": the first start that leads anywhere, the first end that it leads to.
  Result<void> ChooseEnds(const Goal& goal, TermId* start, TermId* end) {
    Operation operation;
    operation.goal = &goal;
    if (goal.start.kind == Slot::Kind::kConstant) operation.start.value = *start;
    if (goal.end.kind == Slot::Kind::kConstant) operation.end.value = *end;
    if (goal.source) operation.source = context_.constant(*goal.source);
    Reach reach(&operation, &context_);
    const bool backward = *start == kNoTerm && *end != kNoTerm;
    std::vector<TermId> from{backward ? *end : *start};
    if (from[0] == kNoTerm) {
      from.clear();
      LOCI_TRY(reach.Starts(&from));
      SortTerms(&from);
    }
    Lists lists;
    for (TermId node : from) {
      LOCI_TRY(reach.Run({&node, 1}, backward, &lists));
      if (lists.others.empty()) continue;
      const TermId other =
          *std::min_element(lists.others.begin(), lists.others.end(),
                            [this](TermId a, TermId b) { return context_.Compare(a, b) < 0; });
      *start = backward ? other : node;
      *end = backward ? node : other;
      return {};
    }
    return NoDerivation();
  }

  Result<void> Cite(const Goal& goal, const Fact& fact) {
    if ((fact.subject | fact.relation | fact.object) >= kOwnTerms) return NoDerivation();
    Evidence evidence{fact, {}};
    if (goal.source) {
      const TermId source = context_.constant(*goal.source);
      std::vector<uint8_t> said(1, 0);
      if (source < kOwnTerms) LOCI_TRY(context_.graph().HasSource({&fact, 1}, source, &said));
      if (said[0]) evidence.sources.push_back(source);
    } else {
      LOCI_ASSIGN(evidence.sources, context_.graph().Sources(fact));
    }
    if (evidence.sources.empty()) return NoDerivation();
    const auto [at, is_new] =
        cited_.try_emplace({fact.subject, fact.relation, fact.object}, evidence_.size());
    if (is_new) {
      evidence_.push_back(std::move(evidence));
      return {};
    }
    // Cited before, maybe from another source.
    std::vector<TermId>& sources = evidence_[at->second].sources;
    sources.insert(sources.end(), evidence.sources.begin(), evidence.sources.end());
    SortTerms(&sources);
    sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
    return {};
  }

  Context& context_;
  std::vector<TermId> values_;  // by variable; kNoTerm where open
  std::vector<Evidence> evidence_;
  std::map<std::array<TermId, 3>, size_t> cited_;  // the place in evidence_
};

}  // namespace

Result<std::vector<Evidence>> ExplainAnswer(Context* context, std::span<const Seed> seeds) {
  return Explainer(context).Run(seeds);
}

}  // namespace loci::query
