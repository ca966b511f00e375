// SPDX-License-Identifier: Apache-2.0
//
// The parsers of the query language: by recursive descent over the tokens, with no way back. The
// grammar is in docs/query-language.md; each method of BodyParser is one of its rules.
//
// A parser says only whether the text has the form of a query. What it means, and whether each
// variable is bound, is for analysis.h.
#pragma once

#include <string_view>
#include <vector>

#include "loci/result.h"
#include "query/token_stream.h"
#include "query/tree.h"

namespace loci::query {

Result<QueryTree> ParseQuery(std::string_view text);

// Rules, each ended by ";". Messages have line and column.
Result<std::vector<RuleTree>> ParseRules(std::string_view text);

std::string_view OperatorName(Operator op);

class BodyParser {
 public:
  explicit BodyParser(TokenStream* stream) : in_(*stream) {}

  Result<Body> ParseBody();

 private:
  Result<std::vector<Clause>> ParseConjunction();
  Result<void> ParseClause(std::vector<Clause>* out);
  Result<void> ParseGroup(std::vector<Clause>* out);
  Result<Clause> ParseNot();
  Result<Clause> ParseCompare();
  Result<Clause> ParseOperator(Operator op);
  Result<void> ArrangeLike(Clause* clause) const;
  Result<Clause> ParseAtom();
  Result<void> ParseEnds(Clause* atom);
  Result<void> CheckEnds(const Clause& atom) const;
  Result<Path> ParsePath();
  Result<Path> ParseSequence();
  Result<Path> ParseStep();

  bool StartsGroup() const;
  bool StartsCompare() const;

  TokenStream& in_;
};

}  // namespace loci::query
