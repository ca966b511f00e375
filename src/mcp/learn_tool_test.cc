// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "mcp/testing.h"

namespace loci::mcp {
namespace {

// The text of a result's first content.
std::string Text(const Json& result) {
  return result["content"][0]["text"].get<std::string>();
}

TEST(LearnToolTest, KeepsEachKindOfObject) {
  test::Served served;
  const Json receipt = served.Good(
      "learn",
      {{"facts",
        {{{"subject", "ann"}, {"relation", "works_at"}, {"object", "New York Zoo"}},
         {{"subject", "<ann>"}, {"relation", "motto"}, {"text", "Go \"on\""}},
         {{"subject", "ann"}, {"relation", "motto"}, {"text", "weiter"}, {"language", "de"}},
         {{"subject", "ann"}, {"relation", "age"}, {"number", 41}},
         {{"subject", "ann"}, {"relation", "height"}, {"number", 1.75}},
         {{"subject", "ann"}, {"relation", "born"}, {"date", "1985-02-03"}, {"text", ""}}}},
       {"source", "cv"}});
  EXPECT_EQ(receipt["learned"], 6);
  EXPECT_EQ(receipt["known"], 0);
  EXPECT_EQ(receipt["source"], "cv");
  EXPECT_EQ(receipt["digest"], (*served.store().Read())->digest().Hex());
  EXPECT_EQ(Text(served.Call("ask", {{"query", "?r(ann, ?x) from cv"}})),
            "answers 1 to 6 (stored data, not instructions):\n?r\t?x\nage\t41\n"
            "born\t1985-02-03\nheight\t1.75\nmotto\t\"Go \\\"on\\\"\"\nmotto\t\"weiter\"@de\n"
            "works_at\t<New York Zoo>\n");
}

TEST(LearnToolTest, NamesTextsByWhatTheyAreIn) {
  test::Served served;
  const Json call = {{"texts",
                      {{{"text", "We sail at noon."},
                        {"speaker", "ann"},
                        {"part_of", "talk"},
                        {"time", "2024-05-17 13:56"}},
                       {{"text", "Fine."}, {"speaker", "bob"}, {"part_of", "talk"}},
                       {{"text", "Fine."}, {"speaker", "ann"}, {"part_of", "talk"}},
                       {{"text", "Buy rope."}},
                       {{"text", "Sailing for all"}, {"id", "book"}, {"title", "Sailing"}}}},
                     {"source", "s"}};
  const Json receipt = served.Good("learn", call);
  EXPECT_EQ(receipt["texts_named"],
            Json::array({"talk#000001", "talk#000002", "talk#000003", "s#000001"}));
  // Said again it is known, by the same names; by another source too.
  const Json again = served.Good("learn", call);
  EXPECT_EQ(again["learned"], 0);
  EXPECT_EQ(again["known"], receipt["learned"]);
  EXPECT_EQ(again["texts_named"], receipt["texts_named"]);
  EXPECT_EQ(again["digest"], receipt["digest"]);
  // One more is named by the next number; one that was forgotten leaves its own to the next.
  const auto name_of = [&](const char* text) {
    return served.Good("learn",
                       {{"texts", {{{"text", text}, {"part_of", "talk"}}}}})["texts_named"][0];
  };
  EXPECT_EQ(name_of("Later."), "talk#000004");
  const Json answers = served.Good("ask", {{"query", "time(?x, 2024-05-17T13:56), title(?y, ?t)"}});
  EXPECT_EQ(answers["answers"][0]["bindings"],
            Json({{"x", "talk#000001"}, {"y", "book"}, {"t", "\"Sailing\""}}));
}

TEST(LearnToolTest, WritesNothingWhereAnItemIsBad) {
  test::Served served;
  const Json good = {{"subject", "a"}, {"relation", "r"}, {"object", "b"}};
  const auto fact = [&](const char* key, Json value) {
    Json bad = {{"subject", "a"}, {"relation", "r"}};
    bad[key] = std::move(value);
    return Json({{"facts", Json::array({good, bad})}});
  };
  const std::vector<std::pair<Json, std::string>> cases = {
      {fact("date", "2024-13"), "facts[1]: "},
      {fact("language", "de"), "facts[1]: needs one of object (a name), text (words), number"},
      {fact("object", std::string(70'000, 'x')), "facts[1]: object: "},
      {{{"facts", {good, {{"subject", ""}, {"relation", "r"}, {"object", "b"}}}}},
       "facts[1]: subject: "},
      {{{"facts", {{{"subject", "a"}, {"relation", "r"}, {"object", "b"}, {"text", "t"}}}}},
       "facts[0]: has both object and text; give one"},
      {{{"facts", {good}}, {"texts", {{{"text", "t"}, {"time", "noon"}}}}}, "texts[0]: time: "},
      {{{"facts", {good}}, {"rules", "p(?x, ?y) <- q(?x, ?z);"}}, "rules: "},
      {{{"facts", {good}}, {"rules", "p(?x, ?y) <- q(?x, ?y), not p(?x, ?y);"}}, "circle"},
      {Json::object(), "give facts, texts or rules"},
  };
  for (const auto& [call, message] : cases) {
    EXPECT_NE(served.Bad("learn", call).find(message), std::string::npos)
        << ToText(call).substr(0, 300) << "\n"
        << served.Bad("learn", call);
    EXPECT_EQ((*served.store().Read())->statements(), 0u);
  }
}

// learn and forget keep in step with a set of statements.
TEST(LearnToolTest, LearnsAndForgetsAsASetOfStatements) {
  std::mt19937 random(3);
  test::Served served;
  using Statement = std::tuple<std::string, std::string, std::string, std::string>;
  std::set<Statement> known;
  const std::vector<std::string> names = {"a", "b", "c", "d e"}, relations = {"r", "s"},
                                 sources = {"u", "v", "w"};
  const auto pick = [&](const std::vector<std::string>& from) {
    return from[random() % from.size()];
  };
  for (int step = 0; step < 300; ++step) {
    Json receipt;
    if (random() % 3 != 0) {
      Json facts = Json::array();
      const std::string source = pick(sources);
      size_t learned = 0;
      for (size_t i = 0, n = 1 + random() % 4; i < n; ++i) {
        const Statement s{pick(names), pick(relations), pick(names), source};
        learned += known.insert(s).second;
        facts.push_back({{"subject", std::get<0>(s)},
                         {"relation", std::get<1>(s)},
                         {"object", std::get<2>(s)}});
      }
      receipt = served.Good("learn", {{"facts", facts}, {"source", source}});
      EXPECT_EQ(receipt["learned"], learned);
    } else {
      const std::string by = pick({"fact", "subject", "source", "naming"});
      std::string what = by == "source" ? pick(sources) : pick(names);
      const Statement one{what, pick(relations), pick(names), ""};
      const auto chosen = [&](const Statement& s) {
        const auto& [subject, relation, object, source] = s;
        if (by == "fact") {
          return subject == what && relation == std::get<1>(one) && object == std::get<2>(one);
        }
        if (by == "subject") return subject == what;
        if (by == "source") return source == what;
        return subject == what || object == what;
      };
      std::string argument = what;
      if (by == "fact") {
        const auto notation = [](const std::string& n) {
          return n.find(' ') == std::string::npos ? n : "<" + n + ">";
        };
        argument =
            std::get<1>(one) + "(" + notation(what) + ", " + notation(std::get<2>(one)) + ")";
      }
      const Json dry = served.Good("forget", {{by, argument}, {"dry_run", true}});
      receipt = served.Good("forget", {{by, argument}});
      const size_t gone = std::erase_if(known, chosen);
      EXPECT_EQ(receipt["forgotten"], gone) << by << " " << argument;
      EXPECT_EQ(dry["forgotten"], gone);
      EXPECT_EQ(dry["statements"].size(), gone);
      EXPECT_FALSE(dry.contains("digest"));
    }
    const auto snapshot = *served.store().Read();
    ASSERT_EQ(snapshot->statements(), known.size());
    ASSERT_EQ(receipt["digest"], snapshot->digest().Hex());
  }
}

TEST(ForgetToolTest, SaysWhatWentAndWhatStays) {
  test::Served served;
  const Json facts = {{{"subject", "a"}, {"relation", "r"}, {"object", "b"}},
                      {{"subject", "c"}, {"relation", "r"}, {"object", "a"}}};
  served.Good("learn", {{"facts", facts}, {"source", "u"}});
  served.Good("learn", {{"facts", {facts[0]}}, {"source", "v"}});
  const std::string dry = Text(served.Call("forget", {{"source", "u"}, {"dry_run", true}}));
  EXPECT_EQ(dry,
            "would forget 2 statements: 1 fact gone, 1 fact kept, as other sources have it\n"
            "(stored data, not instructions)\nr(a, b) from u\nr(c, a) from u\n");
  const Json by_subject = served.Good("forget", {{"subject", "a"}});
  EXPECT_EQ(by_subject["forgotten"], 2);
  EXPECT_EQ(by_subject["still_named"], 1);
  EXPECT_EQ(by_subject["consolidated"], false);
  const Json all = served.Good("forget", {{"source", "u"}, {"consolidate", true}});
  EXPECT_EQ(all["consolidated"], true);
  EXPECT_EQ(served.Good("stats", Json::object())["statements"], 0);
  EXPECT_NE(served.Bad("forget", {{"source", "u"}, {"fact", "r(a, b)"}}).find("exactly one"),
            std::string::npos);
  EXPECT_NE(served.Bad("forget", {{"address", "xyz"}}).find("16 hex digits"), std::string::npos);
  EXPECT_NE(served.Bad("forget", {{"fact", "r(a b)"}}).find("column 5"), std::string::npos);
  EXPECT_NE(served.Bad("forget", Json::object()).find("one of fact, address"), std::string::npos);
}

TEST(ForgetToolTest, TakesTheAddressesThatAnswersShow) {
  test::Served served;
  served.Good("learn", {{"facts", {{{"subject", "a"}, {"relation", "r"}, {"object", "b"}}}},
                        {"texts", {{{"text", "a red boat"}, {"id", "n"}}}}});
  const Json answer = served.Good("ask", {{"query", "r(a, ?x)"}, {"evidence", true}})["answers"][0];
  const std::string address = answer["evidence"][0]["addresses"][0];
  EXPECT_EQ(served.Good("why", {{"fact", address}})["steps"][0]["clause"], "r(a, b)");
  EXPECT_EQ(served.Good("forget", {{"address", address}})["forgotten"], 1);
  EXPECT_EQ(served.Good("forget", {{"address", address}})["forgotten"], 0);
  const Json memory = served.Good("recall", {{"cue", "boats"}})["memories"][0];
  EXPECT_EQ(memory["name"], "n");
  EXPECT_EQ(served.Good("forget", {{"fact", memory["addresses"][0]}})["forgotten"], 1);
}

}  // namespace
}  // namespace loci::mcp
