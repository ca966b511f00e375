// SPDX-License-Identifier: Apache-2.0
#include "mcp/graph.h"

#include <algorithm>
#include <utility>

#include "formats/mcp_graph.h"

namespace loci::mcp {

Graph::Graph(std::shared_ptr<const Snapshot> snapshot)
    : snapshot_(std::move(snapshot)),
      entity_type_(snapshot_->Find({Kind::kSymbol, kEntityTypeRelation})),
      observation_(snapshot_->Find({Kind::kSymbol, kObservationRelation})) {}

std::optional<TermId> Graph::Find(std::string_view name) const {
  const auto symbol = MakeSymbol(name);
  return symbol.ok() ? snapshot_->Find(*symbol) : std::nullopt;
}

bool Graph::IsEntity(TermId id) const {
  if (!entity_type_) return false;
  std::vector<TermId> types;
  snapshot_->Objects(id, *entity_type_, &types);
  return !types.empty();
}

bool Graph::IsRelation(const Fact& fact) const {
  return fact.relation != entity_type_ && snapshot_->KindOf(fact.object) == Kind::kSymbol;
}

void Graph::Sort(std::vector<TermId>* ids) const {
  std::sort(ids->begin(), ids->end(),
            [this](TermId a, TermId b) { return snapshot_->Compare(a, b) < 0; });
}

std::vector<TermId> Graph::Entities() const {
  std::vector<TermId> entities;
  if (entity_type_) snapshot_->SubjectsOf(*entity_type_, &entities);
  Sort(&entities);
  return entities;
}

std::vector<TermId> Graph::Subjects() const {
  std::vector<TermId> subjects;
  snapshot_->Subjects(&subjects);
  Sort(&subjects);
  return subjects;
}

std::string_view Graph::TypeOf(TermId entity) const {
  std::vector<TermId> types;
  if (entity_type_) snapshot_->Objects(entity, *entity_type_, &types);
  Sort(&types);
  return types.empty() ? std::string_view() : Plain(types.front());
}

std::vector<TermId> Graph::Observations(TermId entity) const {
  std::vector<TermId> observations;
  if (observation_) snapshot_->Objects(entity, *observation_, &observations);
  std::erase_if(observations, [this](TermId id) { return snapshot_->KindOf(id) != Kind::kText; });
  Sort(&observations);
  return observations;
}

std::vector<Fact> Graph::RelationsFrom(TermId id) const {
  std::vector<Edge> edges;
  snapshot_->EdgesFrom(id, &edges);
  std::vector<Fact> facts;
  for (const Edge& edge : edges) {
    const Fact fact = {id, edge.relation, edge.other};
    if (IsRelation(fact)) facts.push_back(fact);
  }
  std::sort(facts.begin(), facts.end(), [this](const Fact& a, const Fact& b) {
    const int order = snapshot_->Compare(a.relation, b.relation);
    return order != 0 ? order < 0 : snapshot_->Compare(a.object, b.object) < 0;
  });
  return facts;
}

std::vector<Fact> Graph::RelationsTo(TermId id) const {
  std::vector<Edge> edges;
  snapshot_->EdgesTo(id, &edges);
  std::vector<Fact> facts;
  for (const Edge& edge : edges) {
    const Fact fact = {edge.other, edge.relation, id};
    if (IsRelation(fact)) facts.push_back(fact);
  }
  std::sort(facts.begin(), facts.end(), [this](const Fact& a, const Fact& b) {
    const int order = snapshot_->Compare(a.relation, b.relation);
    return order != 0 ? order < 0 : snapshot_->Compare(a.subject, b.subject) < 0;
  });
  return facts;
}

std::string_view Graph::Plain(TermId id) const {
  const TermView term = snapshot_->Name(id);
  return term.kind == Kind::kText ? SplitText(term.bytes).text : term.bytes;
}

}  // namespace loci::mcp
