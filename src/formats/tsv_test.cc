// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "base/unicode.h"
#include "formats/collect_for_test.h"

namespace loci {
namespace {

using testing::Test;
using Lines = std::vector<std::string>;

TEST(Tsv, ReadsFieldsInTheNotation) {
  const auto all = Collect(
      "\xEF\xBB\xBF"
      "dog\tis_a\tanimal\n"
      "\n"
      "New York\tpopulation\t\"8804190\"^^number\tcensus\r\n"
      "# no comment\thas\t\"a text\"@en\n"
      "   \n"
      "1998\t<a\\u0009b>\t\"2024-05\"^^date\n"
      "e\u0301\tr\t\"tab\\tnewline\\n\"",
      "tsv", false, "dir/facts.tsv");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.statements, (Lines{"dog\tis_a\tanimal\tfacts.tsv",
                                   "New York\tpopulation\t\"8804190\"^^number\tcensus",
                                   "# no comment\thas\t\"a text\"@en\tfacts.tsv",
                                   "1998\t<a\\u0009b>\t\"2024-05\"^^date\tfacts.tsv",
                                   "\u00e9\tr\t\"tab\\tnewline\\n\"\tfacts.tsv"}));
  EXPECT_EQ(all.report.statements, 5u);
  EXPECT_EQ(all.report.format, "tsv");
}

TEST(Tsv, FaultsHaveLineColumnAndText) {
  const struct {
    std::string_view line, error;
  } cases[] = {
      {"dog",
       "in:2:4: \"dog\" has 1 tab-separated field; write subject TAB relation TAB object [TAB "
       "source]"},
      {"\u00e9\u00e9\tb",
       "in:2:5: \"\u00e9\u00e9\\tb\" has 2 tab-separated fields; write subject TAB "
       "relation TAB object [TAB source]"},
      {"a\tb\tc\td\te",
       "in:2:9: \"a\\tb\\tc\\td\\te\" has more than 4 tab-separated fields; write "
       "subject TAB relation TAB object [TAB source]"},
      {"\tb\tc", "in:2:1: the subject is empty; give it a name"},
      {"a\t\tc", "in:2:3: the relation is empty; give it a name"},
      {"a\tb\t", "in:2:5: the object is empty; give it a name"},
      {"a\tb\tc\t", "in:2:7: the source is empty; give it a name"},
      {"\"x\"\tb\tc",
       "in:2:1: the subject \"x\" is not a name; only an object may be a text, number "
       "or date"},
      {"\u00e9\tb\tab\xff",
       "in:2:7: \"ab\\xFF\": not UTF-8 here; convert the input, e.g. with iconv"},
      {"a\tb\t\"c", "in:2:5: \"\"c\": \"c is not closed; end it with \""},
      {"a\tb\t<\\uD800>",
       "in:2:6: \"<\\uD800>\": \"\\uD800\" is no character: a surrogate, or above "
       "U+10FFFF; write one above U+FFFF as \\UXXXXXXXX"},
      {"a\tb\t\"x\"^^number",
       "in:2:5: \"\"x\"^^number\": \"x\" is not a number: write digits as in "
       "-12.5 or 3e8 (NaN and infinities are not kept)"},
  };
  for (const auto& c : cases) {
    const std::string bytes = "a\tb\tc\n" + std::string(c.line) + "\nd\te\tf\n";
    const auto fatal = Collect(bytes, "tsv");
    EXPECT_EQ(fatal.error, c.error);
    EXPECT_EQ(fatal.kind, ErrorKind::kBadInput);
    const auto skipped = Collect(bytes, "tsv", true);
    EXPECT_EQ(skipped.bad, Lines{std::string(c.error)});
    EXPECT_EQ(skipped.statements, (Lines{"a\tb\tc\tin", "d\te\tf\tin"}));
    EXPECT_EQ(skipped.report.skipped, 1u);
  }
  const auto nul = Collect(std::string_view("a\tb\tx\0y\n", 8), "tsv");
  EXPECT_EQ(nul.error.substr(0, 8), "in:1:6: ");
  EXPECT_NE(nul.error.find("NUL"), std::string::npos);
  const auto long_name = Collect("a\tb\t" + std::string(kMaxNameBytes + 1, 'x'), "tsv");
  EXPECT_NE(long_name.error.find("more than 65536"), std::string::npos);
}

std::string RandomName(std::mt19937* random) {
  static const uint32_t kSome[] = {'a', 'b', ' ', '<',  '>',   '"',    '\\',   '\t',   '\n',   '\r',
                                   0,   ',', '1', 0xE9, 0x301, 0x4E2D, 0xFEFF, 0x2028, 0x1F600};
  std::string s;
  for (size_t n = 1 + (*random)() % 6; n > 0; --n) {
    AppendUtf8(&s, kSome[(*random)() % std::size(kSome)]);
  }
  return s;
}

TEST(Tsv, WhatIsWrittenIsReadInAnyBlocks) {
  std::mt19937 random(10);
  for (int round = 0; round < 100; ++round) {
    std::string bytes;
    Lines expected;
    for (int i = 0; i < 10; ++i) {
      const Term object = i % 3 == 0   ? *MakeText(RandomName(&random))
                          : i % 3 == 1 ? *MakeNumber(std::to_string(random()) + "e-5")
                                       : *MakeSymbol(RandomName(&random));
      expected.push_back(ToField(*MakeSymbol(RandomName(&random))) + "\t" +
                         ToField(*MakeSymbol(RandomName(&random))) + "\t" + ToField(object) + "\t" +
                         ToField(*MakeSymbol(RandomName(&random))));
      // A field of spaces alone, first in its line, is no blank line.
      bytes += expected.back() + (random() % 2 ? "\n" : "\r\n");
    }
    const auto all = Collect(bytes, "tsv", false, "in", 1 + random() % 17);
    ASSERT_EQ(all.error, "");
    ASSERT_EQ(all.statements, expected);
  }
}

TEST(Tsv, AnEmptyInputHasNoStatements) {
  for (const std::string_view bytes : {"", "\n", "\xEF\xBB\xBF", "\r\n\r\n"}) {
    const auto all = Collect(bytes, "tsv");
    EXPECT_EQ(all.error, "");
    EXPECT_EQ(all.report.statements, 0u);
  }
}

}  // namespace
}  // namespace loci
