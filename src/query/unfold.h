// SPDX-License-Identifier: Apache-2.0
//
// Unfold: rules in the form in which a fixpoint runs them. Where a rule needs its own group
// (strata.h) from within an `or`, a path or a variable relation, it becomes several:
//
//   r(?x, ?y) <- a(?x, ?y) or r(?y, ?x)      one for each branch
//   r(?x, ?y) <- ?p(?x, ?y)                  one for each relation of the group, and one for all
//   else r(?x, ?y) <- (a|^r)+(?x, ?y)             a relation t for each step that a walk may take
//   first:
//                                            t1(?x, ?y) <- a(?x, ?y)
//                                            t1(?x, ?y) <- a(?x, ?z), t2(?z, ?y)  ...
// What is derived, and its proofs, stay the same: relations of steps count for nothing.
#pragma once

#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "query/rule_set.h"

namespace loci::query {

// The constants of a run, each once.
class Pool {
 public:
  uint32_t Intern(const Term& term);
  // A constant that is no term of any memory.
  uint32_t Fresh();
  // Makes the tree's constants those of the pool; it keeps none of its own.
  void Adopt(RuleTree* tree);

  const Term& at(uint32_t index) const { return terms_[index]; }
  const std::vector<Term>& all() const { return terms_; }
  std::vector<Term> Take() { return std::move(terms_); }

 private:
  std::vector<Term> terms_;
  std::unordered_map<std::string, uint32_t> numbers_;  // looked up, never listed
};

// The program of a rule whose constants are those of the pool.
Result<RuleProgram> AnalyzePooled(std::string_view text, const RuleTree& tree, const Pool& pool);

class Unfolder {
 public:
  // The group's own relations are there; further ones and the variants are added.
  Unfolder(bool recursive, Pool* pool, RuleGroup* group);

  Result<void> Add(std::string_view text, const RuleTree& rule);

 private:
  bool NeedsGroup(const Path& path) const;
  bool NeedsGroup(const Clause& clause) const;
  Result<void> Emit(std::string_view text, const RuleTree& rule, bool counts);
  Result<void> AddPath(const Path& path, uint32_t relation);
  Result<void> AddStep(uint32_t relation, const Automaton::Step& step,
                       std::optional<uint32_t> next);

  const bool recursive_;
  Pool& pool_;
  RuleGroup& group_;
  const std::vector<uint32_t> real_;      // relations that are no part of a path
  std::unordered_set<uint32_t> members_;  // looked up, never listed
};

}  // namespace loci::query
