// SPDX-License-Identifier: Apache-2.0
//
// The image's header counts what it holds; only what newer layers speak of can differ from it.
#include "memory/counts.h"

#include <algorithm>
#include <map>

namespace loci {
namespace {

// The facts that the layers above the image speak of, each once.
std::vector<Fact> TouchedFacts(const Snapshot& snapshot) {
  std::vector<Fact> facts;
  const auto& layers = snapshot.layers();
  for (size_t k = 1; k < layers.size(); ++k) {
    const Image& layer = *layers[k];
    const auto id = [&](LocalId local) { return snapshot.Find(layer.Name(local)).value_or(0); };
    for (LocalId s = layer.first_symbol(); s < layer.terms(); ++s) {
      const Range row = layer.Row(s);
      for (uint32_t f = row.begin; f < row.end; ++f) {
        facts.push_back(
            {id(s), id(layer.RelationTerm(layer.FactRelation(f))), id(layer.FactObject(f))});
      }
    }
  }
  const auto key = [](const Fact& f) { return std::tuple(f.subject, f.relation, f.object); };
  std::sort(facts.begin(), facts.end(), [&](auto& a, auto& b) { return key(a) < key(b); });
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

// Ids of the image come first: a smaller one than this is known to it.
constexpr TermId kBeyondImage = TermId{1} << 32;

bool InImage(const Snapshot& snapshot, const Fact& fact) {
  if (std::max({fact.subject, fact.relation, fact.object}) >= kBeyondImage) return false;
  const Image& image = *snapshot.layers()[0];
  const auto relation = image.FindRelation(static_cast<LocalId>(fact.relation));
  return relation && image.FindFact(static_cast<LocalId>(fact.subject), *relation,
                                    static_cast<LocalId>(fact.object));
}

}  // namespace

std::map<TermId, uint64_t> CountSources(const Snapshot& snapshot) {
  std::map<TermId, uint64_t> counts;  // modulo 2^64: what newer layers removed is subtracted
  for (const auto& layer : snapshot.layers()) {
    std::vector<uint64_t> facts_of_set(layer->sets());
    for (uint32_t f = 0; f < layer->facts(); ++f) {
      const uint32_t set = layer->FactSet(f);
      if (set < facts_of_set.size()) ++facts_of_set[set];
    }
    for (uint32_t set = 0; set < layer->sets(); ++set) {
      for (uint32_t i = 0; i < layer->SetSize(set); ++i) {
        const SourceMark mark = layer->SetMember(set, i);
        const auto id = snapshot.Find(layer->Name(mark.source));
        if (id) counts[*id] += mark.removed ? 0 - facts_of_set[set] : facts_of_set[set];
      }
    }
  }
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  return counts;
}

Counts CountMemory(const Snapshot& snapshot) {
  Counts counts;
  counts.statements = snapshot.statements();
  if (snapshot.layers().empty()) return counts;
  const auto sources = CountSources(snapshot);
  counts.sources = sources.size();
  const ImageHeader& header = snapshot.layers()[0]->header();
  counts.facts = header.facts;
  counts.relations = header.relations;
  uint64_t* const by_kind[] = {&counts.numbers, &counts.dates, &counts.texts, &counts.symbols};
  for (int k = 0; k < kKinds; ++k) *by_kind[k] = header.terms[k];
  if (snapshot.layers().size() == 1) return counts;

  std::vector<TermId> terms, relations;
  for (const Fact& fact : TouchedFacts(snapshot)) {
    counts.facts += snapshot.Has(fact);
    counts.facts -= InImage(snapshot, fact);
    terms.insert(terms.end(), {fact.subject, fact.relation, fact.object});
    relations.push_back(fact.relation);
  }
  const auto distinct = [](std::vector<TermId>* ids) {
    std::sort(ids->begin(), ids->end());
    ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
  };
  distinct(&relations);
  for (TermId r : relations) {
    counts.relations += snapshot.IsRelation(r);
    counts.relations -=
        r < kBeyondImage && snapshot.layers()[0]->FindRelation(static_cast<LocalId>(r)).has_value();
  }
  for (size_t k = 1; k < snapshot.layers().size(); ++k) {
    const Image& layer = *snapshot.layers()[k];
    for (uint32_t s = 0; s < layer.sources(); ++s) {
      if (const auto id = snapshot.Find(layer.Name(layer.SourceTerm(s)))) terms.push_back(*id);
    }
  }
  distinct(&terms);
  for (TermId t : terms) {
    const bool live = snapshot.IsSubject(t) || snapshot.IsObject(t) || snapshot.IsRelation(t) ||
                      sources.contains(t);
    uint64_t& count = *by_kind[static_cast<int>(snapshot.KindOf(t)) - 1];
    count += live;
    count -= t < kBeyondImage;
  }
  return counts;
}

}  // namespace loci
