// SPDX-License-Identifier: Apache-2.0
//
// Bytes in and out: little-endian integers, LEB128 varints, and a cursor that never reads past its
// end. Every format of ours is little-endian, as are all platforms that configure accepts.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace loci {

using Bytes = std::span<const uint8_t>;

inline Bytes AsBytes(std::string_view s) {
  return {reinterpret_cast<const uint8_t*>(s.data()), s.size()};
}
inline std::string_view AsChars(Bytes b) {
  return {reinterpret_cast<const char*>(b.data()), b.size()};
}

template <class T>
T Load(const void* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
void AppendInt(std::string* out, T v) {
  char raw[sizeof v];
  std::memcpy(raw, &v, sizeof v);
  out->append(raw, sizeof v);
}

inline void AppendVarint(std::string* out, uint64_t v) {
  while (v >= 0x80) {
    out->push_back(static_cast<char>(v | 0x80));
    v >>= 7;
  }
  out->push_back(static_cast<char>(v));
}

inline void AppendSized(std::string* out, std::string_view s) {
  AppendVarint(out, s.size());
  out->append(s);
}

// Reads forward over bytes from outside. A read past the end, or an overlong varint, makes the
// cursor bad; it then yields zeros, so that a caller may read a whole record and test ok() once.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}

  bool ok() const { return ok_; }
  bool empty() const { return rest_.empty(); }
  size_t left() const { return rest_.size(); }

  template <class T>
  T Int() {
    std::string_view raw = Take(sizeof(T));
    return raw.size() == sizeof(T) ? Load<T>(raw.data()) : T{};
  }

  uint64_t Varint() {
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<uint8_t>(rest_.front());
      rest_.remove_prefix(1);
      if (shift == 63 && byte > 1) break;
      v |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return v;
    }
    Fail();
    return 0;
  }

  std::string_view Take(uint64_t n) {
    if (!ok_ || n > rest_.size()) {
      Fail();
      return {};
    }
    std::string_view taken = rest_.substr(0, n);
    rest_.remove_prefix(n);
    return taken;
  }

  std::string_view Sized() { return Take(Varint()); }

 private:
  void Fail() {
    ok_ = false;
    rest_ = {};
  }

  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace loci
