// SPDX-License-Identifier: Apache-2.0
//
// What names a document and which phrases it has, as a table; lengths in a byte; the lexicon.
#include "text/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DocumentTest : public ::testing::Test {
 protected:
  DocumentTest() : lexicon_(Stemmer::Make("english").take()), builder_(&lexicon_, &document_) {}

  std::string Text(uint32_t begin, uint32_t size) {
    std::string text;
    for (uint32_t i = begin; i < begin + size; ++i) {
      text +=
          (text.empty() ? "" : " ") + std::string(lexicon_[document_.words[i] >> kWordFlagBits]);
    }
    return text;
  }
  std::vector<std::string> Aliases() {
    std::vector<std::string> aliases;
    for (const auto& alias : document_.aliases) aliases.push_back(Text(alias.begin, alias.size));
    return aliases;
  }
  std::vector<std::string> AliasesOfTitle(std::string_view title) {
    document_.Clear();
    builder_.AddTitle(title);
    return Aliases();
  }
  std::vector<std::string> AliasesOfName(std::string_view name, bool numbered) {
    document_.Clear();
    builder_.AddNameAsTitle(name, numbered);
    return Aliases();
  }
  std::vector<std::string> Phrases() {
    builder_.Finish();
    std::vector<std::string> phrases;
    for (const auto& phrase : document_.phrases) {
      EXPECT_EQ(lexicon_[phrase.word], "^" + Text(phrase.begin, phrase.size));
      phrases.push_back(Text(phrase.begin, phrase.size));
    }
    return phrases;
  }
  std::vector<std::string> PhrasesOf(std::string_view body) {
    document_.Clear();
    builder_.AddBody(body);
    return Phrases();
  }

  Lexicon lexicon_;
  Document document_;
  DocumentBuilder builder_;
};

TEST_F(DocumentTest, Aliases) {
  EXPECT_THAT(AliasesOfTitle("Marie Curie"), ElementsAre("mari curi"));
  EXPECT_THAT(AliasesOfTitle("Kent, Ohio (city)"), ElementsAre("kent ohio"));
  EXPECT_THAT(AliasesOfTitle("Kent (city), Ohio"), ElementsAre("kent"));
  EXPECT_THAT(AliasesOfTitle("New York, New York"), ElementsAre("new york new york", "new york"));
  EXPECT_THAT(AliasesOfTitle("Guide > Setup > The cable"),
              ElementsAre("guid setup the cabl", "the cabl"));
  EXPECT_THAT(AliasesOfTitle("(untitled)"), ElementsAre("untitl"));
  EXPECT_THAT(AliasesOfTitle(" (in brackets)"), ElementsAre("in bracket"));
  EXPECT_THAT(AliasesOfTitle("Who Is It"), IsEmpty()) << "stop words alone";
  EXPECT_THAT(AliasesOfTitle("1984"), IsEmpty()) << "an identifier";
  EXPECT_THAT(AliasesOfTitle("1984 (novel)"), IsEmpty());
  EXPECT_THAT(AliasesOfTitle("Apollo 11"), ElementsAre("apollo 11"));
  EXPECT_THAT(AliasesOfTitle("one two three four five six seven eight nine ten"),
              ElementsAre("one two three four five six seven eight nine ten"));
  EXPECT_THAT(AliasesOfTitle("one two three four five six seven eight nine ten eleven"), IsEmpty());
  EXPECT_THAT(AliasesOfTitle("..."), IsEmpty());
  EXPECT_THAT(AliasesOfTitle(""), IsEmpty());
}

TEST_F(DocumentTest, SeveralTitlesAreAllNames) {
  builder_.AddTitle("Marie Curie");
  builder_.AddTitle("Maria Skłodowska, born 1867");
  EXPECT_EQ(document_.title_words, 6u);
  EXPECT_THAT(Aliases(),
              ElementsAre("mari curi", "maria skłodowska born 1867", "maria skłodowska"));
}

TEST_F(DocumentTest, NamesAsTitles) {
  EXPECT_THAT(AliasesOfName("Marie_Curie", false), ElementsAre("mari curi"));
  EXPECT_THAT(AliasesOfName("New York, New York", false), ElementsAre("new york new york"))
      << "a name is one name";
  EXPECT_THAT(AliasesOfName("apollo_11", true), ElementsAre("apollo 11"));
  EXPECT_THAT(AliasesOfName("apollo_11", false), IsEmpty()) << "a part of it is not that name";
  EXPECT_EQ(document_.words.size(), 1u);
  EXPECT_THAT(AliasesOfName("Q42", false), IsEmpty());
  EXPECT_TRUE(document_.words.empty());
}

TEST_F(DocumentTest, Phrases) {
  EXPECT_THAT(PhrasesOf("it was Marie Curie who"), ElementsAre("mari curi"));
  EXPECT_THAT(PhrasesOf("The house"), IsEmpty()) << "a capital that only begins a sentence";
  EXPECT_THAT(PhrasesOf("Houses stand. House doors"), IsEmpty());
  EXPECT_THAT(PhrasesOf("Marie Curie came"), ElementsAre("mari curi"));
  EXPECT_THAT(PhrasesOf("The Louvre Museum"), ElementsAre("louvr museum"));
  EXPECT_THAT(PhrasesOf("he saw Paris, London and Rome"), ElementsAre("pari", "london", "rome"));
  EXPECT_THAT(PhrasesOf("the Duke of York"), ElementsAre("duke of york"));
  EXPECT_THAT(PhrasesOf("the Duke of york"), ElementsAre("duke"));
  EXPECT_THAT(PhrasesOf("the Bank of the West"), ElementsAre("bank", "west"))
      << "one word may stand within, not two";
  EXPECT_THAT(PhrasesOf("by Ludwig van Beethoven."), ElementsAre("ludwig van beethoven"));
  EXPECT_THAT(PhrasesOf("see A B C D E F G H I J"), ElementsAre("b c d e f g h", "j"))
      << "at most eight words, \"A\" and \"I\" are stop words";
  EXPECT_THAT(PhrasesOf("x A B C D E F G of H"), ElementsAre("b c d e f g", "h"));
  EXPECT_THAT(PhrasesOf("it said The Who Is"), IsEmpty()) << "stop words alone";
}

