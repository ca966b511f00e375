// SPDX-License-Identifier: Apache-2.0
//
// RuleSet: the rules that one query reaches in one memory, ready to run. Only those are read: rules
// of relations that neither the query nor another rule reached asks for cost nothing, and where
// they are malformed do no harm.
//
// All programs of a run share one list of constants: the query's come first, those of the rules
// follow. A derived relation is known by its place in that list.
//
// Immutable.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/graph.h"
#include "query/program.h"
#include "query/rule.h"

namespace loci::query {

// A rule as the memory states it.
struct Rule {
  Fact statement;
  std::string text;
  RuleProgram program;
};

// A rule as it is run: facts of relations of its own group stand alone among the goals of its root,
// not within an `or` or a path (unfold.h).
struct Variant {
  uint32_t relation;  // constant: what it derives
  RuleProgram rule;
  bool counts = true;  // an application of a rule; else a step of a path
};

// Relations that derive each other.
struct RuleGroup {
  std::vector<uint32_t> relations;  // constants; those that stand for parts of paths included
  std::vector<Variant> variants;
};

struct RuleSet {
  std::vector<Term> constants;    // distinct
  std::vector<Rule> rules;        // by the names of their relations, then by text
  std::vector<RuleGroup> groups;  // each needs only those before it

  struct Derived {
    uint32_t group;
    uint32_t first, count;  // of rules
  };
  std::unordered_map<uint32_t, Derived> derived;  // by constant; looked up, never listed
  std::vector<uint32_t> relations;                // constants of all derived, by name
};

// The rules that the program reaches; null where there are none.
Result<std::shared_ptr<const RuleSet>> LoadRules(const Graph& graph, const Program& program);

}  // namespace loci::query
