// SPDX-License-Identifier: Apache-2.0
//
// What `forget` is to forget: from what the user named to the statements of a snapshot.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "memory/batch.h"
#include "memory/snapshot.h"
#include "query/query.h"

namespace loci::query {

struct Selector {
  enum class By { kFact, kAddress, kSubject, kSource, kNaming };
  By by = By::kFact;
  FactPattern fact;     // kFact
  std::string address;  // kAddress: 8 to 64 hex digits, lower case
  Term name;            // the others
};

// Whether the text is an address, or means to be one, and no fact: hex digits alone.
bool IsAddress(const std::string& text);

// A fact as `forget` takes it: relation(subject, object) [from source], or an address. The message
// about a fact begins with its column.
Result<Selector> SelectorFromFact(const std::string& text);

// NAME of --subject, --source and --naming: a symbol as it stands or in <...>; for --naming also a
// text, number or date in notation.
Result<Selector> SelectorFromName(Selector::By by, const std::string& text);

struct Selection {
  std::vector<std::pair<Fact, TermId>> statements;  // in no promised order
  uint64_t facts_gone = 0;                          // facts that no source will have said any more
  uint64_t facts_kept = 0;                          // facts that other sources still say
  // kSubject only: facts that will still name it as object or relation, statements as source.
  uint64_t still_named = 0;
  uint64_t still_source = 0;
};

// The statements that the selector means. cancelled may be absent.
Result<Selection> Select(const Snapshot& snapshot, const Selector& selector,
                         const std::function<bool()>& cancelled);

// Brings the statements into their canonical order: by subject, relation, object, source.
void Sort(const Snapshot& snapshot, Selection* selection);

// One line per statement, "relation(subject, object) from source", in the selection's order.
std::vector<std::string> Describe(const Snapshot& snapshot, const Selection& selection);

void Remove(const Snapshot& snapshot, const Selection& selection, Batch* batch);

}  // namespace loci::query
