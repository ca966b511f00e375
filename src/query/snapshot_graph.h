// SPDX-License-Identifier: Apache-2.0
//
// The Graph of a local memory.
#pragma once

#include <memory>

#include "query/graph.h"

namespace loci::query {

class SnapshotGraph : public Graph {
 public:
  // associate: whether cues recall by links too, not by their words alone.
  explicit SnapshotGraph(const Snapshot* snapshot, bool associate = true)
      : snapshot_(*snapshot), associate_(associate) {}

  Result<void> Find(std::span<const TermView> terms, TermId* out) const override;
  TermView Name(TermId id) const override { return snapshot_.Name(id); }
  int Compare(TermId a, TermId b) const override { return snapshot_.Compare(a, b); }
  TermId ordered_ids() const override { return TermId{1} << 32; }  // layer 0
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
  uint64_t Facts() const override { return snapshot_.FactsEstimate(); }
  uint64_t Terms() const override;
  uint64_t Degree(TermId node, Way way) const override;
  Result<void> Verify() const override { return snapshot_.damage(); }

 private:
  const Snapshot& snapshot_;
  const bool associate_;
};

}  // namespace loci::query
