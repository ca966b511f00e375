// SPDX-License-Identifier: Apache-2.0
//
// Batch: statements on their way into a memory, learned or removed together or not at all.
// Terms are interned: each is held once. Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/huge_vector.h"
#include "image/term.h"

namespace loci {

class Batch {
 public:
  using Ref = uint32_t;  // a term of this batch

  // The term's bytes must be normal (image/term.h); they are copied.
  Ref Intern(TermView term);
  Ref Intern(TermView term, uint64_t name_hash);
  TermView Name(Ref ref) const {
    const Entry& e = entries_[ref];
    return {e.kind, {e.bytes, e.size}};
  }
  uint32_t terms() const { return static_cast<uint32_t>(entries_.size()); }

  struct Row {
    Ref subject, relation, object, source;
    friend auto operator<=>(const Row&, const Row&) = default;
  };
  // Of several words on one statement the last counts.
  void Add(const StatementView& s, bool removed);
  void Add(const Row& row, bool removed);

  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  const std::vector<Row>& rows() const { return rows_; }
  bool removed(size_t i) const { return any_removed_ && removed_[i]; }
  bool any_removed() const { return any_removed_; }
  size_t name_bytes() const { return name_bytes_; }
  void Clear();

  // Ahead of Intern, to bring near what it will touch: first the slots of a name with this hash,
  // then the entry of the term that they make probable, then that entry's bytes.
  static constexpr Ref kNoTerm = UINT32_MAX;
  void PrefetchSlot(uint64_t name_hash) const;
  Ref Probable(uint64_t name_hash) const;  // kNoTerm: the name is new
  // (Always inline: GCC 12 takes calls of a function that only prefetches for calls without
  // effect.)
  [[gnu::always_inline]] void PrefetchEntry(Ref probable) const {
    if (probable != kNoTerm) __builtin_prefetch(&entries_[probable]);
  }
  [[gnu::always_inline]] void PrefetchName(Ref probable) const {
    if (probable != kNoTerm) __builtin_prefetch(entries_[probable].bytes);
  }

 private:
  // A name's place in the table, and its tag: the upper half of its hash. The tag's low bits say
  // where to look, so that the table grows without a name being looked at; the others keep most
  // wrong names from being compared.
  struct Slot {
    uint32_t tag;
    uint32_t ref_plus_1;  // 0: free
  };
  struct Entry {
    const char* bytes;
    uint32_t size;
    Kind kind;
  };
  void Grow();

  std::vector<HugeVector<char>> blocks_;  // of names, each twice the one before
  char* block_at_ = nullptr;
  size_t block_left_ = 0;
  HugeVector<Entry> entries_;
  HugeVector<Slot> slots_;  // linear probing, a power of two, at most half full
  std::vector<Row> rows_;
  std::vector<bool> removed_;
  bool any_removed_ = false;
  size_t name_bytes_ = 0;
};

}  // namespace loci
