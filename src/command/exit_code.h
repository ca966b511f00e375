// SPDX-License-Identifier: Apache-2.0
//
// The exit codes of `loci`, all of them. Scripts test these; they never change their meaning.
// 0 and 1 are those of grep, so that `if loci ask ...` reads as it should.
#pragma once

#include "loci/result.h"

namespace loci {

enum class ExitCode : int {
  kFound = 0,         // done; an answer was found
  kNothing = 1,       // done; nothing was found, nothing matched
  kUsage = 2,         // the command line or the query is wrong
  kBadData = 3,       // an input or a memory is malformed, missing, damaged or out of reach
  kNoRoom = 4,        // out of memory, disk space or the work allowed
  kInterrupted = 130  // Ctrl-C, as shells count it: 128 + SIGINT
};

inline ExitCode ExitCodeFor(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return ExitCode::kUsage;
    case ErrorKind::kBadInput:
    case ErrorKind::kNotFound:
    case ErrorKind::kDamaged:
    case ErrorKind::kUnsupported:
    case ErrorKind::kIo:
      return ExitCode::kBadData;
    case ErrorKind::kNoSpace:
    case ErrorKind::kNoMemory:
    case ErrorKind::kLimit:
      return ExitCode::kNoRoom;
    case ErrorKind::kCancelled:
      return ExitCode::kInterrupted;
  }
  return ExitCode::kBadData;
}

}  // namespace loci
