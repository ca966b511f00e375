// SPDX-License-Identifier: Apache-2.0
//
// The files of a BEIR directory beside its corpus, which is a format that learn reads:
//
//   queries.jsonl     {"_id":"q1","text":"...","metadata":{"kind":"2-hop"}}   one a line; other
//                     members are passed over, as BEIR's own loader does
//   qrels/SPLIT.tsv   query-id TAB corpus-id TAB score, the first line being those words; or
//                     TREC's form, query 0 document grade, between spaces
//
// Each may be compressed by gzip or zstd. An id is a name (NFC), as the corpus's reader makes it
// one; it may not be given twice.
#pragma once

#include <string>
#include <vector>

#include "eval/judged.h"
#include "loci/result.h"

namespace loci::eval {

// In the order of the file.
Result<std::vector<Query>> ReadQueries(const std::string& path);

Result<Judgements> ReadJudgements(const std::string& path);

struct Task {
  std::vector<Query> queries;  // those with at least one relevant document
  Judgements judgements;       // of these queries
  uint64_t unanswerable = 0;   // queries of the split with no relevant document, left out
};
// The split of a directory. Each query that is judged must be there.
Result<Task> ReadTask(const std::string& directory, const std::string& split);

}  // namespace loci::eval
