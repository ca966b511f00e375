// SPDX-License-Identifier: Apache-2.0
//
// Io: all that a command may touch of the process around it, so that tests run commands inside
// their own process. Data goes to out, talk to err; progress only where err is a terminal.
#pragma once

#include <atomic>
#include <iosfwd>

namespace loci {

struct Io {
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool in_is_terminal = false;
  bool in_is_script = false;  // standard input holds the shell's commands
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool color = false;                            // out shows what is bold
  const std::atomic<bool>* interrupt = nullptr;  // set by Ctrl-C; may be absent
  void (*clear_interrupt)() = nullptr;           // lets Ctrl-C be set anew; may be absent
  const int* out_errno = nullptr;                // why out failed, once it has; may be absent

  void ClearInterrupt() const {
    if (clear_interrupt != nullptr) clear_interrupt();
  }
  bool interrupted() const {
    return interrupt != nullptr && interrupt->load(std::memory_order_relaxed);
  }
};

// The Io of this process. From the first call on, the first Ctrl-C sets the flag, so that the
// command ends in its own time with the memory as it was; a second one ends the process at once.
Io ProcessIo();

}  // namespace loci
