// SPDX-License-Identifier: Apache-2.0
//
// Progress of long work: a bar on stderr where that is a terminal, nothing elsewhere, and in both
// cases the word to stop after Ctrl-C.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "command/io.h"
#include "store/store.h"

namespace loci {

class Progress {
 public:
  explicit Progress(const Io* io) : io_(io) {}
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Draws anew where a whole percent, or the step, has changed; total 0 means unknown. False where
  // the work should stop.
  bool Update(std::string_view step, uint64_t done, uint64_t total);

  // The same for work that is nearly always done at once and cannot say how far it is: nothing is
  // drawn in the first half second.
  bool Wait(std::string_view step);

  // For the calls of a Store, while this lives.
  ProgressFn ForStore() {
    return [this](const char* step, uint64_t done, uint64_t total) {
      return Update(step, done, total);
    };
  }

  // Takes the bar off the screen, before anything else is written there.
  void Clear();

 private:
  const Io* io_;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::string step_;
  int percent_ = -1;
  bool drawn_ = false;
};

}  // namespace loci
