// SPDX-License-Identifier: Apache-2.0
//
// What a memory holds, in numbers, for `stats`.
#pragma once

#include <cstdint>

#include "memory/snapshot.h"

namespace loci {

struct Counts {
  uint64_t facts = 0, statements = 0;
  uint64_t symbols = 0, texts = 0, numbers = 0, dates = 0;  // terms that a statement names
  uint64_t relations = 0, sources = 0;                      // of the symbols
};

// Read off the header where there is but one layer (a consolidated memory); else counted, in time
// linear in the facts.
Counts CountAll(const Snapshot& snapshot);

}  // namespace loci
