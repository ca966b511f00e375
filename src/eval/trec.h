// SPDX-License-Identifier: Apache-2.0
//
// TREC's files, so that trec_eval and what follows it score our runs, and we score others':
//
//   run    query Q0 document rank score tag     between spaces or tabs
//   qrels  query 0 document grade
//
// trec_eval passes over ranks: it orders by score, kept as a float (to version 9, and so in
// pytrec_eval, which BEIR uses; version 10 keeps a double), and ties by document, the greatest
// first. ReadRun does the same. What AppendRun writes has strictly falling scores even as floats:
// one that would tie is lowered to the next float below.
#pragma once

#include <string>
#include <vector>

#include "eval/judged.h"
#include "loci/result.h"

namespace loci::eval {

// Whether an id can stand in these files: it has no space.
Result<void> CheckTrecId(std::string_view id);

// Appends the hits of one query, in their order, ranks from 1. The ids can stand in a run.
void AppendRun(const std::string& query, const std::vector<Hit>& hits, std::string_view tag,
               std::string* out);

// Appends the judgements of one query.
void AppendQrels(const std::string& query, const Grades& grades, std::string* out);

// A document that is twice among the hits of one query is an error, as it is of trec_eval.
Result<Run> ReadRun(const std::string& path);

}  // namespace loci::eval
