// SPDX-License-Identifier: Apache-2.0
//
// Derivations (query/derivation.h) for people and for scripts.
//
//   text   hypernym+(dog, animal)
//          ├─ hypernym(dog, canine)  from wordnet 2f0c8f31b4b7ad41
//          └─ hypernym(canine, animal)  from wordnet 77be86ed2c9f7f1e, notes 0dccd3aeb993f807
//   JSON   [N,...], N one of
//          {"kind":"statement","clause":"r(a, b)","sources":["s"],"addresses":["0dccd3aeb993f807"]}
//          {"kind":"path","clause":"r+(a, b)","below":[N,...]}
//          {"kind":"derived","clause":"r(a, b)","score":0.9,"below":[N,...]}
//          {"kind":"rule","clause":"r(?x, ?y) <- s(?x, ?y) conf 0.9","score":0.9,"sources":...}
//          {"kind":"like","clause":"like(a, \"c\")","score":0.7,
//           "words":[{"word":"c","weight":0.5}],"below":[N,...]}
//          and likewise "link", "or", "not", "compare", "again" for what is derived above, and
//          "more", which names what is left out
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "query/derivation.h"

namespace loci {

// A line a node, each ended by a newline. Below an answer, every node hangs by a branch; else those
// of the first level stand at the margin.
std::string DerivationText(const Snapshot& snapshot, const query::Derivation& derivation,
                           bool below_answer);
// The same lines one by one, without their ends.
std::vector<std::string> DerivationLines(const Snapshot& snapshot,
                                         const query::Derivation& derivation, bool below_answer);

// N without what is below it.
nlohmann::ordered_json NodeJson(const Snapshot& snapshot, const query::Derivation::Node& node);
nlohmann::ordered_json DerivationJson(const Snapshot& snapshot,
                                      const query::Derivation& derivation);

}  // namespace loci
