// SPDX-License-Identifier: Apache-2.0
//
// The nine tools of the reference server (npm @modelcontextprotocol/server-memory 2026.8.31): its
// names, titles, descriptions, annotations, schemas and results. The three that read take besides
// max_bytes, cursor and names_only, and tell in "left_out" what did not fit.
#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/graph.h"
#include "mcp/graph_page.h"
#include "mcp/graph_search.h"
#include "mcp/graph_write.h"
#include "mcp/tool.h"

namespace loci::mcp {
namespace {

// --- schemas ---

Json List(Json items, const char* description) {
  Json json = ListSchema(std::move(items));
  json["description"] = description;
  return json;
}

// Of all the properties but those that `optional` names.
Json Object(Json properties, bool closed, const std::vector<std::string>& optional = {}) {
  Json required = Json::array();
  for (const auto& [name, unused] : properties.items()) {
    if (std::find(optional.begin(), optional.end(), name) == optional.end()) {
      required.push_back(name);
    }
  }
  Json json = {{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) json["required"] = std::move(required);
  if (closed) json["additionalProperties"] = false;
  return json;
}

Json Schema(Json object) {
  Json json = {{"$schema", "http://json-schema.org/draft-07/schema#"}};
  json.update(object);
  return json;
}

Json EntitySchema(bool closed) {
  return Object({{"name", TextSchema("The name of the entity")},
                 {"entityType", TextSchema("The type of the entity")},
                 {"observations", List(TypeSchema("string"),
                                       "An array of observation contents associated with the "
                                       "entity")}},
                closed);
}

Json RelationSchema(bool closed) {
  return Object({{"from", TextSchema("The name of the entity where the relation starts")},
                 {"to", TextSchema("The name of the entity where the relation ends")},
                 {"relationType", TextSchema("The type of the relation")}},
                closed);
}

Json LeftOutSchema() {
  return {{"type", "object"}, {"description", "What did not fit max_bytes, and how to get it"}};
}

// A read's arguments: the reference server's, and what a page needs.
Json ReadSchema(Json properties) {
  properties["max_bytes"] = MaxBytesSchema();
  properties["cursor"] = TextSchema("left_out.next_cursor of an earlier result: go on after it");
  properties["names_only"] = FlagSchema("Names and types alone: a quick overview");
  return Schema(Object(std::move(properties), false, {"max_bytes", "cursor", "names_only"}));
}

Json GraphSchema() {
  return Schema(Object({{"entities", ListSchema(EntitySchema(true))},
                        {"relations", ListSchema(RelationSchema(true))},
                        {"left_out", LeftOutSchema()}},
                       true, {"left_out"}));
}

Json DoneSchema() {
  return Schema(
      Object({{"success", TypeSchema("boolean")}, {"message", TypeSchema("string")}}, true));
}

// --- arguments; the session has checked them against the schemas ---

std::string TextAt(const Json& object, const char* member) {
  return object.at(member).get<std::string>();
}

std::vector<std::string> TextsAt(const Json& object, const char* member) {
  return object.at(member).get<std::vector<std::string>>();
}

std::vector<Relation> RelationsAt(const Json& arguments) {
  std::vector<Relation> relations;
  for (const Json& item : arguments.at("relations")) {
    relations.push_back({TextAt(item, "from"), TextAt(item, "to"), TextAt(item, "relationType")});
  }
  return relations;
}

std::vector<Observations> ObservationsAt(const Json& list, const char* member) {
  std::vector<Observations> observations;
  for (const Json& item : list) {
    observations.push_back({TextAt(item, "entityName"), TextsAt(item, member)});
  }
  return observations;
}

// --- results ---

// What was written is echoed as far as the budget allows; items is a list.
ToolResult Written(const char* member, Json items, const ToolContext& context) {
  constexpr uint64_t kNoteBytes = 200;
  ToolResult result;
  result.wrote = true;
  result.text = ToText(items, 2);
  if (result.text.size() > context.max_bytes) {
    const size_t all = items.size();
    uint64_t room = context.max_bytes - kNoteBytes;
    size_t shown = 0;
    for (; shown < all; ++shown) {
      // An item stands two deeper in the list, each line of it.
      const std::string item = ToText(items[shown], 2);
      const uint64_t lines = static_cast<uint64_t>(std::count(item.begin(), item.end(), '\n')) + 1;
      if (item.size() + 2 * lines + 2 > room) break;
      room -= item.size() + 2 * lines + 2;
    }
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(shown), items.end());
    result.text = ToText(items, 2);
    result.left_out = fmt::format(
        "All {} were written; {} of them are shown, as the rest would exceed max_bytes. "
        "open_nodes shows them.",
        all, shown);
  }
  result.structured = {{member, std::move(items)}};
  return result;
}

ToolResult Done(const char* message) {
  ToolResult result;
  result.wrote = true;
  result.text = message;
  result.structured = {{"success", true}, {"message", message}};
  return result;
}

// --- the tools ---

Result<ToolResult> RunCreateEntities(const Json& arguments, const ToolContext& context) {
  std::vector<Entity> entities;
  for (const Json& item : arguments.at("entities")) {
    entities.push_back(
        {TextAt(item, "name"), TextAt(item, "entityType"), TextsAt(item, "observations")});
  }
  LOCI_ASSIGN(const auto created, CreateEntities(entities, context));
  Json items = Json::array();
  for (const Entity& one : created) {
    items.push_back(
        {{"name", one.name}, {"entityType", one.type}, {"observations", one.observations}});
  }
  return Written("entities", std::move(items), context);
}

Result<ToolResult> RunCreateRelations(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const auto created, CreateRelations(RelationsAt(arguments), context));
  Json items = Json::array();
  for (const Relation& one : created) {
    items.push_back({{"from", one.from}, {"to", one.to}, {"relationType", one.type}});
  }
  return Written("relations", std::move(items), context);
}

Result<ToolResult> RunAddObservations(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const auto added,
              AddObservations(ObservationsAt(arguments.at("observations"), "contents"), context));
  Json items = Json::array();
  for (const Observations& one : added) {
    items.push_back({{"entityName", one.entity}, {"addedObservations", one.contents}});
  }
  return Written("results", std::move(items), context);
}

