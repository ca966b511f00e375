// SPDX-License-Identifier: Apache-2.0
//
// SQLite's full-text search at its best: one transaction of prepared inserts, the porter stemmer
// over its Unicode tokenizer, a cue's words that say something joined by OR, BM25
// with titles counted twice.
#include <sqlite3.h>

#include "engine.h"
#include "must.h"

namespace loci::bench {
namespace {

class Fts5 : public Engine {
 public:
  ~Fts5() override {
    sqlite3_finalize(ask_);
    sqlite3_close_v2(db_);
  }

  void Index(const std::string& directory, const std::string& path) override {
    OpenDatabase(path);
    Exec(
        "PRAGMA cache_size = -1000000;"
        "CREATE VIRTUAL TABLE p USING fts5(id UNINDEXED, title, text, tokenize = 'porter');"
        "INSERT INTO p(p, rank) VALUES ('rank', 'bm25(0, 2.0, 1.0)');");
    Exec("BEGIN");
    sqlite3_stmt* const insert = Prepare("INSERT INTO p VALUES (?, ?, ?)");
    ForEachPassage(directory, [&](const Passage& passage) {
      int column = 0;
      for (const std::string_view value : {passage.id, passage.title, passage.text}) {
        sqlite3_bind_text(insert, ++column, value.data(), static_cast<int>(value.size()),
                          SQLITE_STATIC);
      }
      if (sqlite3_step(insert) != SQLITE_DONE) Fail(sqlite3_errmsg(db_));
      sqlite3_reset(insert);
    });
    sqlite3_finalize(insert);
    Exec("COMMIT");
  }

  void Open(const std::string& path) override {
    OpenDatabase(path);
    Exec("PRAGMA cache_size = -1000000; PRAGMA mmap_size = 4000000000;");
    ask_ = Prepare("SELECT id FROM p WHERE p MATCH ? ORDER BY rank LIMIT 10");
  }

  size_t Ask(const std::string& cue) override {
    std::string query;
    for (const std::string& word : SayingWords(cue)) {
      query += (query.empty() ? "\"" : " OR \"") + word + "\"";
    }
    sqlite3_bind_text(ask_, 1, query.data(), static_cast<int>(query.size()), SQLITE_STATIC);
    size_t hits = 0;
    while (sqlite3_step(ask_) == SQLITE_ROW) {
      hits += sqlite3_column_bytes(ask_, 0) > 0;
    }
    sqlite3_reset(ask_);
    return hits;
  }

 private:
  void OpenDatabase(const std::string& path) {
    if (sqlite3_open(path.c_str(), &db_) != SQLITE_OK) Fail(sqlite3_errmsg(db_));
  }
  void Exec(const char* sql) {
    if (sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) Fail(sqlite3_errmsg(db_));
  }
  sqlite3_stmt* Prepare(const char* sql) {
    sqlite3_stmt* statement = nullptr;
    if (sqlite3_prepare_v2(db_, sql, -1, &statement, nullptr) != SQLITE_OK) {
      Fail(sqlite3_errmsg(db_));
    }
    return statement;
  }

  sqlite3* db_ = nullptr;
  sqlite3_stmt* ask_ = nullptr;
};

}  // namespace

std::unique_ptr<Engine> MakeFts5() {
  return std::make_unique<Fts5>();
}

}  // namespace loci::bench
