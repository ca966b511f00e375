// SPDX-License-Identifier: Apache-2.0
#include "query/period.h"

#include <gtest/gtest.h>

namespace loci::query {
namespace {

std::string End(std::string_view date) {
  const auto end = EndOfPeriod(*MakeDate(date));
  return end ? ToPlain(*end) : "none";
}

TEST(PeriodTest, EndsWhereTheNextBegins) {
  EXPECT_EQ(End("2024"), "2025");
  EXPECT_EQ(End("2024-05"), "2024-06");
  EXPECT_EQ(End("2024-12"), "2025-01");
  EXPECT_EQ(End("2024-02-28"), "2024-02-29");
  EXPECT_EQ(End("2023-02-28"), "2023-03-01");
  EXPECT_EQ(End("1900-02-28"), "1900-03-01");
  EXPECT_EQ(End("2024-12-31"), "2025-01-01");
  EXPECT_EQ(End("-0044-12"), "-0043-01");
  EXPECT_EQ(End("-0001"), "0000");
  EXPECT_EQ(End("999999"), "none");
  EXPECT_EQ(End("2024-05-17T08:30"), "none");
}

}  // namespace
}  // namespace loci::query
