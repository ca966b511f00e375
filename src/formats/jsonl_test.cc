// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "base/unicode.h"
#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

std::string Object(std::string_view object) {
  return R"({"subject":"s","relation":"r","object":)" + std::string(object) + "}";
}

TEST(Jsonl, ReadsEveryKindOfObject) {
  const struct {
    std::string_view json, field;
  } cases[] = {
      {R"("a b")", "a b"},
      {R"("5")", "5"},
      {R"("\u00e9\ud83d\ude00\n")", "<\u00e9\U0001F600\\u000A>"},
      {R"("<x>")", "<<x\\>>"},
      {R"({"symbol":"x"})", "x"},
      {R"({"text":"he \"said\""})", "\"he \\\"said\\\"\""},
      {R"({"text":""})", "\"\""},
      {R"({"lang":"en","text":"no"})", "\"no\"@en"},
      {R"({"text":"1","datatype":"xsd:byte"})", "\"1\"^^xsd:byte"},
      {R"({"text":"1.0","datatype":"number"})", "\"1\"^^number"},
      {R"({"number":"1.50"})", "\"1.5\"^^number"},
      {R"({"number":-0.10})", "\"-0.1\"^^number"},
      {R"( 12345678901234567890123456789012.5 )", "\"12345678901234567890123456789012.5\"^^number"},
      {R"(1E400)", "\"1e400\"^^number"},
      {R"(0)", "\"0\"^^number"},
      {R"({"date":"2024-05"})", "\"2024-05\"^^date"},
  };
  for (const auto& c : cases) {
    const auto all = Collect(Object(c.json), "jsonl");
    EXPECT_EQ(all.error, "") << c.json;
    EXPECT_EQ(all.statements, Lines{"s\tr\t" + std::string(c.field) + "\tin"}) << c.json;
  }
  const auto all = Collect(
      "\xEF\xBB\xBF { \"source\" : \"x\", \"object\":\"o\", \"relation\":\"r\", "
      "\"s\\u0075bject\":\"s\" } \r\n\n  \n" +
          Object("1") + "\n",
      "jsonl");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.statements, (Lines{"s\tr\to\tx", "s\tr\t\"1\"^^number\tin"}));
}

// The line is refused at the column (0: as a whole) with a message that holds the words.
void ExpectFault(const std::string& line, size_t column, std::string_view words) {
  const auto all = Collect(Object("1") + "\n" + line + "\n" + Object("2"), "jsonl", true);
  const std::string head = line.substr(0, 200);
  EXPECT_EQ(all.statements.size(), 2u) << head;
  ASSERT_EQ(all.bad.size(), 1u) << head;
  const std::string place = column == 0 ? "in:2: " : "in:2:" + std::to_string(column) + ": ";
  EXPECT_EQ(all.bad[0].substr(0, place.size()), place) << head << "\n" << all.bad[0];
  EXPECT_NE(all.bad[0].find(words), std::string::npos) << all.bad[0];
}

TEST(Jsonl, FaultsHaveLineAndColumn) {
  ExpectFault("5", 1, "not a JSON object");
  ExpectFault("[1]", 1, "not a JSON object");
  ExpectFault("{", 1, "closing }");
  ExpectFault("{\u20ac", 2, "\"\u20ac\" where the object's closing }");
  ExpectFault("{}", 0, "no \"subject\"");
  ExpectFault(R"({"subject":"s","relation":"r"})", 0, "no \"object\"");
  ExpectFault(R"({"subject":"s","relation":"r","object":"o","extra":1})", 44,
              "unknown key \"extra\"");
  ExpectFault(R"({"subject":"s","subject":"t","relation":"r","object":"o"})", 16, "given twice");
  ExpectFault(R"({"subject":"s","s\u0075bject":"t","relation":"r","object":"o"})", 16,
              "given twice");
  ExpectFault(R"({"subject":1,"relation":"r","object":"o"})", 12, "not a string");
  ExpectFault(R"({"subject":"","relation":"r","object":"o"})", 12, "the name is empty");
  ExpectFault(R"({"subject":"s","relation":null,"object":"o"})", 27, "not a string");
  ExpectFault("{\"subject\":\"\u00e9\",\"relation\":[],\"object\":\"o\"}", 27, "not a string");
  ExpectFault(Object("null"), 40, "no object of a statement");
  ExpectFault(Object("true"), 40, "no object of a statement");
  ExpectFault(Object("[1,2]"), 40, "no object of a statement");
  ExpectFault(Object("{}"), 40, "no value");
  ExpectFault(Object(R"({"text":"a","date":"2024"})"), 40, "several values");
  ExpectFault(Object(R"({"symbol":"a","lang":"en"})"), 40, "tags that do not fit");
  ExpectFault(Object(R"({"text":"a","lang":"en","datatype":"b"})"), 40, "tags that do not fit");
  ExpectFault(Object(R"({"text":"a","text":"b"})"), 52, "given twice");
  ExpectFault(Object(R"({"text":{"text":"b"}})"), 48, "not a string");
  ExpectFault(Object(R"({"vector":[1,2]})"), 41, "vectors are not supported yet");
  ExpectFault(Object(R"({"subject":"x"})"), 41, "unknown key");
  ExpectFault(Object(R"({"text":"a","lang":"e n"})"), 59, "language tag");
  ExpectFault(Object(R"({"number":"x"})"), 50, "not a number");
  ExpectFault(Object(R"({"date":"2024-13"})"), 48, "not a date");
  ExpectFault(Object("01"), 40, "not a JSON number");
  ExpectFault(Object("1.5x"), 40, "not a JSON number");
  ExpectFault(Object("-"), 40, "not a JSON number");
  ExpectFault(Object(R"("\ud800")"), 40, "lone surrogate");
  ExpectFault(Object(R"("\q")"), 40, "not valid");
  ExpectFault(Object("\"a\xff\""), 42, "not UTF-8");
  ExpectFault(Object("\"a\x01\""), 0, "not JSON");
  ExpectFault(R"({"subject":"s" "relation":"r","object":"o"})", 16, "not JSON");
  ExpectFault(R"({"subject":"s","relation":"r","object":"o"} x)", 45, "closing }");
  ExpectFault(R"({"subject":"s","relation":"r","object":"o"}{"subject":"s"})", 44,
              "after the object");
  ExpectFault(R"({"subject":"s","relation":"r","object":"o",})", 44, "not JSON");
  ExpectFault(R"({"subject":"s","relation":"r","object":"o")", 42, "closing }");
}

