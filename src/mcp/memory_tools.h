// SPDX-License-Identifier: Apache-2.0
//
// The tools beyond the reference server's, each in the file of its name. Names of symbols are taken
// as they stand or, as results write those that need it, in <...>; facts, queries and what comes
// back are in the notation of the query language, so that it can be asked again.
#pragma once

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

}  // namespace loci::mcp
