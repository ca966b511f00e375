// SPDX-License-Identifier: Apache-2.0
//
// `loci mcp --http`: the protocol's "Streamable HTTP" on 127.0.0.1 and on nothing else. One thread
// accepts; each connection has a thread of its own, up to a bound (http_limits.h). Nothing that
// clients send or are answered is ever logged.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>

#include "loci/result.h"
#include "mcp/http_limits.h"
#include "mcp/session.h"

namespace loci::mcp {

struct HttpOptions {
  uint16_t port = 0;       // 0: any that is free
  std::string token = {};  // what clients must show; empty: nothing
  HttpLimits limits = {};
};

// Serves until interrupt is set. Then calls are cancelled, streams end, and it returns when all
// threads have. ready is told the URL of the endpoint, from which on clients may come.
Result<void> ServeHttp(const ServerOptions& options, const HttpOptions& http,
                       const std::atomic<bool>* interrupt,
                       const std::function<void(const std::string& url)>& ready);

}  // namespace loci::mcp
