// SPDX-License-Identifier: Apache-2.0
//
// Arguments of a call that fits its schema. An empty text counts as not given: that is what models
// write for an argument that they do not need.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include "mcp/json.h"

namespace loci::mcp {

inline std::string TextOf(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? std::string() : found->get<std::string>();
}

inline uint64_t CountOf(const Json& arguments, const char* name, uint64_t fallback) {
  const auto found = arguments.find(name);
  return found == arguments.end() ? fallback : found->get<uint64_t>();
}

inline bool IsSet(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  return found != arguments.end() && found->get<bool>();
}

// Pieces of schemas.
inline Json TextSchema(const char* description) {
  return {{"type", "string"}, {"description", description}};
}
inline Json FlagSchema(const char* description) {
  return {{"type", "boolean"}, {"description", description}};
}
inline Json CountSchema(uint64_t minimum, uint64_t maximum, const char* description) {
  return {{"type", "integer"},
          {"minimum", minimum},
          {"maximum", maximum},
          {"description", description}};
}
inline Json TypeSchema(const char* type) {
  return {{"type", type}};
}
inline Json ListSchema(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}
// A result or an item of one, by its members' names alone: what is in them a model sees.
inline Json ItemSchema(std::initializer_list<const char*> members) {
  Json properties = Json::object();
  for (const char* member : members) properties[member] = Json::object();
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}
// Nothing but the properties.
inline Json ObjectSchema(Json properties, Json required = Json::array()) {
  Json json = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) json["required"] = std::move(required);
  json["additionalProperties"] = false;
  return json;
}

}  // namespace loci::mcp
