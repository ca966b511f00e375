// SPDX-License-Identifier: Apache-2.0
//
// Neighbours: the passages before and after one, by the numbers that their names end in
// (talk#000017, D1:3), as far as both are part of the same whole. What stands near in time or in
// order belongs together: each word of the cue counts for a passage as much as for the passage k
// places away, less with the distance.
//
//   gain'(word) = max over k of w(k) gain of the passage k places before or behind,
//   w(0) = 1, w(k) = .5 .4 .32 .256 up to 4 places
//
// An answer is sought rather than its question: directly behind a passage that ends in a question
// mark w(1) is .8, and that passage itself counts .85 of its score.
#pragma once

#include <vector>

#include "recall/content.h"
#include "recall/cue.h"

namespace loci::recall {

// What neighbours make of a document's score.
struct Raised {
  DocumentId document;
  uint64_t more;    // beyond its own, in the units of Content
  bool asks;        // it ends in a question mark
  DocumentId from;  // the neighbour that gives most; kNoDocument: none
};

// Whether anything is part of something.
bool HasPassages(const Snapshot& snapshot);

// Of the documents given, the best, and those around them. Nothing for documents that are no
// numbered passages.
std::vector<Raised> RaiseByNeighbours(const Snapshot& snapshot, const Collection& collection,
                                      const Cue& cue, const std::vector<DocumentId>& documents);

// "talk#000017" and 3: "talk#000020"; empty where the name ends in no number, or the number is
// beyond its digits or less than 0. Leading zeros are kept.
std::string NumberedName(std::string_view name, int64_t step);

}  // namespace loci::recall
