// SPDX-License-Identifier: Apache-2.0
//
// planner MEMORY N: what the order of clauses costs on skewed data, where the planner chooses it
// and where it is taken as written, on the N generated triples that `loci learn` has read: a hub
// has thousands of facts, most entities a few, rel_0 a tenth of all facts, rel_99 a two-hundredth.
//
// Each question is written as a person might who does not know the data: the common thing first.
// Prints the rows touched and the median of five times; the answers must be the same.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "must.h"
#include "query/query.h"
#include "store/store.h"
#include "triples.h"

namespace {

using loci::bench::Fail;
using loci::bench::Must;
using loci::query::Answers;
using Clock = std::chrono::steady_clock;

struct Run {
  Answers answers;
  double milliseconds;
};

Run Ask(const loci::query::Query& query, const std::shared_ptr<const loci::Snapshot>& snapshot,
        bool as_written) {
  loci::query::QueryOptions options;
  options.as_written = as_written;
  std::vector<double> times;
  Run run;
  for (int i = 0; i < 5; ++i) {
    const auto begin = Clock::now();
    run.answers = Must(query.Run(snapshot, options));
    times.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  run.milliseconds = times[2];
  return run;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) Fail("usage: planner MEMORY N");
  loci::bench::Triples triples(std::strtoull(argv[2], nullptr, 10));
  std::string rare;  // an entity that has a fact of rel_99
  while (rare.empty()) {
    const auto triple = triples.Next();
    if (triple.relation == 99) rare = loci::bench::Triples::EntityName(triple.subject);
  }
  const std::string questions[] = {
      "(?z) <- rel_0(?x, ?y), rel_1(?y, ?z), rel_99(" + rare + ", ?x)",
      "(?x) <- rel_0(?x, ?y), rel_98(?x, ?z), rel_99(?x, ?w)",
      "(?y) <- rel_90+(?x, ?y), rel_0(?w, ?x), rel_99(" + rare + ", ?w)",
  };
  const auto store =
      Must(loci::Store::Open(std::string(argv[1]), {.create = false, .read_only = true}));
  const auto snapshot = Must(store->Read());
  std::printf("%-70s %24s %24s %8s\n", "", "planned: rows, ms", "as written: rows, ms", "ratio");
  for (const std::string& text : questions) {
    const auto query = Must(loci::query::Query::Parse(text));
    const Run planned = Ask(query, snapshot, false), written = Ask(query, snapshot, true);
    if (planned.answers.rows.size() != written.answers.rows.size()) Fail("the answers differ");
    std::printf("%-70s %12llu %11.3f %12llu %11.3f %8.1f\n", text.c_str(),
                static_cast<unsigned long long>(planned.answers.work), planned.milliseconds,
                static_cast<unsigned long long>(written.answers.work), written.milliseconds,
                written.milliseconds / planned.milliseconds);
  }
  return 0;
}
