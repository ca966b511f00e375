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

std::shared_ptr<const Hits> MakeHits(recall::Ranking ranking) {
  auto hits = std::make_shared<Hits>();
  const std::vector<recall::Hit>& ranked = ranking.hits();
  hits->places.resize(ranked.size());
  std::iota(hits->places.begin(), hits->places.end(), 0u);
  std::sort(hits->places.begin(), hits->places.end(),
            [&](uint32_t a, uint32_t b) { return ranked[a].item < ranked[b].item; });
  hits->symbols.reserve(ranked.size());
  hits->weights.reserve(ranked.size());
  for (const uint32_t place : hits->places) {
    hits->symbols.push_back(ranked[place].item);
    hits->weights.push_back(WeightOfScore(ranked[place].score));
  }
  hits->ranking = std::move(ranking);
  return hits;
}

Result<std::shared_ptr<const Hits>> Recaller::Of(const Context& context, TermId cue,
                                                 bool by_words) {
  auto& kept = kept_[by_words];
  if (const auto at = kept.find(cue); at != kept.end()) return at->second;
  LOCI_ASSIGN(recall::Ranking ranking, context.run().stored->Recall(context.Name(cue), by_words,
                                                                    context.meter().cancelled()));
  const size_t n = ranking.hits().size();
  LOCI_TRY(context.meter().Charge(n + 1 + ranking.work()));
  LOCI_TRY(context.meter().CheckMemory(
      n * (sizeof(recall::Hit) + sizeof(TermId) + sizeof(uint64_t) + sizeof(uint32_t))));
  std::shared_ptr<const Hits> hits = MakeHits(std::move(ranking));
  held_ += n + 1;
  if (held_ > kMostHeld) {
    for (auto& all : kept_) all.clear();
    held_ = n + 1;
  }
  return kept[cue] = std::move(hits);
}

}  // namespace loci::query
