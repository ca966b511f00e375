// SPDX-License-Identifier: Apache-2.0
//
// retrieval index ENGINE BEIR PATH      indexes the corpus of a directory of BEIR's layout
// retrieval ask ENGINE BEIR PATH        asks its test questions
//
// ENGINE is loci, lexical (Loci by content alone; the same files), fts5 or xapian. One process for
// each, so that the peak of its memory is its own. ask opens the files, asks each question once to
// warm up and three times for the record, and prints the median and the 99th percentile of CPU
// time, which is wall time where everything is in the page cache and the machine does nothing else;
// and what wall time it took to open and to get the first answer.
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "engine.h"
#include "eval/beir.h"
#include "must.h"

namespace {

using namespace loci::bench;
using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

std::unique_ptr<Engine> Make(const std::string& name) {
  if (name == "loci" || name == "lexical") return MakeLoci(name == "loci");
  if (name == "fts5") return MakeFts5();
  if (name == "xapian") return MakeXapian();
  Fail("retrieval: no engine " + name);
}

// Of this process, in seconds.
double Cpu() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

long PeakMegabytes() {
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss >> 10;
}

void Index(const std::string& name, const std::string& beir, const std::string& path) {
  const auto begin = Clock::now();
  Make(name)->Index(beir, path);
  std::printf("%-8s index: cpu %6.2f s  wall %6.2f s  peak %5ld MB\n", name.c_str(), Cpu(),
              Milliseconds(begin) / 1e3, PeakMegabytes());
}

void Ask(const std::string& name, const std::string& beir, const std::string& path) {
  const auto task = Must(loci::eval::ReadTask(beir, "test"));
  const auto engine = Make(name);
  auto begin = Clock::now();
  engine->Open(path);
  const double open = Milliseconds(begin);
  begin = Clock::now();
  size_t hits = engine->Ask(task.queries[0].text);
  const double first = Milliseconds(begin);
  std::vector<double> times;
  for (int round = 0; round < 4; ++round) {
    for (const auto& query : task.queries) {
      const double cpu = Cpu();
      hits += engine->Ask(query.text);
      if (round != 0) times.push_back((Cpu() - cpu) * 1e3);
    }
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "%-8s ask: median %7.3f ms  99th percentile %7.3f ms  open %6.2f ms  first answer %6.2f ms"
      "  (%zu questions, %.1f hits)\n",
      name.c_str(), times[times.size() / 2], times[times.size() * 99 / 100], open, first,
      task.queries.size(),
      static_cast<double>(hits) / static_cast<double>(4 * task.queries.size() + 1));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string verb = argc == 5 ? argv[1] : "";
  if (verb == "index") {
    Index(argv[2], argv[3], argv[4]);
  } else if (verb == "ask") {
    Ask(argv[2], argv[3], argv[4]);
  } else {
    std::fprintf(stderr, "usage: retrieval index|ask ENGINE BEIR PATH\n");
    return 2;
  }
  return 0;
}
