// SPDX-License-Identifier: Apache-2.0
//
// What is behind one of the hits of a recall: the words that matched, the links that led there, and
// the facts in which both stand, so that it can be cited like all else.
#pragma once

#include <string>
#include <vector>

#include "query/graph.h"
#include "query/recaller.h"

namespace loci::query {

struct RecallTold {
  std::vector<recall::MatchedWord> words;
  std::vector<std::string> links;  // in words
  // Distinct; those of the document that the way begins at first, of each in canonical order. Not
  // empty, as a document is what is said of a symbol.
  std::vector<Fact> facts;
};

// What to look for in a text: the cue's own words, or where a hit has none of them those added.
std::vector<std::string> StemsOf(const std::vector<recall::MatchedWord>& words);

Result<RecallTold> TellRecall(const Graph& graph, const Hits& hits, uint32_t place);

}  // namespace loci::query
