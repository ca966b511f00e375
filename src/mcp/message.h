// SPDX-License-Identifier: Apache-2.0
//
// Messages of JSON-RPC 2.0, as MCP uses it: requests, notifications and responses, one value each;
// no batches (removed from the protocol in 2025-06-18).
#pragma once

#include <string>
#include <string_view>

#include "mcp/json.h"

namespace loci::mcp {

enum class RpcError : int {
  kParse = -32700,
  kInvalidRequest = -32600,
  kMethodNotFound = -32601,
  kInvalidParams = -32602,
  kInternal = -32603,
  kNoSuchResource = -32002,
};

struct Message {
  enum class Kind { kRequest, kNotification, kResponse, kMalformed };
  Kind kind = Kind::kMalformed;
  Json id;             // a string or a number; null for a notification
  std::string method;  // of a request or notification
  Json params;         // an object; empty where there are none
  std::string reply;   // of what is malformed: the error to send back
};

// Never fails: what is no message is kMalformed. Its id is in the reply where one can be made out,
// so that who sent it, and knows it for a request, need not wait.
Message ParseMessage(std::string_view text);

// What is longer than kMaxMessageBytes, of which this is the end: its last kEndBytes or more.
inline constexpr size_t kEndBytes = 256;
Message TooLongMessage(std::string_view end);

// On one line, without its end.
std::string ResultMessage(const Json& id, Json result);
std::string ErrorMessage(const Json& id, RpcError code, std::string_view what);
std::string NotificationMessage(std::string_view method, Json params);

}  // namespace loci::mcp
