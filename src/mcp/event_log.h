// SPDX-License-Identifier: Apache-2.0
//
// What a session says unasked, kept for the one stream over which its client listens (server-sent
// events), and for a while after it was sent: a client that lost the stream resumes it behind the
// last event that it has seen.
//
// Events are numbered from 1 and the last `kept` of them stay. A client that was away for longer
// misses the oldest; what this server says is "the graph changed", of which the newest is enough.
//
// Thread-safe. Of two streams of a session the newer has the events and the older ends: a client
// opens a second one only when it has given up the first, whose end may not have been noticed yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/posix.h"
#include "loci/result.h"

namespace loci::mcp {

class EventLog {
 public:
  // A stream. wake() becomes readable when there is something to take.
  class Reader {
   public:
    int wake() const { return wake_.get(); }

   private:
    friend class EventLog;
    explicit Reader(Descriptor wake) : wake_(std::move(wake)) {}
    Descriptor wake_;
    uint64_t next_ = 1;
  };

  explicit EventLog(size_t kept) : kept_(kept) {}

  void Push(std::string message);

  // From behind the event `after`, or else from the first that no stream has taken.
  Result<std::shared_ptr<Reader>> Open(std::optional<uint64_t> after);

  // What there is to send, in the form of text/event-stream; may be empty. Nothing when the stream
  // is to end.
  std::optional<std::string> Take(Reader* reader);

  // Every stream ends, and each that is opened later.
  void Close();

 private:
  void Wake();

  const size_t kept_;
  std::mutex mutex_;
  std::deque<std::string> events_;  // the last of them is event last_
  uint64_t last_ = 0, taken_ = 0;
  std::shared_ptr<Reader> reader_;
  bool closed_ = false;
};

}  // namespace loci::mcp
