// SPDX-License-Identifier: Apache-2.0
//
// Recall: from a cue, a text, to what it brings to mind: the documents of a memory, each with a
// score and the reasons for it. A document is a symbol with all that is said of it (text/fields.h).
//
//   1. Content. Every document that shares words with the cue is scored by them (BM25, Robertson
//      and Zaragoza 2009), its title's words twice.
//   2. Association. From the best of these, the seeds, links that can be read lead on: names
//      mentioned, phrases shared, facts, neighbours in order. A link counts by what stands around
//      it and by what the document that it leads to adds to the cue's words explained so far.
//   3. Where no link applies, a second cue is made of the first memories (RM3, Abdul-Jaleel et al.
//      2004).
//
// Nothing is learned or fitted, and nothing stored for a document depends on another one. Scores
// are integers: the same on every machine, for every split of a memory into layers.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"
#include "memory/snapshot.h"

namespace loci::recall {

struct Options {
  bool associate = true;    // else content alone
  bool titles_link = true;  // false, for evaluation: mentions of titles and names are no links
  size_t most = SIZE_MAX;   // only so many of the best hits; fewer cost less
  // Asked now and then; false cancels (kCancelled).
  std::function<bool()> keep_going;
};

struct Hit {
  TermId item = 0;     // a symbol
  uint64_t score = 0;  // fixed point (base/fixed.h), from 1 to kScoreOne
};

// A word of the cue that a hit has.
struct MatchedWord {
  std::string cue;      // as the cue has it; of a word that the second cue added, the stem
  std::string stem;     // as the memory has it: what Spans looks for
  uint64_t weight = 0;  // its part of the hit's score by content
  bool added = false;   // by the second cue
};

// How a hit was come by from another document.
struct Link {
  enum class Kind : uint8_t {
    kMention,      // `from` names the hit
    kMentionedBy,  // the hit names `from`
    kPhrase,       // both have the phrase
    kFact,         // a fact leads from one to the other
    kNeighbour,    // one follows the other
  };
  Kind kind = Kind::kMention;
  TermId from = 0;
  std::string words;  // the name or phrase; of a fact, its relation
};

struct Explanation {
  std::vector<MatchedWord> words;  // by descending weight
  std::vector<Link> path;          // from a seed to the hit; empty for what content alone brought
};

class Ranking {
 public:
  // By descending score, equal ones in the canonical order. All that is above a fixed floor.
  const std::vector<Hit>& hits() const { return hits_; }

  // Why the i-th is there.
  Explanation Explain(size_t i) const;

  // Documents and postings that were met.
  uint64_t work() const { return work_; }

  // The order in which to show hits, so that the first do not say the same: greedily the one whose
  // score less a small part of the cue's weight already covered is the greatest. candidates:
  // numbers of hits, ascending; the first `count` of the new order come back.
  std::vector<uint32_t> Diversify(std::span<const uint32_t> candidates, size_t count) const;

 private:
  friend class Recaller;
  struct State;
  std::vector<Hit> hits_;
  uint64_t work_ = 0;
  std::shared_ptr<const State> state_;
};

// Empty where the cue has no word that the memory knows, or knows nearly.
Result<Ranking> Recall(std::shared_ptr<const Snapshot> snapshot, std::string_view cue,
                       const Options& options = {});

// The documents that are like this symbol's: its words are the cue. It is not among them.
Result<Ranking> RecallLike(std::shared_ptr<const Snapshot> snapshot, TermId item,
                           const Options& options = {});

// How many hits there will be, at most, but for what association adds; without scoring any.
Result<uint64_t> EstimateHits(const Snapshot& snapshot, std::string_view cue);

// Where a text has words of these stems: [begin, end) in bytes, ascending. For highlighting.
struct Span {
  size_t begin, end;
};
Result<std::vector<Span>> FindWords(const Snapshot& snapshot, std::string_view text,
                                    std::span<const std::string> stems);

}  // namespace loci::recall
