// SPDX-License-Identifier: Apache-2.0
#include "recording_files.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace loci::faults {

constexpr size_t kPageBytes = 4096;

void ApplyToBytes(const Operation& operation, std::string* bytes) {
  if (operation.kind == Operation::kTruncate) {
    bytes->resize(operation.offset);
    return;
  }
  if (operation.bytes.empty()) return;
  const size_t end = operation.offset + operation.bytes.size();
  if (bytes->size() < end) bytes->resize(end);
  std::memcpy(bytes->data() + operation.offset, operation.bytes.data(), operation.bytes.size());
}

class RecordedWritable : public WritableFile {
 public:
  RecordedWritable(RecordingFiles* owner, RecordingFiles::FilePtr file, std::string name)
      : owner_(owner), file_(std::move(file)), name_(std::move(name)) {}

  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    std::lock_guard lock(owner_->mutex_);
    std::optional<Error> error = owner_->Fails(Call::kWrite, name_);
    if (error) bytes = bytes.substr(0, bytes.size() / 2);
    Change({Operation::kWrite, file_->number, offset, std::string(bytes), {}, {}});
    if (error) return *error;
    return {};
  }

  Result<void> Truncate(uint64_t length) override {
    std::lock_guard lock(owner_->mutex_);
    if (auto error = owner_->Fails(Call::kTruncate, name_)) return *error;
    Change({Operation::kTruncate, file_->number, length, {}, {}, {}});
    return {};
  }

  Result<void> Sync() override {
    std::lock_guard lock(owner_->mutex_);
    std::optional<Error> error = owner_->Fails(Call::kSync, name_);
    const auto kind = error ? Operation::kFailedSync : Operation::kSync;
    owner_->Record({kind, file_->number, 0, {}, {}, {}});
    if (error) return *error;
    return {};
  }

  Result<uint64_t> Size() override {
    std::lock_guard lock(owner_->mutex_);
    return uint64_t{file_->bytes.size()};
  }

 private:
  void Change(Operation operation) {
    ApplyToBytes(operation, &file_->bytes);
    file_->mapped.reset();
    owner_->Record(std::move(operation));
  }

  RecordingFiles* owner_;
  RecordingFiles::FilePtr file_;
  std::string name_;
};

class RecordedMap : public MappedFile {
 public:
  explicit RecordedMap(std::shared_ptr<std::vector<uint8_t>> bytes) : bytes_(std::move(bytes)) {}
  Bytes bytes() const override { return *bytes_; }

 private:
  std::shared_ptr<std::vector<uint8_t>> bytes_;
};

class RecordedPage : public SharedPage {
 public:
  RecordedPage(RecordingFiles* owner, RecordingFiles::FilePtr file, bool writable)
      : owner_(owner), file_(std::move(file)), writable_(writable) {}

  uint64_t Load(int word) const override {
    std::lock_guard lock(owner_->mutex_);
    uint64_t value = 0;
    const size_t offset = 8 * static_cast<size_t>(word);
    const std::string& bytes = file_->bytes;
    if (offset < bytes.size()) {
      std::memcpy(&value, bytes.data() + offset, std::min<size_t>(8, bytes.size() - offset));
    }
    return value;
  }

  void Store(int word, uint64_t value) override {
    if (!writable_) return;
    std::lock_guard lock(owner_->mutex_);
    std::string raw(8, '\0');
    std::memcpy(raw.data(), &value, 8);
    Operation store{
        Operation::kPageStore, file_->number, 8 * static_cast<uint64_t>(word), raw, {}, {}};
    ApplyToBytes(store, &file_->bytes);
    file_->mapped.reset();
    owner_->Record(std::move(store));
  }

  // The counters: no operation of the record, as nothing depends on what a crash makes of them.
  void Add(int word, uint64_t n) override {
    Change(word, [n](uint64_t old) { return old + n; });
  }
  bool CompareExchange(int word, uint64_t expected, uint64_t desired) override {
    bool done = false;
    Change(word, [&](uint64_t old) { return (done = old == expected) ? desired : old; });
    return done;
  }

