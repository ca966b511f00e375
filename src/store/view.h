// SPDX-License-Identifier: Apache-2.0
//
// View: what this process knows of a memory on disk, and how it learns what others committed.
//
// What is committed is one word in a page that all processes map, and its complement beside it:
//
//   word 0   generation of CURRENT (24 bits) | length of its log (40 bits)
//   word 1   ~word 0
//   word 2   the machine's boot id (base/file.h), stored last
//   word 8-  counters (store/counters.h), of no concern here
//
// A reader whose last word is still there needs nothing else. Otherwise it reads CURRENT where the
// generation moved, and the log from where it stopped. The page is a cache: where it is missing,
// torn or of another generation, whole frames tell the truth. It is published after the log is
// synced, so a frame below its length that does not hold is damage and not a torn write.
//
// Whole frames beyond the length are being written, or were by a writer that was killed before it
// told anyone. Readers leave them alone, and the next writer cuts them off: it cannot make them
// last, as after a failed sync the kernel takes what it did not write for written. Not so where the
// page is of another boot: the power was lost, nothing synced the page, and its length may be of
// any time before; then the frames beyond it are what the disk kept.
//
// The log's frames become small layers that merge by a factor of 4, so that a snapshot is cheap
// after each write: a frame of one statement costs 17 to 25 us of CPU, the 500th as the 4,000th
// (GCC 12, -O2), and the tail is at most 7 layers.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/file.h"
#include "memory/batch.h"
#include "memory/snapshot.h"
#include "store/current.h"
#include "store/log.h"

namespace loci {

inline constexpr char kLockName[] = "lock";

// A longer tail is sealed into a run.
inline constexpr uint64_t kMaxTailStatements = 4096;
inline constexpr uint64_t kMaxTailBytes = 1 << 20;

class View {
 public:
  View(std::shared_ptr<FileSystem> files, std::shared_ptr<SharedPage> page)
      : files_(std::move(files)), page_(std::move(page)) {}

  // Brings the view to what is committed now. Thread-safe.
  Result<std::shared_ptr<const Snapshot>> Read();

  // With the writer lock held: the same, whatever the page says of CURRENT. `log` is what the
  // writer has open, if any. What is to be done about the end of the log before more is appended:
  struct End {
    bool excess = false;       // cut it off at log_end()
    bool unpublished = false;  // sync and publish it
  };
  struct OpenLog {
    std::string_view name;
    uint64_t size;
  };
  Result<End> Adopt(std::optional<OpenLog> log = {});

  // With the writer lock held, after the sync: from now on readers see this much.
  void Publish(uint64_t generation, uint64_t log_length);
  // The same of one more frame at byte `at` of the log. The writer has its batch at hand: the view
  // takes that, and does not read back what was just written.
  void PublishFrame(const Batch& batch, uint64_t at, uint64_t frame_bytes);

  // A copy of what the last Read or Adopt found.
  struct Summary {
    Current current;
    std::vector<std::shared_ptr<const Image>> base;
    std::shared_ptr<const Snapshot> snapshot;
    uint64_t log_end = 0, tail_statements = 0;
  };
  Summary Summarize();

  // Stable while the writer lock is held and neither Read nor Adopt is running.
  const Current& current() const { return current_; }
  const std::vector<std::shared_ptr<const Image>>& base() const { return base_; }
  const std::vector<std::shared_ptr<const Image>>& tail() const { return tail_; }
  uint64_t log_end() const { return log_end_; }
  uint64_t next_sequence() const { return next_sequence_; }
  uint64_t tail_statements() const { return tail_statements_; }
  std::string LogPath() const { return files_->root() + "/" + current_.log; }
  static uint64_t LogNumber(const std::string& name);

 private:
  using Word = std::optional<uint64_t>;

  Word LoadWord() const;
  bool IsOfThisBoot() const;
  Result<bool> Load(Word word, bool adopt, End* end);  // false: the files moved, try again
  Result<End> Update(bool adopt);
  Result<bool> LoadCurrent();
  Result<bool> LoadFrames(Word word, End* end);
  bool IsUpToDate(const OpenLog& log) const;
  Result<void> PushTail(const Batch& batch);
  void MakeSnapshot();

  const std::shared_ptr<FileSystem> files_;
  const std::shared_ptr<SharedPage> page_;  // null where there is none to map

  std::mutex mutex_;  // all below
  bool loaded_ = false;
  Word seen_;
  Current current_;
  uint64_t identity_ = 0;  // of the file CURRENT that current_ was read from; 0 where not known
  std::vector<std::shared_ptr<const Image>> base_, tail_;  // oldest first
  uint64_t log_end_ = 0;
  uint64_t next_sequence_ = 1;
  uint64_t tail_statements_ = 0;
  std::shared_ptr<const Snapshot> snapshot_;
};

}  // namespace loci
