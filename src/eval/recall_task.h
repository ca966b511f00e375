// SPDX-License-Identifier: Apache-2.0
//
// A retrieval task put to a memory: each query is a cue, and what it recalls is held against the
// judgements. Only documents are ranked, symbols of which a text is known: a memory also recalls
// speakers or sessions, which no judgement names.
//
// As BEIR does, a document whose id is the query's own is passed over (collections in which the
// queries are documents), and as trec_eval -c does, a query for which a run has nothing counts as
// one that found nothing.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "eval/beir.h"
#include "eval/metrics.h"
#include "recall/recall.h"

namespace loci::eval {

struct AskOptions {
  recall::Options recall;
  size_t depth = 100;  // documents ranked for each query
  // Called before each query; false cancels.
  std::function<bool(uint64_t done, uint64_t total)> progress;
};

struct Asked {
  Run run;
  std::vector<double> milliseconds;  // of each recall, in the order of the queries
};
Result<Asked> AskAll(const std::shared_ptr<const Snapshot>& snapshot, const Task& task,
                     const AskOptions& options);

// Symbols with a text.
uint64_t CountDocuments(const Snapshot& snapshot);

// The figures of each query, in the order of the task's.
std::vector<Figures> ScoreRun(const Task& task, const Run& run);

}  // namespace loci::eval
