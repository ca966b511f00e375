// SPDX-License-Identifier: Apache-2.0
//
// Between the values of include/loci/value.h and the terms of the engine.
#pragma once

#include "image/term.h"
#include "loci/value.h"
#include "memory/batch_loader.h"
#include "memory/snapshot.h"

namespace loci {

// Who said what a program did not name a source for.
inline constexpr std::string_view kDefaultSource = "api";

Result<Term> ToTerm(const Value& value);
Value ToValue(TermView term);

// Adds a statement to learn; Flush of the loader is the caller's. The error names the field.
Result<void> AddStatement(const Statement& statement, BatchLoader* loader);
Statement ToStatement(const Snapshot& snapshot, const Fact& fact, TermId source);

}  // namespace loci
