// SPDX-License-Identifier: Apache-2.0
//
// FileSystem on a directory of this machine, by POSIX calls relative to a descriptor of the
// directory: it stays the same directory though it is renamed or the process changes its own.
//
// A memory's directory holds regular files only. Symbolic links are refused, so that a directory
// from a stranger cannot lead a write elsewhere, and so are pipes and devices, whose opening may
// block.
#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "base/directory.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/posix.h"

namespace loci {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr size_t kPageBytes = 4096;

Result<uint64_t> SizeOf(int fd, const std::string& path) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return SystemError("examine", path, errno);
  return static_cast<uint64_t>(status.st_size);
}

class PosixWritableFile : public WritableFile {
 public:
  PosixWritableFile(Descriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = Retry([&] {
        return ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
      });
      if (written < 0) return SystemError("write", path_, errno);
      // POSIX allows no progress without an error only for empty writes.
      if (written == 0) return SystemError("write", path_, EIO);
      bytes.remove_prefix(static_cast<size_t>(written));
      offset += static_cast<uint64_t>(written);
    }
    return {};
  }

  Result<void> Truncate(uint64_t length) override {
    if (Retry([&] { return ::ftruncate(fd_.get(), static_cast<off_t>(length)); }) != 0) {
      return SystemError("truncate", path_, errno);
    }
    return {};
  }

  // Also makes the length durable: fdatasync leaves out only what is not needed to read the data.
  // Only EINTR is tried again: after a failed sync the kernel may have dropped the dirty pages, and
  // a second call that succeeds would prove nothing.
  Result<void> Sync() override {
    if (Retry([&] { return ::fdatasync(fd_.get()); }) != 0) {
      return SystemError("sync", path_, errno);
    }
    return {};
  }

  Result<uint64_t> Size() override { return SizeOf(fd_.get(), path_); }

 private:
  Descriptor fd_;
  std::string path_;
};

class PosixMappedFile : public MappedFile {
 public:
  PosixMappedFile(void* at, size_t size) : at_(at), size_(size) {}
  ~PosixMappedFile() override {
    if (size_ != 0) ::munmap(at_, size_);
  }
  Bytes bytes() const override { return {static_cast<const uint8_t*>(at_), size_}; }

 private:
  void* at_;
  size_t size_;
};

// An empty file, which a reader finds where a writer has just created it or where the page was
// lost, cannot be mapped usefully (touching it raises SIGBUS): its words read as zero until it has
// grown. A file shorter than a page reads as if zeros followed.
class PosixSharedPage : public SharedPage {
 public:
  PosixSharedPage(Descriptor fd, bool writable) : fd_(std::move(fd)), writable_(writable) {}
  ~PosixSharedPage() override {
    if (void* at = at_.load()) ::munmap(at, kPageBytes);
  }

  // Null and errno 0 where the file is empty; null and errno otherwise on failure.
  uint64_t* Words() const {
    if (void* at = at_.load()) return static_cast<uint64_t*>(at);
    struct stat status;
    if (::fstat(fd_.get(), &status) != 0) return nullptr;
    errno = 0;
    if (status.st_size == 0) return nullptr;
    const int protection = writable_ ? PROT_READ | PROT_WRITE : PROT_READ;
    void* mapped = ::mmap(nullptr, kPageBytes, protection, MAP_SHARED, fd_.get(), 0);
    if (mapped == MAP_FAILED) return nullptr;
    void* expected = nullptr;
    if (!at_.compare_exchange_strong(expected, mapped)) {
      ::munmap(mapped, kPageBytes);  // another thread was first
      mapped = expected;
    }
    return static_cast<uint64_t*>(mapped);
  }

  uint64_t Load(int word) const override {
    uint64_t* words = Words();
    return words == nullptr ? 0 : std::atomic_ref<uint64_t>(words[word]).load();
  }

  void Store(int word, uint64_t value) override {
    if (!writable_) return;
    if (uint64_t* words = Words()) std::atomic_ref<uint64_t>(words[word]).store(value);
  }

  void Add(int word, uint64_t n) override {
    if (!writable_) return;
    if (uint64_t* words = Words()) {
      std::atomic_ref<uint64_t>(words[word]).fetch_add(n, std::memory_order_relaxed);
    }
  }

  bool CompareExchange(int word, uint64_t expected, uint64_t desired) override {
    if (!writable_) return false;
    uint64_t* words = Words();
    return words != nullptr &&
           std::atomic_ref<uint64_t>(words[word]).compare_exchange_strong(expected, desired);
  }

 private:
  Descriptor fd_;
  bool writable_;
  mutable std::atomic<void*> at_{nullptr};
};
static_assert(std::atomic_ref<uint64_t>::is_always_lock_free);

class PosixFileLock : public FileLock {
 public:
  PosixFileLock(Descriptor fd, int byte) : fd_(std::move(fd)), byte_(byte) {}
  // Unlocks by name: a child forked while the lock was held has the description too, and its copy
  // would keep the lock although this one is closed.
  ~PosixFileLock() override {
    struct flock range = RangeOf(byte_, F_UNLCK);
    ::fcntl(fd_.get(), F_OFD_SETLK, &range);
  }

