// SPDX-License-Identifier: Apache-2.0
//
// Finds the verb, checks the line, runs it, and turns an Error into words and an exit code. This is
// the last frame that an exception (out of memory, from the standard library) may reach.
#include "command/run.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <ostream>

#include <fmt/format.h>

#include "base/unicode.h"
#include "command/help.h"
#include "command/parse.h"
#include "command/verb.h"
#include "render/nearest.h"

namespace loci {
namespace {

bool AsksForHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

// Whether a word before any "--" asks for help; then nothing else of the line counts.
bool AnyAsksForHelp(const std::vector<std::string>& words) {
  return std::any_of(words.begin(), std::find(words.begin(), words.end(), "--"), AsksForHelp);
}

Result<ExitCode> Dispatch(const std::vector<std::string>& words, Io* io) {
  if (words.empty()) {
    *io->err << HelpOverview();
    return ExitCode::kUsage;
  }
  const std::string& first = words.front();
  if (AsksForHelp(first)) {
    *io->out << HelpOverview();
    return ExitCode::kFound;
  }
  if (first == "--version") {
    *io->out << "loci " LOCI_VERSION "\n";
    return ExitCode::kFound;
  }
  const Verb* verb = FindVerb(first);
  if (verb == nullptr) return UnknownVerb(first);
  const std::vector<std::string> rest(words.begin() + 1, words.end());
  if (AnyAsksForHelp(rest)) {
    *io->out << HelpFor(*verb);
    return ExitCode::kFound;
  }
  LOCI_ASSIGN(const Invocation invocation, ParseInvocation(*verb, rest));
  return verb->run(invocation, io);
}

Result<ExitCode> DispatchWithoutThrowing(const std::vector<std::string>& words, Io* io) {
  try {
    return Dispatch(words, io);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::kNoMemory, "out of memory; the memory on disk is as it was"};
  } catch (const std::exception& error) {
    return Error{ErrorKind::kIo, fmt::format("unexpected: {}", error.what())};
  }
}

}  // namespace

Result<ExitCode> CheckOutput(Result<ExitCode> result, Io* io) {
  // Data that did not arrive was not given: a full disk behind a redirection is an error.
  io->out->flush();
  if (io->out->good() || !result.ok()) return result;
  const int reason = io->out_errno == nullptr ? 0 : *io->out_errno;
  io->out->clear();  // for the shell, which goes on
  if (reason == EINTR) return Error{ErrorKind::kCancelled, "interrupted"};
  return Error{reason == ENOSPC ? ErrorKind::kNoSpace : ErrorKind::kIo,
               fmt::format("cannot write to standard output: {}",
                           reason == 0 ? "the stream failed" : std::strerror(reason))};
}

Result<ExitCode> Execute(const std::vector<std::string>& words, Io* io) {
  return CheckOutput(DispatchWithoutThrowing(words, io), io);
}

ExitCode TellError(const Error& error, const std::string& at, Io* io) {
  // Whatever an interrupted system call turned into, the cause was Ctrl-C.
  const bool interrupted = io->interrupted() || error.kind == ErrorKind::kCancelled;
  *io->err << "loci: " << at << error.message << "\n";
  io->err->flush();
  return interrupted ? ExitCode::kInterrupted : ExitCodeFor(error.kind);
}

ExitCode RunCommand(const std::vector<std::string>& words, Io* io) {
  const Result<ExitCode> result = Execute(words, io);
  return result.ok() ? *result : TellError(result.error(), {}, io);
}

}  // namespace loci
