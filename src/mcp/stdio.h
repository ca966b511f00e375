// SPDX-License-Identifier: Apache-2.0
//
// MCP over two streams: one message a line, in UTF-8 (the protocol's stdio transport).
//
// One thread reads and answers at once what cannot wait (pings, cancellations); another answers the
// rest one after the other, so that a client's writes keep their order. A line of more than
// kMaxMessageBytes is passed over and answered by an error.
#pragma once

#include <atomic>

#include "loci/result.h"
#include "mcp/session.h"

namespace loci::mcp {

// Serves until `in` ends (what was read by then is answered), `out` is closed, or the interrupt is
// set, which cancels what runs. Returns kIo where one of the streams fails otherwise.
Result<void> ServeStreams(const ServerOptions& options, int in, int out,
                          const std::atomic<bool>* interrupt);

}  // namespace loci::mcp
