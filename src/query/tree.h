// SPDX-License-Identifier: Apache-2.0
//
// The syntax tree of a query, as written: names are interned, nothing is resolved. Every node keeps
// the offset at which it began, for messages.
//
// Nesting is at most kMaxQueryDepth levels, so that whoever walks the tree may recurse.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "image/term.h"

namespace loci::query {

// Each variable name and each constant is held once; nodes refer by index.
struct Names {
  std::vector<std::string> variables;  // without '?', in order of appearance
  std::vector<Term> constants;
};

struct Operand {
  enum class Kind : uint8_t { kVariable, kConstant, kAnonymous };
  Kind kind = Kind::kAnonymous;
  uint32_t index = 0;
  uint32_t at = 0;
};

struct Path {
  enum class Kind : uint8_t { kRelation, kSequence, kAlternative, kPlus, kStar, kOptional };
  Kind kind = Kind::kRelation;
  bool inverse = false;
  uint32_t relation = 0;  // constant of kRelation
  uint32_t at = 0;
  std::vector<Path> parts;  // one for a repetition
};

enum class Comparison : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

// Retrieval by content. All are parsed; but for like, this version refuses them.
enum class Operator : uint8_t { kLike, kNear, kNext, kPhrase, kAnalogy };

struct Clause;

// Branches joined by "or"; each is a list of clauses joined by ",".
struct Body {
  std::vector<std::vector<Clause>> branches;
};

struct Clause {
  enum class Kind : uint8_t { kAtom, kOperator, kCompare, kNot, kGroup };
  Kind kind = Kind::kAtom;
  uint32_t at = 0;

  Operand left, right;              // ends of an atom, sides of a comparison; of like: what is
                                    // recalled, and the cue
  Path path;                        // of an atom whose relation is no variable
  std::optional<Operand> relation;  // the variable in place of a path
  std::optional<uint32_t> source;   // constant
  Comparison comparison = Comparison::kEqual;
  Operator op = Operator::kLike;
  std::vector<Operand> arguments;  // of an operator that is refused
  Body body;                       // of kNot, one branch or more; of kGroup, two or more
};

struct OrderKey {
  bool by_score = false;
  uint32_t variable = 0;
  uint32_t at = 0;
  bool descending = false;
};

struct QueryTree {
  Names names;
  bool has_head = false;
  std::vector<Operand> head;  // variables
  Body body;
  std::optional<uint32_t> infer_at;  // where "with infer" stands
  std::vector<OrderKey> order;
  std::optional<uint64_t> limit, offset;
};

// relation(?subject, ?object) <- body [ conf confidence ];
struct RuleTree {
  Names names;
  uint32_t at = 0;
  uint32_t relation = 0;  // constant
  Operand subject, object;
  Body body;
  std::optional<uint32_t> confidence;  // constant, a number
};

}  // namespace loci::query
