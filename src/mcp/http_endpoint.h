// SPDX-License-Identifier: Apache-2.0
//
// The rules of the one endpoint, /mcp: the protocol's "Streamable HTTP" (revision 2025-11-25,
// basic/transports), without sockets.
//
//   POST    one message. A request is answered by application/json, which a server may choose over
//           a stream of events; anything else by 202.
//   GET     the stream of what the server says unasked (event_log.h)
//   DELETE  ends the session
//
// Check comes before the body is read, and in this order: Host and Origin against DNS rebinding
// (a page of another site that reaches this server by a name of its own), the token, path, method,
// types, version, session. Errors are JSON-RPC errors in the body, without an id.
//
// Thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "mcp/http_connection.h"
#include "mcp/http_request.h"
#include "mcp/http_sessions.h"

namespace loci::mcp {

class HttpEndpoint {
 public:
  // An empty token: none is asked for.
  HttpEndpoint(std::string token, HttpSessions* sessions)
      : token_(std::move(token)), sessions_(*sessions) {}

  // Why a request is not served, if it is not.
  std::optional<HttpReply> Check(const HttpRequest& request) const;

  // Of a POST or DELETE that was checked.
  HttpReply Answer(const HttpRequest& request, std::string_view body);

  // Of a GET that was checked: the session whose events it wants, or why not.
  std::shared_ptr<HttpSession> FindStream(const HttpRequest& request, HttpReply* refused);

  static HttpReply Refuse(int status, std::string_view what, std::string fields = {});

 private:
  std::optional<HttpReply> CheckTypes(const HttpRequest& request) const;
  std::shared_ptr<HttpSession> FindSession(const HttpRequest& request, HttpReply* refused);
  HttpReply Initialize(const Message& message);

  const std::string token_;
  HttpSessions& sessions_;
};

}  // namespace loci::mcp