Result<ToolResult> RunDeleteEntities(const Json& arguments, const ToolContext& context) {
  LOCI_TRY(DeleteEntities(TextsAt(arguments, "entityNames"), context));
  return Done("Entities deleted successfully");
}

Result<ToolResult> RunDeleteObservations(const Json& arguments, const ToolContext& context) {
  LOCI_TRY(DeleteObservations(ObservationsAt(arguments.at("deletions"), "observations"), context));
  return Done("Observations deleted successfully");
}

Result<ToolResult> RunDeleteRelations(const Json& arguments, const ToolContext& context) {
  LOCI_TRY(DeleteRelations(RelationsAt(arguments), context));
  return Done("Relations deleted successfully");
}

Result<ToolResult> RunReadGraph(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const PageRequest request, RequestOf(arguments, context));
  LOCI_ASSIGN(auto snapshot, context.store->Read());
  const Graph graph(std::move(snapshot));
  return ShowPage(graph, graph.Subjects(), request, context);
}

Result<ToolResult> RunSearchNodes(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(PageRequest request, RequestOf(arguments, context));
  request.incoming = true;
  LOCI_ASSIGN(auto snapshot, context.store->Read());
  const Graph graph(std::move(snapshot));
  LOCI_ASSIGN(const auto found, SearchEntities(graph, TextAt(arguments, "query"), context));
  return ShowPage(graph, found, request, context);
}

Result<ToolResult> RunOpenNodes(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(PageRequest request, RequestOf(arguments, context));
  request.incoming = true;
  LOCI_ASSIGN(auto snapshot, context.store->Read());
  const Graph graph(std::move(snapshot));
  std::vector<TermId> found;
  std::unordered_set<TermId> seen;  // looked up, never walked
  for (const std::string& name : TextsAt(arguments, "names")) {
    const auto id = graph.Find(name);
    if (id && graph.IsEntity(*id) && seen.insert(*id).second) found.push_back(*id);
  }
  return ShowPage(graph, found, request, context);
}

