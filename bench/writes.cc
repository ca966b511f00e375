// SPDX-License-Identifier: Apache-2.0
//
// writes DIRECTORY: what a durable write costs, beside the bare system calls, on the disk of
// DIRECTORY:
//
//   append      200 times: append 100 bytes and fdatasync (the peer: what durability costs here)
//   one         200 times: learn one statement
//   batch       300,000 statements in batches of 3,000 (statements per second)
//   processes   8 processes x 40 single writes on one memory, beside 1 process x 320
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "must.h"
#include "store/store.h"

namespace {

using loci::bench::Must;
using Clock = std::chrono::steady_clock;

double Seconds(Clock::time_point since) {
  return std::chrono::duration<double>(Clock::now() - since).count();
}

double Median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void Add(int writer, int i, loci::Batch* batch) {
  using loci::Kind;
  const std::string subject = "subject_" + std::to_string(writer) + "_" + std::to_string(i);
  const std::string object = "object_" + std::to_string(i % 1000);
  batch->Add({{Kind::kSymbol, subject},
              {Kind::kSymbol, "likes"},
              {Kind::kSymbol, object},
              {Kind::kSymbol, "bench"}},
             false);
}

void Learn(loci::Store* store, int writer, int from, int count) {
  loci::Batch batch;
  for (int i = 0; i < count; ++i) Add(writer, from + i, &batch);
  Must(store->Apply(batch));
}

std::vector<double> Appends(const std::string& path, int count) {
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const std::string bytes(100, 'x');
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    if (write(file, bytes.data(), bytes.size()) < 0 || fdatasync(file) != 0) std::exit(1);
    times.push_back(Seconds(begin));
  }
  close(file);
  return times;
}

// Writes per second of `processes` processes with `each` writes, in sum.
double Rate(const std::string& path, int processes, int each) {
  (void)Must(loci::Store::Open(path, {.create = true}));
  const auto begin = Clock::now();
  for (int p = 0; p < processes; ++p) {
    if (fork() != 0) continue;
    const auto store = Must(loci::Store::Open(path, {}));
    for (int i = 0; i < each; ++i) Learn(store.get(), p, i, 1);
    _exit(0);
  }
  while (wait(nullptr) > 0) {
  }
  return processes * each / Seconds(begin);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: writes DIRECTORY\n");
    return 2;
  }
  const std::string directory = argv[1];
  const auto store = Must(loci::Store::Open(directory + "/one.loci", {.create = true}));
  std::vector<double> append, one;  // in turn, so that a busy disk is busy for both
  for (int round = 0; round < 10; ++round) {
    const auto some = Appends(directory + "/append", 20);
    append.insert(append.end(), some.begin(), some.end());
    for (int i = 0; i < 20; ++i) {
      const auto begin = Clock::now();
      Learn(store.get(), 0, round * 20 + i, 1);
      one.push_back(Seconds(begin));
    }
  }
  std::printf("append and fdatasync: median %.0f us\n", Median(append) * 1e6);
  std::printf("one durable write:    median %.0f us, ratio %.2f\n", Median(one) * 1e6,
              Median(one) / Median(append));
  const auto batched = Must(loci::Store::Open(directory + "/batch.loci", {.create = true}));
  const auto begin = Clock::now();
  constexpr int kBatches = 100, kEach = 3000;
  for (int b = 0; b < kBatches; ++b) Learn(batched.get(), 1, b * kEach, kEach);
  std::printf("batches of %d:      %.0f statements/s\n", kEach, kBatches * kEach / Seconds(begin));
  const double single = Rate(directory + "/single.loci", 1, 320);
  const double eight = Rate(directory + "/eight.loci", 8, 40);
  std::printf(
      "1 process:            %.0f writes/s\n8 processes:          %.0f writes/s, ratio %.2f\n",
      single, eight, eight / single);
  return 0;
}
