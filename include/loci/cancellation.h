// SPDX-License-Identifier: Apache-2.0
//
// Cancellation: a token that stops long work from another thread or from a signal handler.
//
//   loci::Cancellation stop;
//   std::thread([stop] { WaitForUser(); stop.Cancel(); }).detach();
//   auto answers = memory.Ask(query, {.cancellation = stop});   // kCancelled, if in time
//
// The call returns kCancelled within some milliseconds, and the memory is as it was before it.
// Copies share one state. All members are thread-safe; Cancel is also safe in signal handlers.
#pragma once

#include <atomic>
#include <memory>

namespace loci {

class Cancellation {
 public:
  Cancellation() : state_(std::make_shared<std::atomic<bool>>(false)) {}

  void Cancel() const { state_->store(true, std::memory_order_relaxed); }
  bool cancelled() const { return state_->load(std::memory_order_relaxed); }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may call Cancel");
  std::shared_ptr<std::atomic<bool>> state_;
};

}  // namespace loci
