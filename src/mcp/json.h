// SPDX-License-Identifier: Apache-2.0
//
// JSON of the protocol: nlohmann's values, members in the order in which they were put, with a
// parser and a printer that never throw.
//
// A list of one in braces is an array by one compiler and its element by another: such are written
// Json::array({element}).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "loci/result.h"

namespace loci::mcp {

using Json = nlohmann::ordered_json;

inline constexpr size_t kMaxMessageBytes = size_t{16} << 20;
inline constexpr size_t kMaxDepth = 64;  // of arrays and objects, one in another

// One JSON value (RFC 8259) and nothing else; valid UTF-8. kLimit where it is too deep.
Result<Json> ParseJson(std::string_view text);

// On one line; or, with an indent, as JSON.stringify(value, null, indent) has it.
std::string ToText(const Json& json, int indent = -1);

// Bytes that ToText makes of a string, its quotes included.
size_t TextBytes(std::string_view string);

}  // namespace loci::mcp
