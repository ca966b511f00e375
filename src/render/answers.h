// SPDX-License-Identifier: Apache-2.0
//
// The answers of a query in the forms that `ask` prints.
//
//   JSON    {"answers":[A,...],"variables":["x"],"truncated":false}, one answer a line inside,
//   where
//           A is {"bindings":{"x":"rome"},"score":1.0,"evidence":[E,...]}
//           E is {"fact":"capital_of(rome, italy)","subject":"rome","relation":"capital_of",
//                 "object":"italy","sources":["atlas.tsv"],"addresses":["0123456789abcdef"]}
//   JSONL   one A a line
//   TSV     a header ?x ?y ..., then one answer a line (as SPARQL's TSV)
//   table   the same, aligned
//
// Where evidence ends early, as rules derive it through more than 256 others, A has
// "evidence_cut":true. With `why`, JSON's A has also "why":[...], and in TSV and table the lines of
// a tree follow each answer (render/derivation.h).
//
// JSON holds the plain characters of terms; TSV and table their notation, which tells a text from
// a symbol and can be asked again. A query without variables has the answer yes or no.
#pragma once

#include <functional>
#include <string>

#include "query/query.h"

namespace loci {

enum class AnswerForm { kTable, kTsv, kJson, kJsonl };

struct AnswerStyle {
  AnswerForm form = AnswerForm::kTable;
  bool evidence = false;   // in table and TSV; JSON always has it
  bool why = false;        // the derivation of each answer
  bool truncated = false;  // there are more answers than these
};

// Renders all answers before any is shown: damage found on the way is an error, not half a page.
Result<std::string> RenderAnswers(const query::Query& query, const query::Answers& answers,
                                  const query::QueryOptions& options, const AnswerStyle& style);

}  // namespace loci
