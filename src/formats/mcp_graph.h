// SPDX-License-Identifier: Apache-2.0
//
// How the knowledge graph of the reference MCP memory server is told in statements. Its file
// (formats/mcp.cc) and its tools (mcp/graph.h) agree on this:
//
//   entity_type(Ada, person)          Ada is an entity; of an entity without a type, the text ""
//   observation(Ada, "likes tea")     a text
//   works_at(Ada, Acme)               any other fact between two symbols is a relation
#pragma once

#include <string_view>

#include "image/term.h"

namespace loci {

inline constexpr std::string_view kEntityTypeRelation = "entity_type";
inline constexpr std::string_view kObservationRelation = "observation";

// The object of entity_type.
inline Result<Term> MakeEntityType(std::string_view type) {
  return type.empty() ? MakeText(type) : MakeSymbol(type);
}

}  // namespace loci
