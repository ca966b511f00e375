// SPDX-License-Identifier: Apache-2.0
#include "query/recaller.h"

#include <algorithm>
#include <numeric>

#include "base/fixed.h"
#include "query/context.h"

namespace loci::query {

std::optional<size_t> Hits::Find(TermId symbol) const {
  const auto at = std::lower_bound(symbols.begin(), symbols.end(), symbol);
  if (at == symbols.end() || *at != symbol) return std::nullopt;
  return static_cast<size_t>(at - symbols.begin());
}

Result<std::shared_ptr<const Hits>> Recaller::Of(const Context& context, TermId cue) {
  if (const auto at = kept_.find(cue); at != kept_.end()) return at->second;
  auto hits = std::make_shared<Hits>();
  LOCI_ASSIGN(hits->ranking,
              context.run().stored->Recall(context.Name(cue), context.meter().cancelled()));
  const std::vector<recall::Hit>& ranked = hits->ranking.hits();
  const size_t n = ranked.size();
  LOCI_TRY(context.meter().Charge(n + 1));
  LOCI_TRY(context.meter().CheckMemory(
      n * (sizeof(recall::Hit) + sizeof(TermId) + sizeof(uint64_t) + sizeof(uint32_t))));
  hits->places.resize(n);
  std::iota(hits->places.begin(), hits->places.end(), 0u);
  std::sort(hits->places.begin(), hits->places.end(),
            [&](uint32_t a, uint32_t b) { return ranked[a].item < ranked[b].item; });
  hits->symbols.reserve(n);
  hits->weights.reserve(n);
  for (const uint32_t place : hits->places) {
    hits->symbols.push_back(ranked[place].item);
    hits->weights.push_back(WeightOfScore(ranked[place].score));
  }
  held_ += n + 1;
  if (held_ > kMostHeld) {
    kept_.clear();
    held_ = n + 1;
  }
  kept_[cue] = hits;
  return std::shared_ptr<const Hits>(std::move(hits));
}

}  // namespace loci::query
