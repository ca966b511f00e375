// SPDX-License-Identifier: Apache-2.0
#include "query/rule_set.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/facts.h"
#include "query/strata.h"
#include "query/unfold.h"

namespace loci::query {
namespace {

void EachRelation(const Conjunction& conjunction, const std::function<void(uint32_t)>& visit) {
  for (const Goal& goal : conjunction.goals) {
    for (const Conjunction& branch : goal.branches) EachRelation(branch, visit);
    if (goal.source) continue;
    if (goal.kind == Goal::Kind::kPath) {
      for (const Automaton::Step& step : goal.forward.steps) visit(step.relation);
    } else if (goal.kind == Goal::Kind::kFact) {
      visit(goal.relation.kind == Slot::Kind::kConstant ? goal.relation.index : kAnyRelation);
    }
  }
}

class Loader {
 public:
  Loader(const Graph& graph, const Program& program) : graph_(graph), program_(program) {}

  Result<std::shared_ptr<const RuleSet>> Run() {
    const TermView name{Kind::kSymbol, kRuleWord};
    LOCI_TRY(graph_.Find({&name, 1}, &rule_));
    if (rule_ == kNoTerm) return std::shared_ptr<const RuleSet>();
    for (const Term& term : program_.constants) (void)pool_.Intern(term);
    EachRelation(program_.root, [this](uint32_t relation) { Want(relation); });
    while (!wanted_.empty() || want_all_) LOCI_TRY(Read());
    if (loaded_.empty()) return std::shared_ptr<const RuleSet>();
    LOCI_TRY(Sort());
    LOCI_TRY(Arrange());
    set_->constants = pool_.Take();
    return std::shared_ptr<const RuleSet>(std::move(set_));
  }

 private:
  struct Loaded {
    Fact statement;
    std::string relation, text;
    RuleTree tree;
  };

  void Want(uint32_t relation) {
    if (relation == kAnyRelation) {
      want_all_ = want_all_ || !had_all_;
    } else if (asked_.insert(relation).second) {
      wanted_.push_back(relation);
    }
  }

  // The rules of all relations wanted, and what these want.
  Result<void> Read() {
    std::vector<TermId> ids;
    if (want_all_) {
      had_all_ = true;
      want_all_ = false;
      LOCI_TRY(graph_.SubjectsOf(rule_, &ids));
      for (TermId id : ids) asked_.insert(InternName(id));
      std::erase_if(ids, [this](TermId id) { return !read_.insert(id).second; });
      wanted_.clear();
    } else {
      std::vector<TermView> names;
      for (uint32_t relation : std::exchange(wanted_, {})) names.push_back(pool_.at(relation));
      ids.resize(names.size());
      LOCI_TRY(graph_.Find(names, ids.data()));
      std::erase_if(ids, [this](TermId id) { return id == kNoTerm || !read_.insert(id).second; });
    }
    Lists lists;
    LOCI_TRY(graph_.Expand(ids, rule_, Way::kForward, &lists));
    for (size_t i = 0; i < ids.size(); ++i) {
      for (uint64_t e = lists.begin(i); e < lists.end(i); ++e) {
        LOCI_TRY(ReadOne({ids[i], rule_, lists.others[e]}));
      }
    }
    return {};
  }

  uint32_t InternName(TermId id) {
    const TermView name = graph_.Name(id);
    return pool_.Intern({name.kind, std::string(name.bytes)});
  }

  Result<void> ReadOne(const Fact& statement) {
    const auto text = TextOfRule(graph_.Name(statement.object));
    if (!text) return {};
    Loaded rule;
    rule.statement = statement;
    rule.relation = graph_.Name(statement.subject).bytes;
    rule.text = *text;
    auto tree = ParseRule(rule.text);
    if (!tree.ok()) return Malformed(rule, tree.error());
    rule.tree = tree.take();
    if (rule.tree.names.constants[rule.tree.relation].bytes != rule.relation) {
      return Malformed(rule, {ErrorKind::kUsage, "it concludes another relation"});
    }
    auto program = AnalyzeRule(rule.text, rule.tree, false);
    if (!program.ok()) return Malformed(rule, program.error());
    pool_.Adopt(&rule.tree);
    EachRelation(rule.tree.body, false, [this](uint32_t relation, bool) { Want(relation); });
    loaded_.push_back(std::move(rule));
    return {};
  }

