// SPDX-License-Identifier: Apache-2.0
//
// From a path to statements: what the file system and the options can be.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

class Formats : public testing::Test {
 protected:
  Formats() : dir_(fs::path(testing::TempDir()) / ("loci_formats_" + std::to_string(::getpid()))) {
    fs::create_directories(dir_);
  }
  ~Formats() override { fs::remove_all(dir_); }

  std::string Write(const std::string& name, std::string_view bytes) {
    std::ofstream(dir_ / name, std::ios::binary) << bytes;
    return dir_ / name;
  }
  Collected Read(const std::string& path, ReadOptions options = {}) {
    return CollectBy(std::move(options), false, [&](const ReadOptions& o, StatementSink* sink) {
      return ReadStatements(path, o, sink);
    });
  }

  fs::path dir_;
};

TEST_F(Formats, ReadsAFileAndNamesItInErrors) {
  EXPECT_EQ(Read(Write("a.tsv", "x\ty\tz\n")).statements, Lines{"x\ty\tz\ta.tsv"});
  const std::string bad = Write("b.tsv", "x\ty\tz\nx\ty\n");
  EXPECT_EQ(Read(bad).error.substr(0, bad.size() + 6), bad + ":2:4: ");
  ReadOptions options;
  options.source = "e\u0301";
  EXPECT_EQ(Read(dir_ / "a.tsv", options).statements, Lines{"x\ty\tz\t\u00e9"});
}

TEST_F(Formats, PathsThatAreNoFiles) {
  EXPECT_EQ(Read(dir_ / "missing").kind, ErrorKind::kNotFound);
  EXPECT_NE(Read(dir_ / "missing").error.find("No such file"), std::string::npos);
  EXPECT_EQ(Read(dir_).kind, ErrorKind::kUsage);
  EXPECT_NE(Read(dir_).error.find("is a directory, and neither one of WordNet"), std::string::npos);
  EXPECT_EQ(Read("").kind, ErrorKind::kNotFound);
  const std::string secret = Write("secret", "x\ty\tz\n");
  fs::permissions(secret, fs::perms::none);
  if (::geteuid() != 0) {
    EXPECT_EQ(Read(secret).kind, ErrorKind::kIo);
    EXPECT_NE(Read(secret).error.find("Permission denied"), std::string::npos);
  }
}

TEST_F(Formats, OptionsThatDoNotFit) {
  const std::string path = Write("a.tsv", "x\ty\tz\n");
  ReadOptions options;
  options.format = "xml";
  EXPECT_EQ(Read(path, options).error,
            "unknown format \"xml\"; the formats are tsv, csv, jsonl, passages, mcp, nquads, "
            "ntriples, turtle, "
            "rdfxml, text, markdown, html, pdf, wordnet");
  options.format = "wordnet";
  EXPECT_NE(Read(path, options).error.find("is read from a directory"), std::string::npos);
  options.format = "tsv";
  EXPECT_EQ(Read(dir_, options).kind, ErrorKind::kUsage);
  options.source = "\xff";
  EXPECT_NE(Read(path, options).error.find("name one with --source"), std::string::npos);
  // A file may have a name that is no name of ours.
  EXPECT_NE(Read(Write("\xff.tsv", "x\ty\tz\n")).error.find("--source"), std::string::npos);
}

TEST_F(Formats, ReadsStandardInput) {
  const std::string path = Write("in", "x\ty\tz\n");
  const int saved = ::dup(STDIN_FILENO);
  ASSERT_NE(std::freopen(path.c_str(), "r", stdin), nullptr);
  const auto all = Read("-");
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.statements, Lines{"x\ty\tz\tstdin"});
}

TEST_F(Formats, ProgressIsToldAndMayCancel) {
  const std::string path = Write("a.tsv", "x\ty\tz\nu\tv\tw\n");
  ReadOptions options;
  uint64_t done = 0, total = 0;
  options.on_progress = [&](uint64_t d, uint64_t t) {
    done = d;
    total = t;
    return true;
  };
  EXPECT_EQ(Read(path, options).error, "");
  EXPECT_EQ(done, 12u);
  EXPECT_EQ(total, 12u);
  options.on_progress = [](uint64_t, uint64_t) { return false; };
  EXPECT_EQ(Read(path, options).kind, ErrorKind::kCancelled);
}

TEST_F(Formats, ADirectoryOfBeirIsItsCorpus) {
  const std::string record = "{\"_id\":\"d\",\"text\":\"a\"}\n";
  fs::create_directories(dir_ / "set");
  Write("set/corpus.jsonl", record + "{}\n");
  Write("set/queries.jsonl", record);
  const auto bad = Read(dir_ / "set");
  EXPECT_TRUE(bad.error.starts_with((dir_ / "set/corpus.jsonl:2: ").string())) << bad.error;
  Write("set/corpus.jsonl", record);
  const auto all = Read((dir_ / "set/").string());
  EXPECT_EQ(all.report.format, "passages");
  EXPECT_EQ(all.statements, Lines{"d\ttext\t\"a\"\tset"});
  ReadOptions options;
  options.format = "wordnet";
  EXPECT_EQ(Read(dir_ / "set", options).kind, ErrorKind::kUsage);
}

TEST_F(Formats, TheSinksErrorEndsTheReading) {
  struct Refusing : StatementSink {
    Result<void> Add(const StatementView&) override {
      return ++calls == 2 ? Result<void>(Error{ErrorKind::kNoSpace, "full"}) : Result<void>();
    }
    int calls = 0;
  };
  const std::pair<const char*, const char*> inputs[] = {
      {"tsv", "a\tb\tc\nd\te\tf\ng\th\ti\n"},
      {"csv", "a,b,c\nd,e,f\ng,h,i\n"},
      {"jsonl",
       "{\"subject\":\"a\",\"relation\":\"b\",\"object\":1}\n"
       "{\"subject\":\"a\",\"relation\":\"b\",\"object\":2}\n"},
      {"mcp",
       "{\"type\":\"entity\",\"name\":\"a\",\"entityType\":\"b\",\"observations\":[\"c\",\"d\"]}"},
      {"ntriples", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:d> .\n<a:a> <a:b> <a:e> .\n"},
      {"nquads", "<a:a> <a:b> <a:c> .\n<a:a> <a:b> <a:d> .\n<a:a> <a:b> <a:e> .\n"},
      {"passages", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n"},
      {"text", "a\n\nb\n"},
      {"markdown", "# a\n\nb\n"}};
  for (const auto& [format, bytes] : inputs) {
    Refusing sink;
    ReadOptions options;
    options.format = format;
    options.on_bad = [](const BadRecord&) { return true; };
    const auto result = ReadStatementsFromBytes(bytes, "x", options, &sink);
    ASSERT_FALSE(result.ok()) << format;
    EXPECT_EQ(result.error().kind, ErrorKind::kNoSpace);
    EXPECT_EQ(sink.calls, 2);
  }
}

TEST_F(Formats, TheTableIsListed) {
  Lines names;
  for (const FormatInfo& info : loci::Formats()) names.emplace_back(info.name);
  EXPECT_EQ(names, (Lines{"tsv", "csv", "jsonl", "passages", "mcp", "nquads", "ntriples", "turtle",
                          "rdfxml", "text", "markdown", "html", "pdf", "wordnet"}));
}

}  // namespace
}  // namespace loci
