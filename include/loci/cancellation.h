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
//
// Where whoever decides cannot run while the call does (the signal handlers of an interpreter run
// in the thread that waits for the call), a token made of a function asks it instead:
//
//   auto answers = memory.Ask(query, {.cancellation = loci::Cancellation(SignalIsPending)});
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>

namespace loci {

class Cancellation {
 public:
  Cancellation() : state_(std::make_shared<State>()) {}
  // Also cancelled from when ask says so. It is called by the thread of the call and by those that
  // help it, some thousand times a second at the most busy; it must not throw, nor use the memory.
  explicit Cancellation(std::function<bool()> ask) : Cancellation() {
    state_->ask = std::move(ask);
  }

  void Cancel() const { state_->cancelled.store(true, std::memory_order_relaxed); }
  bool cancelled() const {
    if (state_->cancelled.load(std::memory_order_relaxed)) return true;
    if (!state_->ask || !state_->ask()) return false;
    Cancel();
    return true;
  }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may call Cancel");
  struct State {
    std::atomic<bool> cancelled = false;
    std::function<bool()> ask = {};
  };
  std::shared_ptr<State> state_;
};

}  // namespace loci
