// SPDX-License-Identifier: Apache-2.0
//
// Collector: from rows in any order, repeated at will, the distinct ones in order, as many as were
// asked for. It sorts when its buffer has doubled, so that n rows cost O(n log n) and a query with
// a limit holds about as many rows as it will return.
//
// Order: the keys of `order by`, then, where rows have proofs, the better score (or proof), then
// the columns in the canonical order. Of rows that differ in nothing but their proof the best is
// kept. All of it is a comparison of rows of integers: ids of the image's layer are in the
// canonical order already, and where other ids occur, all are replaced by their ranks for the sort.
// What a proof amounts to is a number or two behind the columns.
#pragma once

#include <vector>

#include "query/batch.h"
#include "query/context.h"

namespace loci::query {

class Collector {
 public:
  // Rows have so many columns; at most `most` are kept. The context outlives this.
  Collector(const Context* context, size_t columns, const std::vector<SortKey>& order,
            uint64_t most);

  Result<void> Add(const RowBatch& rows);
  // Sorts; the calls below are valid then.
  Result<void> Finish();

  size_t rows() const { return rows_; }
  TermId at(size_t row, size_t column) const { return cells_[row * width_ + place_of_[column]]; }
  uint64_t score(size_t row) const;  // unless the ranking is by proof
  Proof proof(size_t row) const;     // where it is by proof

 private:
  bool IsRank(size_t place) const { return column_at_[place] >= columns_; }
  void Put(uint32_t column, bool descending);
  void AddRanks(const RowBatch& rows, size_t from);
  void Compact();
  void KeepBest();
  void Sort();
  template <size_t kWidth>
  void SortFixed();
  void SortAny();
  void Reorder(const std::vector<uint32_t>& order);
  template <class Visit>
  void ForEachName(Visit visit);  // each cell that is an id
  void ToRanks();
  void FromRanks();

  const Context& context_;
  const size_t columns_, width_;  // without and with what proofs amount to
  const uint64_t most_;
  std::vector<uint32_t> column_at_;  // the column at each place of a stored row
  std::vector<uint32_t> place_of_;   // the place of each column
  std::vector<uint8_t> descending_;  // by place
  std::vector<TermId> cells_;        // row by row
  size_t rows_ = 0, compact_at_;
  std::vector<TermId> by_rank_;  // empty where ids serve as ranks
};

}  // namespace loci::query
