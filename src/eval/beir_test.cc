// SPDX-License-Identifier: Apache-2.0
#include "eval/beir.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "eval/testing.h"

namespace loci::eval {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string Gzip(std::string_view bytes) {
  std::string out(bytes.size() + 128, '\0');
  z_stream stream = {};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST(Beir, ReadsQueries) {
  const test::Folder folder;
  const std::string path = folder.Write(
      "queries.jsonl",
      "{\"_id\": \"q1\", \"text\": \"who?\", \"metadata\": {\"kind\": \"2-hop\", \"n\": [1, {}]}}\n"
      "\n"
      "{\"metadata\": {}, \"extra\": [1], \"text\": \"\\u00e9\", \"_id\": 7}\r\n"
      "{\"_id\":\"e\\u0301\",\"text\":\"\",\"metadata\":null}");
  const auto queries = ReadQueries(path);
  ASSERT_TRUE(queries.ok()) << queries.error().message;
  ASSERT_EQ(queries->size(), 3u);
  EXPECT_EQ((*queries)[0].id, "q1");
  EXPECT_EQ((*queries)[0].text, "who?");
  EXPECT_EQ((*queries)[0].kind, "2-hop");
  EXPECT_EQ((*queries)[1].id, "7");
  EXPECT_EQ((*queries)[1].text, "\u00e9");
  EXPECT_EQ((*queries)[1].kind, "");
  EXPECT_EQ((*queries)[2].id, "\u00e9");  // NFC, as names are
}

TEST(Beir, FaultsOfQueriesNameTheirPlace) {
  const struct {
    std::string_view line, place, words;
  } cases[] = {
      {R"({"_id":"a"})", ":2: ", "has no \"text\""},
      {R"({"text":"a"})", ":2: ", "has no \"_id\""},
      {R"({"_id":"a","text":5})", ":2:19: ", "5 is not a string"},
      {R"({"_id":"a","text":"b","text":"c"})", ":2:23: ", "given twice"},
      {R"({"_id":"q","text":"b"})", ":2: ", "was there before"},
      {R"({"_id":"","text":"b"})", ":2: ", "as an \"_id\""},
      {R"([1])", ":2:1: ", "not a JSON object"},
      {R"({"_id":"a","text":"b"} x)", ":2:24: ", "closing }"},
      {"{\"_id\":\"a\",\"text\":\"\xff\"}", ":2:20: ", "UTF-8"},
  };
  const test::Folder folder;
  for (const auto& c : cases) {
    const std::string path = folder.Write(
        "queries.jsonl", "{\"_id\":\"q\",\"text\":\"t\"}\n" + std::string(c.line) + "\n");
    const auto queries = ReadQueries(path);
    ASSERT_FALSE(queries.ok()) << c.line;
    EXPECT_EQ(queries.error().kind, ErrorKind::kBadInput) << c.line;
    EXPECT_THAT(queries.error().message, StartsWith(path + std::string(c.place))) << c.line;
    EXPECT_THAT(queries.error().message, HasSubstr(c.words)) << c.line;
  }
}

TEST(Beir, ReadsJudgementsOfBothForms) {
  const test::Folder folder;
  const Judgements expected = {{"q1", {{"d 1", 1}, {"d2", 0}}}, {"q2", {{"d1", -1}}}};
  const auto beir = ReadJudgements(folder.Write(
      "test.tsv", "query-id\tcorpus-id\tscore\nq1\td 1\t1\r\nq1\td2\t0\nq1\td2\t0\nq2\td1\t-1"));
  ASSERT_TRUE(beir.ok()) << beir.error().message;
  EXPECT_EQ(*beir, expected);
  const Judgements no_space = {{"q1", {{"d1", 1}, {"d2", 0}}}, {"q2", {{"d1", -1}}}};
  const auto trec =
      ReadJudgements(folder.Write("test.tsv", "q1 0 d1 1\nq1\t0  d2 0\n\nq2 Q0 d1 -1\n"));
  ASSERT_TRUE(trec.ok()) << trec.error().message;
  EXPECT_EQ(*trec, no_space);
}

TEST(Beir, FaultsOfJudgementsNameTheirPlace) {
  const struct {
    std::string_view line, place, words;
  } cases[] = {
      {"q1\td1", ":3: ", "is no judgement"},
      {"q1\td1\tx", ":3:7: ", "\"x\" is not a whole number"},
      {"q1\td1\t99999999999999", ":3:7: ", "is not a whole number"},
      {"q1 0 d1 1.5", ":3:9: ", "is not a whole number"},
      {"q1\t\t1", ":3:4: ", "as an id"},
      {"q\td\t2", ":3: ", "was judged 1 before"},
  };
  const test::Folder folder;
  for (const auto& c : cases) {
    const std::string path =
        folder.Write("test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n" + std::string(c.line));
    const auto judgements = ReadJudgements(path);
    ASSERT_FALSE(judgements.ok()) << c.line;
    EXPECT_THAT(judgements.error().message, StartsWith(path + std::string(c.place))) << c.line;
    EXPECT_THAT(judgements.error().message, HasSubstr(c.words)) << c.line;
  }
}

TEST(Beir, ReadsADirectory) {
  const test::Folder folder;
  folder.Write("queries.jsonl.gz", Gzip("{\"_id\":\"q1\",\"text\":\"a\"}\n"
                                        "{\"_id\":\"q2\",\"text\":\"b\"}\n"
                                        "{\"_id\":\"q3\",\"text\":\"c\"}\n"));
  folder.Write("qrels/tune.tsv", "query-id\tcorpus-id\tscore\nq3\td\t0\nq2\td\t1\n");
  const auto task = ReadTask(folder.path() + "/", "tune");
  ASSERT_TRUE(task.ok()) << task.error().message;
  ASSERT_EQ(task->queries.size(), 1u);
  EXPECT_EQ(task->queries[0].id, "q2");
  EXPECT_EQ(task->judgements.size(), 1u);
  EXPECT_EQ(task->unanswerable, 1u);

  EXPECT_THAT(ReadTask(folder.path(), "test").error().message, HasSubstr("qrels/test.tsv"));
  folder.Write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq9\td\t1\n");
  EXPECT_THAT(ReadTask(folder.path(), "test").error().message, HasSubstr("the query q9 of"));
  folder.Write("qrels/test.tsv", "query-id\tcorpus-id\tscore\n");
  EXPECT_THAT(ReadTask(folder.path(), "test").error().message, HasSubstr("nothing to measure"));
}

}  // namespace
}  // namespace loci::eval
