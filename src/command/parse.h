// SPDX-License-Identifier: Apache-2.0
//
// A command line, checked against the table of verbs.
#pragma once

#include <string>
#include <vector>

#include "command/verb.h"

namespace loci {

// words: what stands after the verb. The error is kUsage and names the word and what would fit.
Result<Invocation> ParseInvocation(const Verb& verb, const std::vector<std::string>& words);

}  // namespace loci
