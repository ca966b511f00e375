// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#define OPENSSL_API_COMPAT 0x10100000L  // its SHA256_Init and so on, without a warning
#include <openssl/sha.h>
#include <xxhash.h>

#include "base/bytes.h"

namespace loci {
namespace {

// A hash is read as its hexadecimal digits are: the first byte is the most significant.
Sum256 FromHash(const Hash256& hash) {
  Sum256 sum;
  for (int i = 0; i < 4; ++i) {
    sum.limb[3 - i] = __builtin_bswap64(Load<uint64_t>(hash.data() + 8 * i));
  }
  return sum;
}

}  // namespace

Hash256 Sha256(std::initializer_list<std::string_view> parts) {
  SHA256_CTX context;
  SHA256_Init(&context);
  for (std::string_view part : parts) SHA256_Update(&context, part.data(), part.size());
  Hash256 out;
  SHA256_Final(out.data(), &context);
  return out;
}

uint64_t Xxh3(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Xxh3Stream::Xxh3Stream() : state_(XXH3_createState()) {
  XXH3_64bits_reset(static_cast<XXH3_state_t*>(state_));
}

Xxh3Stream::~Xxh3Stream() {
  XXH3_freeState(static_cast<XXH3_state_t*>(state_));
}

void Xxh3Stream::Add(std::string_view part) {
  XXH3_64bits_update(static_cast<XXH3_state_t*>(state_), part.data(), part.size());
}

uint64_t Xxh3Stream::Finish() const {
  return XXH3_64bits_digest(static_cast<const XXH3_state_t*>(state_));
}

void Sum256::Add(const Sum256& other) {
  unsigned __int128 carry = 0;
  for (int i = 0; i < 4; ++i) {
    carry += static_cast<unsigned __int128>(limb[i]) + other.limb[i];
    limb[i] = static_cast<uint64_t>(carry);
    carry >>= 64;
  }
}

void Sum256::Subtract(const Sum256& other) {
  uint64_t borrow = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned __int128 take = static_cast<unsigned __int128>(other.limb[i]) + borrow;
    borrow = take > limb[i];
    limb[i] -= static_cast<uint64_t>(take);
  }
}

void Sum256::Add(const Hash256& hash) {
  Add(FromHash(hash));
}
void Sum256::Subtract(const Hash256& hash) {
  Subtract(FromHash(hash));
}

std::string Sum256::Hex() const {
  char raw[32];
  for (int i = 0; i < 32; ++i) raw[31 - i] = static_cast<char>(limb[i / 8] >> (8 * (i % 8)));
  return loci::Hex({raw, sizeof raw});
}

std::string Hex(std::string_view bytes) {
  static const char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
  return out;
}

}  // namespace loci
