// SPDX-License-Identifier: Apache-2.0
//
// Recaller: what the cues of one run recall, each cue asked of the graph once. That `like` may be
// planned as a source or as a test, be asked row by row, and again for derivations, costs one
// recall a cue.
//
// It forgets all it holds when that is more than kMostHeld symbols; then a cue may be asked again,
// with the same result. One run, one thread.
#pragma once

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "query/graph.h"

namespace loci::query {

class Context;

// Symbols ascend; each has its weight, -log2 of its score, and its place in the ranking.
struct Hits {
  recall::Ranking ranking;
  std::vector<TermId> symbols;
  std::vector<uint64_t> weights;
  std::vector<uint32_t> places;

  // The number of a symbol, or nothing where it is not recalled.
  std::optional<size_t> Find(TermId symbol) const;
};

std::shared_ptr<const Hits> MakeHits(recall::Ranking ranking);

class Recaller {
 public:
  Result<std::shared_ptr<const Hits>> Of(const Context& context, TermId cue, bool by_words);

 private:
  static constexpr size_t kMostHeld = 4 << 20;

  // By cue, by links and by words alone; looked up, never listed.
  std::unordered_map<TermId, std::shared_ptr<const Hits>> kept_[2];
  size_t held_ = 0;  // symbols in all of them
};

}  // namespace loci::query
