// SPDX-License-Identifier: Apache-2.0
#include "command/shell_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/testing.h"

namespace loci {
namespace {

using test::Symbol;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Two layers: the second forgets a fact, and with it a name and a relation.
Snapshot Atlas() {
  const auto fact = [](const char* s, const char* r, const char* o, bool removed = false) {
    return test::Word{{Symbol(s), Symbol(r), Symbol(o), Symbol("atlas")}, removed};
  };
  const test::Word old[] = {fact("rome", "capital_of", "italy"), fact("romulus", "built", "rome"),
                            fact("New York", "in", "usa")};
  const test::Word recent[] = {fact("romulus", "built", "rome", true),
                               fact("dog.n.01", "in", "r\u00f3mulo"), fact("newark", "in", "usa")};
  return Snapshot({test::LayerOf(old), test::LayerOf(recent)});
}

TEST(ShellNames, BeginAsToldAndAreKnown) {
  const Snapshot atlas = Atlas();
  EXPECT_THAT(NamesWith(atlas, "ro", false, 9), ElementsAre("rome"));
  EXPECT_THAT(NamesWith(atlas, "", true, 9), ElementsAre("capital_of", "in"));
  EXPECT_THAT(NamesWith(atlas, "", true, 1), ElementsAre("capital_of"));
  EXPECT_THAT(NamesWith(atlas, "New", false, 9), ElementsAre("<New York>"));
  EXPECT_THAT(NamesWith(atlas, "zzz", false, 9), IsEmpty());
  EXPECT_THAT(NamesWith(Snapshot({}), "", false, 9), IsEmpty());
}

TEST(ShellNames, OutsideOfParenthesesAreRelations) {
  const Snapshot atlas = Atlas();
  for (const char* line : {"ca", "in(rome, ?x), ca", "^ca", "not ca", "in(\"(\", ?x), ca"}) {
    const Completion completion = CompleteQuery(atlas, line);
    EXPECT_THAT(completion.candidates, ElementsAre("capital_of(")) << line;
    EXPECT_EQ(completion.begin, std::string(line).size() - 2) << line;
  }
}

TEST(ShellNames, WithinAreTerms) {
  const Snapshot atlas = Atlas();
  for (const char* line : {"in(ro", "in(?x, ro", "in((a), <b c>, ro"}) {
    EXPECT_THAT(CompleteQuery(atlas, line).candidates, ElementsAre("rome")) << line;
  }
  EXPECT_THAT(CompleteQuery(atlas, "in(dog.n").candidates, ElementsAre("dog.n.01"));
  EXPECT_THAT(CompleteQuery(atlas, "in(r\u00f3").candidates, ElementsAre("r\u00f3mulo"));
  EXPECT_THAT(CompleteQuery(atlas, "in(N").candidates, ElementsAre("<New York>"));
  EXPECT_THAT(CompleteQuery(atlas, "in(<New Y").candidates, ElementsAre("<New York>"));
  EXPECT_EQ(CompleteQuery(atlas, "in(<New Y").begin, 3u);
  EXPECT_THAT(CompleteQuery(atlas, "in(<newa").candidates, ElementsAre("<newark>"));
}

TEST(ShellNames, VariablesAndTextsAreNobodys) {
  const Snapshot atlas = Atlas();
  for (const char* line : {"in(?ro", "in(\"ro", "?ca", "in(\"a\\\" ro"}) {
    EXPECT_THAT(CompleteQuery(atlas, line).candidates, IsEmpty()) << line;
  }
}

// Any bytes at all: a person may type them.
TEST(ShellNames, AnyLineIsTaken) {
  const Snapshot atlas = Atlas();
  test::Random random(5);
  const std::string alphabet = "ro<>\"\\()?, \xc3\xb3\xff^.";
  for (int i = 0; i < 5000; ++i) {
    std::string line;
    for (uint64_t n = random() % 12; n > 0; --n) line += alphabet[random() % alphabet.size()];
    EXPECT_LE(CompleteQuery(atlas, line).begin, line.size()) << line;
  }
}

}  // namespace
}  // namespace loci
