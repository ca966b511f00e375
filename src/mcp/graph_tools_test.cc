// SPDX-License-Identifier: Apache-2.0
//
// The nine tools of the reference server: its outcomes (tests/mcp compares with the server itself),
// in lockstep with a double that holds a map of sets; pages, whose union is the whole and none of
// which exceeds its budget; sources; what other agents wrote.
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>

#include "base/unicode.h"
#include "mcp/testing.h"

namespace loci::mcp {
namespace {

using test::Served;

Json Entity(const std::string& name, const std::string& type,
            const std::vector<std::string>& observations) {
  return {{"name", name}, {"entityType", type}, {"observations", observations}};
}

Json Relation(const std::string& from, const std::string& type, const std::string& to) {
  return {{"from", from}, {"to", to}, {"relationType", type}};
}

using Triple = std::tuple<std::string, std::string, std::string>;

Triple TripleOf(const Json& relation) {
  return {relation["from"].get<std::string>(), relation["relationType"].get<std::string>(),
          relation["to"].get<std::string>()};
}

// What the reference server would hold, with sets for lists.
struct Double {
  struct Item {
    std::string type;
    std::set<std::string> observations;
    bool operator==(const Item&) const = default;
  };
  std::map<std::string, Item> entities;
  std::set<Triple> relations;  // from, type, to
  bool operator==(const Double&) const = default;

  // Adds a page; what it repeats of an entity only adds observations.
  void Add(const Json& graph) {
    for (const Json& entity : graph["entities"]) {
      Item& item = entities[entity["name"].get<std::string>()];
      item.type = entity["entityType"].get<std::string>();
      for (const Json& text : entity["observations"])
        item.observations.insert(text.get<std::string>());
    }
    for (const Json& r : graph["relations"]) {
      EXPECT_TRUE(relations.insert(TripleOf(r)).second) << "shown twice: " << ToText(r);
    }
  }

  Double Around(const std::set<std::string>& names) const {
    Double part;
    for (const auto& [name, item] : entities) {
      if (names.count(name) != 0) part.entities[name] = item;
    }
    for (const Triple& r : relations) {
      if (part.entities.count(std::get<0>(r)) + part.entities.count(std::get<2>(r)) > 0) {
        part.relations.insert(r);
      }
    }
    return part;
  }

  std::set<std::string> Search(const std::string& query) const {
    std::set<std::string> found;
    const auto has = [&](const std::string& text) {
      return ToLower(text).find(ToLower(query)) != std::string::npos;
    };
    for (const auto& [name, item] : entities) {
      bool any = has(name) || has(item.type);
      for (const std::string& text : item.observations) any |= has(text);
      if (any) found.insert(name);
    }
    return found;
  }
};

Double GraphOf(const Json& structured) {
  Double graph;
  graph.Add(structured);
  return graph;
}

// All pages of a read, each within the budget.
Double Pages(Served* served, const std::string& tool, Json arguments, uint64_t max_bytes) {
  Double whole;
  arguments["max_bytes"] = max_bytes;
  for (int pages = 0; pages < 10'000; ++pages) {
    const Json result = served->Call(tool, arguments);
    const std::string text = result["content"][0]["text"];
    EXPECT_LE(text.size(), max_bytes);
    EXPECT_EQ(Json::parse(text), result["structuredContent"]);
    const Json graph = result["structuredContent"];
    whole.Add(graph);
    if (!graph.contains("left_out") || !graph["left_out"].contains("next_cursor")) return whole;
    EXPECT_NE(arguments.value("cursor", ""), graph["left_out"]["next_cursor"]);
    arguments["cursor"] = graph["left_out"]["next_cursor"];
  }
  ADD_FAILURE() << "the pages do not end";
  return whole;
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  size_t Below(size_t n) { return engine_() % n; }
  std::string Name() { return std::string(1, "abcdeABC"[Below(8)]); }
  std::string Type() { return std::vector<std::string>{"t", "u", "", "a b"}[Below(4)]; }
  std::string Text() {
    return std::vector<std::string>{"x",
                                    "y",
                                    "",
                                    "likes tea",
                                    "Likes Tea",
                                    "a",
                                    "d\u00e9j\u00e0 vu",
                                    "a \"quoted\"\nline"}[Below(8)];
  }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts(Below(4));
    for (auto& text : texts) text = Text();
    return texts;
  }

