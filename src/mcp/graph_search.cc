// SPDX-License-Identifier: Apache-2.0
#include "mcp/graph_search.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/unicode.h"
#include "mcp/containing.h"
#include "recall/recall.h"

namespace loci::mcp {
namespace {

void Unique(std::vector<TermId>* ids) {
  std::sort(ids->begin(), ids->end());
  ids->erase(std::unique(ids->begin(), ids->end()), ids->end());
}

// What of a term is searched: not the tag of a text.
std::string_view Searched(TermView term) {
  return term.kind == Kind::kText ? SplitText(term.bytes).text : term.bytes;
}

// The terms of all layers that contain the query.
std::vector<TermId> TermsWith(const Snapshot& snapshot, const Containing& query) {
  std::vector<TermId> found;
  for (uint32_t k = 0; k < snapshot.layers().size(); ++k) {
    const Image& layer = *snapshot.layers()[k];
    if (query.may_be_anywhere()) {
      for (LocalId id = 0; id < layer.terms(); ++id) {
        if (query.In(Searched(layer.Name(id)))) found.push_back(snapshot.IdOf(k, id));
      }
      continue;
    }
    const std::string_view names = layer.AllNames();
    for (size_t at = query.Next(names, 0); at != std::string_view::npos;) {
      const LocalId id = layer.TermAt(at);
      const TermView term = layer.Name(id);
      const std::string_view name = term.bytes;
      if (name.data() == nullptr || names.data() + at < name.data()) break;  // damaged
      if (query.In(Searched(term))) found.push_back(snapshot.IdOf(k, id));
      const size_t end = static_cast<size_t>(name.data() + name.size() - names.data());
      at = query.Next(names, std::max(end, at + 1));
    }
  }
  Unique(&found);
  return found;
}

// The entities that a term is the name, the type or an observation of.
void EntitiesOf(const Graph& graph, TermId term, std::vector<TermId>* out) {
  const Snapshot& snapshot = graph.snapshot();
  const Kind kind = snapshot.KindOf(term);
  if (kind == Kind::kSymbol && graph.IsEntity(term)) out->push_back(term);
  if (kind == Kind::kSymbol || kind == Kind::kText) {
    snapshot.Subjects(*graph.entity_type(), term, out);
  }
  if (kind != Kind::kText || !graph.observation()) return;
  const size_t before = out->size();
  snapshot.Subjects(*graph.observation(), term, out);
  out->erase(std::remove_if(out->begin() + static_cast<std::ptrdiff_t>(before), out->end(),
                            [&](TermId id) { return !graph.IsEntity(id); }),
             out->end());
}

struct Ranked {
  TermId id;
  int tier;  // 0: its name is the query; 1: contains it; 2: something else of it does
  uint64_t score;
};

Result<std::unordered_map<TermId, uint64_t>> Scores(const Graph& graph, std::string_view query,
                                                    const ToolContext& context) {
  recall::Options options;
  options.associate = false;
  options.keep_going = context.keep_going;
  LOCI_ASSIGN(const auto ranking, recall::Recall(graph.shared_snapshot(), query, options));
  std::unordered_map<TermId, uint64_t> scores;
  for (const recall::Hit& hit : ranking.hits()) scores.emplace(hit.item, hit.score);
  return scores;
}

}  // namespace

Result<std::vector<TermId>> SearchEntities(const Graph& graph, std::string_view query,
                                           const ToolContext& context) {
  if (!graph.entity_type()) return std::vector<TermId>();
  if (query.empty()) return graph.Entities();
  const Containing containing(query);
  std::vector<TermId> found;
  for (const TermId term : TermsWith(graph.snapshot(), containing)) {
    EntitiesOf(graph, term, &found);
  }
  Unique(&found);
  // Damage to what recall reads must not take the search away: then the order is the tiers' alone.
  std::unordered_map<TermId, uint64_t> scores;
  if (found.size() != 1) {
    auto scored = Scores(graph, query, context);
    if (scored.ok()) scores = scored.take();
    if (!context.KeepGoing()) return Error{ErrorKind::kCancelled, "the search was cancelled"};
  }
  if (found.empty() && query.find(' ') != std::string_view::npos) {
    for (const auto& [id, score] : scores) {
      if (graph.IsEntity(id)) found.push_back(id);
    }
  }
  std::vector<Ranked> ranked;
  ranked.reserve(found.size());
  for (const TermId id : found) {
    const std::string_view name = graph.Plain(id);
    int tier = 2;
    if (containing.In(name)) tier = ToLower(name) == containing.lowered() ? 0 : 1;
    const auto score = scores.find(id);
    ranked.push_back({id, tier, score == scores.end() ? uint64_t{0} : score->second});
  }
  std::sort(ranked.begin(), ranked.end(), [&](const Ranked& a, const Ranked& b) {
    if (a.tier != b.tier) return a.tier < b.tier;
    if (a.score != b.score) return a.score > b.score;
    return graph.snapshot().Compare(a.id, b.id) < 0;
  });
  for (size_t i = 0; i < ranked.size(); ++i) found[i] = ranked[i].id;
  return found;
}

}  // namespace loci::mcp
