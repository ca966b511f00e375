// SPDX-License-Identifier: Apache-2.0
//
// BatchLoader: adds many statements to a batch. To intern a name touches three places of memory far
// apart (its slot, its entry, its bytes), and of a large batch none is in a cache. The loader
// holds a window of statements and takes all of them through each step at once, so that the
// processor waits for many places at a time instead of one.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "memory/batch.h"

namespace loci {

class BatchLoader {
 public:
  explicit BatchLoader(Batch* batch) : batch_(batch) {}

  void Learn(const StatementView& statement);
  // Adds what the window holds: to be called before the batch is used.
  void Flush();

 private:
  static constexpr size_t kWindow = 32;  // statements

  struct Field {
    Kind kind;
    uint32_t begin, size;  // in bytes_
    uint64_t hash;
    bool repeated;  // the same as this field of the statement before
  };
  TermView Term(const Field& field) const {
    return {field.kind, std::string_view(bytes_).substr(field.begin, field.size)};
  }

  Batch* const batch_;
  std::string bytes_;
  std::array<std::array<Field, 4>, kWindow> window_;
  size_t filled_ = 0;
};

}  // namespace loci
