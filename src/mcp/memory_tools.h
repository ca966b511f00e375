// SPDX-License-Identifier: Apache-2.0
//
// The tools beyond the reference server's, each in the file of its name. Names of symbols are taken
// as they stand or, as results write those that need it, in <...>; facts, queries and what comes
// back are in the notation of the query language, so that it can be asked again.
#pragma once

#include <string>
#include <string_view>

#include "loci/result.h"
#include "mcp/tool.h"

namespace loci::mcp {

Tool RecallTool();
Tool AskTool();
Tool WhyTool();
Tool LearnTool();
Tool ForgetTool();
Tool StatsTool();

// A name as it stands or in <...>. what: the argument, for the error.
Result<Term> NameFrom(const std::string& text, const std::string& what);

// A message of the engine in the words of the tools: no flags of a command line.
Error InToolWords(Error error);

// The same for a fault of a query or fact, with the place in its text and the form that it misses:
// what is written in words or in another language fails at its first words, where the engine's
// message cannot tell.
Error InQuery(const Error& error, std::string_view text);

}  // namespace loci::mcp
