// SPDX-License-Identifier: Apache-2.0
//
// Between the values of include/loci/value.h and the terms of the engine.
#pragma once

#include "image/term.h"
#include "loci/value.h"
#include "memory/batch.h"
#include "memory/snapshot.h"

namespace loci {

// Who said what a program did not name a source for.
inline constexpr std::string_view kDefaultSource = "api";

Result<Term> ToTerm(const Value& value);
Value ToValue(TermView term);

// Adds a statement to learn. The error names the field.
Result<void> AddStatement(const Statement& statement, Batch* batch);
Statement ToStatement(const Snapshot& snapshot, const Fact& fact, TermId source);

}  // namespace loci
