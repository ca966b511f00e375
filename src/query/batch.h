// SPDX-License-Identifier: Apache-2.0
//
// RowBatch: some thousand rows of bindings in columns, what the steps of a plan hand each other.
// With no columns the rows still count: "true" is one row of nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/graph.h"

namespace loci::query {

// Large enough that a mesh makes few round trips, small enough that columns stay in cache.
inline constexpr size_t kBatchRows = 16384;

// Spreads the bits of ids, which are small and dense, over a hash.
uint64_t MixBits(uint64_t x);

struct RowBatch {
  size_t rows = 0;
  std::vector<std::vector<TermId>> columns;
  std::vector<Proof> proofs;  // one per row, or empty where all rest on stored facts

  // Adds further proofs, one per row or none.
  void AddProofs(std::span<const Proof> more);
  // Keeps the rows whose mark is not 0.
  void Keep(std::span<const uint8_t> marks);
  // Keeps the first of equal rows, with the least proof of all.
  void Deduplicate();
};

// A hash table from a node and a small number to a dense number 0, 1, 2, ... in order of arrival.
// Looked up, never listed.
class DenseTable {
 public:
  // The number of the key, a new one if it is not there (then size() grows).
  uint32_t Insert(TermId node, uint32_t other = 0);
  // The number of the key, or nothing.
  std::optional<uint32_t> Find(TermId node, uint32_t other = 0) const;
  uint32_t size() const { return static_cast<uint32_t>(keys_.size()); }
  TermId node(uint32_t i) const { return keys_[i].node; }
  uint32_t other(uint32_t i) const { return keys_[i].other; }
  uint64_t bytes() const { return keys_.capacity() * sizeof(Key) + slots_.capacity() * 4; }
  void Clear();

 private:
  struct Key {
    TermId node;
    uint32_t other;
    friend bool operator==(const Key&, const Key&) = default;
  };
  static uint64_t Hash(TermId node, uint32_t other);
  void Grow();

  std::vector<Key> keys_;
  std::vector<uint32_t> slots_;  // open addressing: number + 1, 0 free
};

}  // namespace loci::query