  Result<void> Malformed(const Loaded& rule, const Error& error) const {
    LOCI_ASSIGN(const std::vector<TermId> sources, graph_.Sources(rule.statement));
    std::string address;
    if (!sources.empty()) {
      const Hash256 hash =
          StatementHash({graph_.Name(rule.statement.subject), graph_.Name(rule.statement.relation),
                         graph_.Name(rule.statement.object), graph_.Name(sources[0])});
      address = Hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
      address.resize(kAddressDigits);
    }
    return Error{
        ErrorKind::kBadInput,
        fmt::format("a rule of {} that the query needs is malformed: {}\n'loci forget "
                    "MEMORY {}' removes it",
                    ToNotation(TermView{Kind::kSymbol, rule.relation}), error.message, address)};
  }

  Result<void> Sort() {
    std::sort(loaded_.begin(), loaded_.end(), [](const Loaded& a, const Loaded& b) {
      return std::tie(a.relation, a.text) < std::tie(b.relation, b.text);
    });
    for (const Loaded& rule : loaded_) {
      const auto number = static_cast<uint32_t>(set_->rules.size());
      Rule& out = set_->rules.emplace_back();
      out.statement = rule.statement;
      out.text = rule.text;
      LOCI_ASSIGN(out.program, AnalyzePooled(rule.text, rule.tree, pool_));
      const auto [at, is_new] =
          set_->derived.try_emplace(rule.tree.relation, RuleSet::Derived{0, number, 0});
      if (is_new) set_->relations.push_back(rule.tree.relation);
      ++at->second.count;
    }
    return {};
  }

  Result<void> Arrange() {
    Strata strata;
    for (const Loaded& rule : loaded_) strata.Add(rule.relation, rule.tree.body, pool_.all());
    if (auto arranged = strata.Arrange(); !arranged.ok()) {
      return Error{ErrorKind::kBadInput, arranged.error().message};
    }
    // Relations were added in the order of set_->relations.
    for (size_t g = 0; g < strata.groups().size(); ++g) {
      RuleGroup& group = set_->groups.emplace_back();
      for (uint32_t number : strata.groups()[g]) {
        group.relations.push_back(set_->relations[number]);
        set_->derived.at(set_->relations[number]).group = static_cast<uint32_t>(g);
      }
      const bool recursive = strata.IsRecursive(static_cast<uint32_t>(g));
      Unfolder unfolder(recursive, &pool_, &group);
      for (uint32_t number : strata.groups()[g]) {
        const RuleSet::Derived& derived = set_->derived.at(set_->relations[number]);
        for (uint32_t i = derived.first; i < derived.first + derived.count; ++i) {
          LOCI_TRY(unfolder.Add(loaded_[i].text, loaded_[i].tree));
        }
      }
    }
    return {};
  }

  const Graph& graph_;
  const Program& program_;
  TermId rule_ = kNoTerm;
  Pool pool_;
  std::unordered_set<uint32_t> asked_;  // both looked up, never listed
  std::unordered_set<TermId> read_;
  std::vector<uint32_t> wanted_;
  bool want_all_ = false, had_all_ = false;
  std::vector<Loaded> loaded_;
  std::shared_ptr<RuleSet> set_ = std::make_shared<RuleSet>();
};

}  // namespace

Result<std::shared_ptr<const RuleSet>> LoadRules(const Graph& graph, const Program& program) {
  return Loader(graph, program).Run();
}

}  // namespace loci::query
