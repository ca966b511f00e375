// SPDX-License-Identifier: Apache-2.0
#include "render/evidence.h"

#include "query/facts.h"

namespace loci {

std::string EvidenceLine(const Snapshot& snapshot, const query::Evidence& evidence) {
  std::string out = query::FactNotation(snapshot, evidence.fact) + " from ";
  for (size_t i = 0; i < evidence.sources.size(); ++i) {
    if (i > 0) out += ", ";
    out += ToNotation(snapshot.Name(evidence.sources[i]));
  }
  return out;
}

nlohmann::ordered_json EvidenceJson(const Snapshot& snapshot, const query::Evidence& evidence) {
  const Fact& fact = evidence.fact;
  nlohmann::ordered_json json = {{"fact", query::FactNotation(snapshot, fact)},
                                 {"subject", ToPlain(snapshot.Name(fact.subject))},
                                 {"relation", ToPlain(snapshot.Name(fact.relation))},
                                 {"object", ToPlain(snapshot.Name(fact.object))},
                                 {"sources", nlohmann::ordered_json::array()},
                                 {"addresses", nlohmann::ordered_json::array()}};
  for (TermId source : evidence.sources) {
    json["sources"].push_back(ToPlain(snapshot.Name(source)));
    json["addresses"].push_back(query::StatementAddress(snapshot, fact, source));
  }
  return json;
}

}  // namespace loci
