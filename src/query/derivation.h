// SPDX-License-Identifier: Apache-2.0
//
// Derivation: why an answer holds, as a tree. A node stands for a clause of the query, with values
// in place of its variables; below it stands what makes it true. The leaves that make anything true
// are statements, with those who made them.
//
//   hypernym+(dog, animal)                           kPath
//   ├─ hypernym(dog, canine)     from wordnet        kStatement
//   └─ hypernym(canine, animal)  from wordnet        kStatement
//   not part(dog, wing)                              kNot: nothing is known of it
//   pet(dog, ann)                                    kDerived
//   ├─ pet(?x, ?y) <- feeds(?y, ?x)  from rules      kRule
//   └─ feeds(ann, dog)               from notes      kStatement
//   like(dog, "tame canine")   tame 0.4, canine 0.3  kLike
//   └─ gloss(dog, "a tame ...")      from wordnet    kStatement
//
// The tree is a list of nodes in preorder, each with its level: it is printed by one loop, and no
// depth of it overflows a stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/snapshot.h"
#include "recall/recall.h"

namespace loci::query {

struct Derivation {
  enum class Kind : uint8_t {
    kStatement,  // a stored fact: fact, and the sources that state it
    kDerived,    // a fact that a rule derives; below, the rule and the clauses of its body
    kRule,       // a rule, which is a stored fact like others; the clause is its text
    kPath,       // a path; below, the facts of its walk
    kOr,         // the branch of an `or` that holds; below, its clauses
    kNot,        // nothing is known of the clause
    kCompare,    // a comparison that holds
    kAgain,      // a derived fact whose derivation was told above
    kMore,       // something is left out here; the clause says what
    kLike,       // what a cue recalls; below, links that led there, and facts with the words
    kLink,       // one of those links; the clause says in words what it is
  };
  struct Node {
    Kind kind = Kind::kStatement;
    uint32_t level = 0;
    std::string clause;                      // in the language, without the source
    uint64_t score = uint64_t{1} << 32;      // fixed point, 2^-32; of a rule, its confidence
    Fact fact{};                             // of kStatement and kRule
    std::vector<TermId> sources;             // of these, in the canonical order
    std::vector<recall::MatchedWord> words;  // of kLike
  };

  std::vector<Node> nodes;
  bool whole = true;  // nothing is left out
};

// How much of a tree is told. What lies beyond becomes kMore.
struct DerivationLimits {
  size_t nodes = 1000;
  uint32_t levels = 64;  // each takes about 3 KB of the stack
};

// All but what rules derive through more than 256 others.
inline constexpr DerivationLimits kForEvidence{SIZE_MAX, 256};

}  // namespace loci::query
