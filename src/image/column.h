// SPDX-License-Identifier: Apache-2.0
//
// Column: a section of an image that holds integers.
#pragma once

#include <cstdint>

#include "base/bytes.h"

namespace loci {

// A column of unsigned integers, each of 1, 2 or 4 bytes, whichever holds the largest.
class Column {
 public:
  Column() = default;
  Column(const uint8_t* data, uint64_t size, uint8_t width)
      : data_(data), size_(size), width_(width) {}
  uint64_t size() const { return size_; }
  [[gnu::always_inline]] void Prefetch(uint64_t i) const { __builtin_prefetch(data_ + width_ * i); }
  uint32_t operator[](uint64_t i) const {
    switch (width_) {
      case 1:
        return data_[i];
      case 2:
        return loci::Load<uint16_t>(data_ + 2 * i);
      default:
        return loci::Load<uint32_t>(data_ + 4 * i);
    }
  }

 private:
  const uint8_t* data_ = nullptr;
  uint64_t size_ = 0;
  uint8_t width_ = 4;
};

}  // namespace loci
