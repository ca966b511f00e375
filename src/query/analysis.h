// SPDX-License-Identifier: Apache-2.0
//
// Analysis: gives each variable its scope and proves that each is bound where it must be.
//
// Scope. Let a conjunction be the clauses of one branch. A variable belongs to the outermost
// conjunction in which it occurs in an atom or comparison, or in two clauses of which one at least
// is no `not`. So what occurs only inside `not` is local to it; what occurs only in the branches of
// one `or` is local to each branch; and the variables of the head belong to the query.
//
// Safety. Atoms bind their variables. An `or` binds what each of its branches binds; what it shares
// with its surroundings beyond that must be bound by them, like all that a `not` or a comparison
// shares. The check takes goals in any order in which their needs are met; where it gets stuck, it
// names the variable.
#pragma once

#include <string_view>

#include "loci/result.h"
#include "query/program.h"
#include "query/tree.h"

namespace loci::query {

// The text is the one that the tree was parsed from, for the columns of messages; of a file of
// rules (lines), messages have a line too.
Result<Program> Analyze(std::string_view text, QueryTree tree, bool lines = false);

}  // namespace loci::query