enum class Effect { kRead, kWrite, kDelete };

Tool Row(const char* name, const char* title, const char* description, Effect effect,
         Json input_schema, Json output_schema,
         Result<ToolResult> (*run)(const Json&, const ToolContext&)) {
  Tool tool;
  tool.name = name;
  tool.title = title;
  tool.description = description;
  tool.input_schema = std::move(input_schema);
  tool.output_schema = std::move(output_schema);
  tool.read_only = effect == Effect::kRead;
  tool.destructive = effect == Effect::kDelete;
  tool.idempotent = effect != Effect::kWrite;
  tool.run = run;
  return tool;
}

}  // namespace

std::vector<Tool> GraphTools() {
  const auto open = [](Json properties) { return Schema(Object(std::move(properties), false)); };
  const auto closed = [](Json properties) { return Schema(Object(std::move(properties), true)); };
  return {
      Row("create_entities", "Create Entities",
          "Create multiple new entities in the knowledge graph", Effect::kWrite,
          open({{"entities", ListSchema(EntitySchema(false))}}),
          closed({{"entities", ListSchema(EntitySchema(true))}}), RunCreateEntities),
      Row("create_relations", "Create Relations",
          "Create multiple new relations between entities in the knowledge graph. Relations should "
          "be in active voice",
          Effect::kWrite, open({{"relations", ListSchema(RelationSchema(false))}}),
          closed({{"relations", ListSchema(RelationSchema(true))}}), RunCreateRelations),
      Row("add_observations", "Add Observations",
          "Add new observations to existing entities in the knowledge graph", Effect::kWrite,
          open({{"observations",
                 ListSchema(Object(
                     {{"entityName",
                       TextSchema("The name of the entity to add the observations to")},
                      {"contents",
                       List(TypeSchema("string"), "An array of observation contents to add")}},
                     false))}}),
          closed({{"results",
                   ListSchema(Object({{"entityName", TypeSchema("string")},
                                      {"addedObservations", ListSchema(TypeSchema("string"))}},
                                     true))}}),
          RunAddObservations),
      Row("delete_entities", "Delete Entities",
          "Delete multiple entities and their associated relations from the knowledge graph",
          Effect::kDelete,
          open({{"entityNames", List(TypeSchema("string"), "An array of entity names to delete")}}),
          DoneSchema(), RunDeleteEntities),
      Row("delete_observations", "Delete Observations",
          "Delete specific observations from entities in the knowledge graph", Effect::kDelete,
          open({{"deletions",
                 ListSchema(
                     Object({{"entityName",
                              TextSchema("The name of the entity containing the observations")},
                             {"observations",
                              List(TypeSchema("string"), "An array of observations to delete")}},
                            false))}}),
          DoneSchema(), RunDeleteObservations),
      Row("delete_relations", "Delete Relations",
          "Delete multiple relations from the knowledge graph", Effect::kDelete,
          open({{"relations", List(RelationSchema(false), "An array of relations to delete")}}),
          DoneSchema(), RunDeleteRelations),
      Row("read_graph", "Read Graph", "Read the entire knowledge graph", Effect::kRead,
          ReadSchema(Json::object()), GraphSchema(), RunReadGraph),
      Row("search_nodes", "Search Nodes",
          "Search for nodes in the knowledge graph based on a query", Effect::kRead,
          ReadSchema(
              {{"query", TextSchema("The search query to match against entity names, types, and "
                                    "observation content")}}),
          GraphSchema(), RunSearchNodes),
      Row("open_nodes", "Open Nodes", "Open specific nodes in the knowledge graph by their names",
          Effect::kRead,
          ReadSchema(
              {{"names", List(TypeSchema("string"), "An array of entity names to retrieve")}}),
          GraphSchema(), RunOpenNodes),
  };
}

Result<ToolResult> ReadWholeGraph(const ToolContext& context) {
  return RunReadGraph(Json::object(), context);
}

}  // namespace loci::mcp
