// SPDX-License-Identifier: Apache-2.0
//
// The process's own streams and its Ctrl-C.
#include "command/io.h"

#include <csignal>
#include <iostream>

#include <unistd.h>

namespace loci {
namespace {

std::atomic<bool> interrupt_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set inside a signal handler");

void OnInterrupt(int) {
  interrupt_flag.store(true, std::memory_order_relaxed);
}

}  // namespace

Io ProcessIo() {
  struct sigaction action {};
  action.sa_handler = OnInterrupt;
  // SA_RESETHAND: the second Ctrl-C is the system's own. No SA_RESTART: a read that waits for a
  // person's input returns at once.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);

  std::ios::sync_with_stdio(false);
  Io io;
  io.out = &std::cout;
  io.err = &std::cerr;
  io.in_is_terminal = isatty(STDIN_FILENO) == 1;
  io.out_is_terminal = isatty(STDOUT_FILENO) == 1;
  io.err_is_terminal = isatty(STDERR_FILENO) == 1;
  io.interrupt = &interrupt_flag;
  return io;
}

}  // namespace loci
