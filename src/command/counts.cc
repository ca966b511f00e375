// SPDX-License-Identifier: Apache-2.0
//
// Counting by header or by walk. The sets are only counted, so their order shows nowhere.
#include "command/counts.h"

#include <unordered_set>

#include "command/facts.h"

namespace loci {
namespace {

Counts FromHeader(const ImageHeader& header) {
  Counts counts;
  counts.facts = header.facts;
  counts.statements = header.learned_statements;
  counts.numbers = header.terms[0];
  counts.dates = header.terms[1];
  counts.texts = header.terms[2];
  counts.symbols = header.terms[3];
  counts.relations = header.relations;
  counts.sources = header.sources;
  return counts;
}

Counts FromWalk(const Snapshot& snapshot) {
  Counts counts;
  std::unordered_set<TermId> terms, relations, sources;
  ForEachFact(snapshot, [&](const Fact& fact) {
    ++counts.facts;
    terms.insert({fact.subject, fact.relation, fact.object});
    relations.insert(fact.relation);
    for (TermId source : snapshot.Sources(fact)) {
      ++counts.statements;
      terms.insert(source);
      sources.insert(source);
    }
    return true;
  });
  for (TermId term : terms) {
    switch (snapshot.KindOf(term)) {
      case Kind::kNumber:
        ++counts.numbers;
        break;
      case Kind::kDate:
        ++counts.dates;
        break;
      case Kind::kText:
        ++counts.texts;
        break;
      case Kind::kSymbol:
        ++counts.symbols;
        break;
    }
  }
  counts.relations = relations.size();
  counts.sources = sources.size();
  return counts;
}

}  // namespace

Counts CountAll(const Snapshot& snapshot) {
  const auto& layers = snapshot.layers();
  if (layers.empty()) return {};
  if (layers.size() == 1 && !layers[0]->has_removed()) return FromHeader(layers[0]->header());
  return FromWalk(snapshot);
}

}  // namespace loci
