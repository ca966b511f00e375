// SPDX-License-Identifier: Apache-2.0
//
// The door over HTTP as its clients see it: the transport's rules, one by one, through a socket.
#include "mcp/http.h"

#include <thread>
#include <vector>

#include "mcp/http_testing.h"

namespace loci::mcp::test {
namespace {

TEST(Http, ServesASession) {
  HttpServed server;
  EXPECT_EQ("http://127.0.0.1:" + std::to_string(server.port()) + "/mcp", server.url());
  const std::string id = server.Initialize();
  EXPECT_EQ(32u, id.size());
  EXPECT_NE(id, server.Initialize());
  RawClient client = server.Connect();  // one connection for all
  client.Send(server.Request("POST", {{"Mcp-Session-Id", id}},
                             R"({"jsonrpc":"2.0","method":"notifications/initialized"})"));
  Response response = client.Read();
  EXPECT_EQ(202, response.status);
  EXPECT_EQ("", response.body);
  client.Send(server.Request(
      "POST", {{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "2025-11-25"}},
      CallTool(7, "create_entities",
               R"({"entities":[{"name":"Ada","entityType":"person","observations":["tea"]}]})")));
  response = client.Read();
  EXPECT_EQ(200, response.status);
  EXPECT_EQ("application/json", response.fields["Content-Type"]);
  EXPECT_EQ("no-store", response.fields["Cache-Control"]);
  EXPECT_EQ(0u, response.fields.count("Access-Control-Allow-Origin"));
  EXPECT_EQ(7, response.json()["id"]);
  EXPECT_EQ("Ada", response.json()["result"]["structuredContent"]["entities"][0]["name"]);
  EXPECT_EQ(1u, server.served().Good("read_graph", Json::object())["entities"].size());
  client.Send(server.Request("DELETE", {{"Mcp-Session-Id", id}}));
  EXPECT_EQ(204, client.Read().status);
  client.Send(server.Request("POST", {{"Mcp-Session-Id", id}}, Ping(1)));
  EXPECT_EQ(404, client.Read().status);
}

TEST(Http, AsksForASession) {
  HttpServed server;
  const std::string id = server.Initialize();
  const Response missing = server.Do("POST", {}, Ping(1));
  EXPECT_EQ(400, missing.status);
  EXPECT_EQ(-32600, missing.json()["error"]["code"]);
  EXPECT_TRUE(missing.json()["id"].is_null());
  EXPECT_EQ(404, server.Do("POST", {{"Mcp-Session-Id", "no-such"}}, Ping(1)).status);
  EXPECT_EQ(400, server.Do("GET", {}).status);
  EXPECT_EQ(400, server.Do("DELETE", {}).status);
  EXPECT_EQ(404, server.Do("DELETE", {{"Mcp-Session-Id", id + "0"}}).status);
  // An initialize that fails makes none.
  const Response failed =
      server.Do("POST", {}, R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{}})");
  EXPECT_EQ(0u, failed.fields.count("Mcp-Session-Id"));
  EXPECT_EQ(-32602, failed.json()["error"]["code"]);
}

TEST(Http, ChecksHostAndOrigin) {
  HttpServed server;
  const std::string port = ":" + std::to_string(server.port());
  for (const std::string good : {"127.0.0.1", "localhost", "LocalHost", "[::1]"}) {
    EXPECT_EQ(200, server.Do("POST", {{"Host", good + port}}, HttpServed::kInitialize).status);
    EXPECT_EQ(
        200,
        server.Do("POST", {{"Origin", "http://" + good + port}}, HttpServed::kInitialize).status);
  }
  for (const std::string bad : {"evil.example", "127.0.0.1.evil.example", "localhost:80:80", "::1",
                                "127.0.0.2", "localhost:", "localhost:x"}) {
    const Response host = server.Do("POST", {{"Host", bad}}, HttpServed::kInitialize);
    EXPECT_EQ(403, host.status) << bad;
    EXPECT_EQ(-32600, host.json()["error"]["code"]);
    EXPECT_EQ(403,
              server.Do("POST", {{"Origin", "http://" + bad}}, HttpServed::kInitialize).status);
  }
  EXPECT_EQ(403, server.Do("POST", {{"Origin", "null"}}, HttpServed::kInitialize).status);
  EXPECT_EQ(403,
            server.Do("POST", {{"Origin", "file://localhost"}}, HttpServed::kInitialize).status);
}

TEST(Http, AsksForTheToken) {
  HttpOptions http;
  http.token = "0123456789abcdef";
  HttpServed server(http);
  EXPECT_NE("", server.Initialize());
  EXPECT_EQ(200,
            server.Do("POST", {{"Authorization", "bEARER " + http.token}}, HttpServed::kInitialize)
                .status);
  for (const std::string bad : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde",
                                "Basic eA==", "Bearer 0123456789abcdef0", "0123456789abcdef"}) {
    const Response response = server.Do("POST", {{"Authorization", bad}}, HttpServed::kInitialize);
    EXPECT_EQ(401, response.status) << bad;
    EXPECT_TRUE(response.fields.at("WWW-Authenticate").starts_with("Bearer ")) << bad;
    EXPECT_EQ(std::string::npos, response.body.find(http.token));
  }
}

