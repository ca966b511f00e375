// SPDX-License-Identifier: Apache-2.0
#include "mcp/graph_write.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/unicode.h"
#include "formats/mcp_graph.h"
#include "mcp/graph.h"

namespace loci::mcp {
namespace {

constexpr TermView kEntityType{Kind::kSymbol, kEntityTypeRelation};
constexpr TermView kObservation{Kind::kSymbol, kObservationRelation};

// A snapshot that outlives no call: Apply keeps it alive meanwhile.
Graph View(const Snapshot& snapshot) {
  return Graph(std::shared_ptr<const Snapshot>(std::shared_ptr<void>(), &snapshot));
}

template <class T>
Result<T> At(Result<T> made, std::string_view list, size_t index, std::string_view member) {
  if (made.ok()) return made;
  return Error{made.error().kind, fmt::format("{}[{}].{}: {}; nothing was written", list, index,
                                              member, made.error().message)};
}

// Learns under the writer's lock: fill puts into the batch what is new.
Result<void> Write(const ToolContext& context,
                   const std::function<Result<void>(const Graph&, Batch*)>& fill) {
  const auto choose = [&](const Snapshot& snapshot, Batch* batch) -> Result<void> {
    if (!context.KeepGoing()) return Error{ErrorKind::kCancelled, "cancelled; nothing was written"};
    LOCI_TRY(fill(View(snapshot), batch));
    return snapshot.damage();
  };
  const auto receipt = context.store->Apply(Store::SelectFn(choose));
  if (!receipt.ok()) return receipt.error();
  return {};
}

void Remove(const Snapshot& snapshot, const Fact& fact, Batch* batch) {
  for (const TermId source : snapshot.Sources(fact)) {
    batch->Add({snapshot.Name(fact.subject), snapshot.Name(fact.relation),
                snapshot.Name(fact.object), snapshot.Name(source)},
               true);
  }
}

// The observations of an entity as plain text.
std::set<std::string, std::less<>> Known(const Graph& graph, TermId entity) {
  std::set<std::string, std::less<>> known;
  for (const TermId id : graph.Observations(entity)) known.emplace(graph.Plain(id));
  return known;
}

}  // namespace

Result<std::vector<Entity>> CreateEntities(const std::vector<Entity>& entities,
                                           const ToolContext& context) {
  struct Made {
    Term type;
    std::vector<Term> observations;
    std::set<std::string> seen;
    Entity entity;
  };
  std::vector<std::pair<Term, Made>> made;  // by name, in the order given
  std::map<std::string, size_t> place;
  for (size_t i = 0; i < entities.size(); ++i) {
    const Entity& given = entities[i];
    LOCI_ASSIGN(Term name, At(MakeSymbol(given.name), "entities", i, "name"));
    const auto [at, is_new] = place.emplace(name.bytes, made.size());
    if (is_new) {
      Made one;
      LOCI_ASSIGN(one.type, At(MakeEntityType(given.type), "entities", i, "entityType"));
      one.entity.name = name.bytes;
      one.entity.type = one.type.bytes;
      made.emplace_back(std::move(name), std::move(one));
    }
    Made& one = made[at->second].second;
    for (const std::string& text : given.observations) {
      if (!one.seen.insert(text).second) continue;
      LOCI_ASSIGN(one.observations.emplace_back(),
                  At(MakeText(text), "entities", i, "observations"));
      one.entity.observations.push_back(text);
    }
  }
  LOCI_ASSIGN(const Term source, MakeSymbol(context.source));
  std::vector<Entity> created;
  LOCI_TRY(Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    created.clear();
    for (const auto& [name, one] : made) {
      const auto id = graph.snapshot().Find(name);
      if (id && graph.IsEntity(*id)) continue;
      batch->Add({name, kEntityType, one.type, source}, false);
      for (const Term& text : one.observations)
        batch->Add({name, kObservation, text, source}, false);
      created.push_back(one.entity);
    }
    return {};
  }));
  return created;
}

