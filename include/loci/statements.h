// SPDX-License-Identifier: Apache-2.0
//
// Every statement of a memory, one after the other, without holding them all.
//
//   auto all = memory.All();
//   while (all.ok()) {
//     const auto some = all->Next(1000);
//     if (!some.ok() || some->empty()) break;
//     for (const loci::Statement& statement : *some) Use(statement);
//   }
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "loci/export.h"
#include "loci/result.h"
#include "loci/value.h"

namespace loci {

// In canonical order (by subject, relation, object, source), as the memory was when All was called,
// whatever is written meanwhile. One thread at a time.
class LOCI_API Statements {
 public:
  ~Statements();
  Statements(Statements&&) noexcept;
  Statements& operator=(Statements&&) noexcept;

  // The next: `least` of them, and the other sources of the last one's fact; fewer only at the end,
  // where there are none.
  Result<std::vector<Statement>> Next(std::size_t least);

 private:
  friend class Memory;
  struct State;
  explicit Statements(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace loci
