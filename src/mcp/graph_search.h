// SPDX-License-Identifier: Apache-2.0
//
// search_nodes: the entities whose name, type or one of whose observations contains the query, in
// lower case both, as the reference server has it; but the best first:
//
//   those whose name is the query, then those whose name contains it, then the others; among equals
//   by what recall gives the query's words (recall/recall.h, content alone); then canonical order.
//
// Where no entity contains a query of several words as it stands, those that recall finds by its
// words are the answer (the reference server has none).
//
// The bytes of all names of a layer lie one after the other, so a search runs through them without
// an index, 16 bytes at a step: 10,000 entities with three observations are 2 MB.
#pragma once

#include <string_view>
#include <vector>

#include "mcp/graph.h"

namespace loci::mcp {

Result<std::vector<TermId>> SearchEntities(const Graph& graph, std::string_view query,
                                           const ToolContext& context);

}  // namespace loci::mcp
