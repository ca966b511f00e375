// SPDX-License-Identifier: Apache-2.0
//
// Rules: head(?x, ?y) <- body conf 0.9. A memory keeps a rule as a statement,
//
//   (head, rule, "head(?x, ?y) <- body conf 0.9"^^rule, source)
//
// so that digest, forgetting, export and evidence need not know of rules. The text is canonical:
// clauses as print.h writes them, variables by the names that their author gave them, no ";" at the
// end. What the relation `rule` says by other objects than texts of that datatype is no rule.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"
#include "memory/batch.h"
#include "memory/snapshot.h"
#include "query/program.h"

namespace loci::query {

inline constexpr std::string_view kRuleWord = "rule";  // the relation, and the datatype

// A rule whose body is resolved. Its program is the query for the head's variables.
struct RuleProgram {
  Program program;
  Slot subject, object;  // of the head
  uint64_t weight = 0;   // of its confidence (base/fixed.h)
};

// The text is the one that the tree was parsed from; a file of rules, where messages are to have a
// line (lines). The constants' names are those of the tree.
Result<RuleProgram> AnalyzeRule(std::string_view text, const RuleTree& tree, bool lines);

// The canonical text. The tree must be the one that the program was made of.
std::string RuleText(const RuleTree& tree, const RuleProgram& rule);

// The text of a rule as a memory keeps it, or nothing where the object is no rule.
std::optional<std::string_view> TextOfRule(TermView object);
// One rule, with or without ";" at its end.
Result<RuleTree> ParseRule(std::string_view text);

// A rule to be learned.
struct NewRule {
  Term relation, text;
};

// The rules of a file in canonical text. The error has line and column.
Result<std::vector<NewRule>> ReadRules(std::string_view text);

// Adds the rules to a batch as statements of the source, if CheckRules allows.
Result<void> AddRules(const Snapshot& snapshot, const std::vector<NewRule>& rules, TermView source,
                      Batch* batch);

// Whether the rules can be learned beside those of the memory: together they must not go round in a
// circle through `not`. Stored rules that are malformed do not count; a question that needs them
// says so.
Result<void> CheckRules(const Snapshot& snapshot, const std::vector<NewRule>& rules);

}  // namespace loci::query
