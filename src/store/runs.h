// SPDX-License-Identifier: Apache-2.0
//
// When runs merge: by a factor of 8, so that each statement is copied once per level of 8 times the
// size, and so that at most 12 exist. Layers stay in order of age: only a newest few merge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace loci {

inline constexpr size_t kRunFactor = 8;
inline constexpr size_t kMaxRuns = 12;

// sizes: words (learned and removed) of each run, oldest first. How many of the newest to merge into
// one; 0 for none.
size_t RunsToMerge(std::span<const uint64_t> sizes);

}  // namespace loci
