// SPDX-License-Identifier: Apache-2.0
#include "mcp/http_connection.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

namespace loci::mcp {
namespace {

using Clock = std::chrono::steady_clock;

// Milliseconds, rounded up, for poll.
int Left(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

HttpFault TooLong(uint64_t limit) {
  return {413, fmt::format("a message has at most {} bytes; send several", limit)};
}

}  // namespace

std::string_view StatusText(int status) {
  constexpr std::pair<int, std::string_view> kTexts[] = {
      {200, "OK"},
      {202, "Accepted"},
      {204, "No Content"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {408, "Request Timeout"},
      {413, "Content Too Large"},
      {415, "Unsupported Media Type"},
      {417, "Expectation Failed"},
      {431, "Request Header Fields Too Large"},
      {500, "Internal Server Error"},
      {501, "Not Implemented"},
      {503, "Service Unavailable"},
      {505, "HTTP Version Not Supported"},
  };
  for (const auto& [code, text] : kTexts) {
    if (code == status) return text;
  }
  return "Error";
}

HttpConnection::HttpConnection(Descriptor socket, const HttpLimits& limits,
                               std::atomic<uint64_t>* bodies)
    : socket_(std::move(socket)), limits_(limits), bodies_(bodies) {}

HttpConnection::~HttpConnection() {
  DropBody();
}

HttpConnection::Got HttpConnection::Fill(Clock::time_point deadline) {
  pollfd waiting{socket_.get(), POLLIN, 0};
  const int ready = Retry([&] { return ::poll(&waiting, 1, Left(deadline)); });
  if (ready == 0) return Got::kTimeout;
  if (ready < 0) return Got::kEnd;
  std::array<char, 16 << 10> bytes;
  const ssize_t n = Retry([&] { return ::recv(socket_.get(), bytes.data(), bytes.size(), 0); });
  if (n <= 0) return Got::kEnd;
  buffer_.append(bytes.data(), static_cast<size_t>(n));
  return Got::kBytes;
}

bool HttpConnection::ReadHead(HttpRequest* request, std::optional<HttpFault>* fault) {
  fault->reset();
  if (buffer_.empty() && Fill(Clock::now() + limits_.between) != Got::kBytes) return false;
  const auto deadline = Clock::now() + limits_.head;
  std::optional<size_t> end;
  while (!(end = FindHeadEnd(buffer_)) && buffer_.size() <= kMaxHeadBytes) {
    const Got got = Fill(deadline);
    if (got == Got::kEnd) return false;
    if (got == Got::kTimeout) {
      *fault = {408, "the head of the request took too long"};
      return true;
    }
  }
  if (!end || *end > kMaxHeadBytes) {
    *fault = {431, fmt::format("the head of a request has at most {} bytes", kMaxHeadBytes)};
    return true;
  }
  *fault = ParseHead(std::string_view(buffer_).substr(0, *end), request);
  buffer_.erase(0, *end);
  return true;
}

bool HttpConnection::Reserve(uint64_t bytes) {
  if (bytes <= reserved_) return true;
  const uint64_t more = bytes - reserved_;
  uint64_t held = bodies_->load();
  do {  // what does not fit is never added: it would refuse another that does
    if (held + more > limits_.bodies_bytes) return false;
  } while (!bodies_->compare_exchange_weak(held, held + more));
  reserved_ = bytes;
  return true;
}

void HttpConnection::DropBody() {
  bodies_->fetch_sub(reserved_);
  reserved_ = 0;
}

std::optional<HttpFault> HttpConnection::ReadBody(const HttpRequest& request, std::string* body) {
  const HttpFault slow = {408, "the body of the request took too long"};
  const HttpFault cut = {400, "the body of the request ends too early"};
  const HttpFault busy = {503, "too many large messages at once; try again"};
  const HttpFault broken = {400, "the chunks of the body are malformed"};
  body->clear();
  if (request.content_length > limits_.body_bytes) return TooLong(limits_.body_bytes);
  if (request.has_body() && request.expects_continue && buffer_.empty() &&
      !Write("HTTP/1.1 100 Continue\r\n\r\n")) {
    return cut;
  }
  const auto deadline = Clock::now() + limits_.body;
  ChunkReader chunks(limits_.body_bytes);
  for (;;) {
    if (request.chunked) {
      std::string_view rest = buffer_;
      const ChunkReader::State state = chunks.Read(&rest, body);
      buffer_.erase(0, buffer_.size() - rest.size());
      if (state == ChunkReader::State::kDone) return std::nullopt;
      if (state == ChunkReader::State::kFault) return broken;
      if (state == ChunkReader::State::kTooLong) return TooLong(limits_.body_bytes);
    } else {
      const uint64_t missing = request.content_length - body->size();
      const size_t n = static_cast<size_t>(std::min<uint64_t>(missing, buffer_.size()));
      body->append(buffer_, 0, n);
      buffer_.erase(0, n);
      if (n == missing) return std::nullopt;
    }
    // What came is counted, not what was announced: who announces much and sends little is cheap.
    if (!Reserve(body->size())) return busy;
    const Got got = Fill(deadline);
    if (got == Got::kTimeout) return slow;
    if (got == Got::kEnd) return cut;
  }
}

bool HttpConnection::Write(std::string_view bytes) {
  const auto deadline = Clock::now() + limits_.write;
  while (!bytes.empty()) {
    const ssize_t n = Retry([&] {
      return ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    });
    if (n >= 0) {
      bytes.remove_prefix(static_cast<size_t>(n));
      continue;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
    pollfd waiting{socket_.get(), POLLOUT, 0};
    if (Retry([&] { return ::poll(&waiting, 1, Left(deadline)); }) <= 0) return false;
  }
  return true;
}

bool HttpConnection::WriteReply(const HttpReply& reply, bool keep_alive) {
  std::string bytes = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, StatusText(reply.status));
  bytes += reply.extra_fields;
  bytes += "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n";
  if (!reply.body.empty()) bytes += "Content-Type: application/json\r\n";
  if (reply.status != 204) bytes += fmt::format("Content-Length: {}\r\n", reply.body.size());
  if (!keep_alive) bytes += "Connection: close\r\n";
  bytes += "\r\n";
  bytes += reply.body;  // in one write: two small ones would wait for each other's acknowledgement
  return Write(bytes);
}

void HttpConnection::Linger() {
  ::shutdown(socket_.get(), SHUT_WR);
  const auto deadline = Clock::now() + std::min(limits_.head, std::chrono::milliseconds(2'000));
  size_t read = 0;
  while (read < 2 * limits_.body_bytes) {
    buffer_.clear();
    if (Fill(deadline) != Got::kBytes) return;
    read += buffer_.size();
  }
}

}  // namespace loci::mcp