Result<std::vector<Relation>> CreateRelations(const std::vector<Relation>& relations,
                                              const ToolContext& context) {
  struct Made {
    Term from, type, to;
  };
  std::vector<Made> made;
  std::set<std::array<std::string, 3>> given;
  for (size_t i = 0; i < relations.size(); ++i) {
    Made one;
    LOCI_ASSIGN(one.from, At(MakeSymbol(relations[i].from), "relations", i, "from"));
    LOCI_ASSIGN(one.type, At(MakeSymbol(relations[i].type), "relations", i, "relationType"));
    LOCI_ASSIGN(one.to, At(MakeSymbol(relations[i].to), "relations", i, "to"));
    if (one.type.bytes == kEntityTypeRelation) {
      return Error{
          ErrorKind::kUsage,
          fmt::format("relations[{}]: a relation called entity_type would be taken for the "
                      "type of an entity; give it another name; nothing was written",
                      i)};
    }
    if (given.insert({one.from.bytes, one.type.bytes, one.to.bytes}).second) {
      made.push_back(std::move(one));
    }
  }
  LOCI_ASSIGN(const Term source, MakeSymbol(context.source));
  std::vector<Relation> created;
  LOCI_TRY(Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    created.clear();
    const Snapshot& snapshot = graph.snapshot();
    for (const Made& one : made) {
      const auto from = snapshot.Find(one.from), type = snapshot.Find(one.type),
                 to = snapshot.Find(one.to);
      if (from && type && to && snapshot.Has({*from, *type, *to})) continue;
      batch->Add({one.from, one.type, one.to, source}, false);
      created.push_back({one.from.bytes, one.to.bytes, one.type.bytes});
    }
    return {};
  }));
  return created;
}

Result<std::vector<Observations>> AddObservations(const std::vector<Observations>& observations,
                                                  const ToolContext& context) {
  LOCI_ASSIGN(const Term source, MakeSymbol(context.source));
  std::vector<Observations> added;
  LOCI_TRY(Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    added.clear();
    std::map<TermId, std::set<std::string, std::less<>>> known;
    for (size_t i = 0; i < observations.size(); ++i) {
      const Observations& given = observations[i];
      const auto id = graph.Find(given.entity);
      if (!id || !graph.IsEntity(*id)) {
        return Error{ErrorKind::kNotFound,
                     fmt::format("Entity with name {} not found", given.entity)};
      }
      const auto [texts, unseen] = known.try_emplace(*id);
      if (unseen) texts->second = Known(graph, *id);
      Observations one = {given.entity, {}};
      for (const std::string& text : given.contents) {
        if (!texts->second.insert(text).second) continue;
        LOCI_ASSIGN(const Term term, At(MakeText(text), "observations", i, "contents"));
        batch->Add({graph.snapshot().Name(*id), kObservation, term, source}, false);
        one.contents.push_back(text);
      }
      added.push_back(std::move(one));
    }
    return {};
  }));
  return added;
}

Result<void> DeleteEntities(const std::vector<std::string>& names, const ToolContext& context) {
  return Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    const Snapshot& snapshot = graph.snapshot();
    std::vector<Edge> edges;
    for (const std::string& name : names) {
      const auto id = graph.Find(name);
      if (!id) continue;
      edges.clear();
      snapshot.EdgesFrom(*id, &edges);
      for (const Edge& edge : edges) Remove(snapshot, {*id, edge.relation, edge.other}, batch);
      edges.clear();
      snapshot.EdgesTo(*id, &edges);
      for (const Edge& edge : edges) {
        // A type is no entity: that others are of it stays.
        if (edge.relation == graph.entity_type()) continue;
        Remove(snapshot, {edge.other, edge.relation, *id}, batch);
      }
    }
    return {};
  });
}

Result<void> DeleteObservations(const std::vector<Observations>& observations,
                                const ToolContext& context) {
  return Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    for (const Observations& given : observations) {
      const auto id = graph.Find(given.entity);
      if (!id || !graph.IsEntity(*id)) continue;
      const std::set<std::string, std::less<>> unwanted(given.contents.begin(),
                                                        given.contents.end());
      for (const TermId text : graph.Observations(*id)) {
        if (unwanted.count(graph.Plain(text)) == 0) continue;
        Remove(graph.snapshot(), {*id, *graph.observation(), text}, batch);
      }
    }
    return {};
  });
}

Result<void> DeleteRelations(const std::vector<Relation>& relations, const ToolContext& context) {
  return Write(context, [&](const Graph& graph, Batch* batch) -> Result<void> {
    for (const Relation& given : relations) {
      const auto from = graph.Find(given.from), type = graph.Find(given.type),
                 to = graph.Find(given.to);
      if (!from || !type || !to) continue;
      const Fact fact = {*from, *type, *to};
      if (graph.IsRelation(fact)) Remove(graph.snapshot(), fact, batch);
    }
    return {};
  });
}

}  // namespace loci::mcp
