// SPDX-License-Identifier: Apache-2.0
//
// Tells a process from the child that it forked. Locks on open files, and what other threads were
// doing to a memory at the time, are not the child's; so what was opened before a fork is refused
// after it. Asking the system for the process's number costs a call (some 100 ns) at each use; a
// counter that fork itself advances in the child costs a load.
#pragma once

#include <cstdint>

namespace loci {

// How many forks lie between this process and the one that first asked. Thread-safe.
uint64_t ForkGeneration();

}  // namespace loci