 private:
  std::mt19937 engine_;
};

void Step(Random* random, Served* served, Double* expected) {
  Json list = Json::array();
  switch (random->Below(6)) {
    case 0:
      for (size_t n = random->Below(4); n > 0; --n) {
        list.push_back(Entity(random->Name(), random->Type(), random->Texts()));
      }
      served->Good("create_entities", {{"entities", list}});
      {
        std::set<std::string> made;
        for (const Json& one : list) {
          const std::string name = one["name"];
          if (expected->entities.count(name) != 0 && made.count(name) == 0) continue;
          auto& item = expected->entities[name];
          if (made.insert(name).second) item.type = one["entityType"].get<std::string>();
          for (const Json& text : one["observations"])
            item.observations.insert(text.get<std::string>());
        }
      }
      break;
    case 1:
      for (size_t n = random->Below(4); n > 0; --n) {
        list.push_back(Relation(random->Name(), random->Name(), random->Name()));
        expected->relations.insert(TripleOf(list.back()));
      }
      served->Good("create_relations", {{"relations", list}});
      break;
    case 2: {
      const std::string name = random->Name();
      const auto texts = random->Texts();
      const Json arguments = {
          {"observations", Json::array({{{"entityName", name}, {"contents", texts}}})}};
      if (expected->entities.count(name) == 0) {
        EXPECT_EQ(served->Bad("add_observations", arguments),
                  "Entity with name " + name + " not found");
      } else {
        served->Good("add_observations", arguments);
        expected->entities[name].observations.insert(texts.begin(), texts.end());
      }
      break;
    }
    case 3: {
      const std::string name = random->Name();
      served->Good("delete_entities", {{"entityNames", Json::array({name})}});
      expected->entities.erase(name);
      std::erase_if(expected->relations, [&](const Triple& r) {
        return std::get<0>(r) == name || std::get<2>(r) == name;
      });
      break;
    }
    case 4: {
      const std::string name = random->Name();
      const auto texts = random->Texts();
      served->Good("delete_observations",
                   {{"deletions", Json::array({{{"entityName", name}, {"observations", texts}}})}});
      if (expected->entities.count(name) != 0) {
        for (const auto& text : texts) expected->entities[name].observations.erase(text);
      }
      break;
    }
    default: {
      const Json relation = Relation(random->Name(), random->Name(), random->Name());
      served->Good("delete_relations", {{"relations", Json::array({relation})}});
      expected->relations.erase(TripleOf(relation));
    }
  }
}

TEST(GraphToolsTest, InLockstepWithADouble) {
  for (uint32_t seed = 0; seed < 6; ++seed) {
    Served served;
    Double expected;
    Random random(seed);
    for (int step = 0; step < 120; ++step) {
      Step(&random, &served, &expected);
      ASSERT_EQ(GraphOf(served.Good("read_graph", Json::object())), expected)
          << "seed " << seed << " step " << step;
      const std::string a = random.Name(), b = random.Name();
      ASSERT_EQ(GraphOf(served.Good("open_nodes", {{"names", Json::array({a, b, a})}})),
                expected.Around({a, b}));
      const std::string query = random.Below(2) == 0 ? random.Name() : random.Text();
      const auto found = expected.Search(query);
      if (found.empty() && query.find(' ') != std::string::npos) continue;  // words are recalled
      ASSERT_EQ(GraphOf(served.Good("search_nodes", {{"query", query}})), expected.Around(found))
          << query;
    }
    for (const uint64_t max_bytes : {1'000, 1'200, 2'000, 100'000}) {
      ASSERT_EQ(Pages(&served, "read_graph", Json::object(), max_bytes), expected);
      ASSERT_EQ(Pages(&served, "search_nodes", {{"query", ""}}, max_bytes),
                expected.Around(expected.Search("")));
    }
  }
}

TEST(GraphToolsTest, PagesOfLargeThingsStayWithinTheBudget) {
  Served served;
  std::vector<std::string> many;
  for (int i = 0; i < 300; ++i)
    many.push_back("observation \"" + std::to_string(i) + "\" \n\t\x01");
  std::vector<std::string> long_one = {std::string(50'000, 'x') + "\u4e16", "short"};
  served.Good("create_entities", {{"entities",
                                   {Entity("many", "t", many), Entity("long", "t", long_one),
                                    Entity(std::string(9'000, 'n'), "t", {"of a long name"})}}});
  Json relations = Json::array();
  for (int i = 0; i < 300; ++i) relations.push_back(Relation("hub", "r", std::to_string(i)));
  served.Good("create_relations", {{"relations", relations}});
  // What is larger than a page is cut or passed over, and that is said.
  Json arguments = {{"max_bytes", 2'000}};
  std::set<std::string> seen, notes;
  size_t shown_relations = 0;
  for (;;) {
    const Json result = served.Call("read_graph", arguments);
    ASSERT_LE(result["content"][0]["text"].get<std::string>().size(), 2'000);
    const Json& graph = result["structuredContent"];
    for (const Json& entity : graph["entities"]) {
      for (const Json& text : entity["observations"]) seen.insert(text.get<std::string>());
    }
    shown_relations += graph["relations"].size();
    if (!graph.contains("left_out")) break;
    notes.insert(graph["left_out"].value("note", ""));
    if (!graph["left_out"].contains("next_cursor")) break;
    arguments["cursor"] = graph["left_out"]["next_cursor"];
  }
  for (const auto& text : many) EXPECT_EQ(seen.count(text), 1) << text;
  EXPECT_EQ(seen.count("short"), 1);
  EXPECT_EQ(shown_relations, 300);
  EXPECT_EQ(notes.size(), 3);  // the cut one, the one passed over, and none
  const Json whole =
      served.Good("open_nodes", {{"names", Json::array({"long"})}, {"max_bytes", 60'000}});
  EXPECT_EQ(whole["entities"][0]["observations"].size(), 2);
  EXPECT_FALSE(whole.contains("left_out"));
  // The echo of a write is bounded too, and says that all was written.
  const Json echo =
      served.Call("create_entities",
                  {{"entities", Json::array({Entity("huge", "t", {std::string(70'000, 'h')})})}});
  EXPECT_EQ(echo["structuredContent"]["entities"].size(), 0);
  EXPECT_NE(echo["content"][1]["text"].get<std::string>().find("1 were written"),
            std::string::npos);
}

TEST(GraphToolsTest, NamesOnlyIsAnOverview) {
  Served served;
  served.Good("create_entities",
              {{"entities", {Entity("a", "t", {"x"}), Entity("b", "u", {"y"})}}});
  served.Good("create_relations", {{"relations", Json::array({Relation("a", "r", "b")})}});
  const Json graph = served.Good("read_graph", {{"names_only", true}});
  EXPECT_EQ(graph, Json::parse(R"({"entities":[
      {"name":"a","entityType":"t","observations":[]},
      {"name":"b","entityType":"u","observations":[]}],"relations":[]})"));
  EXPECT_NE(served.Bad("read_graph", {{"cursor", "x"}}).find("the cursor 'x'"), std::string::npos);
}

TEST(GraphToolsTest, SearchRanksNamesFirstAndFallsBackOnWords) {
  Served served;
  served.Good("create_entities",
              {{"entities",
                {Entity("green tea", "drink", {"hot"}), Entity("Tea", "drink", {"from Assam"}),
                 Entity("Ada", "person", {"drinks tea every day in Paris"}),
                 Entity("Bob", "person", {"tea tea tea"})}}});
  const auto names = [&](const std::string& query) {
    std::string out;
    const Json graph = served.Good("search_nodes", {{"query", query}});
    for (const Json& entity : graph["entities"]) {
      out += entity["name"].get<std::string>() + ";";
    }
    return out;
  };
  EXPECT_EQ(names("TEA").substr(0, 14), "Tea;green tea;");
  EXPECT_EQ(names("paris tea"), "Ada;Bob;Tea;green tea;");
  EXPECT_EQ(names("nothing of this"), "");
}

TEST(GraphToolsTest, NothingIsWrittenWhereOneItemIsRefused) {
  Served served;
  served.Good("create_entities", {{"entities", Json::array({Entity("a", "t", {})})}});
  EXPECT_NE(
      served.Bad("create_entities", {{"entities", {Entity("b", "t", {}), Entity("", "t", {})}}})
          .find("entities[1].name"),
      std::string::npos);
  EXPECT_NE(served
                .Bad("create_relations",
                     {{"relations", Json::array({Relation("a", "entity_type", "b")})}})
                .find("entity_type"),
            std::string::npos);
  EXPECT_EQ(served.Bad("add_observations",
                       {{"observations",
                         {{{"entityName", "a"}, {"contents", Json::array({"x"})}},
                          {{"entityName", "zz"}, {"contents", Json::array({"x"})}}}}}),
            "Entity with name zz not found");
  EXPECT_EQ(served.Good("read_graph", Json::object()),
            Json::parse(R"({"entities":[{"name":"a","entityType":"t","observations":[]}],
                            "relations":[]})"));
}

TEST(GraphToolsTest, DeletingTakesWhatEverySourceSaid) {
  Served served;
  served.Good("create_entities", {{"entities", Json::array({Entity("a", "t", {"x"})})}});
  Batch batch;
  const auto symbol = [](std::string_view name) { return TermView{Kind::kSymbol, name}; };
  batch.Add({symbol("a"), symbol("observation"), {Kind::kText, "x"}, symbol("other")}, false);
  batch.Add({symbol("a"), symbol("age"), *MakeNumber("36"), symbol("other")}, false);
  batch.Add({symbol("q"), symbol("knows"), symbol("a"), symbol("other")}, false);
  batch.Add({symbol("b"), symbol("entity_type"), symbol("a"), symbol("other")}, false);
  ASSERT_TRUE(served.store().Apply(batch).ok());
  served.Good("delete_entities", {{"entityNames", Json::array({"a"})}});
  const auto snapshot = served.store().Read();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_EQ((*snapshot)->statements(), 1);  // b is of the type a still
}

}  // namespace
}  // namespace loci::mcp
