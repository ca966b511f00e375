// SPDX-License-Identifier: Apache-2.0
//
// sqlite_load TSV DATABASE: how SQLite learns the same file at its best: one transaction of
// prepared inserts, both covering indexes built after it, durable at the end.
//
//   names(id, name)     a dictionary, as the image has one
//   t(s, r, o)          numbers of names; indexes (s, r, o) and (o, r, s)
//
// The dictionary is kept in a hash map while loading, which is faster than asking SQLite for each
// name.
#include <sqlite3.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <unordered_map>

namespace {

sqlite3* db;

void Exec(const char* sql) {
  char* error = nullptr;
  if (sqlite3_exec(db, sql, nullptr, nullptr, &error) == SQLITE_OK) return;
  std::fprintf(stderr, "sqlite_load: %s: %s\n", sql, error);
  std::exit(1);
}

sqlite3_stmt* Prepare(const char* sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db, sql, -1, &statement, nullptr) == SQLITE_OK) return statement;
  std::fprintf(stderr, "sqlite_load: %s: %s\n", sql, sqlite3_errmsg(db));
  std::exit(1);
}

class Dictionary {
 public:
  sqlite3_int64 Number(std::string_view name) {
    const auto [at, added] = numbers_.try_emplace(std::string(name), numbers_.size() + 1);
    if (added) {
      sqlite3_bind_int64(insert_, 1, static_cast<sqlite3_int64>(at->second));
      sqlite3_bind_text(insert_, 2, name.data(), static_cast<int>(name.size()), SQLITE_STATIC);
      sqlite3_step(insert_);
      sqlite3_reset(insert_);
    }
    return static_cast<sqlite3_int64>(at->second);
  }

 private:
  std::unordered_map<std::string, size_t> numbers_;
  sqlite3_stmt* insert_ = Prepare("INSERT INTO names VALUES (?, ?)");
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || sqlite3_open(argv[2], &db) != SQLITE_OK) {
    std::fprintf(stderr, "usage: sqlite_load TSV DATABASE\n");
    return 2;
  }
  Exec("PRAGMA page_size = 4096; PRAGMA cache_size = -1000000;");
  Exec(
      "CREATE TABLE names(id INTEGER PRIMARY KEY, name TEXT);"
      "CREATE TABLE t(s INTEGER, r INTEGER, o INTEGER);");
  Exec("BEGIN");
  {
    Dictionary names;
    sqlite3_stmt* insert = Prepare("INSERT INTO t VALUES (?, ?, ?)");
    std::ifstream in(argv[1]);
    for (std::string line; std::getline(in, line);) {
      const std::string_view view = line;
      const size_t a = view.find('\t'), b = view.find('\t', a + 1);
      sqlite3_bind_int64(insert, 1, names.Number(view.substr(0, a)));
      sqlite3_bind_int64(insert, 2, names.Number(view.substr(a + 1, b - a - 1)));
      sqlite3_bind_int64(insert, 3, names.Number(view.substr(b + 1)));
      sqlite3_step(insert);
      sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
  }
  Exec("CREATE UNIQUE INDEX by_name ON names(name)");
  Exec("CREATE INDEX sro ON t(s, r, o); CREATE INDEX ors ON t(o, r, s);");
  Exec("COMMIT; ANALYZE;");
  sqlite3_close_v2(db);
  return 0;
}
