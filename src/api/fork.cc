// SPDX-License-Identifier: Apache-2.0
#include "api/fork.h"

#include <pthread.h>

#include <atomic>

namespace loci {
namespace {

std::atomic<uint64_t> generation{0};

void InChild() {
  generation.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

uint64_t ForkGeneration() {
  static const int registered = ::pthread_atfork(nullptr, nullptr, InChild);
  // Without the handler (no memory for it) a fork goes unnoticed, as in most libraries.
  (void)registered;
  return generation.load(std::memory_order_relaxed);
}

}  // namespace loci
