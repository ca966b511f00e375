// SPDX-License-Identifier: Apache-2.0
//
// The part of `learn` that learns rules.
#pragma once

#include <string>

#include "command/verb.h"

namespace loci {

// The file that --rules names, said by the source, or by the file's base name where that is empty.
Result<ExitCode> LearnRules(const Invocation& invocation, const std::string& source, Io* io);

}  // namespace loci
