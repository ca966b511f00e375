// SPDX-License-Identifier: Apache-2.0
//
// RowSet: distinct rows of one width, numbered 0, 1, 2, ... in order of arrival.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/snapshot.h"

namespace loci::query {

class RowSet {
 public:
  // Before the first row; at least 1.
  void SetWidth(size_t width) { width_ = width; }

  // The number of the row, a new one if it is not there (then size() grows).
  uint32_t Insert(std::span<const TermId> row);
  std::span<const TermId> row(uint32_t i) const { return {&cells_[i * width_], width_}; }
  uint32_t size() const { return static_cast<uint32_t>(cells_.size() / width_); }
  uint64_t bytes() const { return cells_.capacity() * sizeof(TermId) + slots_.capacity() * 4; }

 private:
  static uint64_t Hash(std::span<const TermId> row);
  void Grow();

  size_t width_ = 1;
  std::vector<TermId> cells_;    // row by row
  std::vector<uint32_t> slots_;  // open addressing: number + 1, 0 free
};

}  // namespace loci::query