  static struct flock RangeOf(int byte, short type) {
    struct flock range {};
    range.l_type = type;
    range.l_whence = SEEK_SET;
    range.l_start = byte;
    range.l_len = 1;
    return range;
  }

 private:
  Descriptor fd_;
  int byte_;
};

// Linux makes a random UUID at each start; containers share that of their kernel.
uint64_t ReadBootId() {
  const Descriptor fd(
      Retry([] { return ::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC); }));
  char uuid[36];
  if (!fd.valid() || Retry([&] { return ::read(fd.get(), uuid, sizeof uuid); }) !=
                         static_cast<ssize_t>(sizeof uuid)) {
    return 0;
  }
  return Xxh3({uuid, sizeof uuid});
}

class PosixDirectory : public FileSystem {
 public:
  PosixDirectory(Descriptor fd, std::string root)
      : fd_(std::move(fd)), root_(std::move(root)), boot_id_(ReadBootId()) {}

  const std::string& root() const override { return root_; }
  uint64_t BootId() const override { return boot_id_; }

  Result<std::unique_ptr<WritableFile>> OpenForWriting(const std::string& name,
                                                       bool create) override {
    LOCI_ASSIGN(Descriptor fd, Open(name, O_RDWR | (create ? O_CREAT : 0)));
    return std::unique_ptr<WritableFile>(
        std::make_unique<PosixWritableFile>(std::move(fd), PathOf(name)));
  }

  Result<std::unique_ptr<MappedFile>> Map(const std::string& name) override {
    LOCI_ASSIGN(Descriptor fd, Open(name, O_RDONLY));
    LOCI_ASSIGN(const uint64_t size, SizeOf(fd.get(), PathOf(name)));
    void* at = nullptr;
    if (size != 0) {
      at = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
      if (at == MAP_FAILED) return SystemError("map", PathOf(name), errno);
    }
    return std::unique_ptr<MappedFile>(std::make_unique<PosixMappedFile>(at, size));
  }

