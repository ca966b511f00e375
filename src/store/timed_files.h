// SPDX-License-Identifier: Apache-2.0
//
// TimedFiles: a FileSystem that counts and times each sync, and leaves all else to the one below.
// Here, at the one door to the disk, no sync can be forgotten.
#pragma once

#include <memory>

#include "base/file.h"
#include "store/counters.h"

namespace loci {

// Syncs before there are counters, those of creating a memory, are not counted.
class TimedFiles : public FileSystem {
 public:
  explicit TimedFiles(std::shared_ptr<FileSystem> files);
  ~TimedFiles() override;

  // Once, before another thread uses this.
  void SetCounters(const Counters& counters);

  const std::string& root() const override { return files_->root(); }
  uint64_t BootId() const override { return files_->BootId(); }
  Result<std::unique_ptr<WritableFile>> OpenForWriting(const std::string& name,
                                                       bool create) override;
  Result<std::unique_ptr<MappedFile>> Map(const std::string& name) override {
    return files_->Map(name);
  }
  Result<std::string> Read(const std::string& name, uint64_t offset) override {
    return files_->Read(name, offset);
  }
  Result<uint64_t> Identity(const std::string& name) override { return files_->Identity(name); }
  Result<void> Rename(const std::string& from, const std::string& to) override {
    return files_->Rename(from, to);
  }
  Result<void> Remove(const std::string& name) override { return files_->Remove(name); }
  Result<void> SyncDirectory() override;
  Result<std::vector<std::string>> List() override { return files_->List(); }
  Result<std::unique_ptr<SharedPage>> MapShared(const std::string& name, Mode mode) override {
    return files_->MapShared(name, mode);
  }
  Result<std::unique_ptr<FileLock>> Lock(const std::string& name, int byte, bool wait) override {
    return files_->Lock(name, byte, wait);
  }

 private:
  const std::shared_ptr<FileSystem> files_;
  const std::shared_ptr<Counters> counters_;  // shared with the files that were opened
};

}  // namespace loci
