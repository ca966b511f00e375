// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "base/unicode.h"
#include "image/term.h"

namespace loci {
namespace {

std::string Bytes(std::string_view field, bool bare_is_symbol = false) {
  const auto term = ParseNotation(field, bare_is_symbol, nullptr);
  return term.ok() ? term->bytes : "error: " + term.error().message;
}

// The field is refused at the offset with a message that holds the words.
void ExpectFault(std::string_view field, size_t offset, std::string_view words,
                 bool bare_is_symbol = false) {
  size_t column = 999;
  const auto term = ParseNotation(field, bare_is_symbol, &column);
  ASSERT_FALSE(term.ok()) << field;
  EXPECT_EQ(column, offset) << field << ": " << term.error().message;
  EXPECT_NE(term.error().message.find(words), std::string::npos) << term.error().message;
}

TEST(Notation, SymbolsAreBareWhereAQueryCanSayThem) {
  for (const char* bare : {"dog", "dog.n.01", "doc#000017", "_x", "_:b1@file", "caf\u00e9", "a-b",
                           "Dog_2", "\u4e2d\u6587", "notes", "N0t", "e\u0301tude", "x:y"}) {
    EXPECT_TRUE(IsBareName(bare)) << bare;
    EXPECT_EQ(ToNotation(*MakeSymbol(bare)), ToNotation(*ParseNotation(bare, false, nullptr)));
  }
  for (const char* not_bare :
       {"",   "_",        "dog.",          "dog:", "dog-", "a@",    "a#",    "1998",
        "-x", "New York", "dog%1:05:00::", "not",  "or",   "conf",  "limit", "a>b",
        "#x", "\u0301a",  "a,b",           "a(b",  "a|b",  "\u2014"}) {
    EXPECT_FALSE(IsBareName(not_bare)) << not_bare;
  }
  EXPECT_EQ(ToNotation(*MakeSymbol("1998")), "<1998>");
  EXPECT_EQ(ToNotation(*MakeSymbol("New York")), "<New York>");
  EXPECT_EQ(ToNotation(*MakeSymbol("a>b\\c\nd")), "<a\\>b\\\\c\\u000Ad>");
  EXPECT_EQ(ToNotation(*MakeSymbol(std::string_view("\0\x1b", 2))), "<\\u0000\\u001B>");
}

// Where a relation stands, a bare operator would be taken for itself.
TEST(Notation, OperatorsAreReadBareAndWrittenInBrackets) {
  for (const std::string name : {"like", "near", "next", "phrase", "analogy"}) {
    const Term symbol = *MakeSymbol(name);
    EXPECT_EQ(ToNotation(symbol), "<" + name + ">");
    EXPECT_EQ(*ParseNotation(name, false, nullptr), symbol);
    EXPECT_EQ(*ParseNotation("<" + name + ">", false, nullptr), symbol);
    EXPECT_EQ(ToField(symbol), name);
  }
}

TEST(Notation, EveryKindIsReadAsItIsWritten) {
  const Term terms[] = {*MakeSymbol("dog"),
                        *MakeSymbol("not"),
                        *MakeSymbol("\U0001F600 <\"x\">"),
                        *MakeText(""),
                        *MakeText("he said \"no\\\"\n\r\t\x01\u2028"),
                        *MakeTaggedText("chien", '@', "fr-CA"),
                        *MakeTaggedText("1", '^', "http://www.w3.org/2001/XMLSchema#integer"),
                        *MakeTaggedText("1", '^', "not"),
                        *MakeNumber("-12.50"),
                        *MakeNumber("1e300"),
                        *MakeDate("2024"),
                        *MakeDate("2024-05"),
                        *MakeDate("2024-05-17"),
                        *MakeDate("-0044-03-15T08:30:00.5")};
  for (const Term& term : terms) {
    const std::string written = ToNotation(term);
    const auto read = ParseNotation(written, false, nullptr);
    ASSERT_TRUE(read.ok()) << written << ": " << read.error().message;
    EXPECT_EQ(*read, term) << written;
    const auto field = ParseNotation(ToField(term), true, nullptr);
    ASSERT_TRUE(field.ok()) << ToField(term) << ": " << field.error().message;
    EXPECT_EQ(*field, term) << ToField(term);
  }
  EXPECT_EQ(ToNotation(terms[5]), "\"chien\"@fr-CA");
  EXPECT_EQ(ToNotation(terms[7]), "\"1\"^^<not>");
  EXPECT_EQ(ToNotation(terms[8]), "-12.5");
  EXPECT_EQ(ToNotation(terms[10]), "\"2024\"^^date");
  EXPECT_EQ(ToNotation(terms[12]), "2024-05-17");
  EXPECT_EQ(ToField(terms[8]), "\"-12.5\"^^number");
  EXPECT_EQ(ToField(*MakeSymbol("1998")), "1998");
  EXPECT_EQ(ToField(*MakeSymbol("a\tb")), "<a\\u0009b>");
  EXPECT_EQ(ToPlain(terms[5]), "chien");
  EXPECT_EQ(ToPlain(terms[8]), "-12.5");
  EXPECT_EQ(ToPlain(terms[11]), "2024-05");
}

TEST(Notation, NumbersAndDatesOfTextAreThoseKinds) {
  EXPECT_EQ(*ParseNotation("\"5.0\"^^number", true, nullptr), *MakeNumber("5"));
  EXPECT_EQ(*ParseNotation("\"5\"^^<number>", true, nullptr), *MakeNumber("5"));
  EXPECT_EQ(*ParseNotation("\"2024-05\"^^date", true, nullptr), *MakeDate("2024-05"));
  EXPECT_EQ(*ParseNotation("5", false, nullptr), *MakeNumber("5"));
  EXPECT_EQ(*ParseNotation("-1.5e-3", false, nullptr), *MakeNumber("-0.0015"));
  EXPECT_EQ(*ParseNotation("2024-05-17", false, nullptr), *MakeDate("2024-05-17"));
  EXPECT_EQ(*ParseNotation("-0044-03-15", false, nullptr), *MakeDate("-0044-03-15"));
  EXPECT_EQ(*ParseNotation("5", true, nullptr), *MakeSymbol("5"));
  EXPECT_EQ(*ParseNotation("New York", true, nullptr), *MakeSymbol("New York"));
  EXPECT_EQ(*ParseNotation("dog%1:05:00::", true, nullptr), *MakeSymbol("dog%1:05:00::"));
}

TEST(Notation, NamesAreNormalised) {
  EXPECT_EQ(Bytes("<e\\u0301>"), "\u00e9");
  EXPECT_EQ(Bytes("e\u0301", true), "\u00e9");
  EXPECT_EQ(Bytes("\"e\u0301\""), "e\u0301");  // texts stay as given
  EXPECT_EQ(Bytes("<\\U0001F600\\u00e9>"), "\U0001F600\u00e9");
}

TEST(Notation, FaultsHaveTheirColumn) {
  ExpectFault("", 0, "empty");
  ExpectFault("<>", 0, "empty");
  ExpectFault("<dog", 0, "not closed");
  ExpectFault("<a\nb>", 0, "not closed");
  ExpectFault("<a>b", 3, "unexpected \"b\"");
  ExpectFault("\"abc", 0, "not closed");
  ExpectFault("\"a\\q\"", 2, "not an escape");
  ExpectFault("\"a\\", 2, "not an escape");
  ExpectFault("<a\\n>", 2, "not an escape");
  ExpectFault("<\\u12>", 1, "4 hexadecimal digits");
  ExpectFault("<\\U0011>", 1, "8 hexadecimal digits");
  ExpectFault("<\\uD83D\\uDE00>", 1, "surrogate");
  ExpectFault("<\\U00110000>", 1, "U+10FFFF");
  ExpectFault("\"a\"x", 3, "only @language");
  ExpectFault("\"a\"^x", 3, "only @language");
  ExpectFault("\"a\"@", 3, "language tag");
  ExpectFault("\"a\"@en_US", 3, "language tag");
  ExpectFault("\"a\"^^", 5, "datatype");
  ExpectFault("\"a\"^^a b", 5, "datatype");
  ExpectFault("\"a\"^^<b>c", 8, "unexpected \"c\"");
  ExpectFault("\"x\"^^number", 0, "\"x\" is not a number");
  ExpectFault("ab\xff", 2, "UTF-8", true);
  ExpectFault("1998x", 0, "written <1998x>");
  ExpectFault("2024-5", 0, "not a date");
  ExpectFault("not", 0, "word of the language");
  ExpectFault("New York", 0, "written <New York>");
}

TEST(Notation, MakersNameWhatTheyRefuse) {
  EXPECT_EQ(MakeSymbol("").error().message, "the name is empty; give it at least one character");
  EXPECT_EQ(MakeSymbol("ab\xff\x63").error().message,
            "the name \"ab\\xFFc\" is not UTF-8 at byte 3; convert it, e.g. with iconv");
  EXPECT_TRUE(MakeSymbol(std::string(kMaxNameBytes, 'x')).ok());
  EXPECT_FALSE(MakeSymbol(std::string(kMaxNameBytes + 1, 'x')).ok());
  std::string decomposed;
  for (size_t i = 0; i < kMaxNameBytes / 2; ++i) decomposed += "e\u0301";
  EXPECT_EQ(MakeSymbol(decomposed)->bytes.size(), kMaxNameBytes);
  EXPECT_FALSE(MakeText("\xc0\x80").ok());
  EXPECT_FALSE(MakeTaggedText("x", '@', "en us").ok());
  EXPECT_FALSE(MakeTaggedText("x", '^', "").ok());
  const Term tagged = *MakeTaggedText("x", '@', "en");
  EXPECT_EQ(SplitText(tagged.bytes).text, "x");
  EXPECT_EQ(SplitText(tagged.bytes).tag_kind, '@');
  EXPECT_EQ(SplitText(tagged.bytes).tag, "en");
}

std::string RandomString(std::mt19937* random, size_t most) {
  static const uint32_t kSome[] = {'a',  'Z',  '1',  '_', ' ',    '.',    '<',     '>',    '"',
                                   '\\', '\n', '\t', 0,   0x7F,   0x85,   0xE9,    0x301,  0x2028,
                                   '@',  '^',  '#',  '-', 0x4E2D, 0xFEFF, 0x1F600, 0xFFFF, ':'};
  std::string s;
  for (size_t n = 1 + (*random)() % most; n > 0; --n) {
    AppendUtf8(&s, kSome[(*random)() % std::size(kSome)]);
  }
  return s;
}

TEST(Notation, RandomTermsRoundTripInQueriesAndFiles) {
  std::mt19937 random(6);
  for (int round = 0; round < 30'000; ++round) {
    const std::string s = RandomString(&random, 8);
    Term term;
    switch (random() % 4) {
      case 0:
        term = *MakeText(s);
        break;
      case 1:
        term = *MakeTaggedText(s, '^', RandomString(&random, 4));
        break;
      default:
        term = *MakeSymbol(s);
    }
    for (const bool query : {true, false}) {
      const std::string written = query ? ToNotation(term) : ToField(term);
      ASSERT_EQ(written.find_first_of("\n\r\t"), std::string::npos);
      const auto read = ParseNotation(written, !query, nullptr);
      ASSERT_TRUE(read.ok()) << written << ": " << read.error().message;
      ASSERT_EQ(*read, term) << written;
    }
  }
}

// Arbitrary bytes: a term whose own notation is the same term, or an error within the field.
TEST(Notation, ArbitraryFieldsNeverBreakIt) {
  std::mt19937 random(7);
  const std::string_view alphabet("<>\"\\u0D8@^na1-.\xc3\xa9\xff", 19);
  for (int round = 0; round < 200'000; ++round) {
    std::string field(random() % 14, 'x');
    for (char& c : field) c = alphabet[random() % alphabet.size()];
    const bool bare_is_symbol = random() % 2;
    size_t column = 0;
    const auto term = ParseNotation(field, bare_is_symbol, &column);
    if (term.ok()) {
      ASSERT_EQ(*ParseNotation(ToNotation(*term), false, nullptr), *term) << field;
    } else {
      ASSERT_LE(column, field.size()) << field;
    }
  }
}

}  // namespace
}  // namespace loci
