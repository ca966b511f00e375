// SPDX-License-Identifier: Apache-2.0
//
// loci mcp: the memory as a server of the Model Context Protocol (src/mcp), over the standard
// streams or over HTTP. Standard output carries the protocol alone; what there is to say is said on
// stderr.
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <ostream>

#include <fmt/format.h>

#include "command/open.h"
#include "command/verb.h"
#include "mcp/first_start.h"
#include "mcp/http.h"
#include "mcp/secret.h"
#include "mcp/stdio.h"

namespace loci {
namespace {

Result<std::string> NameOf(const Invocation& invocation) {
  if (!invocation.arguments.empty()) return invocation.arguments[0];
  const char* const file = std::getenv("MEMORY_FILE_PATH");
  if (file != nullptr && *file != '\0') return std::string(file);
  return Error{ErrorKind::kUsage,
               "mcp: name a MEMORY, or set MEMORY_FILE_PATH to the file of the reference server; "
               "'loci help mcp' tells more"};
}

// How to serve over HTTP; nothing where it is not asked for.
Result<std::optional<mcp::HttpOptions>> HttpOf(const Invocation& invocation) {
  const bool file = invocation.Has("token-file");
  if (!invocation.Has("http")) {
    if (!file && !invocation.Has("no-token")) return std::optional<mcp::HttpOptions>();
    return Error{ErrorKind::kUsage, "mcp: --token-file and --no-token go with --http PORT"};
  }
  mcp::HttpOptions http;
  const std::string port = invocation.Text("http");
  const char* const last = port.data() + port.size();
  const auto [end, error] = std::from_chars(port.data(), last, http.port);
  if (error != std::errc() || end != last) {
    return Error{ErrorKind::kUsage,
                 fmt::format("mcp: --http is '{}'; it must be a port, from 0 to 65535", port)};
  }
  if (!file && !invocation.Has("no-token")) {
    return Error{ErrorKind::kUsage,
                 "mcp: every user of this machine reaches a port; give --token-file FILE (made if "
                 "there is none), or --no-token to serve them all"};
  }
  if (file) {
    LOCI_ASSIGN(http.token, mcp::ReadOrMakeToken(invocation.Text("token-file")));
  }
  return std::optional<mcp::HttpOptions>(std::move(http));
}

// SIGTERM, by which services are stopped, does from here on what Ctrl-C does.
void LetSigtermInterrupt() {
  struct sigaction action {};
  if (::sigaction(SIGINT, nullptr, &action) == 0) ::sigaction(SIGTERM, &action, nullptr);
}

}  // namespace

Result<ExitCode> RunMcp(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const std::string name, NameOf(invocation));
  LOCI_ASSIGN(const std::optional<mcp::HttpOptions> http, HttpOf(invocation));
  LOCI_TRY(CheckMemoryName(name));
  LOCI_ASSIGN(const mcp::FirstStart start, mcp::PrepareMemory(name));
  mcp::ServerOptions options;
  for (const std::string& note : start.notes) {
    *io->err << note << "\n";
    options.notes += note + "\n";
  }
  if (invocation.Has("source")) {
    auto source = MakeSymbol(invocation.Text("source"));
    if (!source.ok()) return Error{ErrorKind::kUsage, "mcp: --source: " + source.error().message};
    options.source = source.take().bytes;
  }
  options.max_bytes = invocation.CountOr("max-bytes", mcp::kDefaultMaxBytes);
  if (options.max_bytes < mcp::kLeastMaxBytes || options.max_bytes > mcp::kMostMaxBytes) {
    return Error{ErrorKind::kUsage,
                 fmt::format("mcp: --max-bytes is {}; it must be from {} to {}", options.max_bytes,
                             mcp::kLeastMaxBytes, mcp::kMostMaxBytes)};
  }
  options.version = LOCI_VERSION;
  StoreOptions create;
  create.create = true;
  LOCI_ASSIGN(options.store, OpenMemory(start.memory, create));
  if (http) {
    LetSigtermInterrupt();
    LOCI_TRY(mcp::ServeHttp(options, *http, io->interrupt, [&](const std::string& url) {
      *io->err << url << std::endl;  // at once: whoever started this waits for it
    }));
    return ExitCode::kFound;
  }
  LOCI_TRY(mcp::ServeStreams(options, STDIN_FILENO, STDOUT_FILENO, io->interrupt));
  return ExitCode::kFound;
}

}  // namespace loci
