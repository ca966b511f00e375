// SPDX-License-Identifier: Apache-2.0
//
// Lookup: the facts or walks that match an atom, for a batch of rows at once.
//
// It goes from the end of the atom that is known (of a path with both known, from the one that
// promises fewer), through lists of neighbours of the distinct nodes found there, to matches; or,
// with neither end known, from every node that could be a start. Lists are fetched in chunks, and
// matches handed out in batches, so that memory does not grow with the answers.
#pragma once

#include <optional>
#include <vector>

#include "query/batch.h"
#include "query/plan.h"
#include "query/reach.h"

namespace loci::query {

// A column each: the number of the row that matched, and the fact (relation only where the atom has
// one).
struct Matches {
  std::vector<uint32_t> rows;
  std::vector<TermId> starts, relations, ends;
  std::vector<Proof> proofs;  // or none, where all are stored facts

  void Clear();
  void Keep(const std::vector<uint8_t>& marks);
};

class Lookup {
 public:
  // Both outlive this.
  Lookup(const Operation* operation, Context* context);

  // The matches of these rows, which outlive the calls of Next, some thousand at a time. False when
  // there are no more.
  Result<void> Open(const RowBatch* rows);
  Result<bool> Next(Matches* out);

  // Which rows have a match, and the least proof of each.
  Result<void> Test(const RowBatch& rows, Marks* marks);

 private:
  enum class From : uint8_t {
    kStart,     // lists of the starts
    kEnd,       // lists of the ends
    kScan,      // lists of all nodes that can be starts
    kScanEach,  // the same for each row: its relation is bound
    kNothing,   // there are no rows
  };

  TermId ValueOf(const End& end, uint32_t row) const {
    return end.role == End::Role::kConstant ? end.value : rows_->columns[end.column][row];
  }
  bool IsFixed() const;  // nothing depends on the row
  bool AllKnown() const;
  Result<void> TestFacts(Marks* marks);

  Result<void> Start(uint32_t row_count);
  From Choose(uint32_t row_count);
  uint32_t CountDistinct(const End& end, uint32_t row_count) const;
  void GroupRows(const End& key, uint32_t row_count);
  Result<void> ListStarts();
  Result<bool> NextScanRow();
  Result<bool> NextChunk();
  Result<void> Fetch(std::span<const TermId> nodes);
  void SortLists();
  void SortEntries(ptrdiff_t begin, ptrdiff_t end);
  void Narrow(uint32_t row, uint64_t* begin, uint64_t* end) const;
  void Emit(Matches* out);
  bool EmitRow(uint32_t row, TermId node, uint64_t begin, uint64_t end, Matches* out);
  Result<void> FilterSource(Matches* out);

  const Operation& operation_;
  Context& context_;
  const Graph& graph_;
  std::optional<Reach> reach_;
  const RowBatch* rows_ = nullptr;
  bool only_first_ = false;  // one match per row is enough

  // What must be equal beyond the key of the lookup.
  bool other_known_ = false, relation_known_ = false;
  bool start_is_end_ = false, relation_is_start_ = false, relation_is_end_ = false;

  From from_ = From::kNothing;
  std::vector<TermId> nodes_;  // the frontier, distinct
  // Rows grouped by node: those of node i are order_[groups_[i] .. groups_[i + 1]). In a scan every
  // row goes with every node, and both are one group.
  std::vector<uint32_t> order_, groups_;
  uint32_t scan_row_ = 0, row_count_ = 0;

  // The chunk of lists at hand, and the place in it.
  Lists lists_;
  size_t chunk_begin_ = 0, chunk_end_ = 0, chunk_size_ = 0;
  size_t node_ = 0;
  uint32_t in_group_ = 0;
  uint64_t entry_ = 0, touched_ = 0;
  bool in_row_ = false;
};

}  // namespace loci::query
