// SPDX-License-Identifier: Apache-2.0
#include "mcp/message.h"

#include <utility>

#include "mcp/shape.h"

namespace loci::mcp {
namespace {

Message Malformed(const Json& id, RpcError code, std::string_view what) {
  Message message;
  message.reply = ErrorMessage(id, code, what);
  return message;
}

bool IsId(const Json& id) {
  return id.is_string() || id.is_number_integer() || id.is_number_float();
}

// Of an id as it stands in the text.
Json ParseId(std::string_view text) {
  Json id = Json::parse(text.begin(), text.end(), nullptr, false);
  return IsId(id) ? id : Json(nullptr);
}

}  // namespace

Message TooLongMessage(std::string_view end) {
  return Malformed(ParseId(IdAtEnd(end)), RpcError::kInvalidRequest,
                   "Invalid Request: a message has at most 16 MiB; send several");
}

Message ParseMessage(std::string_view text) {
  if (text.size() > kMaxMessageBytes) return TooLongMessage(text);
  auto parsed = ParseJson(text);
  if (!parsed.ok()) {
    const bool limit = parsed.error().kind == ErrorKind::kLimit;
    return Malformed(ParseId(ShapeOf(text).id),
                     limit ? RpcError::kInvalidRequest : RpcError::kParse,
                     (limit ? "Invalid Request: " : "Parse error: ") + parsed.error().message);
  }
  Json json = parsed.take();
  if (!json.is_object()) {
    return Malformed(nullptr, RpcError::kInvalidRequest,
                     json.is_array()
                         ? "Invalid Request: batches are not part of the protocol; send one message"
                         : "Invalid Request: a message is an object");
  }
  Message message;
  const auto id = json.find("id");
  if (id != json.end() && IsId(*id)) message.id = *id;
  const auto version = json.find("jsonrpc");
  if (version == json.end() || *version != "2.0") {
    return Malformed(message.id, RpcError::kInvalidRequest,
                     "Invalid Request: \"jsonrpc\" must be \"2.0\"");
  }
  const auto method = json.find("method");
  if (method == json.end()) {
    if (message.id.is_null() || (!json.contains("result") && !json.contains("error"))) {
      return Malformed(message.id, RpcError::kInvalidRequest, "Invalid Request: no \"method\"");
    }
    message.kind = Message::Kind::kResponse;
    return message;
  }
  if (!method->is_string()) {
    return Malformed(message.id, RpcError::kInvalidRequest,
                     "Invalid Request: \"method\" is not a string");
  }
  if (id != json.end() && message.id.is_null()) {
    return Malformed(nullptr, RpcError::kInvalidRequest,
                     "Invalid Request: \"id\" is neither a string nor a number");
  }
  const auto params = json.find("params");
  message.params = Json::object();
  if (params != json.end()) {
    if (!params->is_object()) {
      return Malformed(message.id, RpcError::kInvalidRequest,
                       "Invalid Request: \"params\" is not an object");
    }
    message.params = std::move(*params);
  }
  message.method = method->get<std::string>();
  message.kind = message.id.is_null() ? Message::Kind::kNotification : Message::Kind::kRequest;
  return message;
}

std::string ResultMessage(const Json& id, Json result) {
  Json message = {{"jsonrpc", "2.0"}, {"id", id}};
  message["result"] = std::move(result);
  return ToText(message);
}

std::string ErrorMessage(const Json& id, RpcError code, std::string_view what) {
  const Json message = {
      {"jsonrpc", "2.0"},
      {"id", id},
      {"error", {{"code", static_cast<int>(code)}, {"message", std::string(what)}}}};
  return ToText(message);
}

std::string NotificationMessage(std::string_view method, Json params) {
  Json message = {{"jsonrpc", "2.0"}, {"method", std::string(method)}};
  message["params"] = std::move(params);
  return ToText(message);
}

}  // namespace loci::mcp
