// SPDX-License-Identifier: Apache-2.0
#include "eval/trec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "eval/beir.h"
#include "eval/testing.h"

namespace loci::eval {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Trec, ReadsARunInTrecEvalsOrder) {
  const test::Folder folder;
  // Ranks say nothing; b and c tie as floats, and the greatest comes first.
  const auto run = ReadRun(folder.Write("run",
                                        "q1 Q0 a 1 0.5 tag\n"
                                        "q1\tQ0\tb\t2\t0.70000000001\ttag\r\n"
                                        "q1 Q0 c 3 0.7 tag\n"
                                        "q2 Q0 a 9 -1e3 x"));
  ASSERT_TRUE(run.ok()) << run.error().message;
  const eval::Run expected = {{"q1", {{"c", 0.7f}, {"b", 0.7f}, {"a", 0.5f}}},
                              {"q2", {{"a", -1000}}}};
  EXPECT_EQ(*run, expected);
}

TEST(Trec, FaultsNameTheirPlace) {
  const struct {
    std::string_view line, place, words;
  } cases[] = {
      {"q1 Q0 a 1 0.5", ":2: ", "has 5 fields, not 6"},
      {"q1 Q0 a 1 0.5x t", ":2:11: ", "\"0.5x\" is not a number"},
      {"q1 Q0 a 1 nan t", ":2:11: ", "is not a number"},
      {"q1 Q0 a 1 -inf t", ":2:11: ", "is not a number"},
      {"q Q0 d 2 1 t", ":2:6: ", "was there before"},
  };
  const test::Folder folder;
  for (const auto& c : cases) {
    const std::string path = folder.Write("run", "q Q0 d 1 1 t\n" + std::string(c.line) + "\n");
    const auto run = ReadRun(path);
    ASSERT_FALSE(run.ok()) << c.line;
    EXPECT_THAT(run.error().message, StartsWith(path + std::string(c.place))) << c.line;
    EXPECT_THAT(run.error().message, HasSubstr(c.words)) << c.line;
  }
}

// What is written is read back in its order, whatever ties there are, and down to where floats end.
TEST(Trec, WhatIsWrittenKeepsItsOrder) {
  const float least = std::ldexp(1.0f, -32);
  const std::vector<Hit> hits = {{"a", 1},     {"b", 1}, {"c", 1}, {"d", 0.25f}, {"e", least},
                                 {"f", least}, {"g", 0}, {"h", 0}, {"i", 0}};
  std::string text;
  AppendRun("q", hits, "loci", &text);
  EXPECT_THAT(text, StartsWith("q Q0 a 1 1 loci\nq Q0 b 2 0.99999994 loci\n"));
  const test::Folder folder;
  const auto run = ReadRun(folder.Write("run", text));
  ASSERT_TRUE(run.ok()) << run.error().message;
  std::string order;
  for (const Hit& hit : run->at("q")) order += hit.document;
  EXPECT_EQ(order, "abcdefghi");
}

TEST(Trec, JudgementsAreReadBack) {
  const Judgements judgements = {{"q1", {{"a", 2}, {"b", -1}}}, {"q2", {{"c", 1}}}};
  std::string text;
  for (const auto& [query, grades] : judgements) AppendQrels(query, grades, &text);
  EXPECT_EQ(text, "q1 0 a 2\nq1 0 b -1\nq2 0 c 1\n");
  const test::Folder folder;
  const auto read = ReadJudgements(folder.Write("qrels", text));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, judgements);
}

TEST(Trec, AnIdWithASpaceIsRefused) {
  EXPECT_TRUE(CheckTrecId("D1:3").ok());
  for (const char* id : {"a b", " a", "a\t", ""}) EXPECT_FALSE(CheckTrecId(id).ok()) << id;
}

}  // namespace
}  // namespace loci::eval