 private:
  template <class Next>
  void Change(int word, Next next) {
    if (!writable_) return;
    std::lock_guard lock(owner_->mutex_);
    char* at = file_->bytes.data() + 8 * static_cast<size_t>(word);
    uint64_t value;
    std::memcpy(&value, at, sizeof value);
    value = next(value);
    std::memcpy(at, &value, sizeof value);
  }

  RecordingFiles* owner_;
  RecordingFiles::FilePtr file_;
  bool writable_;
};

class RecordedLock : public FileLock {
 public:
  RecordedLock(RecordingFiles* owner, RecordingFiles::FilePtr file, int byte)
      : owner_(owner), file_(std::move(file)), byte_(byte) {}
  ~RecordedLock() override {
    std::lock_guard lock(owner_->mutex_);
    file_->locked.erase(byte_);
    owner_->unlocked_.notify_all();
  }

 private:
  RecordingFiles* owner_;
  RecordingFiles::FilePtr file_;
  int byte_;
};

RecordingFiles::RecordingFiles(const Disk& initial, uint64_t boot_id) : boot_id_(boot_id) {
  for (const auto& [name, bytes] : initial) {
    directory_[name] = std::make_shared<File>(File{files_++, bytes, nullptr, {}});
  }
}

std::optional<Error> RecordingFiles::Fails(Call call, const std::string& name) {
  if (!filter_ || !filter_(call)) return std::nullopt;
  const uint64_t k = counted_++;
  if (k < fail_at_ || (k > fail_at_ && !lasting_)) return std::nullopt;
  if (!failed_) failed_ = call;
  return Error{error_->kind, "cannot do call '" + name + "': " + error_->message};
}

RecordingFiles::FilePtr RecordingFiles::FindFile(const std::string& name) const {
  const auto it = directory_.find(name);
  return it == directory_.end() ? nullptr : it->second;
}

RecordingFiles::FilePtr RecordingFiles::Create(const std::string& name) {
  FilePtr file = std::make_shared<File>(File{files_++, {}, nullptr, {}});
  directory_[name] = file;
  Record({Operation::kCreate, file->number, 0, {}, name, {}});
  return file;
}

Error RecordingFiles::Missing(const std::string& name) const {
  return {ErrorKind::kNotFound, "cannot open '" + root_ + "/" + name + "': no such file"};
}

Result<std::unique_ptr<WritableFile>> RecordingFiles::OpenForWriting(const std::string& name,
                                                                     bool create) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kOpen, name)) return *error;
  FilePtr file = FindFile(name);
  if (file == nullptr && !create) return Missing(name);
  if (file == nullptr) file = Create(name);
  return std::unique_ptr<WritableFile>(std::make_unique<RecordedWritable>(this, file, name));
}

Result<std::unique_ptr<MappedFile>> RecordingFiles::Map(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kMap, name)) return *error;
  const FilePtr file = FindFile(name);
  if (file == nullptr) return Missing(name);
  if (file->mapped == nullptr) {
    file->mapped = std::make_shared<std::vector<uint8_t>>(file->bytes.begin(), file->bytes.end());
  }
  return std::unique_ptr<MappedFile>(std::make_unique<RecordedMap>(file->mapped));
}

Result<std::string> RecordingFiles::Read(const std::string& name, uint64_t offset) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kRead, name)) return *error;
  const FilePtr file = FindFile(name);
  if (file == nullptr) return Missing(name);
  return offset >= file->bytes.size() ? std::string() : file->bytes.substr(offset);
}

Result<uint64_t> RecordingFiles::Identity(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kRead, name)) return *error;
  const FilePtr file = FindFile(name);
  if (file == nullptr) return Missing(name);
  return static_cast<uint64_t>(file->number) + 1;
}

