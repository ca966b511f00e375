// SPDX-License-Identifier: Apache-2.0
#include "base/decimal.h"

#include <gtest/gtest.h>

#include <random>

namespace loci {
namespace {

std::string Again(std::string_view text) {
  const auto bytes = DecimalFromText(text);
  return bytes.ok() ? DecimalToText(*bytes) : "error: " + bytes.error().message;
}

TEST(Decimal, OneValueOneForm) {
  for (const char* one : {"1", "1.0", "01", "+1", "10e-1", "0.1e1", "1.", "1.000", "1e0", "1E+0"}) {
    EXPECT_EQ(*DecimalFromText(one), *DecimalFromText("1")) << one;
  }
  for (const char* zero : {"0", "-0", "0.0", "0e999999999999999999999", ".0", "000"}) {
    EXPECT_EQ(*DecimalFromText(zero), "\x80") << zero;
  }
  EXPECT_EQ(*DecimalFromText("-12.5"), std::string("\x7F\x7F\xFE\xF2\xCC\xFF", 6));
  EXPECT_EQ(*DecimalFromText("3"), std::string("\x81\x80\x00\x1F\x00", 5));
}

TEST(Decimal, PlainTextWhereItIsShort) {
  EXPECT_EQ(Again("-12.50"), "-12.5");
  EXPECT_EQ(Again("100000"), "100000");
  EXPECT_EQ(Again("1.5e300"), "1.5e300");
  EXPECT_EQ(Again("-2e-300"), "-2e-300");
  EXPECT_EQ(Again(".5"), "0.5");
  EXPECT_EQ(Again("1e-7"), "0.0000001");
  EXPECT_EQ(Again("1e-8"), "1e-8");
  EXPECT_EQ(Again("1e33"), "1" + std::string(33, '0'));
  EXPECT_EQ(Again("1e34"), "1e34");
  EXPECT_EQ(Again("1234567890123456789012345678901234"), "1234567890123456789012345678901234");
  EXPECT_EQ(Again("9.999e6144"), "9.999e6144");
  EXPECT_EQ(Again("0.00120"), "0.0012");
  EXPECT_EQ(Again("0" + std::string(100'000, '0') + "7." + std::string(100'000, '0')), "7");
}

TEST(Decimal, RefusesWhatIsNotExact) {
  for (const char* bad : {"", "-", ".", "e5", "1e", "1e+", "1x", " 1", "1 ", "0x10", "nan", "inf",
                          "-Infinity", "1.2.3", "1,5", "--1", "1e5.5", "\xff"}) {
    const auto result = DecimalFromText(bad);
    EXPECT_FALSE(result.ok()) << bad;
  }
  EXPECT_NE(Again("12345678901234567890123456789012345").find("34 significant"), std::string::npos);
  EXPECT_NE(Again("1e6145").find("power of ten"), std::string::npos);
  EXPECT_NE(Again("1e-6144").find("power of ten"), std::string::npos);
  EXPECT_NE(Again("1e99999999999999999999").find("power of ten"), std::string::npos);
  EXPECT_EQ(Again("nan"),
            "error: \"nan\" is not a number: write digits as in -12.5 or 3e8 (NaN and infinities "
            "are not kept)");
}

// The double: integers scaled by a power of ten, compared as __int128.
TEST(Decimal, BytesCompareAsValues) {
  std::mt19937_64 random(2);
  struct Number {
    __int128 value;  // times 10^6
    std::string bytes;
  };
  std::vector<Number> numbers;
  for (int i = 0; i < 1200; ++i) {
    const auto digits = static_cast<int64_t>(random() % (uint64_t{1} << (1 + random() % 40)));
    const int64_t value = random() % 2 ? digits : -digits;
    const int shift = static_cast<int>(random() % 7);
    __int128 scaled = value;
    for (int k = 0; k < shift; ++k) scaled *= 10;
    const auto bytes = DecimalFromText(std::to_string(value) + "e" + std::to_string(shift - 6));
    ASSERT_TRUE(bytes.ok());
    ASSERT_TRUE(IsDecimal(*bytes));
    ASSERT_EQ(*DecimalFromText(DecimalToText(*bytes)), *bytes);
    numbers.push_back({scaled, *bytes});
  }
  for (const Number& a : numbers) {
    for (const Number& b : numbers) {
      ASSERT_EQ(a.value < b.value, a.bytes < b.bytes);
      ASSERT_EQ(a.value == b.value, a.bytes == b.bytes);
    }
  }
}

TEST(Decimal, ExtremesKeepTheirOrder) {
  const char* ascending[] = {"-9e6144", "-1e6144", "-10",  "-9.99", "-9.9",   "-1e-6143", "0",
                             "1e-6143", "9.9",     "9.99", "10",    "1e6144", "9e6144"};
  for (size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(*DecimalFromText(ascending[i - 1]), *DecimalFromText(ascending[i])) << ascending[i];
  }
}

// Bytes that are accepted are exactly those that come back from the text they stand for.
TEST(Decimal, ForeignBytesAreRefusedOrCanonical) {
  std::mt19937 random(3);
  int accepted = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes = *DecimalFromText(std::to_string(static_cast<int>(random())));
    const size_t changes = random() % 3;
    for (size_t k = 0; k < changes; ++k)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 2));
    if (!IsDecimal(bytes)) {
      ASSERT_EQ(DecimalToText(bytes), "");
      continue;
    }
    ++accepted;
    ASSERT_EQ(*DecimalFromText(DecimalToText(bytes)), bytes);
  }
  EXPECT_GT(accepted, 10'000);
  EXPECT_FALSE(IsDecimal(""));
  EXPECT_FALSE(IsDecimal(std::string("\x81\x80\x00\x00", 4)));
  EXPECT_FALSE(IsDecimal(std::string("\x81\x80\x00\x01\x00", 5)));
}

}  // namespace
}  // namespace loci
