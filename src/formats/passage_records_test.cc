// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

// Read as if they were the file talk.jsonl, less the source where that is the file's.
Lines Read(std::string_view records) {
  const auto all = Collect(records, "passages", false, "talk.jsonl");
  EXPECT_EQ(all.error, "");
  Lines lines;
  for (std::string line : all.statements) {
    constexpr std::string_view kSource = "\ttalk.jsonl";
    if (line.ends_with(kSource)) line.resize(line.size() - kSource.size());
    lines.push_back(line);
  }
  return lines;
}

std::string Fault(std::string_view record) {
  return Collect(record, "passages", false, "x").error;
}

TEST(PassageRecords, ACorpusOfBeir) {
  EXPECT_EQ(
      Read(R"({"_id": "4983", "title": "Oaks", "text": "An \"oak\".", "metadata": {}})"
           "\r\n\n"
           R"({"_id": "5836", "title": "", "text": "", "metadata": {"url": "a:b"}})"),
      (Lines{"4983\ttitle\t\"Oaks\"", "4983\ttext\t\"An \\\"oak\\\".\"", "5836\turl\t\"a:b\""}));
}

TEST(PassageRecords, WithoutANameItHasTheRecordsNumber) {
  EXPECT_EQ(Read(R"({"text":"a"})"
                 "\n"
                 R"({"text":"b","id":"own"})"
                 "\n"
                 R"({"text":"c","part_of":"chapter 1"})"),
            (Lines{"talk.jsonl#000001\ttext\t\"a\"", "talk.jsonl#000001\tpart_of\ttalk.jsonl",
                   "own\ttext\t\"b\"", "talk.jsonl#000003\ttext\t\"c\"",
                   "talk.jsonl#000003\tpart_of\tchapter 1"}));
}

TEST(PassageRecords, TurnsOfAConversation) {
  EXPECT_EQ(Read(R"({"speaker":"Ada","text":"Hi!","time":"2023-05-08 13:56","session":1})"
                 "\n"
                 R"({"speaker":"Bob","text":"Hello.","time":"noon","session":1})"
                 "\n"
                 R"({"speaker":"Bob","text":"Bye.","id":"D2:1"})"),
            (Lines{"talk.jsonl#000001\tspeaker\tAda", "talk.jsonl#000001\ttext\t\"Hi!\"",
                   "talk.jsonl#000001\ttime\t\"2023-05-08T13:56\"^^date",
                   "talk.jsonl#000001\tpart_of\ttalk.jsonl/1", "talk.jsonl/1\tpart_of\ttalk.jsonl",
                   "talk.jsonl#000002\tspeaker\tBob", "talk.jsonl#000002\ttext\t\"Hello.\"",
                   "talk.jsonl#000002\ttime\t\"noon\"", "talk.jsonl#000002\tpart_of\ttalk.jsonl/1",
                   "D2:1\tspeaker\tBob", "D2:1\ttext\t\"Bye.\"", "D2:1\tpart_of\ttalk.jsonl"}));
}

TEST(PassageRecords, EveryOtherMemberIsAFact) {
  EXPECT_EQ(Read(R"({"_id":"d","text":"t","year":1998.50,"draft":false,"tags":["a",[2,null],""],)"
                 R"("author":{"name":"Ada","of":[{"x":1},{"x":2}]},"none":null,"empty":{}})"),
            (Lines{"d\ttext\t\"t\"", "d\tyear\t\"1998.5\"^^number", "d\tdraft\tfalse",
                   "d\ttags\t\"a\"", "d\ttags\t\"2\"^^number", "d\tauthor.name\t\"Ada\"",
                   "d\tauthor.of.x\t\"1\"^^number", "d\tauthor.of.x\t\"2\"^^number"}));
}

TEST(PassageRecords, MetadataIsAsTheRecordItself) {
  EXPECT_EQ(Read(R"({"_id":"d","metadata":{"speaker":["Ada","Bob"],"part_of":"s","time":"2024",)"
                 R"("title":"m","id":"i","a":{"source":"b"}},"text":"t"})"),
            (Lines{"d\tspeaker\tAda", "d\tspeaker\tBob", "d\tpart_of\ts", "d\ttime\t\"2024\"^^date",
                   "d\ttitle\t\"m\"", "d\tid\t\"i\"", "d\ta.source\t\"b\"", "d\ttext\t\"t\""}));
}

