// SPDX-License-Identifier: Apache-2.0
//
// In lockstep with lowering both and looking; and Next finds every place where the run is.
#include "mcp/containing.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

bool Double(const std::string& query, const std::string& text) {
  return ToLower(text).find(ToLower(query)) != std::string::npos;
}

TEST(ContainingTest, AsTheSlowWayHasIt) {
  const std::vector<std::string> letters = {"a",  "A",  "b", "B", "k",      "K", "i",   "I", "@",
                                            "`",  "{",  "[", " ", "0",      "é", "É",   "д", "Д",
                                            "世", "界", "σ", "ς", "\u212a", "İ", "\xff"};
  std::mt19937 random(5);
  const auto text = [&](size_t most) {
    std::string out;
    for (size_t n = random() % most; n > 0; --n) out += letters[random() % letters.size()];
    return out;
  };
  int found = 0;
  for (int i = 0; i < 200'000; ++i) {
    const std::string query = text(4), in = text(40);
    if (query.empty()) continue;
    const bool expected = Double(query, in);
    found += expected;
    ASSERT_EQ(Containing(query).In(in), expected) << query << " in " << in;
  }
  EXPECT_GT(found, 10'000);
}

TEST(ContainingTest, NextFindsEveryPlace) {
  std::mt19937 random(6);
  for (int i = 0; i < 2'000; ++i) {
    std::string bytes(random() % 200, ' ');
    for (char& c : bytes) c = "aAbB "[random() % 5];
    std::string query(1 + random() % 3, ' ');
    for (char& c : query) c = "ab"[random() % 2];
    const Containing containing(query);
    std::vector<size_t> places, expected;
    for (size_t at = 0; (at = containing.Next(bytes, at)) != std::string::npos; ++at) {
      places.push_back(at);
    }
    const std::string lowered = ToLower(bytes);
    for (size_t at = 0; (at = lowered.find(query, at)) != std::string::npos; ++at) {
      expected.push_back(at);
    }
    ASSERT_EQ(places, expected) << query << " in " << bytes;
  }
}

}  // namespace
}  // namespace loci::mcp
