// SPDX-License-Identifier: Apache-2.0
//
// writes DIRECTORY: what a durable write costs, beside the bare system calls, on the disk of
// DIRECTORY:
//
//   append      200 times: append 100 bytes and fdatasync (the peer: what durability costs here)
//   one         200 times: learn one statement
//   passage     200 times: learn one passage (its text of 600 bytes, title and part_of), beside
//               append of as many bytes and fdatasync
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

// What a passage of a document is learned as, of about 700 bytes in all.
void LearnPassage(loci::Store* store, int i) {
  using loci::Kind;
  std::string text;
  for (int word = i; text.size() < 600; word = word * 31 % 99991 + 1) {
    text += "word" + std::to_string(word) + " ";
  }
  const std::string name = "document#" + std::to_string(1000000 + i);
  const std::string title = "Chapter " + std::to_string(i);
  loci::Batch batch;
  const auto add = [&](const char* relation, loci::TermView object) {
    batch.Add({{Kind::kSymbol, name}, {Kind::kSymbol, relation}, object, {Kind::kSymbol, "bench"}},
              false);
  };
  add("text", {Kind::kText, text});
  add("part_of", {Kind::kSymbol, "document"});
  add("title", {Kind::kText, title});
  Must(store->Apply(batch));
  (void)Must(store->Read());  // whoever asks next sees it
}

std::vector<double> Appends(const std::string& path, size_t size, int count) {
  const int file = open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  const std::string bytes(size, 'x');
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    if (write(file, bytes.data(), bytes.size()) < 0 || fdatasync(file) != 0) std::exit(1);
    times.push_back(Seconds(begin));
  }
  close(file);
  return times;
}

// 200 writes of a kind beside as many appends of so many bytes.
void Beside(const std::string& directory, const std::string& memory, const char* what, size_t bytes,
            void (*write)(loci::Store*, int)) {
  const auto store = Must(loci::Store::Open(directory + "/" + memory, {.create = true}));
  std::vector<double> append, one;  // in turn, so that a busy disk is busy for both
  for (int round = 0; round < 10; ++round) {
    const auto some = Appends(directory + "/append", bytes, 20);
    append.insert(append.end(), some.begin(), some.end());
    for (int i = 0; i < 20; ++i) {
      const auto begin = Clock::now();
      write(store.get(), round * 20 + i);
      one.push_back(Seconds(begin));
    }
  }
  std::printf("append of %zu bytes and fdatasync: median %.0f us\n", bytes, Median(append) * 1e6);
  std::printf("%-33s median %.0f us, ratio %.2f\n", what, Median(one) * 1e6,
              Median(one) / Median(append));
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
  Beside(directory, "one.loci", "one durable write", 100,
         [](loci::Store* store, int i) { Learn(store, 0, i, 1); });
  Beside(directory, "passage.loci", "one durable passage", 700, LearnPassage);
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
