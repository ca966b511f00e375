// SPDX-License-Identifier: Apache-2.0
//
// The table of all tools, and what they share.
#include <algorithm>
#include <iterator>
#include <utility>

#include "mcp/tool.h"

namespace loci::mcp {

const std::vector<Tool>& Tools() {
  static const std::vector<Tool> tools = [] {
    std::vector<Tool> all = GraphTools();
    std::vector<Tool> more = MemoryTools();
    std::move(more.begin(), more.end(), std::back_inserter(all));
    return all;
  }();
  return tools;
}

const Tool* FindTool(std::string_view name) {
  const auto& tools = Tools();
  const auto found =
      std::find_if(tools.begin(), tools.end(), [&](const Tool& tool) { return tool.name == name; });
  return found == tools.end() ? nullptr : &*found;
}

uint64_t MaxBytesOf(const Json& arguments, const ToolContext& context) {
  const auto given = arguments.find("max_bytes");
  if (given == arguments.end()) return context.max_bytes;
  return std::clamp(given->get<uint64_t>(), kLeastMaxBytes, kMostMaxBytes);
}

Json MaxBytesSchema() {
  return {{"type", "integer"},
          {"minimum", kLeastMaxBytes},
          {"maximum", kMostMaxBytes},
          {"description", "Most bytes to return"}};
}

}  // namespace loci::mcp
