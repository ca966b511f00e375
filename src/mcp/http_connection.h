// SPDX-License-Identifier: Apache-2.0
//
// One connection of the door over HTTP: reads requests from a socket and writes responses, each
// within its time (http_limits.h), so that a slow client holds a thread for a minute at most. The
// deadlines are of the whole, not of each read: a byte now and then does not move them.
//
// Not thread-safe; another thread ends it by shutting the socket down.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/posix.h"
#include "mcp/http_limits.h"
#include "mcp/http_request.h"

namespace loci::mcp {

struct HttpReply {
  int status = 200;
  std::string body = {};          // JSON; empty: none
  std::string extra_fields = {};  // lines that end in CRLF
};

std::string_view StatusText(int status);

class HttpConnection {
 public:
  // bodies counts the bytes of all bodies that are held at once.
  HttpConnection(Descriptor socket, const HttpLimits& limits, std::atomic<uint64_t>* bodies);
  ~HttpConnection();
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  int socket() const { return socket_.get(); }

  // False where no further request comes. A fault is to be answered, then the connection closed.
  bool ReadHead(HttpRequest* request, std::optional<HttpFault>* fault);

  // The body of the request whose head was read last; held, and counted, until DropBody.
  std::optional<HttpFault> ReadBody(const HttpRequest& request, std::string* body);
  void DropBody();

  // False where the client is gone or too slow.
  bool Write(std::string_view bytes);
  bool WriteReply(const HttpReply& reply, bool keep_alive);

  // After a response that left something unread: gives the client time to read it, where closing
  // at once would let the system throw it away.
  void Linger();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Got { kBytes, kEnd, kTimeout };

  Got Fill(Clock::time_point deadline);
  bool Reserve(uint64_t bytes);

  Descriptor socket_;
  const HttpLimits& limits_;
  std::atomic<uint64_t>* bodies_;
  uint64_t reserved_ = 0;
  std::string buffer_;  // what was received and not taken
};

}  // namespace loci::mcp
