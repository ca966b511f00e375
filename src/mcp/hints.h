// SPDX-License-Identifier: Apache-2.0
//
// Hints: what to try where nothing was found because a name is not the memory's.
#pragma once

#include <memory>
#include <string>

#include "mcp/tool.h"
#include "query/query.h"

namespace loci::mcp {

// Of a query without answers: the relations that the memory lacks, each with the nearest one that
// it has, and the names, each with what recall finds by it. A line each, in at most kMostHints
// bytes; empty where all are known.
inline constexpr size_t kMostHints = 600;
std::string UnknownNames(const std::shared_ptr<const Snapshot>& snapshot, const query::Query& query,
                         const ToolContext& context);

// The same for one name.
std::string UnknownName(const std::shared_ptr<const Snapshot>& snapshot, const Term& name,
                        const ToolContext& context);

}  // namespace loci::mcp
