// SPDX-License-Identifier: Apache-2.0
//
// The table of verbs is sound, its examples parse, and lines that do not fit are refused with the
// word that is wrong.
#include "command/parse.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Words of an example as a shell would split them: single quotes group; &&, |, < and > end
// the command.
std::vector<std::string> ShellWords(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false, any = false;
  for (char c : std::string(line) + " ") {
    if (c == '\'') {
      quoted = !quoted;
      any = true;
    } else if (c == ' ' && !quoted) {
      if (any || !word.empty()) words.push_back(word);
      word.clear();
      any = false;
    } else {
      word += c;
    }
  }
  const auto ends = [](const std::string& w) {
    return w == "&&" || w == "|" || w == "<" || w == ">";
  };
  return {words.begin(), std::find_if(words.begin(), words.end(), ends)};
}

Result<Invocation> Parse(std::string_view line) {
  std::vector<std::string> words = ShellWords(line);
  const Verb* verb = FindVerb(words.front());
  words.erase(words.begin());
  return ParseInvocation(*verb, words);
}

std::string ErrorOf(std::string_view line) {
  const auto result = Parse(line);
  if (result.ok()) return "none";
  EXPECT_EQ(result.error().kind, ErrorKind::kUsage);
  return result.error().message;
}

TEST(Verbs, TableIsSound) {
  std::set<std::string_view> names;
  for (const Verb& verb : Verbs()) {
    EXPECT_TRUE(names.insert(verb.name).second) << verb.name << " twice";
    EXPECT_FALSE(verb.summary.empty());
    EXPECT_NE(verb.summary.back(), '.') << verb.name;
    EXPECT_NE(verb.run, nullptr);
    std::set<std::string_view> flags;
    for (const Flag& flag : verb.flags) {
      EXPECT_TRUE(flags.insert(flag.name).second) << verb.name << " --" << flag.name << " twice";
      EXPECT_FALSE(flag.help.empty()) << verb.name << " --" << flag.name;
      EXPECT_EQ(flag.value.empty(), flag.type == Flag::Type::kSwitch)
          << verb.name << " --" << flag.name;
    }
    for (const Example& example : verb.examples) {
      EXPECT_EQ(example.command.substr(0, example.command.find(' ')), verb.name);
      EXPECT_TRUE(Parse(example.command).ok()) << example.command;
    }
  }
}

TEST(Parse, TakesFlagsAnywhere) {
  auto result = Parse("ask m -k 5 q --evidence --json");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result->arguments, ElementsAre("m", "q"));
  EXPECT_EQ(result->CountOr("limit", 0), 5u);
  EXPECT_TRUE(result->Has("json"));
  EXPECT_FALSE(result->Has("tsv"));
  EXPECT_EQ(Parse("ask m q --limit=7")->CountOr("limit", 0), 7u);
}

TEST(Parse, LeavesArgumentsAsTheyAre) {
  auto result = Parse("learn m [a,b] - -- --source -x");
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_THAT(result->arguments, ElementsAre("m", "[a,b]", "-", "--source", "-x"));
  EXPECT_EQ(Parse("learn m f --source [x,y]")->Text("source"), "[x,y]");
  EXPECT_EQ(Parse("learn m f --source=-x")->Text("source"), "-x");
}

TEST(Parse, NamesWhatDoesNotFit) {
  EXPECT_EQ(ErrorOf("ask m"), "ask: QUERY is missing; 'loci help ask' tells more");
  EXPECT_THAT(ErrorOf("ask m q r"), HasSubstr("'r' is one argument too many"));
  EXPECT_THAT(ErrorOf("ask m q --evidnce"), HasSubstr("did you mean --evidence?"));
  EXPECT_THAT(ErrorOf("ask m q --frobnicate"), HasSubstr("there is no flag '--frobnicate'"));
  EXPECT_THAT(ErrorOf("ask m q -z"), HasSubstr("there is no flag '-z'"));
  EXPECT_THAT(ErrorOf("ask m q -k"), HasSubstr("--limit needs a value"));
  EXPECT_THAT(ErrorOf("ask m q --tsv --json"), HasSubstr("--json and --tsv exclude each other"));
  EXPECT_THAT(ErrorOf("learn m f --source a --source b"), HasSubstr("--source is given 2 times"));
  EXPECT_THAT(ErrorOf("forget m f --subject s"), HasSubstr("FACT and --subject exclude"));
  for (const char* bad : {"0", "-3", "x", "5x", "1.5", "18446744073709551616", "''"}) {
    EXPECT_NE(ErrorOf(std::string("ask m q --limit ") + bad), "none") << bad;
  }
}

}  // namespace
}  // namespace loci
