// SPDX-License-Identifier: Apache-2.0
//
// What the door over HTTP bounds, so that no client, before or behind its token, can hold more than
// its share; tests make them small.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "mcp/json.h"

namespace loci::mcp {

struct HttpLimits {
  size_t connections = 160;  // a stream and a call for each session, and some; a thread each
  size_t sessions = 64;
  size_t kept_events = 64;  // of each session, for a stream that is resumed
  uint64_t body_bytes = kMaxMessageBytes;
  uint64_t bodies_bytes = 4 * kMaxMessageBytes;  // of all requests at once

  std::chrono::milliseconds head{10'000};     // from a request's first byte to the last of its head
  std::chrono::milliseconds body{60'000};     // to take all of a body
  std::chrono::milliseconds write{60'000};    // to send all of a response
  std::chrono::milliseconds between{60'000};  // two requests of one connection
  std::chrono::milliseconds keep_alive{15'000};  // two comments on a silent stream
  std::chrono::milliseconds idle_session{3'600'000};
  // Where there is no place for a new session, the one that was idle longest goes, if for this
  // long.
  std::chrono::milliseconds evicted_session{60'000};
};

}  // namespace loci::mcp
