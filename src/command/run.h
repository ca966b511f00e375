// SPDX-License-Identifier: Apache-2.0
//
// One command line, from its words to its exit code.
#pragma once

#include <string>
#include <vector>

#include "command/exit_code.h"
#include "command/io.h"

namespace loci {

// words: the command line without the program's name. Never throws; what went wrong is said on
// io->err and by the exit code.
ExitCode RunCommand(const std::vector<std::string>& words, Io* io);

}  // namespace loci
