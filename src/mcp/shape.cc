// SPDX-License-Identifier: Apache-2.0
#include "mcp/shape.h"

#include <algorithm>
#include <array>

namespace loci::mcp {
namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kIdKey = "\"id\"";

// The place behind the string that begins here, or the text's end.
size_t PassString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

size_t PassSpace(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

// The string or number that follows the key that ends here; empty where it was no key.
std::string_view ValueAfter(std::string_view text, size_t at) {
  at = PassSpace(text, at);
  if (at == text.size() || text[at] != ':') return {};
  at = PassSpace(text, at + 1);
  if (at == text.size()) return {};
  const size_t end = text[at] == '"' ? PassString(text, at) : text.find_first_of(",}] \t\r\n", at);
  return text.substr(at, std::min(end, text.size()) - at);
}

}  // namespace

Shape ShapeOf(std::string_view text) {
  Shape shape;
  std::string_view id;
  std::array<size_t, kWatchedDepth + 1> members{};  // of what is open at each depth
  size_t depth = 0;
  const bool is_object = PassSpace(text, 0) < text.size() && text[PassSpace(text, 0)] == '{';
  for (size_t at = 0; at < text.size();) {
    switch (text[at]) {
      case '"': {
        const size_t end = PassString(text, at);
        if (depth == 1 && is_object && text.substr(at, end - at) == kIdKey) {
          if (const auto value = ValueAfter(text, end); !value.empty()) id = value;
        }
        at = end;
        continue;
      }
      case '{':
      case '[':
        ++shape.values;
        shape.depth = std::max(shape.depth, ++depth);
        if (depth <= kWatchedDepth) members[depth] = 0;
        break;
      case '}':
      case ']':
        if (depth == 0) return shape;  // no JSON
        --depth;
        break;
      case ',':
        ++shape.values;
        break;
      case ':':
        if (depth <= kWatchedDepth) shape.members = std::max(shape.members, ++members[depth]);
        break;
      default:
        break;
    }
    ++at;
  }
  if (depth == 0) shape.id = id;
  return shape;
}

// The bracket that ends a message ends its outermost object, so a member before it, with no other
// bracket between, is that object's.
std::string_view IdAtEnd(std::string_view end) {
  for (size_t key = end.rfind(kIdKey); key != std::string_view::npos;
       key = key == 0 ? key - 1 : end.rfind(kIdKey, key - 1)) {
    const std::string_view value = ValueAfter(end, key + kIdKey.size());
    if (value.empty()) continue;  // "id" is a value itself
    if (key > 0 && end[key - 1] == '\\') return {};
    const size_t behind = static_cast<size_t>(value.data() - end.data()) + value.size();
    const size_t closes = PassSpace(end, behind);
    const bool is_last =
        closes < end.size() && end[closes] == '}' && PassSpace(end, closes + 1) == end.size();
    return is_last ? value : std::string_view();
  }
  return {};
}

}  // namespace loci::mcp
