// SPDX-License-Identifier: Apache-2.0
//
// What all fuzz targets share: properties that stop the program where they fail, as a finding of a
// sanitizer does, so that the fuzzer keeps the input; and choices drawn from the input's bytes.
//
// A target is a file x_fuzz.cc that defines LLVMFuzzerTestOneInput. docs/testing.md tells how they
// are run.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/unicode.h"
#include "loci/result.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace loci::fuzz {

// The property is what should hold, in words; detail is what was found.
inline void Require(bool holds, std::string_view property, std::string_view detail = {}) {
  if (holds) [[likely]]
    return;
  std::fprintf(stderr, "PROPERTY FAILED: %.*s\n  %s\n", static_cast<int>(property.size()),
               property.data(), Excerpt(detail, 1000).c_str());
  std::abort();
}

// What a person can act on: a message that a terminal shows as it is, of one of the kinds.
inline void RequireClear(const Error& error, std::initializer_list<ErrorKind> kinds) {
  const std::string& message = error.message;
  Require(!message.empty(), "an error has a message");
  Require(!FindInvalidUtf8(message), "a message is valid UTF-8", message);
  for (size_t i = 0; i < message.size();) {
    const CodePoint c = FirstCodePoint(std::string_view(message).substr(i, 4));
    Require(!IsControl(c.value), "a message holds no control character", message);
    i += c.length;
  }
  Require(message.size() < 4096, "a message is short", message);
  Require(std::find(kinds.begin(), kinds.end(), error.kind) != kinds.end(),
          "an error is of a kind that fits", message);
}

template <class T>
T Value(Result<T> result, std::string_view property) {
  if (!result.ok()) Require(false, property, result.error().message);
  return result.take();
}

// Reads choices from the front of the input; beyond its end all are 0.
class Choices {
 public:
  Choices(const uint8_t* data, size_t size) : rest_(AsChars({data, size})) {}

  bool empty() const { return rest_.empty(); }
  template <class T>
  T Int() {
    T value{};
    const size_t n = std::min(sizeof value, rest_.size());
    std::memcpy(&value, rest_.data(), n);
    rest_.remove_prefix(n);
    return value;
  }
  // Below n, from as many bytes as n needs; 0 where n is 0.
  uint32_t Below(size_t n) {
    if (n <= 1) return 0;
    const uint32_t value = n <= 256     ? Int<uint8_t>()
                           : n <= 65536 ? Int<uint16_t>()
                                        : Int<uint32_t>();
    return static_cast<uint32_t>(value % n);
  }
  bool Flag() { return (Int<uint8_t>() & 1) != 0; }
  std::string_view Take(size_t n) {
    const std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(taken.size());
    return taken;
  }
  std::string_view Rest() { return Take(rest_.size()); }

 private:
  std::string_view rest_;
};

}  // namespace loci::fuzz
