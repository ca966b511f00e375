// SPDX-License-Identifier: Apache-2.0
//
// Tools: what a model can call. A tool is a row of a table (tools.cc): its name, what a model that
// has never seen it is told, the schemas of what goes in and comes out, and a function. The session
// checks arguments against the schema before it calls the function, and turns what it returns into
// the protocol's result.
//
// Budget. A tool that reads takes max_bytes, and the text of its result is never longer. What was
// left out is said in the result, and how to get it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"
#include "mcp/json.h"
#include "store/store.h"

namespace loci::mcp {

inline constexpr uint64_t kDefaultMaxBytes = 32'000;  // about 8,000 tokens
inline constexpr uint64_t kLeastMaxBytes = 1'000;
// A message is the text, escaped once more, and the structured result: below the 10 MiB at which
// clients of the official SDK (1.32) close the connection.
inline constexpr uint64_t kMostMaxBytes = 3'000'000;

// What a call may use. Lives as long as the call; the store is thread-safe.
struct ToolContext {
  Store* store = nullptr;
  std::string source;                     // who says what is written: a name
  uint64_t max_bytes = kDefaultMaxBytes;  // where the call does not say
  std::string notes = {};                 // about this process, for `stats`
  std::function<bool()> keep_going = {};  // false: cancelled; may be empty
  bool KeepGoing() const { return !keep_going || keep_going(); }
};

struct ToolResult {
  Json structured;            // an object, as the tool's output schema has it
  std::string text;           // the same for the model's eyes
  std::string left_out = {};  // what the budget left out, and how to get it; or empty
  bool wrote = false;         // the memory may have changed
};

struct Tool {
  std::string name, title, description;
  Json input_schema, output_schema;  // JSON Schema; an output schema may be null
  bool read_only = false, destructive = false, idempotent = false;
  // An error is told to the model as a result with isError.
  Result<ToolResult> (*run)(const Json& arguments, const ToolContext& context) = nullptr;
};

// The nine tools of the reference server, as it has them.
std::vector<Tool> GraphTools();
// recall, ask, why, learn, forget, stats.
std::vector<Tool> MemoryTools();

// All of them, made once.
const std::vector<Tool>& Tools();
const Tool* FindTool(std::string_view name);

// The budget that a call's arguments ask for, within the limits.
uint64_t MaxBytesOf(const Json& arguments, const ToolContext& context);

// The schema of the argument max_bytes.
Json MaxBytesSchema();

}  // namespace loci::mcp
