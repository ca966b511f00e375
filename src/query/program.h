// SPDX-License-Identifier: Apache-2.0
//
// Program: a query whose variables are resolved. Variables are numbers: a name that is local to a
// branch or to a `not` has a number of its own there, which other scopes beside it use again.
//
// Each goal knows which variables must be bound before it can be solved (needs) and which it binds.
// Analysis has proved that the goals of each conjunction can be put in an order, from any set of
// bound variables that holds what the conjunction itself needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/automaton.h"
#include "query/tree.h"

namespace loci::query {

using Variable = uint32_t;

inline constexpr uint32_t kMaxQueryVariables = 1000;

struct Slot {
  enum class Kind : uint8_t { kConstant, kVariable, kNone };
  Kind kind = Kind::kNone;
  uint32_t index = 0;
  uint32_t name = 0;  // of a variable: in Program::written

  bool is(Variable v) const { return kind == Kind::kVariable && index == v; }
};

struct Goal;

struct Conjunction {
  std::vector<Goal> goals;
  std::vector<Variable> needs, binds;  // of the variables seen outside and its own; sorted
};

struct Goal {
  enum class Kind : uint8_t {
    kFact,     // relation(start, end)
    kPath,     // an automaton from start to end
    kCompare,  // start comparison end
    kLike,     // the cue end recalls start
    kNot,      // no branch holds
    kOr,       // some branch holds
  };
  Kind kind = Kind::kFact;
  uint32_t at = 0;  // offset in the text

  Slot start, end, relation;
  std::optional<uint32_t> source;  // constant
  Path path;                       // as written, for estimates
  Automaton forward, backward;     // from start, from end
  Comparison comparison = Comparison::kEqual;
  // Of kLike, within a `not`: the cue's words alone count, for what they lead to in the end is most
  // of what is known (of 5,183 abstracts "cancer" recalls 2,844, of which 815 have the word).
  bool by_words = false;
  std::vector<Conjunction> branches;

  std::vector<Variable> variables;  // those seen outside of the goal; sorted
  std::vector<Variable> needs, binds;
};

struct SortKey {
  bool by_score = false;
  uint32_t column = 0;  // of the head
  bool descending = false;
};

struct Program {
  std::vector<Term> constants;
  std::vector<std::string> written;  // the names of variables, as written
  std::vector<std::string> names;    // of the head's variables
  std::vector<Variable> head;
  // The named variables of the query's own level in order of appearance: what a derivation binds
  // first. (Those of branches and of `not` are not among them.)
  std::vector<Variable> outer;
  std::vector<std::string> outer_names;
  uint32_t variables = 0;  // numbers in use: 0 to variables - 1
  bool recalls = false;    // some goal is kLike
  Conjunction root;
  std::vector<SortKey> order;
  uint64_t limit = UINT64_MAX, offset = 0;
};

}  // namespace loci::query
