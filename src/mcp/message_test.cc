// SPDX-License-Identifier: Apache-2.0
//
// What is a message, what is not, and what is said of it; JSON's limits.
#include "mcp/message.h"

#include <string>

#include <gtest/gtest.h>

namespace loci::mcp {
namespace {

int CodeOf(const Message& message) {
  return Json::parse(message.reply)["error"]["code"].get<int>();
}

TEST(MessageTest, KindsAreToldApart) {
  const Message request =
      ParseMessage(R"({"jsonrpc":"2.0","id":"a","method":"m","params":{"x":1}})");
  EXPECT_EQ(request.kind, Message::Kind::kRequest);
  EXPECT_EQ(request.id, "a");
  EXPECT_EQ(request.params["x"], 1);
  EXPECT_EQ(ParseMessage(R"({"jsonrpc":"2.0","method":"m"})").kind, Message::Kind::kNotification);
  EXPECT_EQ(ParseMessage(R"({"jsonrpc":"2.0","id":7,"result":{}})").kind, Message::Kind::kResponse);
  EXPECT_EQ(ParseMessage(R"({"jsonrpc":"2.0","id":7,"error":{}})").kind, Message::Kind::kResponse);
}

TEST(MessageTest, WhatIsNoMessageIsRefused) {
  for (const char* text :
       {"", "{", "nope", "\"\xff\"", "\"\\ud800\"", "{}{}", "[1,]", "{\"a\":}"}) {
    const Message message = ParseMessage(text);
    ASSERT_EQ(message.kind, Message::Kind::kMalformed) << text;
    EXPECT_EQ(CodeOf(message), -32700) << text;
  }
  for (const char* text :
       {"[]", "1", "null", "{}", R"({"jsonrpc":"1.0","id":1,"method":"m"})",
        R"({"jsonrpc":"2.0","id":1})", R"({"jsonrpc":"2.0","id":1,"method":5})",
        R"({"jsonrpc":"2.0","id":{},"method":"m"})", R"({"jsonrpc":"2.0","id":null,"method":"m"})",
        R"({"jsonrpc":"2.0","id":1,"method":"m","params":[1]})",
        R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])"}) {
    const Message message = ParseMessage(text);
    ASSERT_EQ(message.kind, Message::Kind::kMalformed) << text;
    EXPECT_EQ(CodeOf(message), -32600) << text;
  }
  // The id is given back where there is one.
  EXPECT_EQ(Json::parse(ParseMessage(R"({"jsonrpc":"2.0","id":9,"method":5})").reply)["id"], 9);
}

TEST(MessageTest, TheIdOfWhatCannotBeParsedIsGivenBack) {
  const auto id = [](const Message& message) { return Json::parse(message.reply)["id"]; };
  // As JSON.stringify writes half of a pair; and with the id last, as both official clients have
  // it.
  EXPECT_EQ(id(ParseMessage(R"({"method":"m","params":{"a":"\ud800"},"jsonrpc":"2.0","id":3})")),
            3);
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_EQ(id(ParseMessage(R"({"id":"x","params":{"id":7,"a":)" + deep + "}}")), "x");
  EXPECT_EQ(id(ParseMessage(R"({"id":{},"a":)" + deep + "}")), nullptr);
  EXPECT_EQ(id(TooLongMessage(R"(xxxxx"},"jsonrpc":"2.0","id":4})")), 4);
  EXPECT_EQ(id(TooLongMessage(R"(xxxxx"},"jsonrpc":"2.0","id":4}})")), nullptr);
}

TEST(MessageTest, DeepAndWideJsonIsRefusedQuickly) {
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(CodeOf(ParseMessage(deep)), -32600);
  std::string wide = "{";
  for (int i = 0; i < 200'000; ++i) wide += "\"" + std::to_string(i) + "\":0,";
  wide += "\"\":0}";
  EXPECT_EQ(CodeOf(ParseMessage(wide)), -32600);
  EXPECT_EQ(CodeOf(ParseMessage(std::string(kMaxMessageBytes + 1, ' '))), -32600);
  // Objects side by side: with a callback, nlohmann's parser looks through all before each.
  std::string many = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"a\":[{}";
  for (int i = 0; i < 300'000; ++i) many += ",{}";
  EXPECT_EQ(ParseMessage(many + "]}}").kind, Message::Kind::kRequest);
  for (int i = 0; i < 300'000; ++i) many += ",{}";
  EXPECT_EQ(CodeOf(ParseMessage(many + "]}}")), -32600);
}

TEST(JsonTest, TextBytesIsWhatThePrinterWrites) {
  for (const std::string text : {"", "plain", "\"quoted\\\"", "tab\tline\nreturn\r", "\b\f",
                                 "\x01\x1f\x7f", "h\u00e9\u4e16"}) {
    EXPECT_EQ(TextBytes(text), ToText(Json(text)).size()) << text;
  }
}

}  // namespace
}  // namespace loci::mcp
