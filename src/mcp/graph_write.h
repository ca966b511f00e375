// SPDX-License-Identifier: Apache-2.0
//
// The writes of the reference server's tools, each one atomic and durable step: what is there is
// looked up under the writer's lock, so that any number of servers on one memory agree. Where one
// item of a call is refused, nothing of it is written.
//
// An entity given twice in one call is one entity with the observations of both.
#pragma once

#include <string>
#include <vector>

#include "mcp/tool.h"

namespace loci::mcp {

struct Entity {
  std::string name, type;
  std::vector<std::string> observations;
};

struct Relation {
  std::string from, to, type;
};

struct Observations {
  std::string entity;
  std::vector<std::string> contents;
};

// Each returns what was new: names in normal form, everything once, in the order given.
Result<std::vector<Entity>> CreateEntities(const std::vector<Entity>& entities,
                                           const ToolContext& context);
Result<std::vector<Relation>> CreateRelations(const std::vector<Relation>& relations,
                                              const ToolContext& context);
// Fails where one of the entities does not exist.
Result<std::vector<Observations>> AddObservations(const std::vector<Observations>& observations,
                                                  const ToolContext& context);

// What is not there is passed over. An entity goes with every fact about it and every fact that
// names it as object; whoever said them.
Result<void> DeleteEntities(const std::vector<std::string>& names, const ToolContext& context);
Result<void> DeleteObservations(const std::vector<Observations>& observations,
                                const ToolContext& context);
Result<void> DeleteRelations(const std::vector<Relation>& relations, const ToolContext& context);

}  // namespace loci::mcp
