// SPDX-License-Identifier: Apache-2.0
//
// loci mcp: the memory as a server of the Model Context Protocol (src/mcp), over the standard
// streams. Standard output carries the protocol alone; what there is to say is said on stderr.
#include <unistd.h>

#include <cstdlib>
#include <ostream>

#include <fmt/format.h>

#include "command/open.h"
#include "command/verb.h"
#include "mcp/first_start.h"
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

}  // namespace

Result<ExitCode> RunMcp(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const std::string name, NameOf(invocation));
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
  LOCI_TRY(mcp::ServeStreams(options, STDIN_FILENO, STDOUT_FILENO, io->interrupt));
  return ExitCode::kFound;
}

}  // namespace loci
