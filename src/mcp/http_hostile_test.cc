// SPDX-License-Identifier: Apache-2.0
//
// The door over HTTP and clients that mean harm, or are broken: each is answered by an error or cut
// off within its time, and the next client is served.
#include <poll.h>

#include <memory>
#include <string>
#include <vector>

#include "mcp/http_testing.h"

namespace loci::mcp::test {
namespace {

HttpOptions Hasty() {
  HttpOptions http;
  http.limits.head = std::chrono::milliseconds(100);
  http.limits.body = std::chrono::milliseconds(100);
  http.limits.between = std::chrono::milliseconds(400);
  http.limits.body_bytes = 1 << 16;
  http.limits.bodies_bytes = 1 << 17;
  http.limits.connections = 12;
  return http;
}

class HttpHostile : public ::testing::Test {
 protected:
  ~HttpHostile() override { EXPECT_NE("", server_.Initialize()) << "it serves on"; }

  // The status that bytes are answered by, after which the connection ends.
  int Send(const std::string& bytes) {
    RawClient client = server_.Connect();
    client.Send(bytes);
    const Response response = client.Read();
    EXPECT_EQ("close", response.fields.count("Connection") ? response.fields.at("Connection") : "");
    EXPECT_EQ(-32600, response.json()["error"]["code"]);
    EXPECT_TRUE(client.AtEnd());
    return response.status;
  }
  std::string Post(const std::string& framing) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: "
           "application/json\r\n" +
           framing + "\r\n";
  }

