// SPDX-License-Identifier: Apache-2.0
#include "base/date.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <random>
#include <tuple>
#include <vector>

namespace loci {
namespace {

std::string Again(std::string_view text) {
  const auto bytes = DateFromText(text);
  return bytes.ok() ? DateToText(*bytes) : "error: " + bytes.error().message;
}

TEST(Date, PartialDatesAreKept) {
  for (const char* same :
       {"2024", "0000", "-0044", "12024", "-999999", "2024-05", "2024-05-17", "2024-05-17T08:30",
        "2024-05-17T08:30Z", "2024-05-17T08:30:01", "2024-05-17T08:30:00.000000001Z", "-0044-03-15",
        "2000-02-29", "2016-12-31T23:59:60Z"}) {
    EXPECT_EQ(Again(same), same);
  }
}

TEST(Date, ZonesBecomeUtc) {
  EXPECT_EQ(Again("2024-05-17T08:30:00.250+02:00"), "2024-05-17T06:30:00.25Z");
  EXPECT_EQ(Again("2024-01-01T00:30+01"), "2023-12-31T23:30Z");
  EXPECT_EQ(Again("2023-12-31T23:30-05:30"), "2024-01-01T05:00Z");
  EXPECT_EQ(Again("2024-03-01T00:00:00+00:01"), "2024-02-29T23:59:00Z");
  EXPECT_EQ(Again("2017-01-01T01:59:60+02:00"), "2016-12-31T23:59:60Z");
  EXPECT_EQ(Again("+2024-05-17T08:30:00.0Z"), "2024-05-17T08:30:00Z");
}

TEST(Date, RefusesWhatIsNotOfTheCalendar) {
  for (const char* bad : {"",
                          "24",
                          "202",
                          "2024-5",
                          "2024-13",
                          "2024-00",
                          "2024-02-30",
                          "2023-02-29",
                          "1900-02-29",
                          "2024-05-17T",
                          "2024-05-17T08",
                          "2024-05-17T24:00",
                          "2024-05-17T08:60",
                          "2024-05-17T08:30:61",
                          "2024-05-17T08:30:60Z",
                          "2024-05-17T08:30:00.",
                          "2024-W20",
                          "2024-138",
                          "2024-05-17Z",
                          "2024-05-17 08:30",
                          "2024-05-17T08:30:00.1234567891",
                          "-0000",
                          "01234",
                          "1000000",
                          "2024-05-17T08:30+24:00",
                          "2024-05-17T08:30z",
                          " 2024",
                          "2024 ",
                          "999999-12-31T23:59-01:00",
                          "\xff"}) {
    EXPECT_FALSE(DateFromText(bad).ok()) << bad;
  }
  EXPECT_EQ(Again("2023-02-29"), "error: \"2023-02-29\" is not a date: the month has no such day");
  EXPECT_NE(Again("2024-05-17T24:00").find("00:00 of the next day"), std::string::npos);
}

TEST(Date, ADateIsBeforeItsContinuations) {
  const char* ascending[] = {"-0044",
                             "-0044-03-15",
                             "0000",
                             "2023-12-31T23:59:59.999Z",
                             "2024",
                             "2024-01",
                             "2024-01-01",
                             "2024-01-01T00:00Z",
                             "2024-01-01T00:00",
                             "2024-01-01T00:00:00Z",
                             "2024-01-01T00:00:00",
                             "2024-01-01T00:00:00.5Z",
                             "2024-01-01T00:00:00.51Z",
                             "2024-01-01T00:01Z",
                             "2024-01-02",
                             "2024-02",
                             "10000"};
  for (size_t i = 1; i < std::size(ascending); ++i) {
    EXPECT_LT(*DateFromText(ascending[i - 1]), *DateFromText(ascending[i])) << ascending[i];
  }
}

// The double: std::chrono's days, with the zone subtracted as seconds.
TEST(Date, AgreesWithChrono) {
  using std::chrono::sys_days;
  std::mt19937 random(4);
  std::vector<std::pair<int64_t, std::string>> seen;
  for (int round = 0; round < 3000; ++round) {
    const std::chrono::year_month_day day(
        sys_days(std::chrono::days(static_cast<int>(random() % 200'000) - 100'000)));
    const int hour = static_cast<int>(random() % 24), minute = static_cast<int>(random() % 60),
              second = static_cast<int>(random() % 60),
              zone = static_cast<int>(random() % 1439) - 719;
    char text[64];
    std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d%c%02d:%02d", int(day.year()),
                  unsigned(day.month()), unsigned(day.day()), hour, minute, second,
                  zone < 0 ? '-' : '+', std::abs(zone) / 60, std::abs(zone) % 60);
    const auto bytes = DateFromText(text);
    ASSERT_TRUE(bytes.ok()) << bytes.error().message;
    ASSERT_TRUE(IsDate(*bytes));
    ASSERT_EQ(*DateFromText(DateToText(*bytes)), *bytes);
    const int64_t seconds = int64_t{sys_days(day).time_since_epoch().count()} * 86400 +
                            hour * 3600 + (minute - zone) * 60 + second;
    if (!seen.empty()) {
      const auto& other = seen[random() % seen.size()];
      ASSERT_EQ(seconds < other.first, *bytes < other.second) << text;
      ASSERT_EQ(seconds == other.first, *bytes == other.second) << text;
    }
    seen.emplace_back(seconds, *bytes);
  }
}

TEST(Date, ForeignBytesAreRefusedOrCanonical) {
  std::mt19937 random(5);
  int accepted = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes = *DateFromText("2024-05-17T08:30:00.25Z");
    const size_t changes = random() % 3;
    for (size_t k = 0; k < changes; ++k) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 64);
    }
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 2));
    if (!IsDate(bytes)) {
      ASSERT_EQ(DateToText(bytes), "");
      continue;
    }
    ++accepted;
    const auto again = DateFromText(DateToText(bytes));
    ASSERT_TRUE(again.ok()) << again.error().message;
    ASSERT_EQ(*again, bytes);
  }
  EXPECT_GT(accepted, 10'000);
}

}  // namespace
}  // namespace loci
