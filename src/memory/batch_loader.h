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
  static constexpr size_t kWindow = 16;  // statements

  struct Name {
    Kind kind;
    uint32_t begin, size;  // in bytes_
    uint64_t hash;
  };
  TermView Term(const Name& name) const {
    return {name.kind, std::string_view(bytes_).substr(name.begin, name.size)};
  }

  Batch* const batch_;
  std::string bytes_;
  std::array<Name, 4 * kWindow> names_;                  // known_ of them
  std::array<std::array<uint32_t, 4>, kWindow> window_;  // filled_ statements, as numbers of names
  size_t known_ = 0, filled_ = 0;
};

}  // namespace loci
