// SPDX-License-Identifier: Apache-2.0
//
// Counts: how much a memory holds, exactly. Linear in what the layers above the image hold, and in
// the number of facts where sources are counted.
#pragma once

#include <cstdint>
#include <map>

#include "memory/snapshot.h"

namespace loci {

struct Counts {
  uint64_t statements = 0, facts = 0, relations = 0, sources = 0;
  uint64_t symbols = 0, texts = 0, numbers = 0, dates = 0;  // terms that some statement holds
};

Counts CountMemory(const Snapshot& snapshot);

// The statements of each source that has any.
std::map<TermId, uint64_t> CountSources(const Snapshot& snapshot);

}  // namespace loci
