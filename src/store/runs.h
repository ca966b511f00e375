// SPDX-License-Identifier: Apache-2.0
//
// When runs merge: where there are more than 12, the newest joins the one before it, and so on as
// long as the next older one is no larger than what has been gathered. Layers stay in order of age.
//
// A run that joins the two newest ends in one at least twice its size. In 10,000 additions of
// equal, of random and of skewed sizes each word is copied between 4 and 6 times (runs_test.cc
// counts). To wait for 8 runs of a size leaves more than 12 of all sizes, and to merge the cheapest
// newest ones to get below that copied each word 15 to 18 times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace loci {

inline constexpr size_t kMaxRuns = 12;

// sizes: words (learned and removed) of each run, oldest first. How many of the newest to merge
// into one; 0 for none.
size_t RunsToMerge(std::span<const uint64_t> sizes);

}  // namespace loci
