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

  // Ahead of Intern, to bring near what it will touch: first the slot of a name with this hash,
  // then the entry that the slot refers to, then that entry's bytes.
  void PrefetchSlot(uint64_t name_hash) const;
  void PrefetchEntry(uint64_t name_hash) const;
  void PrefetchName(uint64_t name_hash) const;

 private:
  // A name's place in the table: half of its hash, so that another name rarely has to be looked at.
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

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* block_at_ = nullptr;
  size_t block_left_ = 0;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // open addressing on XXH3-64, a power of two, at most half full
  std::vector<Row> rows_;
  std::vector<bool> removed_;
  bool any_removed_ = false;
  size_t name_bytes_ = 0;
};

}  // namespace loci
