// SPDX-License-Identifier: Apache-2.0
#include "store/runs.h"

namespace loci {

size_t RunsToMerge(std::span<const uint64_t> sizes) {
  if (sizes.size() <= kMaxRuns) return 0;
  size_t newest = 1;
  uint64_t gathered = sizes.back();
  while (newest < sizes.size()) {
    const uint64_t older = sizes[sizes.size() - 1 - newest];
    if (newest >= 2 && older > gathered) break;
    gathered += older;
    ++newest;
  }
  return newest;
}

}  // namespace loci
