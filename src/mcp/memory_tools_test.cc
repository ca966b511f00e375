// SPDX-License-Identifier: Apache-2.0
//
// What holds of all six tools: their descriptions are short, results fit the schemas (testing.h
// checks each), no text is longer than the budget, whatever the memory and the arguments, and pages
// make the whole.
#include "mcp/memory_tools.h"

#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/unicode.h"
#include "mcp/page.h"
#include "mcp/testing.h"

namespace loci::mcp {
namespace {

using Random = std::mt19937;

// Both forms, each with what was left out.
void ExpectWithin(const Json& result, uint64_t max_bytes) {
  size_t text = 0;
  for (const Json& content : result["content"]) {
    text += content["text"].get_ref<const std::string&>().size();
  }
  EXPECT_LE(text, max_bytes) << ToText(result).substr(0, 2000);
  if (result.contains("structuredContent")) {
    EXPECT_LE(ToText(result["structuredContent"]).size(), max_bytes)
        << ToText(result["structuredContent"]).substr(0, 2000);
  }
}

TEST(MemoryToolsTest, AreDescribedInNineKilobytes) {
  size_t bytes = 0;
  for (const Tool& tool : MemoryTools()) {
    bytes += ToText({{"name", tool.name},
                     {"title", tool.title},
                     {"description", tool.description},
                     {"inputSchema", tool.input_schema},
                     {"outputSchema", tool.output_schema}})
                 .size();
    EXPECT_EQ(tool.input_schema["additionalProperties"], false) << tool.name;
    EXPECT_EQ(FindTool(tool.name)->description, tool.description);
  }
  EXPECT_LT(bytes, 9'000u);
  RecordProperty("bytes", static_cast<int>(bytes));
}

TEST(CutTest, KeepsWholeCharactersAndTellsWhatIsMissing) {
  EXPECT_EQ(Cut("abc", 3), "abc");
  EXPECT_EQ(Cut(std::string(100, 'a'), 20), "aaaaa...(+95 bytes)");
  EXPECT_EQ(Cut("äöü", 3), "ä");
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    std::string text;
    while (random() % 40 != 0)
      text += std::vector<const char*>{"a", "ß", "語", "🦉"}[random() % 4];
    const size_t most = random() % 60;
    const std::string cut = Cut(text, most);
    EXPECT_LE(cut.size(), most);
    EXPECT_FALSE(FindInvalidUtf8(cut).has_value());
    EXPECT_TRUE(text.size() > most || cut == text);
  }
}

// Names and texts of all lengths and scripts, some with what JSON and notation escape.
std::string Word(Random* random) {
  static const std::vector<std::string> kParts = {"boat", "Ann", " ",    "\"", "\\", "\n", "語",
                                                  "🦉", "a>b", "\x01", "é",  ".",  "?x"};
  std::string word = "w";
  const size_t parts = (*random)() % 100 < 97 ? (*random)() % 6 : 200 + (*random)() % 3000;
  for (size_t i = 0; i < parts; ++i) word += kParts[(*random)() % kParts.size()];
  return word;
}

void Fill(test::Served* served, Random* random) {
  Json facts = Json::array(), texts = Json::array();
  const std::vector<std::string> relations = {"likes", "knows", "part_of", Word(random),
                                              Word(random)};
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back(Word(random));
  const auto name = [&] { return names[(*random)() % names.size()]; };
  for (int i = 0; i < 60; ++i) {
    Json fact = {{"subject", name()}, {"relation", relations[(*random)() % relations.size()]}};
    switch ((*random)() % 4) {
      case 0:
        fact["text"] = Word(random);
        break;
      case 1:
        fact["number"] = static_cast<int>((*random)() % 1000);
        break;
      default:
        fact["object"] = name();
    }
    facts.push_back(std::move(fact));
  }
  for (int i = 0; i < 20; ++i) {
    texts.push_back({{"text", "boat " + Word(random)}, {"title", Word(random)}});
  }
  for (int source = 0; source < 3; ++source) {
    served->Good("learn", {{"facts", facts}, {"texts", texts}, {"source", Word(random)}});
  }
  served->Good("learn", {{"rules",
                          "meets(?x, ?y) <- knows(?x, ?y) conf 0.5;"
                          "meets(?x, ?z) <- knows(?x, ?y), meets(?y, ?z) conf 0.5;"}});
}

TEST(MemoryToolsTest, KeepToTheBudgetAndPagesMakeTheWhole) {
  Random random(7);
  test::Served served;
  Fill(&served, &random);
  const std::vector<std::pair<std::string, Json>> calls = {
      {"recall", {{"cue", "boat Ann"}, {"limit", 200}}},
      {"recall", {{"cue", "boat"}, {"limit", 200}, {"why", true}}},
      {"ask", {{"query", "?r(?x, ?y)"}, {"limit", 10'000}}},
      {"ask", {{"query", "?r(?x, ?y)"}, {"limit", 10'000}, {"evidence", true}, {"why", true}}},
      {"ask", {{"query", "meets(?x, ?y)"}, {"limit", 10'000}, {"evidence", true}}},
      {"stats", Json::object()},
  };
  for (const auto& [tool, arguments] : calls) {
    const char* const list = tool == "recall" ? "memories"
                             : tool == "ask"  ? "answers"
                                              : "relations";
    size_t whole = 0;
    for (const uint64_t max_bytes : {kMostMaxBytes, uint64_t{1000}, 1000 + random() % 6000}) {
      std::multiset<std::string> seen;
      size_t count = 0;
      for (Json next = 0; !next.is_null();) {
        Json call = arguments;
        call["offset"] = next;
        call["max_bytes"] = max_bytes;
        const Json result = served.Call(tool, call);
        ASSERT_FALSE(result.value("isError", false)) << ToText(result);
        ExpectWithin(result, max_bytes);
        const Json& page = result["structuredContent"];
        ASSERT_EQ(page["offset"], next);
        const size_t size = page[list].size();
        count += size;
        next = page.contains("next") ? page["next"] : Json();
        if (!next.is_null()) {
          ASSERT_GT(size, 0u);
          ASSERT_EQ(next, page["offset"].get<uint64_t>() + size);
          EXPECT_NE(
              result["content"].back()["text"].get<std::string>().find("offset=" + ToText(next)),
              std::string::npos);
        }
        if (max_bytes == kMostMaxBytes && tool == "ask") {
          EXPECT_EQ(ToText(result).find("bytes)"), std::string::npos) << "cut without need";
        }
      }
      if (max_bytes == kMostMaxBytes) whole = count;
      EXPECT_EQ(count, whole) << tool << " " << ToText(arguments) << " " << max_bytes;
      EXPECT_GT(whole, 0u);
    }
  }
  for (const uint64_t max_bytes : {uint64_t{1000}, 1000 + random() % 6000}) {
    const Json asked = served.Good("ask", {{"query", "meets(?x, ?y)"}});
    for (const Json& answer : asked["answers"]) {
      const std::string fact = "meets(" + answer["bindings"]["x"].get<std::string>() + ", " +
                               answer["bindings"]["y"].get<std::string>() + ")";
      if (fact.find("bytes)") != std::string::npos) continue;
      const Json result = served.Call("why", {{"fact", fact}, {"max_bytes", max_bytes}});
      ExpectWithin(result, max_bytes);
      EXPECT_TRUE(result["structuredContent"]["holds"].get<bool>()) << fact;
    }
    const Json result =
        served.Call("forget", {{"naming", "knows"}, {"dry_run", true}, {"max_bytes", max_bytes}});
    ExpectWithin(result, max_bytes);
    EXPECT_GT(result["structuredContent"]["forgotten"], 0);
  }
}

// Arguments of any shape end in a result or an error that is told, and change nothing but by learn
// and forget.
TEST(MemoryToolsTest, TakeHostileArguments) {
  Random random(11);
  test::Served served;
  Fill(&served, &random);
  const std::vector<Json> values = {"",
                                    "?x",
                                    "likes(?x, ?y)",
                                    "<",
                                    "\"",
                                    std::string(100'000, '('),
                                    std::string(70'000, 'n'),
                                    "a\nb",
                                    std::string("nul\0l", 5),
                                    "deadbeefdeadbeef",
                                    "2024-13-99",
                                    0,
                                    1,
                                    -1,
                                    1'000'000'000,
                                    1e300,
                                    0.5,
                                    true,
                                    nullptr,
                                    Json::array(),
                                    Json::object(),
                                    {{"text", "t"}},
                                    Json::array({{{"subject", "s"}, {"relation", "r"}}}),
                                    Json::array({{{"text", ""}}})};
  for (const Tool& tool : MemoryTools()) {
    for (int i = 0; i < 400; ++i) {
      Json arguments = Json::object();
      for (const auto& [name, unused] : tool.input_schema["properties"].items()) {
        if (random() % 3 == 0) arguments[name] = values[random() % values.size()];
      }
      if (tool.input_schema.contains("required") && random() % 8 != 0) {
        const std::string needed = tool.input_schema["required"][0];
        arguments[needed] = values[random() % 11];
      }
      arguments.erase("consolidate");
      const std::string before = (*served.store().Read())->digest().Hex();
      const Json result = served.Call(tool.name, arguments);
      EXPECT_FALSE(result["content"].empty());
      ExpectWithin(result, kMostMaxBytes);
      if (tool.read_only) {
        EXPECT_EQ((*served.store().Read())->digest().Hex(), before);
      }
    }
  }
}

}  // namespace
}  // namespace loci::mcp
