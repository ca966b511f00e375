// SPDX-License-Identifier: Apache-2.0
//
// A page of a graph: as much of some entities and relations as fits a budget of bytes, and where to
// go on. Rejected: numbering all that is shown and skipping so many, since to skip is to read.
//
// A cursor is "S.U": the S-th of the subjects that were asked for, and of it the U-th of its
// observations and then of its relations. It means what it says as long as the memory does not
// change; after a change pages may repeat or miss what moved.
//
// What is shown of an entity on several pages has its name and type on each. One thing that alone
// is larger than a page is cut (an observation) or passed over (a name), and that is said.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "mcp/graph.h"

namespace loci::mcp {

struct PageRequest {
  uint64_t max_bytes = kDefaultMaxBytes;
  size_t subject = 0, unit = 0;  // where to begin
  bool names_only = false;       // entities without observations and relations
  bool incoming = false;         // the relations that end in a subject as well
};

// From the arguments max_bytes, cursor and names_only of a tool.
Result<PageRequest> RequestOf(const Json& arguments, const ToolContext& context);

// {"entities":[...],"relations":[...]}, and where something is left out
// "left_out":{"shown":12,"of":340,"next_cursor":"12.0","how":"..."}; the text is the same,
// indented. subjects: in the order in which to show them; a relation between two of them is shown
// once.
Result<ToolResult> ShowPage(const Graph& graph, std::span<const TermId> subjects,
                            const PageRequest& request, const ToolContext& context);

}  // namespace loci::mcp
