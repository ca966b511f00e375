// SPDX-License-Identifier: Apache-2.0
//
// The shape of random JSON beside what the parser makes of it; and that it takes one pass.
#include "mcp/shape.h"

#include <algorithm>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "mcp/json.h"

namespace loci::mcp {
namespace {

Json Random(std::mt19937* random, int depth) {
  static constexpr const char* kTexts[] = {"id", "",         "{",  "]}", "a\"b",
                                           "\\", "\"id\":7", ",:", "\n"};
  const auto below = [&](size_t n) { return (*random)() % n; };
  Json json;
  switch (below(depth > 3 ? 4 : 6)) {
    case 0:
      return below(1000);
    case 1:
      return nullptr;
    case 2:
    case 3:
      return kTexts[below(std::size(kTexts))];
    case 4:
      json = Json::array();
      for (size_t i = below(4); i > 0; --i) json.push_back(Random(random, depth + 1));
      return json;
    default:
      json = Json::object();
      for (size_t i = below(5); i > 0; --i) {
        json[kTexts[below(std::size(kTexts))]] = Random(random, depth + 1);
      }
      return json;
  }
}

size_t DepthOf(const Json& json) {
  if (!json.is_structured()) return 0;
  size_t deepest = 0;
  for (const auto& member : json) deepest = std::max(deepest, DepthOf(member));
  return deepest + 1;
}

size_t MembersOf(const Json& json) {
  size_t most = json.is_object() ? json.size() : 0;
  if (json.is_structured()) {
    for (const auto& member : json) most = std::max(most, MembersOf(member));
  }
  return most;
}

TEST(ShapeTest, IsWhatTheParserFinds) {
  std::mt19937 random(7);
  int with_id = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Json json = Random(&random, 0);
    const std::string text = ToText(json, static_cast<int>(random() % 3) - 1);
    const Shape shape = ShapeOf(text);
    ASSERT_EQ(shape.depth, DepthOf(json)) << text;
    ASSERT_EQ(shape.members, MembersOf(json)) << text;
    const auto id = json.is_object() ? json.find("id") : json.end();
    if (!json.is_object() || id == json.end() || id->is_structured()) continue;
    ASSERT_EQ(shape.id, ToText(*id)) << text;
    const bool last = json.back() == *id && (--json.end()).key() == "id";
    ASSERT_EQ(IdAtEnd(text), last ? shape.id : "") << text;
    ++with_id;
  }
  EXPECT_GT(with_id, 100);
}

TEST(ShapeTest, NoIdOfWhatIsNotClosed) {
  for (const char* text : {"", "{\"id\":1", "{\"id\":1}}", "[\"id\",1]", "{\"id\"}",
                           "{\"id\":", "\"id\":1", "{\"a\":{\"id\":1}}", "{\"a\":\"\\"}) {
    EXPECT_EQ(ShapeOf(text).id, "") << text;
  }
  for (const char* end :
       {"\"id\":1}}", "\\\"id\":1}", "\"id\":1", "\"id\":1,\"a\":2}", "", "\"id\""}) {
    EXPECT_EQ(IdAtEnd(end), "") << end;
  }
  EXPECT_EQ(IdAtEnd("xx}, \"id\" : \"a\\\"b\" } \r"), "\"a\\\"b\"");
}

}  // namespace
}  // namespace loci::mcp
