// SPDX-License-Identifier: Apache-2.0
//
// Hints: what to try where nothing was found. A model guesses names and relations; what is near and
// what is known of the names it has costs it one more call, a bare "no" costs it many.
#pragma once

#include <memory>
#include <string>

#include "mcp/tool.h"
#include "query/query.h"

namespace loci::mcp {

inline constexpr size_t kMostHints = 480;  // bytes: they take the place of a page

// Of a query without answers: the relations that the memory lacks, each with the nearest one that
// it has, and the names, each with its other spelling or what recall finds by it, the texts,
// numbers and dates. Where all are known, the facts that are near: of those names by those
// relations, else by which there are any. A line each.
std::string HintsFor(const std::shared_ptr<const Snapshot>& snapshot, const query::Query& query,
                     const ToolContext& context);

// Of a term that no fact has at an end; empty where something does.
std::string UnknownName(const std::shared_ptr<const Snapshot>& snapshot, const Term& name,
                        const ToolContext& context);

}  // namespace loci::mcp
