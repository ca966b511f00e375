// SPDX-License-Identifier: Apache-2.0
//
// Batch: statements on their way into a memory, learned or removed together or not at all.
// Terms are interned: each is held once. Not thread-safe.
#pragma once

#include <cstdint>
#include <deque>
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
  TermView Name(Ref ref) const { return views_[ref]; }
  uint32_t terms() const { return static_cast<uint32_t>(views_.size()); }

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

 private:
  void Grow();

  std::deque<std::unique_ptr<char[]>> blocks_;
  size_t block_left_ = 0;
  char* block_at_ = nullptr;
  std::vector<TermView> views_;
  std::vector<uint32_t> slots_;  // open addressing on XXH3-64: ref + 1, 0 free
  std::vector<uint64_t> hashes_;
  std::vector<Row> rows_;
  std::vector<bool> removed_;
  bool any_removed_ = false;
  size_t name_bytes_ = 0;
};

}  // namespace loci
