// SPDX-License-Identifier: Apache-2.0
#include "mcp/schema.h"

#include <string_view>

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

std::string_view TypeName(const Json& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "boolean";
  if (value.is_number()) return "number";
  return "null";
}

bool Is(std::string_view type, const Json& value) {
  if (type == "integer") return value.is_number_integer();
  return TypeName(value) == type;
}

std::string Wrong(std::string_view expected, std::string_view received, const std::string& path) {
  return fmt::format("Invalid input: expected {}, received {}{}{}", expected, received,
                     path.empty() ? "" : " at ", path);
}

std::optional<std::string> Check(const Json& schema, const Json& value, const std::string& path);

std::optional<std::string> CheckObject(const Json& schema, const Json& value,
                                       const std::string& path) {
  const auto at = [&](const std::string& name) { return path.empty() ? name : path + "." + name; };
  const auto properties = schema.find("properties");
  if (const auto required = schema.find("required"); required != schema.end()) {
    for (const Json& name : *required) {
      const auto& text = name.get_ref<const std::string&>();
      if (value.contains(text)) continue;
      return Wrong((*properties)[text]["type"].get<std::string>(), "undefined", at(text));
    }
  }
  for (const auto& [name, member] : value.items()) {
    const auto property =
        properties == schema.end() ? Json::const_iterator() : properties->find(name);
    if (properties != schema.end() && property != properties->end()) {
      if (auto fault = Check(*property, member, at(name))) return fault;
    } else if (schema.value("additionalProperties", true) == false) {
      std::string known;
      if (properties != schema.end()) {
        for (const auto& [other, unused] : properties->items()) {
          known += (known.empty() ? "" : ", ") + other;
        }
      }
      return fmt::format("Invalid input: there is no argument '{}'{}{}; there are: {}",
                         Excerpt(name), path.empty() ? "" : " at ", path, known);
    }
  }
  return std::nullopt;
}

std::optional<std::string> Check(const Json& schema, const Json& value, const std::string& path) {
  if (const auto type = schema.find("type"); type != schema.end()) {
    const auto& name = type->get_ref<const std::string&>();
    if (!Is(name, value)) return Wrong(name, TypeName(value), path);
  }
  const std::string where = path.empty() ? "" : " at " + path;
  if (const auto choices = schema.find("enum"); choices != schema.end()) {
    bool found = false;
    for (const Json& choice : *choices) found |= choice == value;
    if (!found) {
      return fmt::format("Invalid input: expected one of {}, received {}{}", ToText(*choices),
                         Excerpt(ToText(value)), where);
    }
  }
  if (value.is_number()) {
    const double number = value.get<double>();
    if (schema.contains("minimum") && number < schema["minimum"].get<double>()) {
      return fmt::format("Invalid input: expected at least {}, received {}{}",
                         ToText(schema["minimum"]), ToText(value), where);
    }
    if (schema.contains("maximum") && number > schema["maximum"].get<double>()) {
      return fmt::format("Invalid input: expected at most {}, received {}{}",
                         ToText(schema["maximum"]), ToText(value), where);
    }
  }
  if (value.is_object()) return CheckObject(schema, value, path);
  if (!value.is_array()) return std::nullopt;
  if (schema.contains("minItems") && value.size() < schema["minItems"].get<size_t>()) {
    return fmt::format("Invalid input: expected at least {} items, received {}{}",
                       ToText(schema["minItems"]), value.size(), where);
  }
  if (const auto items = schema.find("items"); items != schema.end()) {
    for (size_t i = 0; i < value.size(); ++i) {
      if (auto fault = Check(*items, value[i], fmt::format("{}[{}]", path, i))) return fault;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindFault(const Json& schema, const Json& value) {
  return Check(schema, value, "");
}

}  // namespace loci::mcp
