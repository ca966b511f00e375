// SPDX-License-Identifier: Apache-2.0
//
// The help texts, made from the table of verbs.
#pragma once

#include <string>

#include "command/verb.h"

namespace loci {

std::string HelpOverview();
std::string HelpFor(const Verb& verb);

// "ask MEMORY QUERY [--limit N] ...": how the verb is written.
std::string Synopsis(const Verb& verb);

// The error for a word that is no verb, with the nearest one.
Error UnknownVerb(const std::string& word);

}  // namespace loci
