// SPDX-License-Identifier: Apache-2.0
#include "formats/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/unicode.h"

namespace loci {
namespace {

Error SystemError(const std::string& path, int error) {
  const auto kind = error == ENOENT || error == ENOTDIR ? ErrorKind::kNotFound : ErrorKind::kIo;
  return {kind, fmt::format("cannot read {}: {}", Excerpt(path, 200), std::strerror(error))};
}

class FileSource : public ByteSource {
 public:
  FileSource(int fd, std::string path, uint64_t total, Progress progress)
      : fd_(fd), path_(std::move(path)), total_(total), progress_(std::move(progress)) {}
  ~FileSource() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }

  Result<size_t> Read(char* to, size_t most) override {
    ssize_t got;
    do {
      got = ::read(fd_, to, most);
    } while (got < 0 && errno == EINTR);
    if (got < 0) return SystemError(path_, errno);
    done_ += static_cast<uint64_t>(got);
    if (progress_ && !progress_(done_, total_)) {
      return Error{ErrorKind::kCancelled, fmt::format("cancelled while reading {}", path_)};
    }
    return static_cast<size_t>(got);
  }

 private:
  int fd_;
  std::string path_;
  uint64_t done_ = 0, total_;
  Progress progress_;
};

class BytesSource : public ByteSource {
 public:
  explicit BytesSource(std::string_view rest) : rest_(rest) {}
  Result<size_t> Read(char* to, size_t most) override {
    const size_t n = std::min(most, rest_.size());
    std::copy_n(rest_.data(), n, to);
    rest_.remove_prefix(n);
    return n;
  }

 private:
  std::string_view rest_;
};

class ReplaySource : public ByteSource {
 public:
  ReplaySource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}
  Result<size_t> Read(char* to, size_t most) override {
    if (at_ == prefix_.size()) return rest_->Read(to, most);
    const size_t n = prefix_.copy(to, most, at_);
    at_ += n;
    return n;
  }

 private:
  std::string prefix_;
  size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path, Progress progress) {
  const bool is_stdin = path == "-";
  const int fd = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return SystemError(path, errno);
  struct stat info;
  const bool known = ::fstat(fd, &info) == 0;
  if (known && S_ISDIR(info.st_mode)) {
    if (!is_stdin) ::close(fd);
    return Error{ErrorKind::kUsage,
                 fmt::format("{} is a directory; name the files in it", Excerpt(path, 200))};
  }
  const bool has_size = known && S_ISREG(info.st_mode) && info.st_size > 0;
  return std::unique_ptr<ByteSource>(
      new FileSource(fd, is_stdin ? "stdin" : path,
                     has_size ? static_cast<uint64_t>(info.st_size) : 0, std::move(progress)));
}

std::unique_ptr<ByteSource> FromBytes(std::string_view bytes) {
  return std::make_unique<BytesSource>(bytes);
}

std::unique_ptr<ByteSource> Replay(std::string prefix, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<ReplaySource>(std::move(prefix), std::move(rest));
}

Result<std::string> ReadUpTo(ByteSource* source, size_t most) {
  std::string bytes(most, '\0');
  size_t size = 0;
  while (size < most) {
    LOCI_ASSIGN(const size_t got, source->Read(&bytes[size], most - size));
    if (got == 0) break;
    size += got;
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace loci
