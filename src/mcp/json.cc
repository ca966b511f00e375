// SPDX-License-Identifier: Apache-2.0
#include "mcp/json.h"

#include <fmt/format.h>

#include "mcp/shape.h"

namespace loci::mcp {
namespace {

// An object finds its members one by one, so that one with a million of them would take minutes.
constexpr size_t kMaxMembers = 1024;
// A value takes 16 to 40 bytes, so that a message of 16 MB could take 680 MB.
constexpr size_t kMaxValues = size_t{1} << 20;

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  const Shape shape = ShapeOf(text);
  if (shape.depth > kMaxDepth) {
    return Error{ErrorKind::kLimit,
                 fmt::format("the JSON is nested more than {} levels deep; flatten it", kMaxDepth)};
  }
  if (shape.members > kMaxMembers) {
    return Error{
        ErrorKind::kLimit,
        fmt::format("an object of the JSON has more than {} members; use an array", kMaxMembers)};
  }
  if (shape.values > kMaxValues) {
    return Error{
        ErrorKind::kLimit,
        fmt::format("the JSON has more than {} values; send several messages", kMaxValues)};
  }
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded()) {
    return Error{
        ErrorKind::kBadInput,
        "the message is not one JSON value in UTF-8 (RFC 8259; half a surrogate pair is no "
        "character); send one on one line"};
  }
  return json;
}

std::string ToText(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

size_t TextBytes(std::string_view string) {
  size_t bytes = 2;
  for (const char c : string) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == '"' || byte == '\\' || byte == '\n' || byte == '\r' || byte == '\t' ||
        byte == '\b' || byte == '\f') {
      bytes += 2;
    } else if (byte < 0x20) {
      bytes += 6;
    } else {
      bytes += 1;
    }
  }
  return bytes;
}

}  // namespace loci::mcp
