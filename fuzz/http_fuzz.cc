// SPDX-License-Identifier: Apache-2.0
//
// The door over HTTP and any bytes: a head is read or refused by a status that HTTP has; one that
// was read is read again from its parts; a body in chunks is the same however it is cut, and never
// longer than its limit.
#include <algorithm>
#include <string>

#include "harness.h"
#include "mcp/http_connection.h"
#include "mcp/http_request.h"

namespace loci::mcp {
namespace {

using fuzz::Require;

void CheckHead(std::string_view bytes) {
  const auto end = FindHeadEnd(bytes);
  HttpRequest request;
  const auto fault = ParseHead(bytes.substr(0, end.value_or(bytes.size())), &request);
  if (fault) {
    fuzz::RequireClear({ErrorKind::kBadInput, fault->what}, {ErrorKind::kBadInput});
    Require(StatusText(fault->status) != "Error", "a fault has a status of HTTP", fault->what);
    return;
  }
  Require(end.has_value(), "what has no end is refused", bytes);
  Require(request.fields.size() <= kMaxFields, "fields are bounded");
  Require(!request.chunked || request.content_length == 0, "a body has one length");
  std::string again =
      request.method + " " + request.target +
      (request.keep_alive || request.chunked || request.expects_continue ? " HTTP/1.1\r\n"
                                                                         : " HTTP/1.0\r\n");
  for (const auto& [name, value] : request.fields) {
    Require(&value == request.Field(name), "a name is there once", name);
    again += name + ":" + value + "\r\n";
    for (const std::string_view type : {"application/json", "text/event-stream"}) {
      Require(!Accepts(value, type) || Accepts(value + ", x/y", type), "a longer list has more",
              value);
    }
  }
  HttpRequest read;
  Require(!ParseHead(again + "\r\n", &read), "what was read is read again", again);
  Require(read.method == request.method && read.target == request.target &&
              read.fields == request.fields && read.content_length == request.content_length &&
              read.chunked == request.chunked && read.keep_alive == request.keep_alive,
          "it is the same", again);
}

struct Chunked {
  ChunkReader::State state = ChunkReader::State::kMore;
  std::string body, rest;
  bool operator==(const Chunked&) const = default;
};

Chunked ReadChunks(std::string_view bytes, size_t limit, size_t step) {
  Chunked read;
  ChunkReader reader(limit);
  while (!bytes.empty() && read.state == ChunkReader::State::kMore) {
    std::string_view piece = bytes.substr(0, step);
    const size_t given = piece.size();
    read.state = reader.Read(&piece, &read.body);
    bytes.remove_prefix(given - piece.size());
  }
  read.rest = bytes;
  return read;
}

void CheckChunks(std::string_view bytes, size_t limit, size_t step) {
  const Chunked whole = ReadChunks(bytes, limit, bytes.size());
  Require(whole.body.size() <= limit, "a body is within its limit");
  Require(whole == ReadChunks(bytes, limit, step), "a body is the same however it is cut", bytes);
}

}  // namespace
}  // namespace loci::mcp

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  const std::string_view bytes = AsChars({data, size});
  mcp::CheckHead(bytes);
  mcp::CheckChunks(bytes, size % 97, 1 + size % 7);
  if (const auto end = mcp::FindHeadEnd(bytes)) {
    mcp::CheckChunks(bytes.substr(*end), 1 << 16, 1 + size % 7);
  }
  return 0;
}
