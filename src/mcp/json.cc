// SPDX-License-Identifier: Apache-2.0
#include "mcp/json.h"

#include <array>

#include <fmt/format.h>

namespace loci::mcp {
namespace {

// An object finds its members one by one, so that one with a million of them would take minutes.
constexpr size_t kMaxMembers = 1024;

// Whether the parser may see the text, as far as its brackets and colons tell. (Its own callback
// looks through a whole list at the end of each element: 150,000 entities took 26 s.)
Result<void> CheckShape(std::string_view text) {
  std::array<size_t, kMaxDepth + 1> members{};  // of what is open
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (depth == kMaxDepth) {
        return Error{
            ErrorKind::kLimit,
            fmt::format("the JSON is nested more than {} levels deep; flatten it", kMaxDepth)};
      }
      members[++depth] = 0;
    } else if (c == '}' || c == ']') {
      if (depth > 0) --depth;
    } else if (c == ':' && ++members[depth] > kMaxMembers) {
      return Error{
          ErrorKind::kLimit,
          fmt::format("an object of the JSON has more than {} members; use an array", kMaxMembers)};
    }
  }
  return {};
}

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  LOCI_TRY(CheckShape(text));
  Json json = Json::parse(text.begin(), text.end(), nullptr, false);
  if (json.is_discarded()) {
    return Error{ErrorKind::kBadInput,
                 "the message is not one JSON value in UTF-8 (RFC 8259); send one on one line"};
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
