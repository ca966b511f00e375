// SPDX-License-Identifier: Apache-2.0
//
// The process's own streams and its Ctrl-C.
#include "command/io.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <unistd.h>

namespace loci {
namespace {

std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set inside a signal handler");

void OnInterrupt(int) {
  interrupt_flag.store(true, std::memory_order_relaxed);
}

void CatchInterrupt() {
  interrupt_flag.store(false, std::memory_order_relaxed);
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  // SA_RESETHAND: the second Ctrl-C is the system's own. No SA_RESTART: a read that waits for a
  // person's input returns at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

// Standard output, as a stream that remembers why a write failed: the library's own forgets,
// and "No space left on device" is what a person must know.
class StandardOutput : public std::streambuf {
 public:
  StandardOutput() : buffer_(64 << 10) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  const int* error() const { return &errno_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) {
      *pptr() = traits_type::to_char_type(c);
      pbump(1);
    }
    return traits_type::not_eof(c);
  }

  int sync() override {
    const char* at = pbase();
    errno_ = 0;
    while (at < pptr() && errno_ == 0) {
      if (interrupt_flag.load(std::memory_order_relaxed)) {
        errno_ = EINTR;  // a million answers end where they are
        break;
      }
      const ssize_t written = ::write(STDOUT_FILENO, at, static_cast<size_t>(pptr() - at));
      if (written >= 0) {
        at += written;
      } else if (errno != EINTR) {
        errno_ = errno;
      }
    }
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return errno_ == 0 ? 0 : -1;
  }

 private:
  std::vector<char> buffer_;
  int errno_ = 0;
};

}  // namespace

Io ProcessIo() {
  CatchInterrupt();
  static StandardOutput buffer;
  static std::ostream out(&buffer);
  Io io;
  std::cerr.tie(&out);  // what was said first is seen first
  io.out = &out;
  io.out_errno = buffer.error();
  io.err = &std::cerr;
  io.in_is_terminal = isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = isatty(STDERR_FILENO) == 1;
  const char* const no_color = std::getenv("NO_COLOR");  // no-color.org
  io.color = io.out_is_terminal && (no_color == nullptr || *no_color == '\0');
  io.interrupt = &interrupt_flag;
  io.clear_interrupt = CatchInterrupt;
  return io;
}

}  // namespace loci