  Result<std::string> Read(const std::string& name, uint64_t offset) override {
    LOCI_ASSIGN(Descriptor fd, Open(name, O_RDONLY));
    LOCI_ASSIGN(const uint64_t size, SizeOf(fd.get(), PathOf(name)));
    std::string bytes;
    if (offset >= size) return bytes;
    try {
      bytes.resize(size - offset);
    } catch (const std::exception&) {  // bad_alloc, or length_error for an absurd sparse file
      return Error{ErrorKind::kNoMemory, "cannot read '" + PathOf(name) + "': its " +
                                             std::to_string(size - offset) +
                                             " bytes do not fit in memory"};
    }
    size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t got = Retry([&] {
        return ::pread(fd.get(), bytes.data() + filled, bytes.size() - filled,
                       static_cast<off_t>(offset + filled));
      });
      if (got < 0) return SystemError("read", PathOf(name), errno);
      if (got == 0) break;  // became shorter meanwhile
      filled += static_cast<size_t>(got);
    }
    bytes.resize(filled);
    return bytes;
  }

  Result<uint64_t> Identity(const std::string& name) override {
    LOCI_TRY(CheckName(name));
    struct stat status;
    if (::fstatat(fd_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return SystemError("examine", PathOf(name), errno);
    }
    return uint64_t{status.st_ino};
  }

  Result<void> Rename(const std::string& from, const std::string& to) override {
    LOCI_TRY(CheckName(from));
    LOCI_TRY(CheckName(to));
    if (::renameat(fd_.get(), from.c_str(), fd_.get(), to.c_str()) != 0) {
      return SystemError("rename to '" + to + "' the file", PathOf(from), errno);
    }
    return {};
  }

  Result<void> Remove(const std::string& name) override {
    LOCI_TRY(CheckName(name));
    if (::unlinkat(fd_.get(), name.c_str(), 0) != 0) {
      return SystemError("remove", PathOf(name), errno);
    }
    return {};
  }

  Result<void> SyncDirectory() override {
    if (Retry([&] { return ::fsync(fd_.get()); }) != 0) return SystemError("sync", root_, errno);
    return {};
  }

  Result<std::vector<std::string>> List() override {
    // Opened anew: a stream shares its position with every copy of its descriptor.
    const int fd =
        Retry([&] { return ::openat(fd_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
    if (fd < 0) return SystemError("list", root_, errno);
    DIR* stream = ::fdopendir(fd);
    if (stream == nullptr) {
      const int code = errno;
      ::close(fd);
      return SystemError("list", root_, code);
    }
    std::vector<std::string> names;
    errno = 0;
    while (const dirent* entry = ::readdir(stream)) {
      struct stat status;
      const bool regular = entry->d_type == DT_REG || (entry->d_type == DT_UNKNOWN &&
                                                       ::fstatat(fd_.get(), entry->d_name, &status,
                                                                 AT_SYMLINK_NOFOLLOW) == 0 &&
                                                       S_ISREG(status.st_mode));
      if (regular) names.emplace_back(entry->d_name);
      errno = 0;
    }
    const int code = errno;
    ::closedir(stream);
    if (code != 0) return SystemError("list", root_, code);
    std::sort(names.begin(), names.end());
    return names;
  }

  Result<std::unique_ptr<SharedPage>> MapShared(const std::string& name, Mode mode) override {
    LOCI_ASSIGN(Descriptor fd, Open(name, mode == Mode::kWrite ? O_RDWR | O_CREAT : O_RDONLY));
    bool writable = mode == Mode::kWrite;
    if (mode == Mode::kCount && HasItsPage(fd.get())) {
      if (auto again = Open(name, O_RDWR); again.ok()) {
        fd = again.take();
        writable = true;
      }
    }
    if (mode == Mode::kWrite) {
      // Blocks, not a hole: a store into a hole on a full disk would raise SIGBUS. And not by
      // writing zeros: another process may have grown the file and stored into it meanwhile.
      int code;
      do {
        code = ::posix_fallocate(fd.get(), 0, kPageBytes);
      } while (code == EINTR);
      if (code != 0) return SystemError("allocate", PathOf(name), code);
    }
    auto page = std::make_unique<PosixSharedPage>(std::move(fd), writable);
    if (page->Words() == nullptr && errno != 0) return SystemError("map", PathOf(name), errno);
    return std::unique_ptr<SharedPage>(std::move(page));
  }

  Result<std::unique_ptr<FileLock>> Lock(const std::string& name, int byte, bool wait) override {
    // A description of its own for each call: threads that shared one would not exclude each other.
    LOCI_ASSIGN(Descriptor fd, Open(name, O_RDWR | O_CREAT));
    struct flock range = PosixFileLock::RangeOf(byte, F_WRLCK);
    if (Retry([&] { return ::fcntl(fd.get(), wait ? F_OFD_SETLKW : F_OFD_SETLK, &range); }) != 0) {
      if (!wait && (errno == EAGAIN || errno == EACCES)) return std::unique_ptr<FileLock>();
      return SystemError("lock", PathOf(name), errno);
    }
    return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(std::move(fd), byte));
  }

 private:
  std::string PathOf(const std::string& name) const { return root_ + '/' + name; }

  Result<void> CheckName(const std::string& name) const {
    if (!name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
        name.find('\0') == std::string::npos) {
      return {};
    }
    return Error{ErrorKind::kUsage, "'" + name + "' is not the name of a file in '" + root_ +
                                        "': give one plain name"};
  }

  // A store into a page that the file does not have, or has as a hole of a full disk, would raise
  // SIGBUS.
  static bool HasItsPage(int fd) {
    struct stat status;
    return ::fstat(fd, &status) == 0 && status.st_size >= static_cast<off_t>(kPageBytes) &&
           status.st_blocks * 512 >= static_cast<off_t>(kPageBytes);
  }

  Result<Descriptor> Open(const std::string& name, int flags) const {
    LOCI_TRY(CheckName(name));
    // O_NONBLOCK has no meaning for regular files and keeps a pipe from blocking.
    Descriptor fd(Retry([&] {
      return ::openat(fd_.get(), name.c_str(), flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                      kFileMode);
    }));
    if (!fd.valid()) return SystemError("open", PathOf(name), errno);
    struct stat status;
    if (::fstat(fd.get(), &status) != 0) return SystemError("examine", PathOf(name), errno);
    if (!S_ISREG(status.st_mode)) {
      return Error{ErrorKind::kIo, "cannot open '" + PathOf(name) +
                                       "': not a regular file; a memory holds nothing else"};
    }
    return fd;
  }

  Descriptor fd_;
  std::string root_;
  uint64_t boot_id_;
};

// A new directory lasts only once its entry in the parent is on disk.
Result<void> CreateDirectory(const std::string& path) {
  if (Result<void> made = MakeNewDirectory(path); !made.ok()) {
    return PathExists(path) ? Result<void>() : made;
  }
  return SyncDirectoryAt(ParentDirectory(path));
}

}  // namespace

Result<std::unique_ptr<FileSystem>> OpenDirectory(const std::string& path, bool create) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error{ErrorKind::kUsage, "an empty path, or one with a zero byte, names no directory"};
  }
  if (create) LOCI_TRY(CreateDirectory(path));
  Descriptor fd(Retry([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd.valid()) {
    const int code = errno;
    struct stat status;
    if (code == ENOTDIR && ::stat(path.c_str(), &status) == 0) {
      return Error{ErrorKind::kIo,
                   "cannot open '" + path + "': it is a file, and a memory is a directory"};
    }
    return SystemError("open the directory", path, code);
  }
  return std::unique_ptr<FileSystem>(std::make_unique<PosixDirectory>(std::move(fd), path));
}

}  // namespace loci
