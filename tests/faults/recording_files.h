// SPDX-License-Identifier: Apache-2.0
//
// RecordingFiles: a FileSystem in memory that records every operation which changes the disk, and
// that fails one chosen call. From the record, PowerLoss (power_loss.h) rebuilds the directories
// that a crash after any of the operations may leave.
//
// Several stores may share one, as processes share a directory: files, page and locks behave as
// those of base/file.h do. A mapped file is an exact allocation of its own, so that a sanitizer
// sees a read one byte beyond it. Thread-safe.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace loci::faults {

// A directory as its owner sees it: names and bytes.
using Disk = std::map<std::string, std::string>;

Disk DiskOf(const std::string& path);
void WriteDisk(const Disk& disk, const std::string& path);

// An operation that changed the disk. Files are numbered in the order of their creation, those of
// the initial disk first, in the order of names.
struct Operation {
  enum Kind {
    kCreate,
    kWrite,
    kTruncate,
    kPageStore,
    kSync,
    kFailedSync,
    kRename,
    kRemove,
    kSyncDirectory
  };
  Kind kind;
  int file = -1;
  uint64_t offset = 0;  // kTruncate: the new length
  std::string bytes;    // kPageStore: the eight of the word
  std::string name, to;
};

// A call that can fail, for choosing which one shall.
enum class Call {
  kOpen,
  kWrite,
  kTruncate,
  kSync,
  kMap,
  kRead,
  kRename,
  kRemove,
  kSyncDirectory,
  kList,
  kMapShared,
  kLock
};

class RecordingFiles : public FileSystem {
 public:
  explicit RecordingFiles(const Disk& initial = {}, uint64_t boot_id = 1);

  const std::string& root() const override { return root_; }
  uint64_t BootId() const override { return boot_id_; }
  Result<std::unique_ptr<WritableFile>> OpenForWriting(const std::string& name,
                                                       bool create) override;
  Result<std::unique_ptr<MappedFile>> Map(const std::string& name) override;
  Result<std::string> Read(const std::string& name, uint64_t offset) override;
  Result<uint64_t> Identity(const std::string& name) override;
  Result<void> Rename(const std::string& from, const std::string& to) override;
  Result<void> Remove(const std::string& name) override;
  Result<void> SyncDirectory() override;
  Result<std::vector<std::string>> List() override;
  Result<std::unique_ptr<SharedPage>> MapShared(const std::string& name, Mode mode) override;
  Result<std::unique_ptr<FileLock>> Lock(const std::string& name, int byte, bool wait) override;

  // Grows at its end; to be read while no other thread writes.
  const std::deque<Operation>& journal() const { return journal_; }
  size_t operations() const;
  Disk Now() const;

  // The call number k (from 0, counted from now) that the filter accepts fails with the error; a
  // failing write has written the first half of its bytes before. A lasting fault fails all such
  // calls from then on, as a full disk does.
  using Filter = std::function<bool(Call)>;
  void FailCall(uint64_t k, Filter filter, Error error, bool lasting = false);
  void FailNothing();
  bool Failing() const;                // FailCall was asked for and FailNothing was not
  std::optional<Call> Failed() const;  // the first call that failed, if it came

 private:
  friend class RecordedWritable;
  friend class RecordedPage;
  friend class RecordedLock;

  struct File {
    int number;
    std::string bytes;
    std::shared_ptr<std::vector<uint8_t>> mapped;  // of these bytes, or null
    std::set<int> locked;
  };
  using FilePtr = std::shared_ptr<File>;

  // All below: with mutex_ held.
  std::optional<Error> Fails(Call call, const std::string& name);
  FilePtr FindFile(const std::string& name) const;
  FilePtr Create(const std::string& name);
  void Record(Operation operation) { journal_.push_back(std::move(operation)); }
  Error Missing(const std::string& name) const;

  const std::string root_ = "(recorded)";
  const uint64_t boot_id_;
  mutable std::mutex mutex_;
  std::condition_variable unlocked_;
  std::map<std::string, FilePtr> directory_;
  int files_ = 0;
  std::deque<Operation> journal_;
  Filter filter_;
  std::optional<Error> error_;
  uint64_t fail_at_ = 0, counted_ = 0;
  bool lasting_ = false;
  std::optional<Call> failed_;
};

// Applies one write, truncation or store of a page's word to a file's bytes.
void ApplyToBytes(const Operation& operation, std::string* bytes);

}  // namespace loci::faults
