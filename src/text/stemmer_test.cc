// SPDX-License-Identifier: Apache-2.0
#include "text/stemmer.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "text/fields.h"

namespace loci {
namespace {

std::string Stem(std::string_view language, std::string_view word) {
  auto stemmer = Stemmer::Make(language);
  return stemmer.ok() ? std::string(stemmer->Stem(word)) : "no " + stemmer.error().message;
}

TEST(StemmerTest, BringsFormsTogether) {
  EXPECT_EQ(Stem("english", "directed"), "direct");
  EXPECT_EQ(Stem("english", "director"), "direct");
  EXPECT_EQ(Stem("english", "professor"), "profess");
  EXPECT_EQ(Stem("english", "actor"), "actor");  // too short to lose more
  EXPECT_EQ(Stem("german", "häuser"), "haus");
  EXPECT_EQ(Stem("none", "directed"), "directed");
}

TEST(StemmerTest, LeavesWhatHasNoEndings) {
  for (const char* word : {"", "a", "is", "1990s", "3.14", "北京", "c++", "\xF0\x9F\x98\x80"}) {
    EXPECT_EQ(Stem("english", word), word);
  }
}

TEST(StemmerTest, NamesTheLanguagesThereAre) {
  const auto languages = Languages();
  EXPECT_TRUE(std::ranges::is_sorted(languages));
  for (const auto& language : languages) EXPECT_TRUE(Stemmer::Make(language).ok()) << language;
  const auto wrong = Stemmer::Make("klingon");
  ASSERT_FALSE(wrong.ok());
  EXPECT_EQ(wrong.error().kind, ErrorKind::kUsage);
  EXPECT_NE(wrong.error().message.find("'klingon'; there are "), std::string::npos);
}

TEST(StemmerTest, KnowsStopWordsOfEnglishAlone) {
  EXPECT_TRUE(Stemmer::Make("english")->IsStop("which"));
  EXPECT_FALSE(Stemmer::Make("english")->IsStop("film"));
  EXPECT_FALSE(Stemmer::Make("german")->IsStop("which"));
}

TEST(FieldsTest, TellsTitlesFromBodies) {
  EXPECT_EQ(FieldOf("title"), Field::kTitle);
  EXPECT_EQ(FieldOf("http://www.w3.org/2000/01/rdf-schema#label"), Field::kTitle);
  EXPECT_EQ(FieldOf("part_of"), Field::kPartOf);
  EXPECT_EQ(FieldOf("text"), Field::kBody);
  EXPECT_EQ(FieldOf(""), Field::kBody);
}

}  // namespace
}  // namespace loci
