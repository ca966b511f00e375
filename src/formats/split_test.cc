// SPDX-License-Identifier: Apache-2.0
#include "formats/split.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/unicode.h"

namespace loci {
namespace {

std::string Repeated(std::string_view text, size_t times) {
  std::string all;
  for (size_t i = 0; i < times; ++i) all += text;
  return all;
}

std::string WithoutSpace(std::string_view text) {
  std::string rest;
  for (const char c : text) {
    if (std::string_view(" \t\n\r\f\v").find(c) == std::string_view::npos) rest += c;
  }
  return rest;
}

TEST(SplitPassage, AShortTextIsItsOnlyPart) {
  EXPECT_EQ(SplitPassage(""), std::vector<std::string_view>{""});
  const std::string text = " " + Repeated("x. ", 600);
  EXPECT_EQ(SplitPassage(text), std::vector<std::string_view>{text});
}

TEST(SplitPassage, CutsAtTheEndsOfSentencesIntoPartsOfLikeSize) {
  const std::string text =
      Repeated("He said: \"The oak is a tree.\" It grows, e.g. in 3.5 woods! ", 60);
  const auto parts = SplitPassage(text);
  ASSERT_EQ(parts.size(), 2u);
  for (const std::string_view part : parts) {
    EXPECT_GT(part.size(), 1500u);
    EXPECT_TRUE(part.starts_with("He said") || part.starts_with("It grows")) << part.substr(0, 20);
    EXPECT_TRUE(part.ends_with("tree.\"") || part.ends_with("woods!")) << part;
  }
}

TEST(SplitPassage, CutsAtLinesWhereThereAreNoSentencesThenAtSpaces) {
  const std::string items = Repeated("* an item of a list\n", 500), words = Repeated("word ", 2000);
  for (const std::string_view part : SplitPassage(items)) {
    EXPECT_TRUE(part.starts_with("* an") && part.ends_with("list")) << part;
    EXPECT_LE(part.size(), kPassageBytes);
  }
  for (const std::string_view part : SplitPassage(words)) {
    EXPECT_TRUE(part.starts_with("word") && part.ends_with("word")) << part;
  }
}

TEST(SplitPassage, AWordIsNeverCut) {
  const std::string word(10000, 'x');
  EXPECT_EQ(SplitPassage(word), std::vector<std::string_view>{word});
  const std::string two = word + " " + word;
  EXPECT_EQ(SplitPassage(two), (std::vector<std::string_view>{word, word}));
}

TEST(SplitPassage, SentencesOfOtherScriptsEndToo) {
  const std::string text = Repeated("\u6a2b\u306f\u6728\u3067\u3059\u3002", 400);
  const auto parts = SplitPassage(text);
  ASSERT_GT(parts.size(), 2u);
  for (const std::string_view part : parts) EXPECT_TRUE(part.ends_with("\u3002")) << part;
}

TEST(SplitPassage, LosesNothingButSpaceWhateverTheText) {
  std::mt19937_64 random(7);
  const std::string_view pieces[] = {"a",  "word", "Dr. ", ".",  " ",      "  ",     "\n",
                                     "! ", "?",    "\"",   ") ", "\u00e9", "\u3002", "\u4e00"};
  for (int i = 0; i < 300; ++i) {
    std::string text;
    const size_t size = random() % 9000;
    const size_t kinds = 1 + random() % std::size(pieces);
    while (text.size() < size) text += pieces[random() % kinds];
    std::string joined;
    for (const std::string_view part : SplitPassage(text)) {
      EXPECT_TRUE(!part.empty() || text.size() <= kPassageBytes);
      EXPECT_FALSE(FindInvalidUtf8(part));
      joined += part;
    }
    EXPECT_EQ(WithoutSpace(joined), WithoutSpace(text)) << i;
  }
}

}  // namespace
}  // namespace loci