Result<void> RecordingFiles::Rename(const std::string& from, const std::string& to) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kRename, from)) return *error;
  const FilePtr file = FindFile(from);
  if (file == nullptr) return Missing(from);
  directory_.erase(from);
  directory_[to] = file;
  Record({Operation::kRename, file->number, 0, {}, from, to});
  return {};
}

Result<void> RecordingFiles::Remove(const std::string& name) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kRemove, name)) return *error;
  const FilePtr file = FindFile(name);
  if (file == nullptr) return Missing(name);
  directory_.erase(name);
  Record({Operation::kRemove, file->number, 0, {}, name, {}});
  return {};
}

Result<void> RecordingFiles::SyncDirectory() {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kSyncDirectory, root_)) return *error;
  Record({Operation::kSyncDirectory, -1, 0, {}, {}, {}});
  return {};
}

Result<std::vector<std::string>> RecordingFiles::List() {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kList, root_)) return *error;
  std::vector<std::string> names;
  for (const auto& [name, file] : directory_) names.push_back(name);
  return names;
}

Result<std::unique_ptr<SharedPage>> RecordingFiles::MapShared(const std::string& name, Mode mode) {
  std::lock_guard lock(mutex_);
  if (auto error = Fails(Call::kMapShared, name)) return *error;
  FilePtr file = FindFile(name);
  if (file == nullptr && mode != Mode::kWrite) return Missing(name);
  if (file == nullptr) file = Create(name);
  if (mode == Mode::kWrite && file->bytes.size() < kPageBytes) {
    Operation grow{Operation::kTruncate, file->number, kPageBytes, {}, {}, {}};
    ApplyToBytes(grow, &file->bytes);
    Record(std::move(grow));
  }
  const bool writable = mode != Mode::kRead && file->bytes.size() >= kPageBytes;
  return std::unique_ptr<SharedPage>(std::make_unique<RecordedPage>(this, file, writable));
}

Result<std::unique_ptr<FileLock>> RecordingFiles::Lock(const std::string& name, int byte,
                                                       bool wait) {
  std::unique_lock lock(mutex_);
  if (auto error = Fails(Call::kLock, name)) return *error;
  FilePtr file = FindFile(name);
  if (file == nullptr) file = Create(name);
  if (!wait && file->locked.contains(byte)) return std::unique_ptr<FileLock>();
  unlocked_.wait(lock, [&] { return !file->locked.contains(byte); });
  file->locked.insert(byte);
  return std::unique_ptr<FileLock>(std::make_unique<RecordedLock>(this, file, byte));
}

size_t RecordingFiles::operations() const {
  std::lock_guard lock(mutex_);
  return journal_.size();
}

Disk RecordingFiles::Now() const {
  std::lock_guard lock(mutex_);
  Disk disk;
  for (const auto& [name, file] : directory_) disk[name] = file->bytes;
  return disk;
}

void RecordingFiles::FailCall(uint64_t k, Filter filter, Error error, bool lasting) {
  std::lock_guard lock(mutex_);
  filter_ = std::move(filter);
  error_ = std::move(error);
  fail_at_ = k;
  lasting_ = lasting;
  counted_ = 0;
  failed_.reset();
}

void RecordingFiles::FailNothing() {
  std::lock_guard lock(mutex_);
  filter_ = nullptr;
}

bool RecordingFiles::Failing() const {
  std::lock_guard lock(mutex_);
  return filter_ != nullptr;
}

std::optional<Call> RecordingFiles::Failed() const {
  std::lock_guard lock(mutex_);
  return failed_;
}

Disk DiskOf(const std::string& path) {
  Disk disk;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    std::ifstream in(entry.path(), std::ios::binary);
    disk[entry.path().filename()] = {std::istreambuf_iterator<char>(in), {}};
  }
  return disk;
}

void WriteDisk(const Disk& disk, const std::string& path) {
  std::filesystem::create_directories(path);
  for (const auto& [name, bytes] : disk) {
    std::ofstream(std::filesystem::path(path) / name, std::ios::binary) << bytes;
  }
}

}  // namespace loci::faults
