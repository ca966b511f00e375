// SPDX-License-Identifier: Apache-2.0
//
// Notation and addresses of statements, and the walk over all facts.
#include "query/facts.h"

#include <vector>

namespace loci::query {

std::string FactNotation(const Snapshot& snapshot, const Fact& fact) {
  std::string out = ToNotation(snapshot.Name(fact.relation));
  out += '(';
  out += ToNotation(snapshot.Name(fact.subject));
  out += ", ";
  out += ToNotation(snapshot.Name(fact.object));
  out += ')';
  return out;
}

std::string StatementHashHex(const Snapshot& snapshot, const Fact& fact, TermId source) {
  const Hash256 hash = StatementHash(snapshot.Id(fact.subject), snapshot.Id(fact.relation),
                                     snapshot.Id(fact.object), snapshot.Id(source));
  return Hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

std::string StatementAddress(const Snapshot& snapshot, const Fact& fact, TermId source) {
  return StatementHashHex(snapshot, fact, source).substr(0, kAddressDigits);
}

void ForEachFact(const Snapshot& snapshot, const std::function<bool(const Fact&)>& visit) {
  std::vector<TermId> subjects;
  snapshot.Subjects(&subjects);
  std::vector<Edge> edges;
  for (TermId subject : subjects) {
    edges.clear();
    snapshot.EdgesFrom(subject, &edges);
    for (const Edge& edge : edges) {
      if (!visit({subject, edge.relation, edge.other})) return;
    }
  }
}

}  // namespace loci::query
