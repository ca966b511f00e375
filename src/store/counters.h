// SPDX-License-Identifier: Apache-2.0
//
// Counters: what all processes together have done with a memory since the machine was started.
//
// They are words of the page that all map (store/view.h), added to atomically and in no order with
// anything else:
//
//   words 0-2   the view's
//   word 8      the boot id that the counters are of; those of another boot count as zero, and the
//               first to add something takes them back
//   words 9-    one each, in the order of Counter
//
// Nothing depends on them, and nobody syncs them: a process that may not write the page counts
// nothing, and a crash may take back what was counted. They hold no text of a query or name: what
// is forgotten must not live on here.
//
// Words 8 to 18 lie in two cache lines, apart from the view's, which every reader polls.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/file.h"

namespace loci {

enum class Counter {
  kOpens,      // a memory opened
  kReads,      // a snapshot asked for
  kWrites,     // a batch that changed something
  kMerges,     // runs merged
  kFolds,      // image and runs made one image
  kSyncs,      // fdatasync or fsync, of a file or the directory
  kSyncNanos,  // their time in sum
  kLongestSync,
  kQueries,  // asked through the command
  kSlowQueries,
};
inline constexpr int kCounters = 10;

class Counters {
 public:
  // The page may be null.
  Counters(std::shared_ptr<SharedPage> page, uint64_t boot_id)
      : page_(std::move(page)), boot_id_(boot_id) {}

  void Add(Counter counter, uint64_t n = 1);
  void Max(Counter counter, uint64_t value);
  void AddSync(std::chrono::nanoseconds time);
  uint64_t Get(Counter counter) const;

 private:
  static int WordOf(Counter counter);
  void ClearThoseOfAnotherBoot();

  std::shared_ptr<SharedPage> page_;
  uint64_t boot_id_;
};

}  // namespace loci
