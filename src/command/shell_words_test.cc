// SPDX-License-Identifier: Apache-2.0
#include "command/shell_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> Split(std::string_view line) {
  const auto words = SplitWords(line);
  EXPECT_TRUE(words.ok()) << words.error().message;
  return words.ok() ? *words : std::vector<std::string>();
}

TEST(ShellWords, AreSeparatedBySpaces) {
  EXPECT_THAT(Split("learn  facts.tsv\t--every 3 "),
              ElementsAre("learn", "facts.tsv", "--every", "3"));
  EXPECT_THAT(Split(""), IsEmpty());
  EXPECT_THAT(Split("  "), IsEmpty());
}

TEST(ShellWords, AFactIsOne) {
  EXPECT_THAT(Split(R"x(why capital_of(rome, "Ro ma\" )"@it) x)x"),
              ElementsAre("why", R"x(capital_of(rome, "Ro ma\" )"@it))x", "x"));
  EXPECT_THAT(Split("forget <New York> in(<New York>, <a \\> b>)"),
              ElementsAre("forget", "<New York>", "in(<New York>, <a \\> b>)"));
  EXPECT_THAT(Split("r)(a b)c d"), ElementsAre("r)(a b)c", "d"));
}

TEST(ShellWords, QuotesFromEndToEndAreTakenOff) {
  EXPECT_THAT(Split(R"(read "my file" 'it "is"' '')"),
              ElementsAre("read", "my file", R"(it "is")", ""));
  EXPECT_THAT(Split(R"("a text"@en "a""b" rock'n'roll a<b)"),
              ElementsAre(R"("a text"@en)", R"("a""b")", "rock'n'roll", "a<b"));
}

TEST(ShellWords, WhatIsNotClosedIsAnError) {
  for (const char* line : {"read 'a", "read \"a\\\"", "why r(a, <b)", "why <"}) {
    const auto words = SplitWords(line);
    ASSERT_FALSE(words.ok()) << line;
    EXPECT_THAT(words.error().message, HasSubstr("is not closed"));
  }
}

TEST(ShellWords, OneTextIsJoined) {
  const Verb& forget = *FindVerb("forget");
  EXPECT_THAT(JoinText(forget, {"r(a, b)", "from", "s", "--dry-run"}),
              ElementsAre("--dry-run", "r(a, b) from s"));
  EXPECT_THAT(JoinText(forget, {"--source", "s"}), ElementsAre("--source", "s"));
  EXPECT_THAT(JoinText(*FindVerb("ask"), {"-k", "3", "r(?x,", "b)"}),
              ElementsAre("-k", "3", "r(?x, b)"));
  EXPECT_THAT(JoinText(*FindVerb("learn"), {"a", "b"}), ElementsAre("a", "b"));
  EXPECT_THAT(JoinText(*FindVerb("config"), {"key", "7"}), ElementsAre("key", "7"));
  EXPECT_THAT(JoinText(*FindVerb("stats"), {"x"}), ElementsAre("x"));
}

}  // namespace
}  // namespace loci
