// SPDX-License-Identifier: Apache-2.0
//
// Session: one client of the Model Context Protocol (versions 2024-11-05 to 2025-11-25,
// modelcontextprotocol.io/specification), whatever carries its messages. It answers initialize,
// ping, tools/list, tools/call, resources/list, resources/templates/list, resources/read,
// resources/subscribe and resources/unsubscribe, and takes notifications/initialized and
// notifications/cancelled.
//
// The memory's graph is the resource memory://knowledge-graph. A client that subscribed to it is
// told after each call that changed it, and after the first call that sees what others changed.
//
// Thread-safe: messages may be answered at once; a transport that wants the order of its client's
// writes kept answers them one after the other. A cancelled call ends at the next look at its
// token; then no reply is due, as the protocol has it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "mcp/message.h"
#include "mcp/tool.h"
#include "store/store.h"

namespace loci::mcp {

// What all sessions of a process share.
struct ServerOptions {
  std::shared_ptr<Store> store;
  std::string source = {};  // who says what is written; empty: the client's own name
  uint64_t max_bytes = kDefaultMaxBytes;
  std::string version;     // of this program
  std::string notes = {};  // what `stats` tells besides: what the first start skipped
};

class Session {
 public:
  using Notify = std::function<void(const std::string& message)>;

  // notify sends what the server says unasked; called from within Answer.
  Session(const ServerOptions& options, Notify notify);

  // The reply, or nothing where none is due. A malformed message is answered by its reply.
  std::optional<std::string> Answer(const Message& message);

  // Whether a message is to be answered at once, before what waits: a ping, a cancellation.
  static bool IsUrgent(const Message& message);

  // Every call that runs, and every later one, is cancelled.
  void Stop();

  // Of initialize: what was agreed; empty before.
  std::string protocol_version() const;
  static bool IsKnownVersion(std::string_view version);

 private:
  std::string Initialize(const Message& message);
  std::optional<std::string> Call(const Message& message);
  std::string ReadResource(const Message& message);
  std::string Subscribe(const Message& message, bool on);
  void TellChanges(bool wrote);

  const ServerOptions& options_;
  const Notify notify_;

  mutable std::mutex mutex_;
  std::string protocol_version_;
  std::string client_;
  std::set<std::string> subscribed_;                                   // uris
  std::map<std::string, std::shared_ptr<std::atomic<bool>>> running_;  // by id, as JSON text
  std::string seen_digest_;
  std::atomic<bool> stopped_{false};
};

}  // namespace loci::mcp