TEST_F(DocumentTest, TextsDoNotRunIntoEachOther) {
  builder_.AddTitle("Marie");
  builder_.AddBody("Curie was born in Warsaw");
  builder_.AddName("Poland_Capital");
  EXPECT_THAT(Phrases(), ElementsAre("mari", "warsaw", "poland capit"));
  EXPECT_EQ(document_.title_words, 1u);
  EXPECT_EQ(document_.length(), 1u + 8u);
}

TEST_F(DocumentTest, Flags) {
  builder_.AddBody("The cat, Tom. It ran");
  std::vector<uint32_t> flags;
  for (const uint32_t word : document_.words) flags.push_back(word & ((1u << kWordFlagBits) - 1));
  EXPECT_THAT(flags, ElementsAre(kCapital | kSentence | kStop, 0u, kCapital | kApart,
                                 kCapital | kApart | kSentence | kStop, 0u));
}

// A date is said in words, as far as it is given.
TEST_F(DocumentTest, Dates) {
  const std::pair<const char*, const char*> dates[] = {{"2023-05-08", "8 may 2023"},
                                                       {"2023-12", "decemb 2023"},
                                                       {"1066", "1066"},
                                                       {"2023-10-27T16:20Z", "27 octob 2023"},
                                                       {"-0044-03-15", "15 march 0044"}};
  for (const auto& [date, words] : dates) {
    document_.Clear();
    builder_.AddDate(date);
    EXPECT_EQ(Text(0, static_cast<uint32_t>(document_.words.size())), words) << date;
  }
}

TEST_F(DocumentTest, EntriesOfADictionary) {
  const auto is_entry = [this](std::string_view title, std::string_view body) {
    document_.Clear();
    builder_.AddTitle(title);
    builder_.AddBody(body);
    builder_.Finish();
    return document_.is_entry;
  };
  EXPECT_TRUE(is_entry("dog", "an animal that barks"));
  EXPECT_FALSE(is_entry("Dog", "an animal that barks"));
  EXPECT_FALSE(is_entry("hot dog", "a sausage"));
  EXPECT_FALSE(is_entry("42nd", "behind the 41st"));
  EXPECT_FALSE(is_entry("dog", ""));
  EXPECT_FALSE(is_entry("", "an animal that barks"));
}

// The three highest bits of a length, so that the codes of 2^32 lengths ascend and fit seven bits.
TEST(LengthCodeTest, KeepsThreeBits) {
  for (uint32_t length = 0; length < 8; ++length) {
    EXPECT_EQ(LengthOfCode(LengthCode(length)), length);
  }
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto length = static_cast<uint32_t>(random() >> (32 + random() % 32));
    uint32_t unit = 1;
    while (length / unit > 7) unit *= 2;
    ASSERT_EQ(LengthOfCode(LengthCode(length)), length / unit * unit) << length;
  }
  EXPECT_EQ(LengthOfCode(LengthCode(UINT32_MAX)), 7u << 29);
  EXPECT_LT(LengthCode(UINT32_MAX), kLengthCodes);
  for (int code = 0; code < LengthCode(UINT32_MAX); ++code) {
    const uint32_t length = LengthOfCode(static_cast<uint8_t>(code));
    ASSERT_EQ(LengthCode(length), code);
    ASSERT_LT(length, LengthOfCode(static_cast<uint8_t>(code + 1)));
  }
}

TEST(LexiconTest, NumbersStemsInOrderOfArrival) {
  Lexicon lexicon(Stemmer::Make("english").take());
  const Lexicon::Word directed = lexicon.Add("directed");
  EXPECT_EQ(directed.number, 0u);
  EXPECT_FALSE(directed.stop);
  EXPECT_EQ(lexicon.Add("director").number, 0u);
  EXPECT_EQ(lexicon.Add("the").number, 1u);
  EXPECT_TRUE(lexicon.Add("the").stop);
  const uint32_t numbers[] = {0, 1};
  const uint32_t phrase = lexicon.AddPhrase(numbers);
  EXPECT_EQ(lexicon[phrase], "^direct the");
  EXPECT_EQ(lexicon.AddPhrase(numbers), phrase);
  EXPECT_EQ(lexicon.size(), phrase + 1);
}

// Words are added one by one: no two lists of words run together.
TEST(AliasHashTest, DependsOnWhereWordsEnd) {
  const auto hash = [](std::initializer_list<const char*> stems) {
    AliasHash all;
    for (const char* stem : stems) all.Add(stem);
    return all.value();
  };
  EXPECT_NE(hash({"ab", "c"}), hash({"a", "bc"}));
  EXPECT_NE(hash({"a", "b"}), hash({"b", "a"}));
  EXPECT_NE(hash({"a"}), hash({"a", "a"}));
  EXPECT_EQ(hash({"new", "york"}), hash({"new", "york"}));
}

}  // namespace
}  // namespace loci