TEST(Jsonl, DeepNestingAndHugeLinesAreNoTrouble) {
  ExpectFault(Object(std::string(100'000, '[')), 40, "no object");
  ExpectFault(Object(std::string(50'000, '[') + std::string(50'000, ']')), 40, "no object");
  std::string deep;
  for (int i = 0; i < 20'000; ++i) deep += "{\"text\":";
  ExpectFault(Object(deep + "1" + std::string(20'000, '}')), 48, "not a string");
  const std::string text(5'000'000, 'x');
  const auto all = Collect(Object("{\"text\":\"" + text + "\"}"), "jsonl");
  ASSERT_EQ(all.statements.size(), 1u) << all.error;
  EXPECT_EQ(all.statements[0], "s\tr\t\"" + text + "\"\tin");
}

std::string JsonString(std::string_view utf8) {
  std::string out = "\"";
  for (char c : utf8) {
    char escape[8];
    if (c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

TEST(Jsonl, WhatIsWrittenIsReadInAnyBlocks) {
  std::mt19937 random(13);
  static const uint32_t kSome[] = {'a', '"', '\\', '\n', 0, '<', 0xE9, 0x301, 0x2028, 0x1F600, '/'};
  for (int round = 0; round < 3000; ++round) {
    std::string s;
    for (size_t n = 1 + random() % 8; n > 0; --n)
      AppendUtf8(&s, kSome[random() % std::size(kSome)]);
    const std::string line = R"({"subject":)" + JsonString(s) +
                             R"(,"relation":"r","object":{"text":)" + JsonString(s) + "}}\n";
    const auto all = Collect(line, "jsonl", false, "in", 1 + random() % 17);
    ASSERT_EQ(all.error, "");
    ASSERT_EQ(all.statements,
              Lines{ToField(*MakeSymbol(s)) + "\tr\t" + ToField(*MakeText(s)) + "\tin"});
  }
}

// Damaged lines: a fault or a statement, never a crash, and the lines around are read.
TEST(Jsonl, DamagedLinesStayTheirOwn) {
  std::mt19937 random(14);
  const std::string whole = Object(R"({"text":"a\u00e9","lang":"en"})");
  for (int round = 0; round < 10'000; ++round) {
    std::string line = whole;
    for (size_t k = 1 + random() % 3; k > 0; --k) {
      const size_t at = random() % line.size();
      if (random() % 3 == 0) {
        line.erase(at, 1 + random() % 5);
      } else {
        line[at] = "{}[]\",:\\u0 1nt\xff"[random() % 15];
      }
      if (line.empty()) line = "x";
    }
    if (line.find_first_not_of(" \t") == std::string::npos) continue;
    const auto all =
        Collect(Object("1") + "\n" + line + "\n" + Object("2"), "jsonl", true, "in", 4096);
    ASSERT_EQ(all.error, "");
    ASSERT_EQ(all.statements.size() + all.bad.size(), 3u) << line;
    ASSERT_EQ(all.statements.front(), "s\tr\t\"1\"^^number\tin");
    ASSERT_EQ(all.statements.back(), "s\tr\t\"2\"^^number\tin");
  }
}

}  // namespace
}  // namespace loci
