// SPDX-License-Identifier: Apache-2.0
//
// Graph: a snapshot seen as the knowledge graph of the reference MCP memory server
// (formats/mcp_graph.h tells what is what). Sets where that server has lists: in canonical order,
// each member once.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "mcp/tool.h"
#include "memory/snapshot.h"

namespace loci::mcp {

class Graph {
 public:
  explicit Graph(std::shared_ptr<const Snapshot> snapshot);

  const Snapshot& snapshot() const { return *snapshot_; }
  const std::shared_ptr<const Snapshot>& shared_snapshot() const { return snapshot_; }
  std::optional<TermId> entity_type() const { return entity_type_; }
  std::optional<TermId> observation() const { return observation_; }

  // The symbol of that name, in whatever normal form it comes.
  std::optional<TermId> Find(std::string_view name) const;
  bool IsEntity(TermId id) const;
  bool IsRelation(const Fact& fact) const;

  // All entities; all that an entity or a relation begins with.
  std::vector<TermId> Entities() const;
  std::vector<TermId> Subjects() const;

  // Of several types of an entity, the first.
  std::string_view TypeOf(TermId entity) const;
  std::vector<TermId> Observations(TermId entity) const;
  std::vector<Fact> RelationsFrom(TermId id) const;
  std::vector<Fact> RelationsTo(TermId id) const;

  // The plain characters of a symbol or text.
  std::string_view Plain(TermId id) const;

 private:
  void Sort(std::vector<TermId>* ids) const;

  std::shared_ptr<const Snapshot> snapshot_;
  std::optional<TermId> entity_type_, observation_;
};

// What read_graph and the resource show.
Result<ToolResult> ReadWholeGraph(const ToolContext& context);

}  // namespace loci::mcp
