// SPDX-License-Identifier: Apache-2.0
//
// faults_worker live DIRECTORY WHO SEED FIRST LAST   does steps FIRST to LAST of a life
// (scenario.h) faults_worker fold DIRECTORY TIMES                 consolidates again and again
// faults_worker hold DIRECTORY                       opens, reads, and waits to be killed
//
// A line goes to the output before anything else ("pid N"), and after each step that was
// acknowledged its number ("done N"), with one write each: what the parent has read is true though
// this process was killed. Errors go to standard error, and 3 is returned.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "scenario.h"

namespace loci::faults {
namespace {

void Report(const char* word, long number) {
  const std::string line = std::string(word) + ' ' + std::to_string(number) + '\n';
  if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    ::_exit(4);
  }
}

int Fail(const Error& error) {
  std::fprintf(stderr, "faults_worker: %s\n", error.message.c_str());
  return 3;
}

unsigned Number(const char* text) {
  return static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}

int Live(const std::string& path, const std::string& who, unsigned seed, unsigned first,
         unsigned last) {
  auto files = OpenDirectory(path, true);
  if (!files.ok()) return Fail(files.error());
  const std::shared_ptr<FileSystem> shared = files.take();
  auto opened = Store::Open(shared, {.create = true});
  if (!opened.ok()) return Fail(opened.error());
  std::unique_ptr<Store> store = opened.take();
  for (unsigned n = first; n <= last; ++n) {
    const Result<void> done = Do(LifeStep(who, seed, n), shared, &store);
    if (!done.ok()) return Fail(done.error());
    Report("done", n);
  }
  return 0;
}

int Fold(const std::string& path, unsigned times) {
  auto opened = Store::Open(path, {.create = true});
  if (!opened.ok()) return Fail(opened.error());
  for (unsigned n = 0; n < times; ++n) {
    const Result<void> done = (*opened)->Consolidate(nullptr);
    if (!done.ok()) return Fail(done.error());
    Report("done", n);
  }
  return 0;
}

int Hold(const std::string& path) {
  auto opened = Store::Open(path, {});
  if (!opened.ok()) return Fail(opened.error());
  const auto snapshot = (*opened)->Read();
  if (!snapshot.ok()) return Fail(snapshot.error());
  Report("done", static_cast<long>((*snapshot)->statements()));
  for (;;) ::pause();
}

int Main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  Report("pid", ::getpid());
  if (mode == "live" && argc == 7) {
    return Live(argv[2], argv[3], Number(argv[4]), Number(argv[5]), Number(argv[6]));
  }
  if (mode == "fold" && argc == 4) return Fold(argv[2], Number(argv[3]));
  if (mode == "hold" && argc == 3) return Hold(argv[2]);
  std::fprintf(stderr, "faults_worker: see the head of worker.cc for its arguments\n");
  return 2;
}

}  // namespace
}  // namespace loci::faults

int main(int argc, char** argv) {
  return loci::faults::Main(argc, argv);
}