TEST(Http, ChecksMethodPathTypesAndVersion) {
  HttpServed server;
  const std::string id = server.Initialize();
  using Fields = std::map<std::string, std::string>;
  const auto post = [&](Fields fields) {
    fields["Mcp-Session-Id"] = id;
    return server.Do("POST", fields, Ping(1)).status;
  };
  EXPECT_EQ(200, post({}));
  EXPECT_EQ(200, post({{"Accept", "*/*"}}));
  EXPECT_EQ(200, post({{"Accept", "text/*;q=0.5, Application/JSON"}}));
  EXPECT_EQ(406, post({{"Accept", "application/json"}}));
  EXPECT_EQ(406, post({{"Accept", "text/event-stream"}}));
  EXPECT_EQ(406, post({{"Accept", "application/json, text/event-stream;q=0.0"}}));
  EXPECT_EQ(406, post({{"Accept", ""}}));
  EXPECT_EQ(200, post({{"Content-Type", "Application/JSON; charset=utf-8"}}));
  EXPECT_EQ(415, post({{"Content-Type", "text/plain"}}));
  EXPECT_EQ(415, post({{"Content-Type", ""}}));
  EXPECT_EQ(415, post({{"Content-Encoding", "gzip"}}));
  EXPECT_EQ(200, post({{"MCP-Protocol-Version", "2025-03-26"}}));
  EXPECT_EQ(400, post({{"MCP-Protocol-Version", "1999-01-01"}}));
  EXPECT_EQ(406, server.Do("GET", {{"Mcp-Session-Id", id}, {"Accept", "application/json"}}).status);
  for (const std::string method : {"PUT", "OPTIONS", "HEAD", "PATCH"}) {
    const Response response = server.Do(method, {{"Mcp-Session-Id", id}});
    EXPECT_EQ(405, response.status);
    EXPECT_EQ("POST, GET, DELETE", response.fields.at("Allow"));
  }
  RawClient client = server.Connect();
  client.Send("GET /other HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_EQ(404, client.Read().status);
}

TEST(Http, AnswersMalformedMessagesByTheirErrors) {
  HttpServed server;
  const std::string id = server.Initialize();
  const auto code = [&](const std::string& body) {
    const Response response = server.Do("POST", {{"Mcp-Session-Id", id}}, body);
    EXPECT_EQ(400, response.status);
    return response.json()["error"]["code"];
  };
  EXPECT_EQ(-32700, code("nonsense"));
  EXPECT_EQ(-32700, code("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}"));
  EXPECT_EQ(-32600, code("[" + Ping(1) + "]"));
  EXPECT_EQ(-32600, code(std::string(1000, '[') + std::string(1000, ']')));
  const Response unknown = server.Do("POST", {{"Mcp-Session-Id", id}},
                                     R"({"jsonrpc":"2.0","id":"x","method":"no/such"})");
  EXPECT_EQ(200, unknown.status);
  EXPECT_EQ(-32601, unknown.json()["error"]["code"]);
  EXPECT_EQ(202,
            server.Do("POST", {{"Mcp-Session-Id", id}}, R"({"jsonrpc":"2.0","id":1,"result":{}})")
                .status);
}

// What a stream sends after its head.
std::string OpenStream(const HttpServed& server, RawClient* client, const std::string& id,
                       const std::string& last = {}) {
  client->Send(server.Request("GET", {{"Mcp-Session-Id", id}, {"Last-Event-ID", last}}));
  const std::string head = client->ReadUntil("\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")) << head;
  return client->ReadUntil("\n\n");
}

