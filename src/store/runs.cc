// SPDX-License-Identifier: Apache-2.0
#include "store/runs.h"

#include <algorithm>
#include <bit>

namespace loci {

size_t RunsToMerge(std::span<const uint64_t> sizes) {
  const auto level = [&sizes](size_t i) {
    return static_cast<int>(std::bit_width(sizes[i])) / 3;  // 3 bits: a factor of 8
  };
  size_t newest = 0;
  for (int at_most = 0; newest < sizes.size(); ++at_most) {
    while (newest < sizes.size() && level(sizes.size() - 1 - newest) <= at_most) ++newest;
    if (newest >= kRunFactor) return newest;
  }
  return sizes.size() > kMaxRuns ? sizes.size() - kMaxRuns + 1 : 0;
}

}  // namespace loci
