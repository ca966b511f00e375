// SPDX-License-Identifier: Apache-2.0
//
// What a call of learn is to write: its items, checked before the memory is touched, so that one
// that is bad means that nothing is written.
//
// A fact's object is given by one of four members, whose names say what it is: object (a name),
// text, number, date. Rejected: one member for all with a kind beside it, since who leaves the kind
// out writes a sentence as a name, which recall does not read.
//
// A text is a passage, as docs/formats.md has them: facts text, title, time, speaker, part_of about
// one name. Where it is not given that name is the first free one of BASE#000001 and so on, BASE
// being what it is part of, else the source; it is then part of BASE. What the memory knows
// already, with the same title and so on, gets no second name.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mcp/json.h"
#include "memory/batch.h"
#include "memory/snapshot.h"
#include "query/rule.h"

namespace loci::mcp {

struct LearnItems {
  struct Fact {
    Term subject, relation, object;
  };
  struct Text {
    Term name;  // of no bytes: to be chosen
    Term base;
    std::vector<std::pair<Term, Term>> facts;  // relation and object; the first is the text
  };
  Term source;
  std::vector<Fact> facts;
  std::vector<Text> texts;
  std::vector<query::NewRule> rules;
};

// From arguments that fit the schema. The error begins with the place: "facts[2]: ...".
Result<LearnItems> ReadLearnItems(const Json& arguments, const std::string& source);

// Adds all to a batch for the snapshot, and tells the names that were chosen for texts, one each in
// their order; empty where a name was given.
Result<void> AddLearnItems(const LearnItems& items, const Snapshot& snapshot, Batch* batch,
                           std::vector<std::string>* names);

}  // namespace loci::mcp
