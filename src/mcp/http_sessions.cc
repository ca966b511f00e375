// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_sessions.h"

#include <utility>

#include <fmt/format.h>

#include "mcp/secret.h"

namespace loci::mcp {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

HttpSession::HttpSession(const ServerOptions& options, const HttpLimits& limits, std::string name)
    : id(std::move(name)),
      events(limits.kept_events),
      session(options, [this](const std::string& message) { events.Push(message); }),
      used(Clock::now()) {}

void HttpSession::Touch() {
  used.store(Clock::now(), std::memory_order_relaxed);
}

HttpSessions::Sessions::iterator HttpSessions::Erase(Sessions::iterator at) {
  at->second->session.Stop();
  at->second->events.Close();
  return sessions_.erase(at);
}

// In use is what somebody else holds; nobody comes to hold one while the mutex is ours.
void HttpSessions::EndIdle() {
  const auto now = Clock::now();
  auto longest = sessions_.end();
  for (auto at = sessions_.begin(); at != sessions_.end();) {
    const auto used = at->second->used.load(std::memory_order_relaxed);
    if (at->second.use_count() > 1) {
      ++at;
    } else if (now - used >= limits_.idle_session) {
      at = Erase(at);
    } else {
      if (longest == sessions_.end() || used < longest->second->used.load()) longest = at;
      ++at;
    }
  }
  if (sessions_.size() >= limits_.sessions && longest != sessions_.end() &&
      now - longest->second->used.load() >= limits_.evicted_session) {
    Erase(longest);
  }
}

Result<std::shared_ptr<HttpSession>> HttpSessions::Make() {
  LOCI_ASSIGN(std::string id, RandomHex(16));
  const std::lock_guard lock(mutex_);
  EndIdle();
  if (ended_ || sessions_.size() >= limits_.sessions) {
    return Error{ErrorKind::kLimit,
                 fmt::format("{} sessions are open, and more are not served at once; end one "
                             "(DELETE), or try again in a minute",
                             sessions_.size())};
  }
  auto session = std::make_shared<HttpSession>(options_, limits_, id);
  sessions_.emplace(std::move(id), session);
  return session;
}

std::shared_ptr<HttpSession> HttpSessions::Find(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return nullptr;
  if (at->second.use_count() == 1 &&
      Clock::now() - at->second->used.load() >= limits_.idle_session) {
    Erase(at);
    return nullptr;
  }
  at->second->Touch();
  return at->second;
}

bool HttpSessions::End(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const auto at = sessions_.find(id);
  if (at == sessions_.end()) return false;
  Erase(at);
  return true;
}

void HttpSessions::EndAll() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  for (auto at = sessions_.begin(); at != sessions_.end();) at = Erase(at);
}

}  // namespace loci::mcp
