// SPDX-License-Identifier: Apache-2.0
//
// What the shell's Tab offers: dot-commands, and the names and relations that a memory knows.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "command/line_editor.h"
#include "memory/snapshot.h"

namespace loci {

// Names in notation that begin as told, in the canonical order, at most so many: relations where
// only they are asked for, else whatever a fact or a source is named by.
std::vector<std::string> NamesWith(const Snapshot& snapshot, std::string_view prefix,
                                   bool only_relations, size_t most);

// For a line of a query: its last name. Outside of parentheses that is a relation's.
Completion CompleteQuery(const Snapshot& snapshot, std::string_view line);

}  // namespace loci
