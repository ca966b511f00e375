// SPDX-License-Identifier: Apache-2.0
//
// The protocol: versions, capabilities, errors, subscriptions, cancellation, sources.
#include "mcp/session.h"

#include <thread>

#include "mcp/stdio.h"
#include "mcp/testing.h"

#include <unistd.h>

namespace loci::mcp {
namespace {

using test::Served;

Json Initialize(Served* served, const std::string& version, const std::string& client) {
  return served->Ask("initialize", {{"protocolVersion", version},
                                    {"capabilities", Json::object()},
                                    {"clientInfo", {{"name", client}, {"version", "1"}}}});
}

const Json kAda = Json::parse(
    R"({"entities":[{"name":"Ada","entityType":"person","observations":["likes tea"]}]})");

TEST(SessionTest, AgreesOnAVersion) {
  Served served;
  EXPECT_EQ(Initialize(&served, "2024-11-05", "c")["result"]["protocolVersion"], "2024-11-05");
  EXPECT_EQ(Initialize(&served, "1999-01-01", "c")["result"]["protocolVersion"], "2025-11-25");
  EXPECT_EQ(served.session().protocol_version(), "2025-11-25");
  EXPECT_EQ(served.Ask("initialize", Json::object())["error"]["code"], -32602);
}

TEST(SessionTest, UnknownThingsAreErrorsOfTheProtocol) {
  Served served;
  EXPECT_EQ(served.Ask("nope", Json::object())["error"]["code"], -32601);
  EXPECT_EQ(served.Ask("tools/call", Json::object())["error"]["code"], -32602);
  EXPECT_EQ(served.Ask("tools/call", {{"name", "stats"}, {"arguments", 5}})["error"]["code"],
            -32602);
  EXPECT_EQ(served.Ask("resources/read", {{"uri", "memory://x"}})["error"]["code"], -32602);
  EXPECT_EQ(served.Ask("ping", Json::object())["result"], Json::object());
  EXPECT_EQ(served.Bad("nope", Json::object()), "MCP error -32602: Tool nope not found");
  EXPECT_FALSE(served.session().Answer(ParseMessage(R"({"jsonrpc":"2.0","method":"x/y"})")));
}

TEST(SessionTest, TheWriterIsTheClient) {
  Served served;
  Initialize(&served, "2025-06-18", "claude-code");
  served.Good("create_entities", kAda);
  const auto snapshot = served.store().Read();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_TRUE((*snapshot)->Find({Kind::kSymbol, "claude-code"}).has_value());
}

TEST(SessionTest, SubscribersAreToldOfChangesWhoeverMadeThem) {
  Served served;
  std::vector<std::string> others;
  const auto other = served.Connect(&others);
  served.Good("create_entities", kAda);
  EXPECT_TRUE(served.notes().empty());
  served.Ask("resources/subscribe", {{"uri", "memory://knowledge-graph"}});
  served.Good("delete_entities",
              {{"entityNames", Json::array({"nobody"})}});  // as the reference server does
  EXPECT_EQ(served.notes().size(), 1);
  EXPECT_EQ(Json::parse(served.notes()[0]),
            Json::parse(R"({"jsonrpc":"2.0","method":"notifications/resources/updated",
                            "params":{"uri":"memory://knowledge-graph"}})"));
  served.Good("read_graph", Json::object());
  EXPECT_EQ(served.notes().size(), 1);
  other->Answer(ParseMessage(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"delete_entities",
          "arguments":{"entityNames":["Ada"]}}})"));
  served.Good("read_graph", Json::object());
  EXPECT_EQ(served.notes().size(), 2);
  served.Ask("resources/unsubscribe", {{"uri", "memory://knowledge-graph"}});
  served.Good("create_entities", kAda);
  EXPECT_EQ(served.notes().size(), 2);
  EXPECT_TRUE(others.empty());
}

TEST(SessionTest, TheResourceIsTheGraph) {
  Served served;
  served.Good("create_entities", kAda);
  const Json read =
      served.Ask("resources/read", {{"uri", "memory://knowledge-graph"}})["result"]["contents"][0];
  EXPECT_EQ(Json::parse(read["text"].get<std::string>()),
            served.Good("read_graph", Json::object()));
  EXPECT_EQ(read["mimeType"], "application/json");
}

TEST(SessionTest, AStoppedSessionCancels) {
  Served served;
  served.Good("create_entities", kAda);
  served.session().Stop();
  EXPECT_FALSE(served.session().Answer(ParseMessage(
      R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_graph"}})")));
  EXPECT_FALSE(served.session().Answer(ParseMessage(
      R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"delete_entities",
          "arguments":{"entityNames":["Ada"]}}})")));
  const auto snapshot = served.store().Read();
  ASSERT_TRUE(snapshot.ok());
  EXPECT_EQ((*snapshot)->statements(), 2);
}

// A pipe to the server and one from it, served on a thread until the first is closed.
class Streams {
 public:
  explicit Streams(const ServerOptions& options) {
    EXPECT_EQ(::pipe(in_), 0);
    EXPECT_EQ(::pipe(out_), 0);
    server_ = std::thread([this, &options] {
      EXPECT_TRUE(ServeStreams(options, in_[0], out_[1], nullptr).ok());
      ::close(out_[1]);
    });
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::write(in_[1], bytes.data(), bytes.size());
      ASSERT_GT(n, 0);
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }

  // Closes, and returns every line that came.
  std::vector<Json> End() {
    ::close(in_[1]);
    std::string all;
    char block[4096];
    for (ssize_t n; (n = ::read(out_[0], block, sizeof(block))) > 0;) {
      all.append(block, static_cast<size_t>(n));
    }
    server_.join();
    ::close(in_[0]);
    ::close(out_[0]);
    std::vector<Json> lines;
    for (size_t at = 0, end; (end = all.find('\n', at)) != std::string::npos; at = end + 1) {
      lines.push_back(Json::parse(all.substr(at, end - at)));
    }
    return lines;
  }

 private:
  int in_[2], out_[2];
  std::thread server_;
};

TEST(StreamsTest, EveryMessageIsAnsweredInOrder) {
  Served served;
  Streams streams(served.options());
  for (int i = 0; i < 50; ++i) {
    const std::string name = std::to_string(i);
    streams.Send(R"({"jsonrpc":"2.0","id":)" + name +
                 R"(,"method":"tools/call","params":{"name":"create_entities","arguments":)" +
                 R"({"entities":[{"name":")" + name +
                 R"(","entityType":"t","observations":[]}]}}})" + "\r\n\n");
  }
  // The last line has no end.
  streams.Send(R"({"jsonrpc":"2.0","id":50,"method":"tools/call","params":{"name":"read_graph"}})");
  const auto replies = streams.End();
  ASSERT_EQ(replies.size(), 51);
  for (size_t i = 0; i < replies.size(); ++i) EXPECT_EQ(replies[i]["id"], i);
  EXPECT_EQ(replies.back()["result"]["structuredContent"]["entities"].size(), 50);
}

TEST(StreamsTest, WhatIsTooLongOrNoMessageIsAnsweredAndPassedOver) {
  Served served;
  Streams streams(served.options());
  streams.Send(std::string(kMaxMessageBytes + 10, 'x') + "\n");
  streams.Send("\xff\xfe\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n");
  const auto replies = streams.End();
  ASSERT_EQ(replies.size(), 3);
  EXPECT_EQ(replies[0]["error"]["code"], -32600);
  EXPECT_EQ(replies[1]["error"]["code"], -32700);
  EXPECT_EQ(replies[2]["id"], 1);
}

}  // namespace
}  // namespace loci::mcp
