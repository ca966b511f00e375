// SPDX-License-Identifier: Apache-2.0
//
// HugeVector: a std::vector for large tables that are read and written all over. Two differences:
//
// - From 2 MB on it asks for huge pages, where the system grants them to those who ask (madvise):
//   otherwise nearly every access waits for the page table as well as for the memory. Learning
//   10 million statements takes 13.0 s of user time with them and 17.6 s without.
// - Elements that the constructor or resize() adds are not initialized; assign() says with what.
//
// Tables that are only read from end to end gain nothing.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace loci {

template <class T>
class HugeAllocator {
 public:
  using value_type = T;

  HugeAllocator() = default;
  template <class U>
  HugeAllocator(const HugeAllocator<U>&) {}  // NOLINT: a conversion, as allocators have

  T* allocate(size_t n) {
    if (n > PTRDIFF_MAX / sizeof(T)) throw std::bad_array_new_length();
    const size_t bytes = n * sizeof(T);
    if (bytes < kHugePage) return static_cast<T*>(::operator new(bytes));
    void* at = ::operator new(bytes, kAlignment);
    ::madvise(at, bytes, MADV_HUGEPAGE);  // refused, it is as any memory
    return static_cast<T*>(at);
  }
  void deallocate(T* at, size_t n) {
    if (n * sizeof(T) < kHugePage) return ::operator delete(at);
    ::operator delete(at, kAlignment);
  }

  template <class U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    std::construct_at(at, std::forward<Args>(args)...);
  }

  friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }

 private:
  static constexpr size_t kHugePage = size_t{2} << 20;
  static constexpr std::align_val_t kAlignment{kHugePage};
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace loci
