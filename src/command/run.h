// SPDX-License-Identifier: Apache-2.0
//
// One command line, from its words to its exit code.
#pragma once

#include <string>
#include <vector>

#include "command/exit_code.h"
#include "command/io.h"
#include "loci/result.h"

namespace loci {

// words: the command line without the program's name. Never throws; what went wrong is said on
// io->err and by the exit code.
ExitCode RunCommand(const std::vector<std::string>& words, Io* io);

// The same in parts, for the shell. Never throws; what was printed is out when it returns.
Result<ExitCode> Execute(const std::vector<std::string>& words, Io* io);

// Flushes the output; a result whose data did not arrive is an error.
Result<ExitCode> CheckOutput(Result<ExitCode> result, Io* io);

// Says what went wrong, `at` before it ("stdin:3: "), and what that is as an exit code.
ExitCode TellError(const Error& error, const std::string& at, Io* io);

}  // namespace loci
