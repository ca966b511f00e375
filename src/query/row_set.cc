// SPDX-License-Identifier: Apache-2.0
#include "query/row_set.h"

#include <algorithm>

#include "query/batch.h"

namespace loci::query {

uint64_t RowSet::Hash(std::span<const TermId> row) {
  uint64_t hash = 0;
  for (TermId id : row) hash = MixBits(hash + id);
  return hash;
}

uint32_t RowSet::Insert(std::span<const TermId> row) {
  if (size_t{size()} * 2 >= slots_.size()) Grow();
  const uint64_t mask = slots_.size() - 1;
  for (uint64_t at = Hash(row) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      cells_.insert(cells_.end(), row.begin(), row.end());
      slots_[at] = size();
      return slots_[at] - 1;
    }
    if (std::ranges::equal(this->row(slots_[at] - 1), row)) return slots_[at] - 1;
  }
}

void RowSet::Grow() {
  slots_.assign(std::max<size_t>(16, slots_.size() * 2), 0);
  const uint64_t mask = slots_.size() - 1;
  for (uint32_t i = 0; i < size(); ++i) {
    uint64_t at = Hash(row(i)) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = i + 1;
  }
}

}  // namespace loci::query
