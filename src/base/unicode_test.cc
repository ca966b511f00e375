// SPDX-License-Identifier: Apache-2.0
#include "base/unicode.h"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <random>

namespace loci {
namespace {

// The double: utf8proc's own decoder, one code point at a time.
std::optional<size_t> SlowFindInvalid(std::string_view bytes) {
  for (size_t i = 0; i < bytes.size();) {
    utf8proc_int32_t code_point = 0;
    const auto length =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(&bytes[i]),
                         static_cast<utf8proc_ssize_t>(bytes.size() - i), &code_point);
    if (length < 0) return i;
    i += static_cast<size_t>(length);
  }
  return std::nullopt;
}

TEST(Unicode, RefusesWhatRfc3629Refuses) {
  EXPECT_EQ(FindInvalidUtf8(""), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8(std::string_view("a\0b", 3)), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("\u00e9\u20ac\U0001F600"), std::nullopt);
  EXPECT_EQ(FindInvalidUtf8("ab\xff"), 2u);
  EXPECT_EQ(FindInvalidUtf8("\xc0\x80"), 0u);          // overlong
  EXPECT_EQ(FindInvalidUtf8("a\xed\xa0\x80"), 1u);     // surrogate
  EXPECT_EQ(FindInvalidUtf8("\xf4\x90\x80\x80"), 0u);  // above U+10FFFF
  EXPECT_EQ(FindInvalidUtf8("abcdefgh\xe2\x82"), 8u);  // cut
}

TEST(Unicode, FindsTheSameFaultAsUtf8proc) {
  std::mt19937 random(1);
  const std::string_view alphabet("ab\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xed\xa0\xc0\xf4\xff\x80");
  for (int round = 0; round < 200'000; ++round) {
    std::string s(random() % 12, 'x');
    for (char& c : s) c = alphabet[random() % alphabet.size()];
    ASSERT_EQ(FindInvalidUtf8(s), SlowFindInvalid(s)) << Excerpt(s);
  }
}

TEST(Unicode, EveryCodePointRoundTrips) {
  for (uint32_t c = 0; c <= 0x10FFFF; ++c) {
    std::string s;
    if (c >= 0xD800 && c <= 0xDFFF) {
      ASSERT_FALSE(AppendUtf8(&s, c));
      continue;
    }
    ASSERT_TRUE(AppendUtf8(&s, c));
    ASSERT_EQ(FindInvalidUtf8(s), std::nullopt);
    ASSERT_EQ(FirstCodePoint(s).value, c);
    ASSERT_EQ(FirstCodePoint(s).length, s.size());
    ASSERT_EQ(CountCodePoints(s), 1u);
  }
  std::string s;
  EXPECT_FALSE(AppendUtf8(&s, 0x110000));
}

TEST(Unicode, PlainlyNfcHasNoFalsePositive) {
  for (uint32_t c = 0; c < 0x400; ++c) {
    std::string s;
    AppendUtf8(&s, c);
    if (!IsPlainlyNfc(s)) {
      EXPECT_GE(c, 0x300u);
      continue;
    }
    for (uint32_t d : {0x41u, 0xE9u, 0x2FFu, c}) {
      std::string pair = s;
      AppendUtf8(&pair, d);
      utf8proc_uint8_t* slow = nullptr;
      const auto length =
          utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(pair.data()),
                       static_cast<utf8proc_ssize_t>(pair.size()), &slow,
                       static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
      ASSERT_GE(length, 0);
      EXPECT_EQ(std::string(reinterpret_cast<char*>(slow), static_cast<size_t>(length)), pair);
      free(slow);
    }
  }
}

TEST(Unicode, NormalisesToNfc) {
  EXPECT_EQ(*ToNfc("plain"), "plain");
  EXPECT_EQ(*ToNfc("e\u0301"), "\u00e9");
  EXPECT_EQ(*ToNfc("\u212b"), "\u00c5");              // angstrom sign
  EXPECT_EQ(*ToNfc("\u1100\u1161\u11a8"), "\uac01");  // Hangul
  EXPECT_EQ(*ToNfc(std::string_view("e\u0301\0x", 5)), std::string("\u00e9\0x", 4));
  const auto bad = ToNfc("\xe2\x82");
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.error().message.find("\\xE2\\x82"), std::string::npos);
}

TEST(Unicode, KnowsLettersDigitsAndMarks) {
  EXPECT_TRUE(IsLetter('Z'));
  EXPECT_TRUE(IsLetter(0xE9));
  EXPECT_TRUE(IsLetter(0x4E2D));
  EXPECT_FALSE(IsLetter('5'));
  EXPECT_FALSE(IsLetter('['));
  EXPECT_FALSE(IsLetter('@'));
  EXPECT_TRUE(IsLetterDigitOrMark('5'));
  EXPECT_TRUE(IsLetterDigitOrMark(0x301));
  EXPECT_TRUE(IsLetterDigitOrMark(0x0665));  // Arabic-Indic five
  EXPECT_FALSE(IsLetterDigitOrMark('-'));
  EXPECT_FALSE(IsLetterDigitOrMark(0x2014));
}

TEST(Unicode, ExcerptIsShortAndPrintable) {
  EXPECT_EQ(Excerpt("caf\u00e9"), "caf\u00e9");
  EXPECT_EQ(Excerpt(std::string_view("a\n\t\r\x1b\0\xff", 7)), "a\\n\\t\\r\\u001B\\u0000\\xFF");
  EXPECT_EQ(Excerpt(std::string(100, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(Excerpt("abcdef", 3), "abc...");
  EXPECT_EQ(Excerpt("abc", 3), "abc");
}

}  // namespace
}  // namespace loci
