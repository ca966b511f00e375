// SPDX-License-Identifier: Apache-2.0
//
// What a retrieval task holds, whatever files it came from: queries, judgements and runs, each by
// the ids that the task's files use. Maps are ordered, so that what is summed over them is the same
// everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loci::eval {

struct Query {
  std::string id, text;
  std::string kind;  // metadata.kind: figures are also given by it; empty: none
};

// The judged documents of a query with their grades; above 0: relevant.
using Grades = std::map<std::string, int64_t, std::less<>>;
// By query.
using Judgements = std::map<std::string, Grades, std::less<>>;

// A document that a system found. Scores are float because those are what trec_eval compares: with
// more digits than it keeps, its order would not be ours.
struct Hit {
  std::string document;
  float score = 0;
  friend bool operator==(const Hit&, const Hit&) = default;
};
// By query; the best first.
using Run = std::map<std::string, std::vector<Hit>, std::less<>>;

}  // namespace loci::eval
