// SPDX-License-Identifier: Apache-2.0
//
// Meter: what a run may spend, and the place where it can be stopped. Work is counted in rows
// touched; reaching a limit is an error, never a silent cut. One run, one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "loci/result.h"

namespace loci::query {

class Meter {
 public:
  // Both outlive the meter.
  Meter(uint64_t max_work, uint64_t max_memory, const std::function<bool()>* cancelled)
      : max_work_(max_work), max_memory_(max_memory), cancelled_(*cancelled) {}

  Result<void> Charge(uint64_t rows) {
    work_ += rows;
    if (work_ < next_look_) [[likely]]
      return {};
    return Look();
  }

  uint64_t work() const { return work_; }
  const std::function<bool()>& cancelled() const { return cancelled_; }

  // Begins anew with all that the run may spend.
  void Restart() { work_ = next_look_ = 0; }

  // The bytes that one structure holds that may grow with the answers.
  Result<void> CheckMemory(uint64_t bytes) const {
    if (bytes <= max_memory_) return {};
    return Error{
        ErrorKind::kNoMemory,
        "the query needs more than " + std::to_string(max_memory_ >> 20) +
            " MB of memory; bind more of its variables, or ask for fewer answers by limit"};
  }

 private:
  Result<void> Look() {
    if (work_ > max_work_) {
      return Error{ErrorKind::kLimit, "the query touched more than " + std::to_string(max_work_) +
                                          " rows; bind more of its variables, or raise the limit "
                                          "(--max-work)"};
    }
    if (cancelled_ && cancelled_()) return Error{ErrorKind::kCancelled, "the query was cancelled"};
    next_look_ = std::min(work_ + kLookEvery, max_work_ + 1);
    return {};
  }

  static constexpr uint64_t kLookEvery = 4096;

  uint64_t max_work_, max_memory_, work_ = 0, next_look_ = 0;
  const std::function<bool()>& cancelled_;
};

}  // namespace loci::query
