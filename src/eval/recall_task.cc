// SPDX-License-Identifier: Apache-2.0
#include "eval/recall_task.h"

#include <algorithm>
#include <string>

#include "base/fixed.h"

namespace loci::eval {
namespace {

bool IsDocument(const Snapshot& snapshot, TermId symbol, std::vector<Edge>* edges) {
  edges->clear();
  snapshot.EdgesFrom(symbol, edges);
  return std::any_of(edges->begin(), edges->end(),
                     [&](const Edge& edge) { return snapshot.KindOf(edge.other) == Kind::kText; });
}

}  // namespace

Result<Asked> AskAll(const std::shared_ptr<const Snapshot>& snapshot, const Task& task,
                     const AskOptions& options) {
  using Clock = std::chrono::steady_clock;
  Asked asked;
  std::vector<Edge> edges;
  for (const Query& query : task.queries) {
    if (options.progress && !options.progress(asked.milliseconds.size(), task.queries.size())) {
      return Error{ErrorKind::kCancelled, "interrupted"};
    }
    // As many as are wanted, and some more for those that are no documents; where that is too few,
    // all.
    std::vector<Hit>& hits = asked.run[query.id];
    recall::Options recall = options.recall;
    for (recall.most = 2 * options.depth + 100;; recall.most = SIZE_MAX) {
      const Clock::time_point begin = Clock::now();
      LOCI_ASSIGN(const recall::Ranking ranking, recall::Recall(snapshot, query.text, recall));
      const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
      hits.clear();
      for (const recall::Hit& hit : ranking.hits()) {
        if (hits.size() == options.depth) break;
        const std::string_view name = snapshot->Name(hit.item).bytes;
        if (name == query.id || !IsDocument(*snapshot, hit.item, &edges)) continue;
        hits.push_back(
            {std::string(name), static_cast<float>(hit.score) / static_cast<float>(kScoreOne)});
      }
      if (hits.size() < options.depth && ranking.hits().size() == recall.most) continue;
      asked.milliseconds.push_back(time.count());
      break;
    }
  }
  LOCI_TRY(snapshot->damage());
  return asked;
}

uint64_t CountDocuments(const Snapshot& snapshot) {
  std::vector<TermId> subjects;
  std::vector<Edge> edges;
  snapshot.Subjects(&subjects);
  return static_cast<uint64_t>(std::count_if(subjects.begin(), subjects.end(), [&](TermId subject) {
    return IsDocument(snapshot, subject, &edges);
  }));
}

std::vector<Figures> ScoreRun(const Task& task, const Run& run) {
  std::vector<Figures> figures;
  for (const Query& query : task.queries) {
    std::vector<Hit> hits;
    if (const auto found = run.find(query.id); found != run.end()) hits = found->second;
    std::erase_if(hits, [&](const Hit& hit) { return hit.document == query.id; });
    figures.push_back(Measure(hits, task.judgements.at(query.id)));
  }
  return figures;
}

}  // namespace loci::eval
