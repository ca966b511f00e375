// SPDX-License-Identifier: Apache-2.0
//
// What every caller of POSIX needs: a system's reason as an Error, calls that signals interrupt, a
// descriptor that closes. For the files of this folder that touch the disk, and for the sockets of
// src/mcp; nobody else touches the system.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

#include "loci/result.h"

namespace loci {

inline ErrorKind KindOfErrno(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
      return ErrorKind::kNoSpace;
    case ENOENT:
      return ErrorKind::kNotFound;
    case ENOMEM:
      return ErrorKind::kNoMemory;
    default:
      return ErrorKind::kIo;
  }
}

inline Error SystemError(const std::string& doing, const std::string& path, int code) {
  std::string message =
      "cannot " + doing + " '" + path + "': " + std::generic_category().message(code);
  if (code == ENOSPC || code == EDQUOT) message += "; free some space and try again";
  return {KindOfErrno(code), std::move(message)};
}

// Repeats a system call that a signal has interrupted.
template <class Call>
auto Retry(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  // What matters was synced before; an error of close cannot be acted on.
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_;
};

}  // namespace loci
