// SPDX-License-Identifier: Apache-2.0
//
// The words of a dot-command. Spaces separate them, but not within parentheses, <names> or quotes,
// so that a fact is one word as it stands: .why capital_of(rome, "Roma"@it). A word that is in
// single or double quotes from end to end stands for what is between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/verb.h"
#include "loci/result.h"

namespace loci {

Result<std::vector<std::string>> SplitWords(std::string_view line);

// The words as the verb's command line has them behind MEMORY: where the verb takes one text more,
// all words that are not flags or their values are that text, joined by spaces.
std::vector<std::string> JoinText(const Verb& verb, std::vector<std::string> words);

}  // namespace loci
