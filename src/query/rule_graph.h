// SPDX-License-Identifier: Apache-2.0
//
// RuleGraph: a graph with what rules derive from it. To whoever asks, a derived fact is a fact with
// a proof; so paths, inverse steps, variable relations, `not` and `or` need not know of rules. What
// is asked is derived then, once, and no more than that (fixpoint.h).
//
// Each group of rules (strata.h) runs on a graph in which only earlier groups derive; asking that
// may run an earlier group to its end meanwhile.
#pragma once

#include <memory>
#include <vector>

#include "query/fixpoint.h"

namespace loci::query {

class RuleGraph : public Graph {
 public:
  // All of rules and run but run.graph is used, and outlives this; graph will be this, or nothing.
  RuleGraph(const RuleSet* rules, const RunState& run);
  ~RuleGraph() override;

  Result<void> Find(std::span<const TermView> terms, TermId* out) const override;
  TermView Name(TermId id) const override;
  int Compare(TermId a, TermId b) const override;
  TermId ordered_ids() const override;
  Result<void> Expand(std::span<const TermId> nodes, TermId relation, Way way,
                      Lists* out) const override;
  Result<void> ExpandAll(std::span<const TermId> nodes, Way way, Lists* out) const override;
  Result<void> SubjectsOf(TermId relation, std::vector<TermId>* out) const override;
  Result<void> Subjects(std::vector<TermId>* out) const override;
  Result<void> Nodes(std::vector<TermId>* out) const override;
  Result<void> Has(std::span<const Fact> facts, Marks* out) const override;
  Result<void> HasSource(std::span<const Fact> facts, TermId source,
                         std::vector<uint8_t>* out) const override;
  Result<void> AreNodes(std::span<const TermId> ids, std::vector<uint8_t>* out) const override;
  Result<std::vector<TermId>> Sources(const Fact& fact) const override;
  Result<recall::Ranking> Recall(TermView cue, bool by_words,
                                 const std::function<bool()>& cancelled) const override;
  Result<std::vector<recall::Span>> FindWords(std::string_view text,
                                              std::span<const std::string> stems) const override;
  RelationSize SizeOf(TermId relation) const override;
  uint64_t HitsOf(TermView cue) const override;
  uint64_t Facts() const override;
  uint64_t Terms() const override;
  uint64_t Degree(TermId node, Way way) const override;
  Result<void> Verify() const override;

 private:
  struct Shared;
  struct Derived {
    uint32_t constant, group;
  };
  RuleGraph(Shared* shared, uint32_t visible);

  const Graph& stored() const;
  std::optional<Derived> DerivedOf(TermId relation) const;
  Result<void> Complete(const Derived& derived, Way way, std::span<const TermId> nodes) const;
  Result<void> CompleteEither(const Derived& derived, std::span<const Fact> facts) const;
  Result<void> CompleteAll(const Derived& derived) const;
  Fixpoint& FixpointOf(uint32_t group) const;

  std::unique_ptr<Shared> owned_;
  Shared& shared_;
  const uint32_t visible_;  // groups that derive here: the first so many
};

}  // namespace loci::query
