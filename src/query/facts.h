// SPDX-License-Identifier: Apache-2.0
//
// Statements as people see them: a fact in the notation of queries, and the address of a
// statement, the first 16 hex digits of its hash, by which evidence cites it.
#pragma once

#include <functional>
#include <string>

#include "memory/snapshot.h"

namespace loci::query {

inline constexpr size_t kAddressDigits = 16;

// relation(subject, object): what `ask` finds and `forget` takes.
std::string FactNotation(const Snapshot& snapshot, const Fact& fact);

// All 64 hex digits of the statement's hash; its address is the first 16.
std::string StatementHashHex(const Snapshot& snapshot, const Fact& fact, TermId source);
std::string StatementAddress(const Snapshot& snapshot, const Fact& fact, TermId source);

// Calls visit for every fact of the snapshot once, in no promised order, until it returns false.
// Linear in the memory.
void ForEachFact(const Snapshot& snapshot, const std::function<bool(const Fact&)>& visit);

}  // namespace loci::query
