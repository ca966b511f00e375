// SPDX-License-Identifier: Apache-2.0
//
// The query language (docs/query-language.md): text in, ordered answers out.
//
//   LOCI_ASSIGN(auto query, Query::Parse("hypernym+(dog, ?x) limit 3"));
//   LOCI_ASSIGN(auto answers, query.Run(snapshot, {}));
//
// Thread-safe: a parsed query may run on any number of threads at once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "memory/snapshot.h"
#include "query/derivation.h"

namespace loci::query {

class Compiled;

inline constexpr size_t kMaxQueryBytes = 1 << 20;
inline constexpr int kMaxQueryDepth = 64;

struct QueryOptions {
  uint64_t limit = UINT64_MAX;              // besides the query's own; the smaller one counts
  uint64_t max_work = 1'000'000'000;        // rows touched; reaching it is kLimit
  uint64_t max_memory = uint64_t{4} << 30;  // bytes of any one table; reaching it is kNoMemory
  std::function<bool()> cancelled;          // asked every few thousand rows
  bool associate = true;                    // cues recall by links too, not by their words alone
  bool as_written = false;  // clauses in their order, not the planner's: to compare the two
};

// A statement behind an answer: a fact and those who said it.
struct Evidence {
  Fact fact;
  std::vector<TermId> sources;  // canonical order
};

struct Answer {
  std::vector<TermId> values;          // one per variable of Answers::variables
  uint64_t score = uint64_t{1} << 32;  // fixed point, 2^-32
};

struct Answers {
  std::vector<std::string> variables;  // without '?', in the order of the head
  std::vector<Answer> rows;            // distinct, in the canonical order or as `order by` says
  std::shared_ptr<const Snapshot> snapshot;
  // Terms that the query names and the memory does not know, yet that are answers: `r*(x, ?y)`
  // begins with x. Ids of such are the last 2^63; Name tells them apart, Snapshot::Name does not.
  std::vector<Term> own_terms;
  uint64_t work = 0;  // rows touched

  TermView Name(TermId id) const;
};

// A value given to a variable of the query before it runs.
struct Binding {
  std::string_view variable;  // without '?'
  TermView value;
};

class Query {
 public:
  // The error's message has the column (from 1, in characters), what was found and what was
  // expected.
  static Result<Query> Parse(std::string_view text);

  Result<Answers> Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options) const {
    return Run(std::move(snapshot), options, {});
  }
  // Those answers that derive from the given values. Variables local to `not` or to a branch of
  // `or` cannot be given one. To parse once and run many times is the fast way to ask.
  Result<Answers> Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options,
                      std::span<const Binding> bindings) const;

  // What it names, each once, in the order of appearance: in the place of a relation, and
  // whatever stands at the ends of atoms.
  struct Names {
    std::vector<Term> relations, ends;
  };
  Names ListNames() const;

  // Explainer for one answer.
  Result<Derivation> Derive(const Answers& answers, size_t row, const QueryOptions& options,
                            const DerivationLimits& limits) const;
  Result<std::vector<Evidence>> Explain(const Answers& answers, size_t row,
                                        const QueryOptions& options) const;

 private:
  friend class Explainer;
  explicit Query(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const Compiled> compiled_;
};

// Tells why answers of a query's Run hold, one after the other: what rules derived for one is there
// for the next. Each may spend what the options allow. One thread at a time.
class Explainer {
 public:
  // All outlive it.
  Explainer(const Query& query, const Answers& answers, const QueryOptions& options);
  ~Explainer();

  // The first derivation in the canonical order.
  Result<Derivation> Derive(size_t row, const DerivationLimits& limits);

 private:
  struct State;
  Result<void> Prepare();

  const Query& query_;
  const Answers& answers_;
  const QueryOptions& options_;
  std::unique_ptr<State> state_;
};

// The statements of a derivation. Facts are distinct, in the order of its nodes.
std::vector<Evidence> EvidenceOf(const Derivation& derivation, const Snapshot& snapshot);

// One fact, without variables, as `forget` and `why` take it: relation(subject, object) with an
// optional `from source`.
struct FactPattern {
  Term subject, relation, object;
  bool has_source = false;
  Term source;
};
Result<FactPattern> ParseFact(std::string_view text);

}  // namespace loci::query
