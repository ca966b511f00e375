// SPDX-License-Identifier: Apache-2.0
//
// StringTable: distinct strings, numbered from 0 in order of arrival, each held once. A hash table
// of open addressing over one arena; it only grows. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/huge_vector.h"

namespace loci {

class StringTable {
 public:
  StringTable() : begins_{0} { slots_.assign(kFirstSlots, Slot()); }

  // Its number; if the string is new, it is added, and the number is what size() was.
  uint32_t Intern(std::string_view string) {
    const auto hash = static_cast<uint32_t>(Xxh3(string));
    for (size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      const Slot slot = slots_[i];
      if (slot.number_plus_1 == 0) {
        slots_[i] = {hash, size() + 1};
        bytes_.append(string);
        begins_.push_back(bytes_.size());
        if (2 * uint64_t{size()} > slots_.size()) Grow();
        return size() - 1;
      }
      if (slot.hash == hash && (*this)[slot.number_plus_1 - 1] == string) {
        return slot.number_plus_1 - 1;
      }
    }
  }

  uint32_t size() const { return static_cast<uint32_t>(begins_.size() - 1); }
  std::string_view operator[](uint32_t number) const {
    return std::string_view(bytes_).substr(begins_[number], begins_[number + 1] - begins_[number]);
  }

 private:
  static constexpr size_t kFirstSlots = 64;
  struct Slot {
    uint32_t hash = 0;
    uint32_t number_plus_1 = 0;  // 0: free
  };

  void Grow() {
    HugeVector<Slot> slots;
    slots.assign(2 * slots_.size(), Slot());
    for (const Slot& slot : slots_) {
      if (slot.number_plus_1 == 0) continue;
      size_t i = slot.hash & (slots.size() - 1);
      while (slots[i].number_plus_1 != 0) i = (i + 1) & (slots.size() - 1);
      slots[i] = slot;
    }
    slots_.swap(slots);
  }

  std::string bytes_;
  std::vector<uint64_t> begins_;  // size() + 1
  HugeVector<Slot> slots_;        // a power of two, at most half full
};

}  // namespace loci