TEST(Http, TellsChangesOnTheStreamAndResumesIt) {
  HttpServed server;
  const std::string id = server.Initialize();
  const auto post = [&](const std::string& body) {
    EXPECT_EQ(200, server.Do("POST", {{"Mcp-Session-Id", id}}, body).status);
  };
  const auto write = [&](int n) {
    post(CallTool(n, "create_entities",
                  R"({"entities":[{"name":"N)" + std::to_string(n) +
                      R"(","entityType":"t","observations":[]}]})"));
  };
  post(R"({"jsonrpc":"2.0","id":1,"method":"resources/subscribe",)"
       R"("params":{"uri":"memory://knowledge-graph"}})");
  write(2);  // before there is a stream: it waits
  RawClient first = server.Connect();
  EXPECT_EQ("retry: 1000\n\n", OpenStream(server, &first, id));
  const std::string told = first.ReadUntil("\n\n");
  EXPECT_TRUE(
      told.starts_with("id: 1\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":"
                       "\"notifications/resources/updated\""))
      << told;
  write(3);
  EXPECT_TRUE(first.ReadUntil("\n\n").starts_with("id: 2\n"));
  // A second stream takes over; the first ends, and is told nothing more.
  RawClient second = server.Connect();
  OpenStream(server, &second, id, "1");
  EXPECT_TRUE(first.AtEnd());
  EXPECT_TRUE(second.ReadUntil("\n\n").starts_with("id: 2\n"));
  write(4);
  EXPECT_TRUE(second.ReadUntil("\n\n").starts_with("id: 3\n"));
  EXPECT_EQ(204, server.Do("DELETE", {{"Mcp-Session-Id", id}}).status);
  EXPECT_TRUE(second.AtEnd());
}

TEST(Http, KeepsASilentStreamAlive) {
  HttpOptions http;
  http.limits.keep_alive = std::chrono::milliseconds(20);
  HttpServed server(http);
  RawClient client = server.Connect();
  OpenStream(server, &client, server.Initialize());
  EXPECT_EQ(": keep-alive\n\n", client.ReadUntil("\n\n"));
  EXPECT_EQ(": keep-alive\n\n", client.ReadUntil("\n\n"));
  server.Stop();
  client.ReadUntil("no such thing");
  EXPECT_TRUE(client.AtEnd());
}

TEST(Http, BoundsSessions) {
  HttpOptions http;
  http.limits.sessions = 3;
  HttpServed server(http);
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) ids.push_back(server.Initialize());
  const Response full = server.Do("POST", {}, HttpServed::kInitialize);
  EXPECT_EQ(503, full.status);
  EXPECT_EQ("60", full.fields.at("Retry-After"));
  EXPECT_EQ(204, server.Do("DELETE", {{"Mcp-Session-Id", ids[1]}}).status);
  EXPECT_NE("", server.Initialize());
  EXPECT_EQ(200, server.Do("POST", {{"Mcp-Session-Id", ids[0]}}, Ping(1)).status);
}

TEST(Http, EndsIdleSessionsButNoneInUse) {
  HttpOptions http;
  http.limits.sessions = 2;
  http.limits.evicted_session = std::chrono::milliseconds(0);
  HttpServed server(http);
  const std::string streaming = server.Initialize();
  RawClient client = server.Connect();
  OpenStream(server, &client, streaming);
  const std::string idle = server.Initialize();
  EXPECT_NE("", server.Initialize());  // in the place of the idle one
  EXPECT_EQ(404, server.Do("POST", {{"Mcp-Session-Id", idle}}, Ping(1)).status);
  EXPECT_EQ(200, server.Do("POST", {{"Mcp-Session-Id", streaming}}, Ping(1)).status);

  http.limits.idle_session = std::chrono::milliseconds(0);
  HttpServed hasty(http);
  const std::string id = hasty.Initialize();
  EXPECT_EQ(404, hasty.Do("POST", {{"Mcp-Session-Id", id}}, Ping(1)).status);
}

TEST(Http, ManySessionsAtOnceLoseNothing) {
  HttpServed server;
  constexpr int kClients = 8, kWrites = 10;
  std::vector<std::thread> threads;
  for (int c = 0; c < kClients; ++c) {
    threads.emplace_back([&server, c] {
      const std::string id = server.Initialize();
      RawClient client = server.Connect();
      for (int w = 0; w < kWrites; ++w) {
        const std::string name = std::to_string(c) + "-" + std::to_string(w);
        client.Send(server.Request("POST", {{"Mcp-Session-Id", id}},
                                   CallTool(w, "create_entities",
                                            R"({"entities":[{"name":"E)" + name +
                                                R"(","entityType":"t","observations":[]}]})")));
        EXPECT_EQ(200, client.Read().status);
      }
      EXPECT_EQ(204, server.Do("DELETE", {{"Mcp-Session-Id", id}}).status);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const Json graph = server.served().Good("read_graph", {{"max_bytes", 1'000'000}});
  EXPECT_EQ(size_t{kClients * kWrites}, graph["entities"].size());
}

TEST(Http, RefusesAPortInUse) {
  HttpServed server;
  HttpOptions http;
  http.port = server.port();
  const std::atomic<bool> stop{true};
  Served other;
  const auto result = ServeHttp(other.options(), http, &stop, {});
  ASSERT_FALSE(result.ok());
  EXPECT_NE(std::string::npos, result.error().message.find(std::to_string(http.port)));
}

}  // namespace
}  // namespace loci::mcp::test
