// SPDX-License-Identifier: Apache-2.0
//
// Streams of bytes to read from: files, standard input, memory, and the decompressed view of any of
// them. Nothing is mapped: a file that shrinks while it is read must not be a signal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Up to `most` bytes (at least 1) into `to`; fewer say nothing about the end, 0 is the end.
  virtual Result<size_t> Read(char* to, size_t most) = 0;
};

using Progress = std::function<bool(uint64_t done, uint64_t total)>;

// "-" is standard input. A directory is an error here.
Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path, Progress progress);

// The bytes must outlive the source.
std::unique_ptr<ByteSource> FromBytes(std::string_view bytes);

// First the bytes of prefix, then the rest.
std::unique_ptr<ByteSource> Replay(std::string prefix, std::unique_ptr<ByteSource> rest);

// Reads until `most` bytes are there or the source ends.
Result<std::string> ReadUpTo(ByteSource* source, size_t most);

// Told apart by their first bytes: gzip (RFC 1952, members one after another), Zstandard (RFC 8878,
// frames one after another), else the bytes as they are. A stream that ends within a member or
// frame is an error.
struct Decompressed {
  std::unique_ptr<ByteSource> source;
  bool was_compressed = false;
};
Result<Decompressed> Decompress(std::unique_ptr<ByteSource> source);

}  // namespace loci
