// SPDX-License-Identifier: Apache-2.0
//
// Line: one rule, asked in one mode, as a fixpoint runs it (fixpoint.h). The planner's order of its
// goals is cut where a goal reads a relation of the rule's own group:
//
//   anc(?x, ?z) <- parent(?x, ?y), anc(?y, ?z), age(?z, ?a)       asked for ?z, from ?x
//
//   segment 0    parent         rows (x) become rows (y)
//   join 0       anc from y     a row waits there for answers z; rows (z)
//   segment 1    age            rows (z)
//
// Segments are plans for the pipeline, of goals that are known whole; joins belong to the fixpoint.
// The last column of all rows is the number of the activation (fixpoint.h) that they come from, and
// their proofs include its proof.
//
// A join is a tail where nothing comes after it and its answers are the rule's: then whoever asked
// the rule takes the answers from there at once. So the closure of a chain by
// anc(?x, ?z) <- parent(?x, ?y), anc(?y, ?z) costs its length, not the square of it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "query/pipeline.h"
#include "query/row_set.h"
#include "query/rule_set.h"

namespace loci::query {

// What of a relation is asked: the objects of given subjects, the subjects of given objects, or
// all.
enum class Mode : uint8_t { kForward, kInverse, kAll };
inline constexpr uint32_t kModes = 3;

struct Segment {
  Conjunction goals;
  Plan plan;
  std::optional<Pipeline> pipeline;  // none where there are no goals
  std::vector<uint32_t> kept;        // then: the columns that go on
};

struct Line;

struct Join {
  Line* line = nullptr;
  uint32_t segment = 0;   // that its rows go on to
  uint32_t relation = 0;  // constant
  Mode mode = Mode::kForward;
  bool tail = false;
  End node;           // asked from; none where all is asked
  End other;          // what an answer must be, where that is known
  bool same = false;  // of an answer in mode kAll both ends are equal

  // Where the columns of the rows that go on come from.
  struct Pick {
    enum class From : uint8_t { kRow, kFirst, kSecond } from;
    uint32_t column;
  };
  std::vector<Pick> picks;

  RowSet rows;
  std::vector<Proof> proofs;      // by row
  std::vector<uint8_t> state;     // by row: kFresh, kPlaced
  std::vector<uint32_t> changed;  // rows that are new or have a better proof
  RowBatch out;                   // rows for the next segment
  static constexpr uint8_t kChanged = 1, kPlaced = 2;
};

struct Line {
  const Variant* variant = nullptr;
  Mode mode = Mode::kForward;
  std::unique_ptr<Context> context;
  End input;  // what the activation's node must be: a constant, or the first column (kBound)
  std::vector<std::unique_ptr<Segment>> segments;  // one more than joins
  std::vector<std::unique_ptr<Join>> joins;
  End first,
      second;  // what it concludes: in mode kAll subject and object, else the answer (second)
};

// The rule in that mode. is_member tells relations of its group.
Result<std::unique_ptr<Line>> MakeLine(const Variant& variant, Mode mode, const RunState* run,
                                       const std::function<bool(uint32_t)>& is_member);

}  // namespace loci::query
