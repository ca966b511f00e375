// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_request.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace loci::mcp {
namespace {

TEST(HttpRequest, HasItsParts) {
  HttpRequest request;
  const auto fault = ParseHead(
      "POST /mcp HTTP/1.1\r\nHoSt:  a:1\t\r\nAccept: x\r\nAccept: y\r\nContent-Length: 12\r\n\r\n",
      &request);
  ASSERT_FALSE(fault.has_value()) << fault->what;
  EXPECT_EQ("POST", request.method);
  EXPECT_EQ("/mcp", request.target);
  ASSERT_NE(nullptr, request.Field("host"));
  EXPECT_EQ("a:1", *request.Field("host"));
  EXPECT_EQ("x, y", *request.Field("accept"));
  EXPECT_EQ(nullptr, request.Field("origin"));
  EXPECT_EQ(12u, request.content_length);
  EXPECT_TRUE(request.keep_alive);
}

TEST(HttpRequest, SaysWhetherTheConnectionGoesOn) {
  HttpRequest request;
  EXPECT_FALSE(ParseHead("GET / HTTP/1.1\r\nConnection: te, Close\r\n\r\n", &request).has_value());
  EXPECT_FALSE(request.keep_alive);
  EXPECT_FALSE(ParseHead("GET / HTTP/1.0\r\n\r\n", &request).has_value());
  EXPECT_FALSE(request.keep_alive);
}

TEST(Accepts, GoesByTypeRangeAndQuality) {
  EXPECT_TRUE(Accepts("text/html, TEXT/event-stream ; q=0.1", "text/event-stream"));
  EXPECT_TRUE(Accepts("text/*", "text/event-stream"));
  EXPECT_TRUE(Accepts("*/*;q=0.01", "text/event-stream"));
  EXPECT_FALSE(Accepts("text/event-stream;q=0", "text/event-stream"));
  EXPECT_FALSE(Accepts("text/event-stream; q=0.000", "text/event-stream"));
  EXPECT_FALSE(Accepts("text/event-streams, application/*", "text/event-stream"));
  EXPECT_FALSE(Accepts("", "text/event-stream"));
  EXPECT_FALSE(Accepts(",;,", "text/event-stream"));
}

// However the bytes are cut, the same body comes of them, and what follows it is left.
TEST(ChunkReader, ReadsWhatWasWrittenHoweverItComes) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string body, coded;
    for (auto n = random() % 6; n > 0; --n) {
      const std::string data(1 + random() % 40, static_cast<char>('a' + random() % 26));
      char size[8];
      std::snprintf(size, sizeof size, random() % 2 ? "%zx" : "%04zX", data.size());
      coded +=
          std::string(size) + (random() % 3 == 0 ? ";name=\"value\"" : "") + "\r\n" + data + "\r\n";
      body += data;
    }
    coded += random() % 2 ? "0\r\n\r\n" : "0\r\nA: b\r\n\r\n";
    const std::string rest = random() % 2 ? "" : "GET /";
    const std::string all = coded + rest;
    ChunkReader reader(body.size());
    std::string got, left;
    auto state = ChunkReader::State::kMore;
    for (size_t at = 0; at < all.size();) {
      const size_t n = std::min<size_t>(1 + random() % 9, all.size() - at);
      std::string_view piece = std::string_view(all).substr(at, n);
      at += n;
      if (state == ChunkReader::State::kMore) state = reader.Read(&piece, &got);
      left += piece;
    }
    EXPECT_EQ(ChunkReader::State::kDone, state);
    EXPECT_EQ(body, got);
    EXPECT_EQ(rest, left);
  }
}

}  // namespace
}  // namespace loci::mcp
