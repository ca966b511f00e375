// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_endpoint.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/unicode.h"
#include "mcp/secret.h"

namespace loci::mcp {
namespace {

constexpr std::string_view kPath = "/mcp";

bool Equal(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(), [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

// A name that is this machine's whatever a resolver says, with any port: a tunnel's may differ.
bool IsLoopback(std::string_view host) {
  if (const size_t colon = host.rfind(':');
      colon != std::string_view::npos && !host.ends_with(']')) {
    const std::string_view port = host.substr(colon + 1);
    if (port.empty() || port.size() > 5 ||
        port.find_first_not_of("0123456789") != std::string_view::npos) {
      return false;
    }
    host = host.substr(0, colon);
  }
  return host == "127.0.0.1" || host == "[::1]" || Equal(host, "localhost");
}

bool IsLoopbackOrigin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (origin.starts_with(scheme)) return IsLoopback(origin.substr(scheme.size()));
  }
  return false;
}

bool IsJson(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return Equal(type, "application/json");
}

}  // namespace

HttpReply HttpEndpoint::Refuse(int status, std::string_view what, std::string fields) {
  const Json error = {{"jsonrpc", "2.0"},
                      {"error",
                       {{"code", static_cast<int>(RpcError::kInvalidRequest)},
                        {"message", fmt::format("{}: {}", StatusText(status), what)}}},
                      {"id", nullptr}};
  return {status, ToText(error), std::move(fields)};
}

std::optional<HttpReply> HttpEndpoint::Check(const HttpRequest& request) const {
  const std::string* const host = request.Field("host");
  if (host == nullptr || !IsLoopback(*host)) {
    return Refuse(403, "Host must be 127.0.0.1, localhost or [::1], with the port");
  }
  if (const std::string* const origin = request.Field("origin");
      origin != nullptr && !IsLoopbackOrigin(*origin)) {
    return Refuse(403, "pages of other sites are not served");
  }
  if (!token_.empty()) {
    constexpr std::string_view kScheme = "bearer ";
    const std::string* const given = request.Field("authorization");
    const std::string_view value = given == nullptr ? std::string_view() : *given;
    if (!Equal(value.substr(0, kScheme.size()), kScheme) ||
        !SameSecret(value.substr(kScheme.size()), token_)) {
      return Refuse(401, "send 'Authorization: Bearer TOKEN' with the token of the token file",
                    fmt::format("WWW-Authenticate: Bearer realm=\"loci\"{}\r\n",
                                given == nullptr ? "" : ", error=\"invalid_token\""));
    }
  }
  if (request.target != kPath) {
    return Refuse(404, fmt::format("the endpoint is {}", kPath));
  }
  if (request.method != "POST" && request.method != "GET" && request.method != "DELETE") {
    return Refuse(405, "POST, GET and DELETE are served", "Allow: POST, GET, DELETE\r\n");
  }
  if (auto refused = CheckTypes(request)) return refused;
  if (const std::string* const version = request.Field("mcp-protocol-version");
      version != nullptr && !Session::IsKnownVersion(*version)) {
    return Refuse(400, fmt::format("MCP-Protocol-Version '{}' is not spoken here; see what "
                                   "initialize answers",
                                   Excerpt(*version)));
  }
  return std::nullopt;
}

std::optional<HttpReply> HttpEndpoint::CheckTypes(const HttpRequest& request) const {
  if (request.method == "DELETE") return std::nullopt;
  const std::string* const accept = request.Field("accept");
  const bool events = accept != nullptr && Accepts(*accept, "text/event-stream");
  if (request.method == "GET") {
    if (!events) return Refuse(406, "Accept must have text/event-stream");
    return std::nullopt;
  }
  if (!events || !Accepts(*accept, "application/json")) {
    return Refuse(406, "Accept must have application/json and text/event-stream");
  }
  const std::string* const type = request.Field("content-type");
  if (type == nullptr || !IsJson(*type))
    return Refuse(415, "Content-Type must be application/json");
  if (request.Field("content-encoding") != nullptr) {
    return Refuse(415, "bodies are taken as they are, without a Content-Encoding");
  }
  return std::nullopt;
}

std::shared_ptr<HttpSession> HttpEndpoint::FindSession(const HttpRequest& request,
                                                       HttpReply* refused) {
  const std::string* const id = request.Field("mcp-session-id");
  if (id == nullptr) {
    *refused = Refuse(400, "Mcp-Session-Id is missing; initialize answers one");
    return nullptr;
  }
  auto session = sessions_.Find(*id);
  if (session == nullptr)
    *refused = Refuse(404, "no such session, or it has ended; initialize anew");
  return session;
}

std::shared_ptr<HttpSession> HttpEndpoint::FindStream(const HttpRequest& request,
                                                      HttpReply* refused) {
  return FindSession(request, refused);
}

HttpReply HttpEndpoint::Initialize(const Message& message) {
  auto made = sessions_.Make();
  if (!made.ok()) {
    return Refuse(503, made.error().message, "Retry-After: 60\r\n");
  }
  HttpSession& session = **made;
  HttpReply reply;
  reply.body = session.session.Answer(message).value_or(std::string());
  if (session.session.protocol_version().empty()) {
    sessions_.End(session.id);  // it was no initialize that could be answered
  } else {
    reply.extra_fields = fmt::format("Mcp-Session-Id: {}\r\n", session.id);
  }
  return reply;
}

HttpReply HttpEndpoint::Answer(const HttpRequest& request, std::string_view body) {
  HttpReply refused;
  if (request.method == "DELETE") {
    const auto session = FindSession(request, &refused);
    if (session == nullptr) return refused;
    sessions_.End(session->id);
    return {204};
  }
  const Message message = ParseMessage(body);
  if (message.kind == Message::Kind::kMalformed) return {400, message.reply};
  if (message.kind == Message::Kind::kRequest && message.method == "initialize" &&
      request.Field("mcp-session-id") == nullptr) {
    return Initialize(message);
  }
  const auto session = FindSession(request, &refused);
  if (session == nullptr) return refused;
  auto answer = session->session.Answer(message);
  session->Touch();
  // Nothing is due to what is no request, nor to a request that was cancelled.
  if (!answer) return {202};
  return {200, std::move(*answer)};
}

}  // namespace loci::mcp
