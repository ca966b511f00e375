// SPDX-License-Identifier: Apache-2.0
//
// lookup MEMORY DATABASE N QUESTIONS.jsonl: how long a question takes, beside SQLite, on the N
// generated triples that `loci learn` and sqlite_load have read. Prepared once on both sides, then
// asked with random subjects, names in and names out:
//
//   pattern   rel_0(?s, ?x)                                  one unknown
//   join      rel_0(?s, ?x), rel_1(?x, ?y), rel_2(?y, ?z)    three clauses
//   path      (rel_0|rel_1)/(rel_0|rel_1)/(rel_0|rel_1) from ?s: distinct ends of three hops
//
// Prints the median and the 99th percentile of each in microseconds of wall time, and the ratio of
// the medians. Answers are counted on both sides and must agree. What was asked goes to QUESTIONS,
// with the first subjects and the bytes of their answers, for a peer that is another program
// (duckdb/duckdb.mjs).
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "must.h"
#include "query/query.h"
#include "store/store.h"
#include "triples.h"

namespace {

using loci::bench::Fail;
using loci::bench::Must;
using loci::bench::Triples;
using Clock = std::chrono::steady_clock;

struct Question {
  const char* name;
  const char* query;
  const char* sql;
  int asked;
};

const Question kQuestions[] = {
    {"pattern", "(?x) <- rel_0(?s, ?x)",
     "SELECT DISTINCT x.name FROM names s JOIN t a ON a.s = s.id AND a.r = "
     "(SELECT id FROM names WHERE name = 'rel_0') JOIN names x ON x.id = a.o WHERE s.name = ?1",
     100000},
    {"join", "(?z) <- rel_0(?s, ?x), rel_1(?x, ?y), rel_2(?y, ?z)",
     "SELECT DISTINCT z.name FROM names s "
     "JOIN t a ON a.s = s.id AND a.r = (SELECT id FROM names WHERE name = 'rel_0') "
     "JOIN t b ON b.s = a.o AND b.r = (SELECT id FROM names WHERE name = 'rel_1') "
     "JOIN t c ON c.s = b.o AND c.r = (SELECT id FROM names WHERE name = 'rel_2') "
     "JOIN names z ON z.id = c.o WHERE s.name = ?1",
     20000},
    {"path", "(?z) <- (rel_0|rel_1)/(rel_0|rel_1)/(rel_0|rel_1)(?s, ?z)",
     "WITH q(id) AS (SELECT id FROM names WHERE name IN ('rel_0', 'rel_1')) "
     "SELECT DISTINCT z.name FROM names s "
     "JOIN t a ON a.s = s.id AND a.r IN (SELECT id FROM q) JOIN t b ON b.s = a.o AND b.r IN "
     "(SELECT id FROM q) "
     "JOIN t c ON c.s = b.o AND c.r IN (SELECT id FROM q) JOIN names z ON z.id = c.o WHERE s.name "
     "= ?1",
     20000},
};

struct Timing {
  double median, p99;
  uint64_t answers;
};

template <class Ask>
Timing Measure(int asked, uint64_t facts, Ask ask) {
  Triples triples(facts);
  std::vector<double> microseconds;
  uint64_t answers = 0;
  for (int i = 0; i < asked; ++i) {
    const std::string subject = Triples::EntityName(triples.RandomEntity());
    const auto begin = Clock::now();
    answers += ask(subject);
    microseconds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - begin).count());
  }
  std::sort(microseconds.begin(), microseconds.end());
  return {microseconds[microseconds.size() / 2], microseconds[microseconds.size() * 99 / 100],
          answers};
}

// None of the names needs an escape in JSON.
template <class Ask>
void WriteQuestion(const Question& q, double median, uint64_t facts, Ask ask, std::ostream* out) {
  constexpr int kSubjects = 500;  // a slower peer has to do them all
  Triples triples(facts);
  *out << "{\"name\": \"" << q.name << "\", \"sql\": \"" << q.sql << "\", \"loci_us\": " << median
       << ", \"subjects\": [";
  uint64_t bytes = 0;
  for (int i = 0; i < kSubjects; ++i) {
    const std::string subject = Triples::EntityName(triples.RandomEntity());
    bytes += ask(subject);
    *out << (i == 0 ? "" : ", ") << '"' << subject << '"';
  }
  *out << "], \"bytes\": " << bytes << "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) Fail("usage: lookup MEMORY DATABASE N QUESTIONS.jsonl");
  const uint64_t facts = std::strtoull(argv[3], nullptr, 10);
  const auto begin = Clock::now();
  const auto store =
      Must(loci::Store::Open(std::string(argv[1]), {.create = false, .read_only = true}));
  const auto snapshot = Must(store->Read());
  auto first = Must(loci::query::Query::Parse("rel_0(entity_0, ?x)"));
  (void)Must(first.Run(snapshot, {}));
  std::printf("open and first answer: %.2f ms\n",
              std::chrono::duration<double, std::milli>(Clock::now() - begin).count());

  sqlite3* db = nullptr;
  if (sqlite3_open_v2(argv[2], &db, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) Fail(argv[2]);
  sqlite3_exec(db, "PRAGMA mmap_size = 4000000000; PRAGMA cache_size = -1000000;", nullptr, nullptr,
               nullptr);
  std::ofstream questions(argv[4]);
  std::printf("%-8s %28s %28s %8s\n", "", "loci: median, p99 [us]", "sqlite: median, p99 [us]",
              "ratio");
  for (const Question& q : kQuestions) {
    const auto query = Must(loci::query::Query::Parse(q.query));
    const auto ours = [&](const std::string& subject) {
      const loci::query::Binding s{"s", {loci::Kind::kSymbol, subject}};
      const auto answers = Must(query.Run(snapshot, {}, {&s, 1}));
      uint64_t bytes = 0;
      for (const auto& row : answers.rows) bytes += answers.Name(row.values[0]).bytes.size();
      return bytes;
    };
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db, q.sql, -1, &statement, nullptr) != SQLITE_OK)
      Fail(sqlite3_errmsg(db));
    const auto theirs = [&](const std::string& subject) {
      sqlite3_bind_text(statement, 1, subject.data(), static_cast<int>(subject.size()),
                        SQLITE_STATIC);
      uint64_t bytes = 0;
      while (sqlite3_step(statement) == SQLITE_ROW) {
        bytes += static_cast<uint64_t>(sqlite3_column_bytes(statement, 0));
      }
      sqlite3_reset(statement);
      return bytes;
    };
    (void)Measure(q.asked / 10, facts, ours);  // both warm
    (void)Measure(q.asked / 10, facts, theirs);
    const Timing a = Measure(q.asked, facts, ours), b = Measure(q.asked, facts, theirs);
    if (a.answers != b.answers) Fail(std::string(q.name) + ": the answers differ");
    std::printf("%-8s %19.2f %8.2f %19.2f %8.2f %8.1f\n", q.name, a.median, a.p99, b.median, b.p99,
                b.median / a.median);
    sqlite3_finalize(statement);
    WriteQuestion(q, a.median, facts, ours, &questions);
  }
  if (!questions.flush()) Fail(std::string("cannot write ") + argv[4]);
  return 0;
}
