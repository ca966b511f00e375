// SPDX-License-Identifier: Apache-2.0
//
// Derivation: why an answer holds, as a tree. A node stands for a clause of the query, with values
// in place of its variables; below it stands what makes it true. The leaves that make anything true
// are statements, with those who made them.
//
//   hypernym+(dog, animal)                        kPath
//   ├─ hypernym(dog, canine)      from wordnet    kStatement
//   └─ hypernym(canine, animal)   from wordnet    kStatement
//   not part(dog, wing)                           kNot: nothing is known of it
//
// The tree is a list of nodes in preorder, each with its level: it is printed by one loop, and no
// depth of it overflows a stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/snapshot.h"

namespace loci::query {

struct Derivation {
  enum class Kind : uint8_t {
    kStatement,  // a stored fact: fact, and the sources that state it
    kPath,       // a path; below, the facts of its walk
    kOr,         // the branch of an `or` that holds; below, its clauses
    kNot,        // nothing is known of the clause
    kCompare,    // a comparison that holds
    kMore,       // something is left out here; the clause says what
  };
  struct Node {
    Kind kind = Kind::kStatement;
    uint32_t level = 0;
    std::string clause;           // in the language, without the source
    Fact fact{};                  // of kStatement
    std::vector<TermId> sources;  // of kStatement, in the canonical order
  };

  std::vector<Node> nodes;
  bool whole = true;  // nothing is left out
};

// How much of a tree is told. What lies beyond becomes kMore.
struct DerivationLimits {
  size_t nodes = 1000;
};

}  // namespace loci::query
