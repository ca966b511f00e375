// SPDX-License-Identifier: Apache-2.0
//
// For tests of the door over HTTP: a server in a thread, and a client that sends any bytes at all.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <atomic>
#include <cstdlib>
#include <future>
#include <map>
#include <string>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>

#include "base/posix.h"
#include "mcp/http.h"
#include "mcp/http_request.h"
#include "mcp/testing.h"

namespace loci::mcp::test {

struct Response {
  int status = 0;  // 0: none came
  std::map<std::string, std::string> fields;
  std::string body;
  Json json() const { return body.empty() ? Json() : Json::parse(body); }
};

// A connection.
class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    timeval most{20, 0};  // a test that waits for longer has failed
    ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    EXPECT_EQ(0, ::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address));
  }

  void Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return;  // the server has had enough; what it answered tells
      bytes.remove_prefix(static_cast<size_t>(n));
    }
  }

  // Up to and with the end given, or all there is; what follows stays for the next.
  std::string ReadUntil(std::string_view end) {
    for (;;) {
      if (const size_t at = buffer_.find(end); at != std::string::npos) {
        std::string text = buffer_.substr(0, at + end.size());
        buffer_.erase(0, text.size());
        return text;
      }
      if (!Receive()) return std::exchange(buffer_, {});
    }
  }

  Response Read() {
    Response response;
    const std::string head = ReadUntil("\r\n\r\n");
    if (!head.starts_with("HTTP/1.1 ")) return response;
    response.status = std::atoi(head.c_str() + 9);
    for (size_t at = head.find("\r\n") + 2; at + 2 < head.size();) {
      const size_t colon = head.find(": ", at), end = head.find("\r\n", at);
      response.fields[head.substr(at, colon - at)] = head.substr(colon + 2, end - colon - 2);
      at = end + 2;
    }
    if (response.fields.count("Content-Length") != 0) {
      const size_t length = std::stoul(response.fields["Content-Length"]);
      while (buffer_.size() < length && Receive()) {
      }
      response.body = buffer_.substr(0, length);
      buffer_.erase(0, length);
    }
    return response;
  }

  // Whether the server has ended the connection.
  bool AtEnd() { return buffer_.empty() && !Receive(); }
  int socket() const { return socket_.get(); }
  void StopSending() { ::shutdown(socket_.get(), SHUT_WR); }

 private:
  bool Receive() {
    char bytes[4096];
    const ssize_t n = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (n <= 0) return false;
    buffer_.append(bytes, static_cast<size_t>(n));
    return true;
  }

  Descriptor socket_;
  std::string buffer_;
};

// A served memory behind HTTP, from its making to its end.
class HttpServed {
 public:
  explicit HttpServed(HttpOptions http = {}) : http_(std::move(http)) {
    std::promise<std::string> ready;
    thread_ = std::thread([this, &ready] {
      result_ = ServeHttp(served_.options(), http_, &interrupt_,
                          [&](const std::string& url) { ready.set_value(url); });
    });
    url_ = ready.get_future().get();
    port_ = static_cast<uint16_t>(std::atoi(url_.c_str() + url_.rfind(':') + 1));
  }
  ~HttpServed() { Stop(); }

  void Stop() {
    interrupt_ = true;
    if (thread_.joinable()) thread_.join();
    EXPECT_TRUE(result_.ok());
  }

  uint16_t port() const { return port_; }
  const std::string& url() const { return url_; }
  Served& served() { return served_; }
  RawClient Connect() const { return RawClient(port_); }

  // A request as clients make it; fields replaces those of its names, an empty value leaves it out.
  std::string Request(const std::string& method, std::map<std::string, std::string> fields,
                      const std::string& body = {}) const {
    std::map<std::string, std::string> all = {
        {"Host", "127.0.0.1:" + std::to_string(port_)},
        {"Accept", "application/json, text/event-stream"},
    };
    if (method == "POST") all["Content-Type"] = "application/json";
    if (!body.empty()) all["Content-Length"] = std::to_string(body.size());
    if (!http_.token.empty()) all["Authorization"] = "Bearer " + http_.token;
    for (const auto& [name, value] : fields) all[name] = value;
    std::string text = method + " /mcp HTTP/1.1\r\n";
    for (const auto& [name, value] : all) {
      if (!value.empty()) text += name + ": " + value + "\r\n";
    }
    return text + "\r\n" + body;
  }

  Response Do(const std::string& method, const std::map<std::string, std::string>& fields,
              const std::string& body = {}) const {
    RawClient client = Connect();
    client.Send(Request(method, fields, body));
    return client.Read();
  }

  // The identifier of a new session. Waits for a place where connections that just ended had all.
  std::string Initialize() const {
    Response response = Do("POST", {}, kInitialize);
    for (int i = 0; i < 400 && response.status == 503; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(25));
      response = Do("POST", {}, kInitialize);
    }
    EXPECT_EQ(200, response.status) << response.body;
    const auto id = response.fields.find("Mcp-Session-Id");
    return id == response.fields.end() ? std::string() : id->second;
  }

  static constexpr const char* kInitialize =
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25",)"
      R"("capabilities":{},"clientInfo":{"name":"tester","version":"1"}}})";

 private:
  Served served_;
  const HttpOptions http_;
  std::atomic<bool> interrupt_{false};
  Result<void> result_;
  std::thread thread_;
  std::string url_;
  uint16_t port_ = 0;
};

inline std::string Ping(int id) {
  return R"({"jsonrpc":"2.0","method":"ping","id":)" + std::to_string(id) + "}";
}

inline std::string CallTool(int id, const std::string& tool, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
         R"(,"method":"tools/call","params":{"name":")" + tool + R"(","arguments":)" + arguments +
         "}}";
}

}  // namespace loci::mcp::test
