// SPDX-License-Identifier: Apache-2.0
//
// share MEMORY: two processes of two threads each write one memory at once; nothing is lost, and a
// frozen view holds still meanwhile. Work that takes too long is cancelled.
//
//   $ share common.loci
//   a parent's memory in the child: refused
//   statements before: 1, after: 401, in the frozen view: 1
//   a question cancelled by another thread: cancelled
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "loci/memory.h"

namespace {

using loci::Value;

int Complain(const loci::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

// A hundred durable writes under names of the thread's own.
void Write(loci::Memory* memory, const std::string& who) {
  for (int i = 0; i < 100; ++i) {
    const auto learned = memory->Learn({{who, "counted", Value::Number(std::int64_t{i}), who}});
    if (!learned.ok()) Complain(learned.error());
  }
}

void WriteByTwo(loci::Memory* memory, const std::string& who) {
  std::thread first(Write, memory, who + "-1"), second(Write, memory, who + "-2");
  first.join();
  second.join();
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: share MEMORY\n");
    return 2;
  }
  auto memory = loci::Memory::Open(arguments[1]);
  if (!memory.ok()) return Complain(memory.error());
  const auto first = memory->Learn({{"nobody", "counted", Value::Number("0"), "start"}});
  if (!first.ok()) return Complain(first.error());
  const auto frozen = memory->Freeze();
  if (!frozen.ok()) return Complain(frozen.error());

  const pid_t child = fork();
  if (child == 0) {
    // A memory belongs to the process that opened it.
    if (!memory->Digest().ok()) std::printf("a parent's memory in the child: refused\n");
    std::fflush(stdout);
    auto own = loci::Memory::Open(arguments[1]);
    if (!own.ok()) _exit(Complain(own.error()));
    WriteByTwo(&*own, "child");
    _exit(0);
  }
  WriteByTwo(&*memory, "parent");
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) return 1;

  const auto after = memory->Stats(), before = frozen->Stats();
  if (!after.ok()) return Complain(after.error());
  if (!before.ok()) return Complain(before.error());
  std::printf("statements before: 1, after: %llu, in the frozen view: %llu\n",
              static_cast<unsigned long long>(after->statements),
              static_cast<unsigned long long>(before->statements));

  // 401 to the power of four rows, if nobody stops it.
  const loci::Cancellation stop;
  std::thread impatient([stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.Cancel();
  });
  const auto all =
      memory->Ask("counted(?a, ?i), counted(?b, ?j), counted(?c, ?k), counted(?d, ?l)",
                  {.max_work = UINT64_MAX, .max_memory = UINT64_MAX, .cancellation = stop});
  impatient.join();
  std::printf("a question cancelled by another thread: %s\n",
              !all.ok() && all.error().kind == loci::ErrorKind::kCancelled ? "cancelled" : "not");
  return 0;
}
