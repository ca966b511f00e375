// SPDX-License-Identifier: Apache-2.0
#include "query/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "query/print.h"
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
  Explainer(Context* context, const DerivationLimits& limits)
      : context_(*context), limits_(limits), values_(context->program().variables, kNoTerm) {}

  Result<Derivation> Run(std::span<const Seed> seeds) {
    for (const Seed& seed : seeds) values_[seed.variable] = seed.value;
    LOCI_TRY(Derive(context_.program().root));
    LOCI_TRY(context_.graph().Verify());
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
      case Goal::Kind::kCompare:
        Put(Derivation::Kind::kCompare).clause = TextOf(goal);
        return {};
      case Goal::Kind::kNot: {
        const std::string text = TextOf(goal);
        Put(Derivation::Kind::kNot).clause = text.substr(std::string_view("not ").size());
        return {};
      }
      case Goal::Kind::kOr:
        for (size_t i = 0; i < goal.branches.size(); ++i) {
          LOCI_ASSIGN(const bool holds, Holds(goal.branches[i]));
          if (holds) return DeriveBranch(goal, i);
        }
        return NoDerivation();
    }
    return {};
  }

  Result<void> DeriveBranch(const Goal& goal, size_t branch) {
    Put(Derivation::Kind::kOr).clause =
        fmt::format("branch {} of {}", branch + 1, goal.branches.size());
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
    wording.variables = &context_.program().written;
    wording.constant = [this](uint32_t index) { return context_.Name(context_.constant(index)); };
    wording.value = [this](Variable v) {
      return values_[v] == kNoTerm ? std::nullopt : std::optional(context_.Name(values_[v]));
    };
    return wording;
  }
  std::string TextOf(const Goal& goal) const { return ToText(goal, Words()); }

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
    Put(Derivation::Kind::kPath).clause =
        fmt::format("{}({}, {})", ToText(goal.path, Words()), ToNotation(context_.Name(start)),
                    ToNotation(context_.Name(end)));
    ++level_;
    for (size_t i = 0; i < walk->size(); ++i) {
      if (tree_.nodes.size() >= limits_.nodes) {
        LeaveOut(fmt::format("{} more steps of the walk", walk->size() - i));
        break;
      }
      LOCI_TRY(Cite(goal, (*walk)[i]));
    }
    --level_;
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
    std::vector<TermId> sources;
    if (goal.source) {
      const TermId source = context_.constant(*goal.source);
      std::vector<uint8_t> said(1, 0);
      if (source < kOwnTerms) LOCI_TRY(context_.graph().HasSource({&fact, 1}, source, &said));
      if (said[0]) sources.push_back(source);
    } else {
      LOCI_ASSIGN(sources, context_.graph().Sources(fact));
    }
    if (sources.empty()) return NoDerivation();
    Derivation::Node& node = Put(Derivation::Kind::kStatement);
    node.fact = fact;
    node.sources = std::move(sources);
    return {};
  }

  Context& context_;
  const DerivationLimits limits_;
  std::vector<TermId> values_;  // by variable; kNoTerm where open
  Derivation tree_;
  uint32_t level_ = 0;
};

}  // namespace

Result<Derivation> ExplainAnswer(Context* context, std::span<const Seed> seeds,
                                 const DerivationLimits& limits) {
  return Explainer(context, limits).Run(seeds);
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
