// SPDX-License-Identifier: Apache-2.0
#include "store/timed_files.h"

#include <chrono>
#include <utility>

namespace loci {
namespace {

template <class Sync>
Result<void> Timed(Counters* counters, Sync sync) {
  const auto start = std::chrono::steady_clock::now();
  Result<void> result = sync();
  counters->AddSync(std::chrono::steady_clock::now() - start);
  return result;
}

class TimedFile : public WritableFile {
 public:
  TimedFile(std::unique_ptr<WritableFile> file, std::shared_ptr<Counters> counters)
      : file_(std::move(file)), counters_(std::move(counters)) {}

  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    return file_->WriteAt(offset, bytes);
  }
  Result<void> Truncate(uint64_t length) override { return file_->Truncate(length); }
  Result<void> Sync() override {
    return Timed(counters_.get(), [this] { return file_->Sync(); });
  }
  Result<uint64_t> Size() override { return file_->Size(); }

 private:
  std::unique_ptr<WritableFile> file_;
  std::shared_ptr<Counters> counters_;
};

}  // namespace

TimedFiles::TimedFiles(std::shared_ptr<FileSystem> files)
    : files_(std::move(files)), counters_(std::make_shared<Counters>(nullptr, 0)) {}

TimedFiles::~TimedFiles() = default;

void TimedFiles::SetCounters(const Counters& counters) {
  *counters_ = counters;
}

Result<std::unique_ptr<WritableFile>> TimedFiles::OpenForWriting(const std::string& name,
                                                                 bool create) {
  LOCI_ASSIGN(auto file, files_->OpenForWriting(name, create));
  return std::unique_ptr<WritableFile>(std::make_unique<TimedFile>(std::move(file), counters_));
}

Result<void> TimedFiles::SyncDirectory() {
  return Timed(counters_.get(), [this] { return files_->SyncDirectory(); });
}

}  // namespace loci
