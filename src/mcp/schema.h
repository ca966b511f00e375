// SPDX-License-Identifier: Apache-2.0
//
// Checks a value against the part of JSON Schema that the tools' schemas use: type, properties,
// required, additionalProperties (false, or nothing), items, enum, minimum, maximum, minItems.
#pragma once

#include <optional>
#include <string>

#include "mcp/json.h"

namespace loci::mcp {

// The first fault and its place, as the reference server words it: "Invalid input: expected array,
// received string at entities[0].observations".
std::optional<std::string> FindFault(const Json& schema, const Json& value);

}  // namespace loci::mcp
