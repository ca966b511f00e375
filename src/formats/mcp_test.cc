// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(Mcp, EntitiesObservationsAndRelations) {
  const auto all = Collect(
      R"({"type":"entity","name":"Ada L","entityType":"person","observations":["likes tea","", "a \"b\"\n"]})"
      "\n\r\n"
      R"({"observations":[ ],"entityType":"firm","name":"Acme","type":"entity"})"
      "\r\n"
      R"( {"type":"relation","from":"Ada L","to":"nobody","relationType":"works at"} )",
      "", false, "memory.jsonl");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.report.format, "mcp");
  EXPECT_EQ(all.statements, (Lines{"Ada L\tentity_type\tperson\tmemory.jsonl",
                                   "Ada L\tobservation\t\"likes tea\"\tmemory.jsonl",
                                   "Ada L\tobservation\t\"\"\tmemory.jsonl",
                                   "Ada L\tobservation\t\"a \\\"b\\\"\\n\"\tmemory.jsonl",
                                   "Acme\tentity_type\tfirm\tmemory.jsonl",
                                   "Ada L\tworks at\tnobody\tmemory.jsonl"}));
}

// The reference server takes them; a name may not be empty, a text may.
TEST(Mcp, TheEmptyTypeIsAText) {
  const auto all =
      Collect(R"({"type":"entity","name":"n","entityType":"","observations":[]})", "mcp");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.statements, (Lines{"n\tentity_type\t\"\"\tin"}));
}

TEST(Mcp, FaultsHaveLineAndColumn) {
  const std::string both =
      R"(write {"type":"entity","name":"...","entityType":"...","observations":["..."]} or )"
      R"({"type":"relation","from":"...","to":"...","relationType":"..."})";
  const std::string entity =
      R"(write {"type":"entity","name":"...","entityType":"...","observations":["..."]})";
  const struct {
    std::string line, error;
  } cases[] = {
      {R"({"type":"entity","name":"","entityType":"t","observations":[]})",
       "in:1:25: name: the name is empty; give it at least one character"},
      {R"({"type":"relation","from":"a","to":"","relationType":"r"})",
       "in:1:36: to: the name is empty; give it at least one character"},
      {R"({"type":"relation","from":"a","to":"b","relationType":""})",
       "in:1:55: relationType: the name is empty; give it at least one character"},
      {R"({"type":"relation","from":"a","to":"b","relationType":"entity_type"})",
       "in:1:55: a relation of the type \"entity_type\" would be taken for the type of an entity; "
       "give it another name"},
      {R"({"type":"thing"})",
       "in:1:9: the type \"thing\" is neither \"entity\" nor \"relation\"; " + both},
      {R"({"name":"n"})", R"(in:1: "{"name":"n"}" has no "type"; )" + both},
      {R"({"type":"entity","name":"n","entityType":"t"})",
       R"(in:1: "{"type":"entity","name":"n","entityType":"t"}" has no "observations"; )" + entity},
      {R"({"type":"entity","name":"n","entityType":"t","observations":"x"})",
       "in:1:61: \"x\" is not an array; \"observations\" needs one of strings"},
      {R"({"type":"entity","name":"n","entityType":"t","observations":["x",5]})",
       "in:1:66: 5 is not a string; \"observations\" needs an array of them"},
      {R"({"type":"entity","name":7,"entityType":"t","observations":[]})",
       "in:1:25: 7 is not a string; \"name\" needs one"},
      {R"({"type":"entity","name":"n","entityType":"t","observations":[],"from":"x"})",
       "in:1:71: \"from\" in an entity; " + entity},
      {R"({"type":"entity","name":"n","name":"m"})",
       "in:1:29: the key \"name\" is given twice; give it once"},
      {R"({"type":"entity","created":5})", "in:1:18: unknown key \"created\"; " + both},
      {R"(["type"])", R"(in:1:1: "["type"]" is not a JSON object; )" + both},
      {R"({"type":"relation","from":"a)", R"(in:1: "{"type":"relation","from":"a" is not JSON: )"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Collect(c.line, "mcp").error.substr(0, c.error.size()), c.error) << c.line;
  }
  // A damaged line in the middle costs that line.
  const auto skipped = Collect(
      R"({"type":"entity","name":"a","entityType":"t","observations":["x"]})"
      "\n"
      R"({"type":"entity","name":"b","entityType":"t","observations":["kept whole or not", "\ud800"]})"
      "\n"
      R"({"type":"entity","name":"c","entityTy)"
      "\n"
      R"({"type":"entity","name":"d","entityType":"t","observations":[]})",
      "mcp", true);
  EXPECT_EQ(skipped.bad.size(), 2u);
  EXPECT_EQ(skipped.statements,
            (Lines{"a\tentity_type\tt\tin", "a\tobservation\t\"x\"\tin", "d\tentity_type\tt\tin"}));
}

// Graphs as the server keeps them are told again from their statements.
TEST(Mcp, AGraphIsToldAgainFromItsStatements) {
  std::mt19937 random(41);
  const auto any = [&](size_t least) {
    std::string text(least + random() % 3, 'x');
    for (char& c : text) c = "ab\"\\"[random() % 4];
    return text;
  };
  const auto json = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) out += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
    return out + "\"";
  };
  for (int round = 0; round < 300; ++round) {
    std::set<std::string> expected;  // entities, observations, relations
    std::string bytes;
    for (int i = 0; i < 6; ++i) {
      if (random() % 2) {
        const std::string name = any(1), type = any(1);
        expected.insert("entity " + name + " of " + type);
        bytes += "{\"type\":\"entity\",\"name\":" + json(name) + ",\"entityType\":" + json(type) +
                 ",\"observations\":[";
        for (size_t n = random() % 3, k = 0; k < n; ++k) {
          const std::string text = any(0);
          expected.insert("observation " + name + ": " + text);
          bytes += (k ? "," : "") + json(text);
        }
        bytes += "]}\n";
      } else {
        const std::string from = any(1), to = any(1), type = any(1);
        expected.insert("relation " + from + " " + type + " " + to);
        bytes += "{\"type\":\"relation\",\"from\":" + json(from) + ",\"to\":" + json(to) +
                 ",\"relationType\":" + json(type) + "}\n";
      }
    }
    struct Sink : StatementSink {
      Result<void> Add(const StatementView& s) override {
        const std::string subject(s.subject.bytes), relation(s.relation.bytes),
            object(s.object.bytes);
        if (s.object.kind == Kind::kText) {
          told.insert("observation " + subject + ": " + object);
        } else if (relation == "entity_type") {
          told.insert("entity " + subject + " of " + object);
        } else {
          told.insert("relation " + subject + " " + relation + " " + object);
        }
        return {};
      }
      std::set<std::string> told;
    } sink;
    ReadOptions options;
    options.format = "mcp";
    options.block_bytes = 1 + random() % 99;
    const auto report = ReadStatementsFromBytes(bytes, "memory.jsonl", options, &sink);
    ASSERT_TRUE(report.ok()) << report.error().message << "\n" << bytes;
    ASSERT_EQ(sink.told, expected);
  }
}

}  // namespace
}  // namespace loci