TEST(PassageRecords, ASourceIsOfAllThatIsSaid) {
  EXPECT_EQ(
      Read(R"({"text":"t","metadata":{"source":"notes"},"session":"s"})"
           "\n"
           R"({"text":"u","source":"notes","session":"s"})"
           "\n"
           R"({"text":"v","source":"","session":"s"})"),
      (Lines{"talk.jsonl#000001\ttext\t\"t\"\tnotes",
             "talk.jsonl#000001\tpart_of\ttalk.jsonl/s\tnotes",
             "talk.jsonl/s\tpart_of\ttalk.jsonl\tnotes", "talk.jsonl#000002\ttext\t\"u\"\tnotes",
             "talk.jsonl#000002\tpart_of\ttalk.jsonl/s\tnotes", "talk.jsonl#000003\ttext\t\"v\"",
             "talk.jsonl#000003\tpart_of\ttalk.jsonl/s", "talk.jsonl/s\tpart_of\ttalk.jsonl"}));
}

TEST(PassageRecords, FaultsHaveAPlaceAndSayWhatToWrite) {
  EXPECT_EQ(Fault(R"({"title":"a"})"),
            "x:1: \"{\"title\":\"a\"}\" has no \"text\"; write "
            R"({"_id":"...","title":"...","text":"...","metadata":{...}} or )"
            R"({"text":"...","speaker":"...","time":"..."})");
  EXPECT_EQ(Fault(R"({"text":[1]})"), "x:1:9: [ is not a string; \"text\" needs one");
  EXPECT_EQ(Fault(R"({"text":"a","text":"b"})"), "x:1:13: \"text\" is given twice; give it once");
  EXPECT_EQ(Fault(R"({"text":"a","source":"b","metadata":{"source":"c"}})"),
            "x:1:38: \"source\" is given twice; give it once");
  EXPECT_EQ(Fault(R"({"text":"a","_id":true})"), "x:1:19: true is not a string; \"_id\" needs one");
  EXPECT_EQ(Fault(R"({"text":"a","n":01})"),
            "x:1:17: \"01\" is not a JSON number; write digits as in -12.5e3, or a string");
  EXPECT_EQ(Fault(R"({"text":"a","n":nil})"), "x:1:17: \"nil\" is not JSON");
  EXPECT_NE(Fault(R"({"text":"a","":1})"), "");
  EXPECT_NE(Fault(R"({"text":"a","_id":""})"), "");
  EXPECT_NE(Fault(R"({"text":"a"}{})"), "");
}

TEST(PassageRecords, ABadRecordIsLearnedInNoPartAndKeepsItsNumber) {
  const auto all =
      Collect("{\"text\":\"a\"}\n{\"text\":\"b\",\"n\":01}\n{\"text\":\"c\"}\n", "passages", true);
  EXPECT_EQ(all.bad.size(), 1u);
  EXPECT_EQ(all.statements, (Lines{"in#000001\ttext\t\"a\"\tin", "in#000001\tpart_of\tin\tin",
                                   "in#000003\ttext\t\"c\"\tin", "in#000003\tpart_of\tin\tin"}));
}

TEST(PassageRecords, ValuesInOneAnotherAreBounded) {
  for (const size_t depth : {50u, 1000u, 1000000u}) {
    const std::string record =
        "{\"text\":\"a\",\"n\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
    EXPECT_EQ(Fault(record).empty(), depth == 50) << Fault(record);
    std::string objects = "{\"text\":\"a\"";
    for (size_t i = 0; i < depth; ++i) objects += ",\"n\":{\"a\":1";
    EXPECT_EQ(Fault(objects + std::string(depth + 1, '}')).empty(), depth == 50);
  }
}

TEST(PassageRecords, APassageOfAHundredMegabytesStaysOne) {
  struct Length : StatementSink {
    Result<void> Add(const StatementView& s) override {
      if (s.relation.bytes == "text") length = s.object.bytes.size();
      return {};
    }
    size_t length = 0;
  } sink;
  std::string record = "{\"text\":\"";
  while (record.size() < (100u << 20)) record += "It was a dark night. ";
  const size_t length = record.size() - 9;
  record += "\"}";
  ReadOptions options;
  ASSERT_TRUE(ReadStatementsFromBytes(record, "x", options, &sink).ok());
  EXPECT_EQ(sink.length, length);
}

}  // namespace
}  // namespace loci