  HttpServed server_{Hasty()};
};

TEST_F(HttpHostile, RequestsThatAreNone) {
  EXPECT_EQ(400, Send("nonsense\r\n\r\n"));
  EXPECT_EQ(400, Send("\r\n\r\n"));
  EXPECT_EQ(400, Send("GET  HTTP/1.1\r\n\r\n"));
  EXPECT_EQ(505, Send("GET /mcp HTTP/2.0\r\n\r\n"));
  EXPECT_EQ(400, Send("\x16\x03\x01\x02\r\n\r\n"));  // TLS
  EXPECT_EQ(400, Send("GET /mcp HTTP/1.1\r\nHost : localhost\r\n\r\n"));
  EXPECT_EQ(400, Send("GET /mcp HTTP/1.1\r\nHost: a\r\n b\r\n\r\n"));
  EXPECT_EQ(400, Send("GET /mcp HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"));
  EXPECT_EQ(400, Send("GET /mcp HTTP/1.1\r\nA: x\ny: z\r\n\r\n"));
  EXPECT_EQ(400, Send(std::string("GET /mcp HTTP/1.1\r\nA: \0\r\n\r\n", 27)));
}

TEST_F(HttpHostile, HeadsThatAreTooLarge) {
  EXPECT_EQ(431, Send("GET /" + std::string(2 * kMaxHeadBytes, 'a')));
  std::string many = "GET /mcp HTTP/1.1\r\n";
  for (size_t i = 0; i <= kMaxFields; ++i) many += "X" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(431, Send(many + "\r\n"));
}

TEST_F(HttpHostile, LengthsThatLie) {
  for (const std::string length : {"-1", "+5", "0x10", "5 5", "5,5", "", "99999999999999999999"}) {
    EXPECT_EQ(400, Send(Post("Content-Length: " + length + "\r\n"))) << length;
  }
  EXPECT_EQ(413, Send(Post("Content-Length: 65537\r\n")));
  EXPECT_EQ(413, Send(Post("Content-Length: 18446744073709551615\r\n")));
  EXPECT_EQ(400, Send(Post("Content-Length: 5\r\nContent-Length: 5\r\n") + "hello"));
  EXPECT_EQ(400, Send(Post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n"));
  EXPECT_EQ(501, Send(Post("Transfer-Encoding: gzip, chunked\r\n")));
}

TEST_F(HttpHostile, Chunks) {
  const std::string head = Post("Transfer-Encoding: chunked\r\n");
  RawClient client = server_.Connect();
  const std::string message = HttpServed::kInitialize;
  std::string body;
  for (const char c : message) body += std::string("1;x=y\r\n") + c + "\r\n";
  client.Send(head + body + "0\r\nTrailer: x\r\n\r\n" + head + "1\r\n[\r\n0\r\n\r\n");
  EXPECT_EQ(200, client.Read().status);
  EXPECT_EQ(-32700, client.Read().json()["error"]["code"]);
  EXPECT_EQ(400, Send(head + "x\r\n"));
  EXPECT_EQ(400, Send(head + "-1\r\n"));
  EXPECT_EQ(400, Send(head + "2\r\nabc\r\n"));
  EXPECT_EQ(400, Send(head + "1\nab"));
  EXPECT_EQ(400, Send(head + std::string(2 * kMaxChunkLineBytes, '0')));
  EXPECT_EQ(400, Send(head + "0\r\n" + std::string(2 * kMaxTrailerBytes, 't')));
  EXPECT_EQ(413, Send(head + "10001\r\n"));
  EXPECT_EQ(413, Send(head + "ffffffffffffffff\r\n"));
  EXPECT_EQ(413, Send(head + "8000\r\n" + std::string(0x8000, 'x') + "\r\n8001\r\n"));
}

TEST_F(HttpHostile, ClientsThatAreSlow) {
  EXPECT_EQ(408, Send("GET /mcp HT"));
  EXPECT_EQ(408, Send(Post("Content-Length: 10\r\n") + "123"));
  RawClient silent = server_.Connect();
  EXPECT_TRUE(silent.AtEnd());
}

TEST_F(HttpHostile, ClientsThatGoAway) {
  RawClient half = server_.Connect();
  half.Send("POST /mcp HT");
  half.StopSending();
  EXPECT_TRUE(half.AtEnd());
  RawClient cut = server_.Connect();
  cut.Send(Post("Content-Length: 10\r\n") + "123");
  cut.StopSending();
  EXPECT_EQ(400, cut.Read().status);
  for (int i = 0; i < 50; ++i) {
    RawClient gone = server_.Connect();
    gone.Send(server_.Request("POST", {}, HttpServed::kInitialize));
  }
}

TEST_F(HttpHostile, PipelinedRequestsAreAnsweredInOrder) {
  const std::string id = server_.Initialize();
  RawClient client = server_.Connect();
  std::string all;
  for (int i = 0; i < 20; ++i) all += server_.Request("POST", {{"Mcp-Session-Id", id}}, Ping(i));
  client.Send(all);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(i, client.Read().json()["id"]);
}

TEST_F(HttpHostile, BodiesAreNotReadWithoutPermission) {
  HttpOptions http = Hasty();
  http.token = "0123456789abcdef";
  HttpServed server(http);
  RawClient client = server.Connect();
  client.Send(server.Request("POST", {{"Authorization", "Bearer x"}, {"Content-Length", "60000"}}));
  EXPECT_EQ(401, client.Read().status);  // at once: nothing of the body was sent
  RawClient polite = server.Connect();
  const std::string body = HttpServed::kInitialize;
  polite.Send(server.Request(
      "POST", {{"Expect", "100-continue"}, {"Content-Length", std::to_string(body.size())}}));
  EXPECT_EQ("HTTP/1.1 100 Continue\r\n\r\n", polite.ReadUntil("\r\n\r\n"));
  polite.Send(body);
  EXPECT_EQ(200, polite.Read().status);
}

// Two of three fit. Those that are refused are so before they are whole; the others go on.
TEST_F(HttpHostile, LargeBodiesAtOnceAreBounded) {
  HttpOptions http = Hasty();
  http.limits.body = std::chrono::seconds(60);
  HttpServed server(http);
  std::vector<std::unique_ptr<RawClient>> clients;
  std::vector<pollfd> waiting;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->Send(Post("Content-Length: 60000\r\n") + std::string(59'000, ' '));
    waiting.push_back({clients.back()->socket(), POLLIN, 0});
  }
  EXPECT_GE(::poll(waiting.data(), waiting.size(), 20'000), 1);
  int refused = 0;
  for (const auto& client : clients) {
    client->Send(std::string(1'000, ' '));
    const Response response = client->Read();
    refused += response.status == 503;
    if (response.status != 503) {
      EXPECT_EQ(-32700, response.json()["error"]["code"]);
    }
  }
  EXPECT_GE(refused, 1);
}

TEST_F(HttpHostile, ConnectionsAreBounded) {
  HttpOptions http;
  http.limits.connections = 12;
  HttpServed server(http);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int i = 0; i < 12; ++i) clients.push_back(std::make_unique<RawClient>(server.port()));
  RawClient last(server.port());
  const Response response = last.Read();
  EXPECT_EQ(503, response.status);
  EXPECT_EQ("10", response.fields.at("Retry-After"));
  clients.clear();
  EXPECT_NE("", server.Initialize());
}

}  // namespace
}  // namespace loci::mcp::test
