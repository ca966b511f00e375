// SPDX-License-Identifier: Apache-2.0
//
// Questions and answers. The language is in docs/query-language.md.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loci/cancellation.h"
#include "loci/export.h"
#include "loci/value.h"

namespace loci {

struct LOCI_API AskOptions {
  std::uint64_t limit = UINT64_MAX;  // answers; the query's own limit counts too
  bool evidence = false;             // cite the facts behind each answer
  bool why = false;                  // tell how each answer is derived
  // Rows touched, and bytes of any one table; beyond, the call fails (kLimit, kNoMemory): answers
  // are never cut silently.
  std::uint64_t max_work = 1'000'000'000;
  std::uint64_t max_memory = std::uint64_t{4} << 30;
  Cancellation cancellation = {};
};

// A fact behind an answer, and who said it.
struct LOCI_API Evidence {
  std::string subject = {}, relation = {};
  Value object = {};
  std::vector<std::string> sources = {};    // sorted
  std::vector<std::string> addresses = {};  // of the statements, one per source; Forget takes them
};

// A word of a cue that something recalled has, and its part of the score.
struct LOCI_API MatchedWord {
  std::string word = {};
  double weight = 0;
};

// One step of a derivation: a clause of the query, with values in place of its variables, or a fact
// that makes it true. What makes a step true follows it one level deeper.
struct LOCI_API Step {
  enum class Kind : std::uint8_t {
    kStatement,  // a stored fact, and who states it
    kDerived,    // a fact that a rule derives; below, the rule and the clauses of its body
    kRule,       // a rule, and who stated it
    kPath,       // a path; below, the facts of its walk
    kOr,         // the branch of an `or` that holds; below, its clauses
    kNot,        // nothing is known of the clause
    kCompare,    // a comparison that holds
    kAgain,      // a derived fact whose derivation is told above
    kMore,       // something is left out; the clause says what
    kLike,       // what a cue recalls; below, links that led there, and facts with the words
    kLink,       // one of those links; the clause says in words what it is
  };
  Kind kind = Kind::kStatement;
  std::uint32_t level = 0;
  std::string clause = {};  // in the query language
  double score = 1;
  std::vector<std::string> sources = {};    // of a statement or a rule, sorted
  std::vector<std::string> addresses = {};  // one per source
  std::vector<MatchedWord> words = {};      // of kLike, by descending weight
};

struct LOCI_API Answer {
  std::vector<Value> values = {};       // one per variable of Answers
  double score = 1;                     // in (0, 1], a multiple of 2^-32; a stored fact is 1
  std::vector<Evidence> evidence = {};  // where it was asked for
  std::vector<Step> why = {};           // where it was asked for; in preorder
};

// Distinct, by descending score and then in the canonical order of their values, or as `order by`
// says: the same answers in the same order on every run and every machine.
struct LOCI_API Answers {
  std::vector<std::string> variables = {};  // without '?'
  std::vector<Answer> rows = {};            // without variables: one row is yes, none is no

  bool empty() const { return rows.empty(); }
};

// The value of a variable, given before a query runs.
struct LOCI_API Parameter {
  std::string variable = {};  // without '?'
  Value value = {};
};

// A query made ready: parsed and checked once, asked often, of any memory. The fast way to look up
// is a prepared query with parameters. Thread-safe.
class LOCI_API Query {
 public:
  // The message of an error begins with the column, from 1, in characters.
  static Result<Query> Prepare(std::string_view text);

 private:
  friend class Memory;
  struct State;
  explicit Query(std::shared_ptr<const State> state);
  std::shared_ptr<const State> state_;
};

}  // namespace loci
