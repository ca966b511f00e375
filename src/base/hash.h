// SPDX-License-Identifier: Apache-2.0
//
// The three hashes of Loci, each for one purpose:
//   SHA-256 (FIPS 180-4)  names and statements: their identity on every machine, and the digest
//   XXH3-64 (xxHash)      checksums of files and hash tables: speed, no adversary
//   Sum256                the digest's running sum modulo 2^256, little-endian limbs
//
// SHA-256 is OpenSSL's low-level one, SHA256_Init to SHA256_Final: a statement takes it 210 ns, EVP
// with a kept context 360 ns, and `SHA256()`, which fetches the algorithm at every call, far more.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace loci {

using Hash256 = std::array<uint8_t, 32>;

// The first 16 bytes of a SHA-256: N(x), the identity of a name between pages and machines.
struct Hash128 {
  std::array<uint8_t, 16> bytes{};

  friend auto operator<=>(const Hash128&, const Hash128&) = default;
  std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

// SHA-256 of the concatenation of the parts. Thread-safe.
Hash256 Sha256(std::initializer_list<std::string_view> parts);

uint64_t Xxh3(std::string_view bytes, uint64_t seed = 0);

// XXH3-64 of a stream.
class Xxh3Stream {
 public:
  Xxh3Stream();
  ~Xxh3Stream();
  Xxh3Stream(const Xxh3Stream&) = delete;
  Xxh3Stream& operator=(const Xxh3Stream&) = delete;
  void Add(std::string_view part);
  uint64_t Finish() const;

 private:
  void* state_;
};

// A sum of SHA-256 values modulo 2^256. Addition commutes, so the sum over a set does not depend on
// the order in which its members came, nor on how they are split over layers, pages or machines.
struct Sum256 {
  std::array<uint64_t, 4> limb{};  // little-endian: limb[0] is the least significant

  void Add(const Hash256& hash);
  void Subtract(const Hash256& hash);
  void Add(const Sum256& other);
  void Subtract(const Sum256& other);
  bool operator==(const Sum256&) const = default;
  std::string Hex() const;  // 64 digits, most significant first
};

std::string Hex(std::string_view bytes);

}  // namespace loci
