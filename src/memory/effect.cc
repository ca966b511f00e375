// SPDX-License-Identifier: Apache-2.0
#include "memory/effect.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace loci {
namespace {

// For each row whether it is its statement's last.
std::vector<bool> LastWords(const Batch& batch) {
  const auto& rows = batch.rows();
  std::vector<uint32_t> order(rows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&rows](uint32_t a, uint32_t b) {
    return rows[a] != rows[b] ? rows[a] < rows[b] : a < b;
  });
  std::vector<bool> last(rows.size(), true);
  for (size_t i = 1; i < order.size(); ++i) {
    if (rows[order[i - 1]] == rows[order[i]]) last[order[i - 1]] = false;
  }
  return last;
}

}  // namespace

Effect EffectOf(const Batch& batch, const Snapshot& snapshot) {
  Effect effect;
  constexpr TermId kAbsent = UINT64_MAX, kUnasked = UINT64_MAX - 1;
  std::vector<TermId> ids(batch.terms(), kUnasked);
  std::vector<Batch::Ref> copied(batch.terms(), UINT32_MAX);
  const auto id = [&](Batch::Ref ref) {
    if (ids[ref] == kUnasked) ids[ref] = snapshot.Find(batch.Name(ref)).value_or(kAbsent);
    return ids[ref];
  };
  const auto copy = [&](Batch::Ref ref) {
    if (copied[ref] == UINT32_MAX) copied[ref] = effect.batch.Intern(batch.Name(ref));
    return copied[ref];
  };
  const std::vector<bool> last = LastWords(batch);
  for (uint32_t i = 0; i < batch.size(); ++i) {
    const Batch::Row& row = batch.rows()[i];
    const bool removed = batch.removed(i);
    if (!last[i]) {
      ++(removed ? effect.absent : effect.known);
      continue;
    }
    const Fact fact{id(row.subject), id(row.relation), id(row.object)};
    const TermId source = id(row.source);
    const bool exists = fact.subject != kAbsent && fact.relation != kAbsent &&
                        fact.object != kAbsent && source != kAbsent &&
                        snapshot.HasSource(fact, source);
    if (exists != removed) {
      ++(removed ? effect.absent : effect.known);
      continue;
    }
    ++(removed ? effect.forgotten : effect.learned);
    effect.batch.Add({copy(row.subject), copy(row.relation), copy(row.object), copy(row.source)},
                     removed);
  }
  return effect;
}

}  // namespace loci
