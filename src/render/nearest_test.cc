// SPDX-License-Identifier: Apache-2.0
//
// EditDistance against its textbook recursion, Nearest on words that people mistype.
#include "render/nearest.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace loci {
namespace {

size_t SlowDistance(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return std::max(a.size(), b.size());
  const auto less = [](std::string_view s) { return s.substr(0, s.size() - 1); };
  size_t best = std::min({SlowDistance(less(a), b) + 1, SlowDistance(a, less(b)) + 1,
                          SlowDistance(less(a), less(b)) + (a.back() != b.back())});
  if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && b.back() == a[a.size() - 2]) {
    best = std::min(best, SlowDistance(less(less(a)), less(less(b))) + 1);
  }
  return best;
}

TEST(EditDistance, EqualsItsRecursion) {
  std::mt19937 random(1);
  const auto word = [&random] {
    std::string s(random() % 6, 'a');
    for (char& c : s) c = static_cast<char>('a' + random() % 3);
    return s;
  };
  for (int i = 0; i < 500; ++i) {
    const std::string a = word(), b = word();
    ASSERT_EQ(EditDistance(a, b), SlowDistance(a, b)) << a << " " << b;
  }
}

TEST(Nearest, FindsTheWordMeant) {
  const std::vector<std::string_view> verbs = {"learn", "ask", "forget", "stats"};
  EXPECT_EQ(Nearest("laern", verbs), "learn");
  EXPECT_EQ(Nearest("forgte", verbs), "forget");
  EXPECT_EQ(Nearest("asks", verbs), "ask");
  EXPECT_EQ(Nearest("frobnicate", verbs), "");
  EXPECT_EQ(Nearest("", verbs), "");
}

}  // namespace
}  // namespace loci
