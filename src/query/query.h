// SPDX-License-Identifier: Apache-2.0
//
// The query language (docs/manual.md has its grammar): text in, ordered answers out.
//
//   LOCI_ASSIGN(auto query, Query::Parse("hypernym+(dog, ?x) limit 3"));
//   LOCI_ASSIGN(auto answers, query.Run(snapshot, {}));
//
// Thread-safe: a parsed query may run on any number of threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "memory/snapshot.h"

namespace loci {

inline constexpr size_t kMaxQueryBytes = 1 << 20;
inline constexpr int kMaxQueryDepth = 64;

struct QueryOptions {
  uint64_t limit = UINT64_MAX;           // besides the query's own; the smaller one counts
  uint64_t max_work = 1'000'000'000;     // rows touched; reaching it is kLimit
  std::function<bool()> cancelled;       // asked every few thousand rows
};

// A statement behind an answer: a fact and those who said it.
struct Evidence {
  Fact fact;
  std::vector<TermId> sources;  // canonical order
};

struct Answer {
  std::vector<TermId> values;  // one per variable of Answers::variables
  uint64_t score = uint64_t{1} << 32;  // fixed point, 2^-32
};

struct Answers {
  std::vector<std::string> variables;  // without '?', in the order of the head
  std::vector<Answer> rows;            // distinct, in the canonical order or as `order by` says
  std::shared_ptr<const Snapshot> snapshot;
};

class Query {
 public:
  // The error's message has the column (from 1, in characters), what was found and what was expected.
  static Result<Query> Parse(std::string_view text);

  Result<Answers> Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options) const;

  // The facts that derive one answer of Run: the first derivation in the canonical order. Facts
  // are distinct and in the order of the clauses; of a path, its shortest walk.
  Result<std::vector<Evidence>> Explain(const Answers& answers, size_t row,
                                        const QueryOptions& options) const;

 private:
  struct Parsed;
  std::shared_ptr<const Parsed> parsed_;
};

// One fact, without variables, as `forget` and `why` take it: relation(subject, object) with an
// optional `from source`. Or the 16 hex digits of a statement's address.
struct FactPattern {
  Term subject, relation, object;
  bool has_source = false;
  Term source;
};
Result<FactPattern> ParseFact(std::string_view text);

}  // namespace loci
