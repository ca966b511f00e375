// SPDX-License-Identifier: Apache-2.0
#include "query/snapshot_graph.h"

#include <algorithm>

namespace loci::query {
namespace {

bool IsOwn(TermId id) {
  return id >= kOwnTerms;
}
bool HasOwn(const Fact& fact) {
  return IsOwn(fact.subject | fact.relation | fact.object);
}

}  // namespace

Result<void> SnapshotGraph::Find(std::span<const TermView> terms, TermId* out) const {
  for (size_t i = 0; i < terms.size(); ++i) out[i] = snapshot_.Find(terms[i]).value_or(kNoTerm);
  return {};
}

Result<void> SnapshotGraph::Expand(std::span<const TermId> nodes, TermId relation, Way way,
                                   Lists* out) const {
  out->Clear();
  for (TermId node : nodes) {
    if (IsOwn(node | relation)) {
      // no fact
    } else if (way == Way::kForward) {
      snapshot_.Objects(node, relation, &out->others);
    } else {
      snapshot_.Subjects(relation, node, &out->others);
    }
    out->ends.push_back(out->others.size());
  }
  return {};
}

Result<void> SnapshotGraph::ExpandAll(std::span<const TermId> nodes, Way way, Lists* out) const {
  out->Clear();
  std::vector<Edge> edges;
  for (TermId node : nodes) {
    edges.clear();
    if (IsOwn(node)) {
      // no fact
    } else if (way == Way::kForward) {
      snapshot_.EdgesFrom(node, &edges);
    } else {
      snapshot_.EdgesTo(node, &edges);
    }
    for (const Edge& edge : edges) {
      out->others.push_back(edge.other);
      out->relations.push_back(edge.relation);
    }
    out->ends.push_back(out->others.size());
  }
  return {};
}

Result<void> SnapshotGraph::SubjectsOf(TermId relation, std::vector<TermId>* out) const {
  if (!IsOwn(relation)) snapshot_.SubjectsOf(relation, out);
  return {};
}

Result<void> SnapshotGraph::Subjects(std::vector<TermId>* out) const {
  snapshot_.Subjects(out);
  return {};
}

Result<void> SnapshotGraph::Nodes(std::vector<TermId>* out) const {
  std::vector<TermId> subjects;
  snapshot_.Subjects(&subjects);
  std::vector<Edge> edges;
  for (TermId subject : subjects) {
    out->push_back(subject);
    edges.clear();
    snapshot_.EdgesFrom(subject, &edges);
    for (const Edge& edge : edges) out->push_back(edge.other);
  }
  return {};
}

Result<void> SnapshotGraph::Has(std::span<const Fact> facts, Marks* out) const {
  out->proofs.clear();
  out->holds.resize(facts.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    out->holds[i] = !HasOwn(facts[i]) && snapshot_.Has(facts[i]);
  }
  return {};
}

Result<void> SnapshotGraph::HasSource(std::span<const Fact> facts, TermId source,
                                      std::vector<uint8_t>* out) const {
  out->resize(facts.size());
  for (size_t i = 0; i < facts.size(); ++i) {
    (*out)[i] = !HasOwn(facts[i]) && !IsOwn(source) && snapshot_.HasSource(facts[i], source);
  }
  return {};
}

Result<void> SnapshotGraph::AreNodes(std::span<const TermId> ids, std::vector<uint8_t>* out) const {
  out->assign(ids.size(), 0);
  // Degrees are exact in one layer. Above, a removed fact may count, so the edges are listed.
  const bool exact = snapshot_.layers().size() == 1;
  std::vector<Edge> edges;
  for (size_t i = 0; i < ids.size(); ++i) {
    if (IsOwn(ids[i])) continue;
    if (Degree(ids[i], Way::kForward) == 0 && Degree(ids[i], Way::kInverse) == 0) continue;
    if (!exact) {
      edges.clear();
      snapshot_.EdgesFrom(ids[i], &edges);
      if (edges.empty()) snapshot_.EdgesTo(ids[i], &edges);
      if (edges.empty()) continue;
    }
    (*out)[i] = 1;
  }
  return {};
}

Result<std::vector<TermId>> SnapshotGraph::Sources(const Fact& fact) const {
  return HasOwn(fact) ? std::vector<TermId>() : snapshot_.Sources(fact);
}

// A name that the memory does not know is no more than its words.
Result<recall::Ranking> SnapshotGraph::Recall(TermView cue, bool by_words,
                                              const std::function<bool()>& cancelled) const {
  recall::Options options;
  options.associate = associate_ && !by_words;
  if (cancelled) options.keep_going = [&cancelled] { return !cancelled(); };
  const std::shared_ptr<const Snapshot> snapshot(std::shared_ptr<void>(), &snapshot_);
  if (cue.kind == Kind::kSymbol) {
    if (const auto symbol = snapshot_.Find(cue)) {
      return recall::RecallLike(snapshot, *symbol, options);
    }
  }
  return recall::Recall(snapshot, ToPlain(cue), options);
}

Result<std::vector<recall::Span>> SnapshotGraph::FindWords(
    std::string_view text, std::span<const std::string> stems) const {
  return recall::FindWords(snapshot_, text, stems);
}

Graph::RelationSize SnapshotGraph::SizeOf(TermId relation) const {
  return IsOwn(relation) ? RelationSize() : snapshot_.SizeOf(relation);
}

// Of a symbol, what is alike is not known before its words are: some of all that is there.
uint64_t SnapshotGraph::HitsOf(TermView cue) const {
  constexpr uint64_t kShareRecalled = 8;
  if (cue.kind != Kind::kSymbol) {
    const auto hits = recall::EstimateHits(snapshot_, ToPlain(cue));
    if (hits.ok()) return *hits;
  }
  return std::min(Terms(), Facts()) / kShareRecalled;
}

uint64_t SnapshotGraph::Terms() const {
  uint64_t terms = 0;
  for (const auto& layer : snapshot_.layers()) terms += layer->terms();
  return terms;
}

uint64_t SnapshotGraph::Degree(TermId node, Way way) const {
  if (IsOwn(node)) return 0;
  return way == Way::kForward ? snapshot_.DegreeFrom(node) : snapshot_.DegreeTo(node);
}

}  // namespace loci::query
