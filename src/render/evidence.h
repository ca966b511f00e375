// SPDX-License-Identifier: Apache-2.0
//
// The statements behind an answer, as people and as JSON see them.
//
//   line   capital_of(rome, italy) from atlas.tsv, <old map>
//   JSON   {"fact":"capital_of(rome, italy)","subject":"rome","relation":"capital_of",
//           "object":"italy","sources":["atlas.tsv"],"addresses":["0123456789abcdef"]}
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "query/query.h"

namespace loci {

std::string EvidenceLine(const Snapshot& snapshot, const query::Evidence& evidence);
nlohmann::ordered_json EvidenceJson(const Snapshot& snapshot, const query::Evidence& evidence);

}  // namespace loci
