// SPDX-License-Identifier: Apache-2.0
#include "mcp/json.h"

#include <vector>

#include <fmt/format.h>

namespace loci::mcp {
namespace {

// An object finds its members one by one, so that one with a million of them would take minutes.
constexpr size_t kMaxMembers = 1024;

}  // namespace

Result<Json> ParseJson(std::string_view text) {
  std::vector<size_t> members;  // of the objects that are open
  bool too_deep = false, too_many = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json&) {
    switch (event) {
      case Json::parse_event_t::object_start:
        members.push_back(0);
        [[fallthrough]];
      case Json::parse_event_t::array_start:
        if (depth >= kMaxDepth) too_deep = true;
        break;
      case Json::parse_event_t::object_end:
        members.pop_back();
        break;
      case Json::parse_event_t::key:
        if (++members.back() > kMaxMembers) too_many = true;
        break;
      default:
        break;
    }
    return !too_deep && !too_many;  // false: nothing more is kept
  };
  Json json = Json::parse(text.begin(), text.end(), watch, false);
  if (too_deep) {
    return Error{ErrorKind::kLimit,
                 fmt::format("the JSON is nested more than {} levels deep; flatten it", kMaxDepth)};
  }
  if (too_many) {
    return Error{
        ErrorKind::kLimit,
        fmt::format("an object of the JSON has more than {} members; use an array", kMaxMembers)};
  }
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
