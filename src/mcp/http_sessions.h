// SPDX-License-Identifier: Apache-2.0
//
// The sessions of the door over HTTP, by their identifiers: 128 random bits each. Their number is
// bounded. One that was idle for an hour ends, and one that was idle for a minute where a new
// client needs its place: clients that die do not say so, and one that comes back is told to begin
// anew (404), as the protocol has it. A session with a call that runs or a stream is not idle.
//
// Thread-safe. A session lives on for those who hold it when it ends; its calls are cancelled then.
#pragma once

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "loci/result.h"
#include "mcp/event_log.h"
#include "mcp/http_limits.h"
#include "mcp/session.h"

namespace loci::mcp {

struct HttpSession {
  HttpSession(const ServerOptions& options, const HttpLimits& limits, std::string name);
  void Touch();

  const std::string id;
  EventLog events;
  Session session;
  std::atomic<std::chrono::steady_clock::time_point> used;  // last
};

class HttpSessions {
 public:
  HttpSessions(const ServerOptions& options, const HttpLimits& limits)
      : options_(options), limits_(limits) {}

  // kLimit where all places are taken.
  Result<std::shared_ptr<HttpSession>> Make();
  // Null where there is none.
  std::shared_ptr<HttpSession> Find(std::string_view id);
  // Whether there was one.
  bool End(std::string_view id);
  void EndAll();

 private:
  using Sessions = std::map<std::string, std::shared_ptr<HttpSession>, std::less<>>;

  void EndIdle();
  Sessions::iterator Erase(Sessions::iterator at);

  const ServerOptions& options_;
  const HttpLimits& limits_;
  std::mutex mutex_;
  Sessions sessions_;
  bool ended_ = false;
};

}  // namespace loci::mcp
