// SPDX-License-Identifier: Apache-2.0
//
// What a client of the door over HTTP sends, read strictly (RFC 9110 and 9112, HTTP/1.0 and 1.1):
// the head of a request, and a body in chunks. Pure functions of bytes, which fuzz/http_fuzz.cc
// feeds with anything.
//
// What two parsers could read in two ways (folded lines, bare line feeds, a length said twice) is
// refused. docs/decisions/0006-own-http.md tells why no library reads this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loci::mcp {

inline constexpr size_t kMaxHeadBytes = 16 << 10;  // request line and fields
inline constexpr size_t kMaxFields = 64;
inline constexpr size_t kMaxChunkLineBytes = 256;  // a size and its extensions
inline constexpr size_t kMaxTrailerBytes = 4 << 10;

// Why a request is refused: an HTTP status, and what a person can act on.
struct HttpFault {
  int status = 400;
  std::string what;
};

struct HttpRequest {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> fields;  // names in lower case, each once
  uint64_t content_length = 0;
  bool chunked = false;
  bool keep_alive = true;         // the connection serves another request afterwards
  bool expects_continue = false;  // the body comes after a 100

  bool has_body() const { return chunked || content_length > 0; }
  // By its name in lower case; null where there is none. Lists like Accept are joined by commas.
  const std::string* Field(std::string_view name) const;
};

// Where the head ends, behind its empty line; nothing where the end is not there yet.
std::optional<size_t> FindHeadEnd(std::string_view bytes);

// A whole head, its empty line included.
std::optional<HttpFault> ParseHead(std::string_view head, HttpRequest* request);

// Whether a list like that of Accept offers a type, itself or by a range that has it, with a
// quality above 0.
bool Accepts(std::string_view list, std::string_view type);

// Puts the data of chunks together as they come.
class ChunkReader {
 public:
  enum class State { kMore, kDone, kFault, kTooLong };

  explicit ChunkReader(size_t limit) : limit_(limit) {}

  // Takes from the front of `in` what it can, and adds the data to body. kDone leaves in `in` what
  // follows the body.
  State Read(std::string_view* in, std::string* body);

 private:
  State TakeLine(std::string_view* in, std::string* body);

  enum class Part { kSize, kData, kDataEnd, kTrailer };
  Part part_ = Part::kSize;
  std::string line_;     // what came of a line so far
  uint64_t rest_ = 0;    // bytes of the chunk to come
  size_t trailers_ = 0;  // bytes so far
  size_t limit_;
};

}  // namespace loci::mcp
