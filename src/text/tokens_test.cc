// SPDX-License-Identifier: Apache-2.0
#include "text/tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/unicode.h"

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Words(std::string_view text) {
  Tokens tokens;
  Tokenize(text, &tokens);
  std::vector<std::string> words;
  for (const Token& token : tokens.list()) words.emplace_back(tokens.Folded(token));
  return words;
}

TEST(TokensTest, OfLatinText) {
  EXPECT_THAT(Words("The dog's tail, isn't it?"), ElementsAre("the", "dog", "tail", "isnt", "it"));
  EXPECT_THAT(Words("O\u2019Neil's \u00C9COLE na\u00EFve"), ElementsAre("oneil", "ecole", "naive"));
  EXPECT_THAT(Words("e\u0301cole"), ElementsAre("ecole"));  // any normal form
  EXPECT_THAT(Words("stra\u00DFe STRASSE"), ElementsAre("strasse", "strasse"));
  EXPECT_THAT(Words("3.14 1,000 v2.0. 1998, 5"), ElementsAre("3.14", "1000", "v2.0", "1998", "5"));
  EXPECT_THAT(Words("C++ c# a+b F#, x+++ well-known snake_case"),
              ElementsAre("c++", "c#", "a", "b", "f#", "x", "well", "known", "snake", "case"));
  EXPECT_THAT(Words("rock'n'roll 'quoted' its'"), ElementsAre("rocknroll", "quoted", "its"));
  EXPECT_THAT(Words("so\u00ADft zero\u200Dwidth"), ElementsAre("soft", "zerowidth"));
}

TEST(TokensTest, OfOtherScripts) {
  EXPECT_THAT(Words("\u041C\u043E\u0441\u043A\u0432\u0430"),
              ElementsAre("\u043C\u043E\u0441\u043A\u0432\u0430"));
  EXPECT_THAT(Words("\u6771\u4EAC\u90FD"), ElementsAre("\u6771\u4EAC", "\u4EAC\u90FD"));
  EXPECT_THAT(Words("\u6771"), ElementsAre("\u6771"));
  EXPECT_THAT(Words("Tokyo\u6771\u4EACcity"), ElementsAre("tokyo", "\u6771\u4EAC", "city"));
  EXPECT_THAT(Words("\uFF21\uFF22\uFF11"), ElementsAre("ab1"));  // full width
  EXPECT_THAT(Words("\u0E01\u0E34\u0E19\u0E02"),
              ElementsAre("\u0E01\u0E19", "\u0E19\u0E02"));  // a mark goes with its letter
  EXPECT_THAT(Words("\u05E9\u05DC\u05D5\u05DD \u0633\u0644\u0627\u0645"),
              ElementsAre("\u05E9\u05DC\u05D5\u05DD", "\u0633\u0644\u0627\u0645"));
  EXPECT_THAT(Words("party \U0001F389\U0001F389!"),
              ElementsAre("party", "\U0001F389", "\U0001F389"));
}

TEST(TokensTest, OfNothing) {
  for (const char* text : {"", " \n\t", "... --- !!!", "\u0301\u0301", "\u200D"}) {
    EXPECT_THAT(Words(text), IsEmpty()) << text;
  }
}

TEST(TokensTest, KnowSentencesAndWhatStandsBetween) {
  Tokens tokens;
  Tokenize("New York, USA. J. Smith lives there! Ok?\n\nNew paragraph", &tokens);
  std::vector<uint32_t> sentences;
  std::string apart, capital;
  for (const Token& token : tokens.list()) {
    sentences.push_back(token.sentence);
    apart += token.apart ? '1' : '0';
    capital += token.capital ? '1' : '0';
  }
  EXPECT_THAT(sentences, ElementsAre(0, 0, 0, 1, 1, 1, 1, 2, 3, 3));
  EXPECT_EQ(apart, "0011100110");
  EXPECT_EQ(capital, "1111100110");
}

TEST(TokensTest, CutLongWordsAndKeepAll) {
  const std::string text(1000, 'a');
  Tokens tokens;
  Tokenize(text, &tokens);
  std::string all;
  for (const Token& token : tokens.list()) {
    EXPECT_LE(token.folded_size, kMaxWordBytes);
    all += tokens.Folded(token);
  }
  EXPECT_EQ(all, text);
}

// Words stand in the text in order; the words of two texts are those of both, apart from a blank.
TEST(TokensTest, HoldOnRandomText) {
  const std::vector<std::string> pieces = {
      "a",      "B",          " ",      "'s",     ".",      ",", "1",     "\u00E9",
      "\u0301", "\u6771",     "\u0E34", "\u0E01", "\n",     "+", "#",     "\u2019",
      "\u200D", "\U0001F389", "\u00DF", "\uFB01", "\u01C5", "-", "\u3002"};
  std::mt19937 random(7);
  const auto text = [&] {
    std::string out;
    for (size_t n = random() % 30; n > 0; --n) out += pieces[random() % pieces.size()];
    return out;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::string one = text(), two = text();
    Tokens tokens;
    Tokenize(one, &tokens);
    uint64_t begin = 0, end = 0;
    uint32_t sentence = 0;
    for (const Token& token : tokens.list()) {
      ASSERT_GT(token.end, token.begin) << one;
      ASSERT_GE(token.begin, begin) << one;
      ASSERT_GE(token.end, end) << one;
      ASSERT_LE(token.end, one.size()) << one;
      ASSERT_TRUE(token.sentence == sentence || token.sentence == sentence + 1) << one;
      ASSERT_GT(token.folded_size, 0u);
      ASSERT_FALSE(FindInvalidUtf8(tokens.Folded(token)).has_value()) << one;
      begin = token.begin;
      end = token.end;
      sentence = token.sentence;
    }
    std::vector<std::string> both = Words(one);
    for (std::string& word : Words(two)) both.push_back(std::move(word));
    ASSERT_EQ(Words(one + " " + two), both) << one << "|" << two;
  }
}

}  // namespace
}  // namespace loci
