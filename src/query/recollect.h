// SPDX-License-Identifier: Apache-2.0
//
// Recollect: what a cue recalls, as a list of memories to be read: the operator `like` with
// filters, each hit with its text, the words and links that brought it, and who states it. The verb
// recall and the API's Recall show it.
//
// Filters only choose: they are the clauses of a query over ?x beside like(?x, cue). Scores and
// order are the recall's, but for Ranking::Diversify, which keeps the first from saying the same.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/query.h"
#include "recall/recall.h"

namespace loci::query {

struct RecollectOptions {
  uint64_t limit = 10, offset = 0;
  std::string where;           // clauses over ?x
  std::optional<Term> source;  // a symbol that states something of it
  std::optional<Term> within;  // a symbol: that itself, or a part of it, of a part of it...
  std::optional<Term> since;   // dates, both included, of it or of what it is part of; of a
  std::optional<Term> until;   // partial one, all that completes it
  std::optional<Term> unlike;  // a text: nothing that has its words
  bool evidence = false;       // list the facts behind each
  QueryOptions engine;         // but for its limit
};

struct Recollected {
  TermId item = 0;
  uint64_t score = 0;  // base/fixed.h
  std::string_view title;
  // Of its texts that are no title the one with the most of the words; empty where it has none, and
  // then some facts tell of it.
  std::string_view text;
  std::vector<recall::Span> spans;  // where text has words of the cue
  std::vector<Fact> facts;          // in the place of a text
  Evidence shown;                   // the statement that text is of, or the first of the facts
  std::vector<recall::MatchedWord> words;
  std::vector<std::string> links;  // that led there, in words
  std::vector<Evidence> evidence;  // where it was asked for
};

struct Recollection {
  std::vector<Recollected> memories;
  uint64_t found = 0;  // all that pass the filters, these included
  std::shared_ptr<const Snapshot> snapshot;
};

// The cue is valid UTF-8. A fault of `where` is told by its column there.
Result<Recollection> Recollect(const std::shared_ptr<const Snapshot>& snapshot,
                               std::string_view cue, const RecollectOptions& options);

}  // namespace loci::query
