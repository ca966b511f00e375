// SPDX-License-Identifier: Apache-2.0
//
// Graph: all that the executor knows of a memory. Calls take a whole frontier at once, so that a
// memory spread over machines answers each with one round trip; a Snapshot answers from its layers.
//
// Ids are those of one consistent view. Ids of kOwnTerms and above are not the graph's: they stand
// for terms that only the query names, of which the memory has no fact.
//
// A SnapshotGraph may be used by any threads at once; a RuleGraph belongs to one run.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "loci/result.h"
#include "memory/snapshot.h"
#include "query/proof.h"
#include "recall/recall.h"

namespace loci::query {

inline constexpr TermId kOwnTerms = TermId{1} << 63;
inline constexpr TermId kNoTerm = ~TermId{0};

enum class Way : uint8_t { kForward, kInverse };  // from subjects to objects, or back

// The neighbours of each node of a frontier: those of node i are others[ends[i-1] .. ends[i]).
struct Lists {
  std::vector<uint64_t> ends;
  std::vector<TermId> others;
  std::vector<TermId> relations;  // as long as others, or empty where all are of one relation
  std::vector<Proof> proofs;      // as long as others, or empty where all are stored facts

  void Clear() {
    ends.clear();
    others.clear();
    relations.clear();
    proofs.clear();
  }
  uint64_t begin(size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
  uint64_t end(size_t i) const { return ends[i]; }
};

// What tests said of each of some rows or facts.
struct Marks {
  std::vector<uint8_t> holds;
  std::vector<Proof> proofs;  // as long as holds, or empty where all that holds is stored
};

class Graph {
 public:
  using RelationSize = Snapshot::RelationSize;

  virtual ~Graph() = default;

  // The id of each term, or kNoTerm.
  virtual Result<void> Find(std::span<const TermView> terms, TermId* out) const = 0;
  virtual TermView Name(TermId id) const = 0;
  virtual int Compare(TermId a, TermId b) const = 0;
  // Ids below it compare as numbers do.
  virtual TermId ordered_ids() const = 0;

  // *out is cleared first. The neighbours of a node are distinct, in no promised order. A node or
  // relation that cannot have any (a text as subject) has none.
  virtual Result<void> Expand(std::span<const TermId> nodes, TermId relation, Way way,
                              Lists* out) const = 0;
  virtual Result<void> ExpandAll(std::span<const TermId> nodes, Way way, Lists* out) const = 0;
  virtual Result<void> SubjectsOf(TermId relation, std::vector<TermId>* out) const = 0;
  virtual Result<void> Subjects(std::vector<TermId>* out) const = 0;
  // Every subject or object of a stored fact; some maybe twice.
  virtual Result<void> Nodes(std::vector<TermId>* out) const = 0;

  virtual Result<void> Has(std::span<const Fact> facts, Marks* out) const = 0;
  // (*out)[i] says whether it holds of the i-th. Sources and nodes are of stored facts only.
  virtual Result<void> HasSource(std::span<const Fact> facts, TermId source,
                                 std::vector<uint8_t>* out) const = 0;
  // Subject or object of some stored fact.
  virtual Result<void> AreNodes(std::span<const TermId> ids, std::vector<uint8_t>* out) const = 0;
  virtual Result<std::vector<TermId>> Sources(const Fact& fact) const = 0;

  // What the cue recalls, by stored facts only. The cue is the words of a text, number or date; of
  // a symbol what is known of it, and that symbol is not recalled. by_words: by no more than that.
  // Valid as long as the graph.
  virtual Result<recall::Ranking> Recall(TermView cue, bool by_words,
                                         const std::function<bool()>& cancelled) const = 0;
  // Where a text has words of these stems.
  virtual Result<std::vector<recall::Span>> FindWords(std::string_view text,
                                                      std::span<const std::string> stems) const = 0;

  // Estimates for planning.
  virtual RelationSize SizeOf(TermId relation) const = 0;
  virtual uint64_t HitsOf(TermView cue) const = 0;
  virtual uint64_t Facts() const = 0;
  virtual uint64_t Terms() const = 0;
  virtual uint64_t Degree(TermId node, Way way) const = 0;

  // Whether all that was read could be trusted; asked before answers leave.
  virtual Result<void> Verify() const = 0;
};

}  // namespace loci::query
