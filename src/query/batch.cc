// SPDX-License-Identifier: Apache-2.0
#include "query/batch.h"

#include <algorithm>
#include <bit>

namespace loci::query {

// A finalizer of MurmurHash3.
uint64_t MixBits(uint64_t x) {
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  return x ^ x >> 33;
}

void RowBatch::Keep(std::span<const uint8_t> marks) {
  size_t kept = 0;
  for (size_t i = 0; i < rows; ++i) kept += marks[i] != 0;
  if (kept == rows) return;
  for (auto& column : columns) {
    size_t to = 0;
    for (size_t i = 0; i < rows; ++i) {
      column[to] = column[i];
      to += marks[i] != 0;
    }
    column.resize(kept);
  }
  if (!proofs.empty()) {
    size_t to = 0;
    for (size_t i = 0; i < rows; ++i) {
      proofs[to] = proofs[i];
      to += marks[i] != 0;
    }
    proofs.resize(kept);
  }
  rows = kept;
}

void RowBatch::AddProofs(std::span<const Proof> more) {
  if (more.empty()) return;
  proofs.resize(rows);
  for (size_t i = 0; i < rows; ++i) proofs[i] = proofs[i] + more[i];
}

void RowBatch::Deduplicate() {
  if (rows < 2) return;
  if (columns.empty()) {
    rows = 1;
    if (!proofs.empty()) proofs.assign(1, *std::min_element(proofs.begin(), proofs.end()));
    return;
  }
  const uint64_t mask = std::bit_ceil(rows * 2) - 1;
  std::vector<uint32_t> slots(mask + 1, 0);
  std::vector<uint8_t> marks(rows, 0);
  for (size_t i = 0; i < rows; ++i) {
    uint64_t hash = 0;
    for (const auto& column : columns) hash = MixBits(hash + column[i]);
    for (uint64_t at = hash & mask;; at = (at + 1) & mask) {
      if (slots[at] == 0) {
        slots[at] = static_cast<uint32_t>(i + 1);
        marks[i] = 1;
        break;
      }
      const size_t other = slots[at] - 1;
      bool same = true;
      for (const auto& column : columns) same = same && column[i] == column[other];
      if (!same) continue;
      if (!proofs.empty()) proofs[other] = std::min(proofs[other], proofs[i]);
      break;
    }
  }
  Keep(marks);
}

uint64_t DenseTable::Hash(TermId node, uint32_t other) {
  return MixBits(node + 0x9e3779b97f4a7c15ULL * other);
}

uint32_t DenseTable::Insert(TermId node, uint32_t other) {
  if (keys_.size() * 2 >= slots_.size()) Grow();
  const uint64_t mask = slots_.size() - 1;
  const Key key{node, other};
  for (uint64_t at = Hash(node, other) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == 0) {
      keys_.push_back(key);
      slots_[at] = static_cast<uint32_t>(keys_.size());
      return slots_[at] - 1;
    }
    if (keys_[slots_[at] - 1] == key) return slots_[at] - 1;
  }
}

std::optional<uint32_t> DenseTable::Find(TermId node, uint32_t other) const {
  if (slots_.empty()) return std::nullopt;
  const uint64_t mask = slots_.size() - 1;
  const Key key{node, other};
  for (uint64_t at = Hash(node, other) & mask; slots_[at] != 0; at = (at + 1) & mask) {
    if (keys_[slots_[at] - 1] == key) return slots_[at] - 1;
  }
  return std::nullopt;
}

void DenseTable::Grow() {
  slots_.assign(std::max<size_t>(16, slots_.size() * 2), 0);
  const uint64_t mask = slots_.size() - 1;
  for (size_t i = 0; i < keys_.size(); ++i) {
    uint64_t at = Hash(keys_[i].node, keys_[i].other) & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = static_cast<uint32_t>(i + 1);
  }
}

void DenseTable::Clear() {
  // A table that was once large must not make each later use pay for clearing it.
  if (slots_.size() > 64 && slots_.size() > keys_.size() * 8) {
    slots_.clear();
  } else {
    std::fill(slots_.begin(), slots_.end(), 0);
  }
  keys_.clear();
}

}  // namespace loci::query
