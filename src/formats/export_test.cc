// SPDX-License-Identifier: Apache-2.0
//
// What is exported is learned back: the same statements, the same digest.
#include "formats/export.h"

#include <gtest/gtest.h>

#include <set>

#include "formats/collect_for_test.h"
#include "formats/filter_process.h"
#include "memory/build.h"
#include "memory/testing.h"

namespace loci {
namespace {

using test::Made;
using test::Random;
using test::Statement;

constexpr const char* kLossless[] = {"tsv", "jsonl", "nquads"};

class StringSink : public ExportSink {
 public:
  Result<void> Write(std::string_view block) override {
    ++blocks;
    bytes += block;
    return {};
  }
  std::string bytes;
  int blocks = 0;
};

std::string Exported(const Snapshot& snapshot, std::string_view format) {
  StringSink sink;
  ExportOptions options;
  options.format = format;
  const auto records = ExportStatements(snapshot, options, &sink);
  if (!records.ok()) return "error: " + records.error().message;
  EXPECT_EQ(*records, static_cast<uint64_t>(std::ranges::count(sink.bytes, '\n')));
  return sink.bytes;
}

Snapshot SnapshotOf(const Batch& batch) {
  auto image = BuildImage(batch, Words::kLastCounts, "");
  EXPECT_TRUE(image.ok());
  return Snapshot({image.take()});
}

// The memory that has learned these bytes and nothing else.
Snapshot Learned(std::string_view bytes, std::string_view format) {
  struct Sink : StatementSink {
    Result<void> Add(const StatementView& s) override {
      batch.Add(s, false);
      return {};
    }
    Batch batch;
  } sink;
  ReadOptions options;
  options.format = format;
  options.source = "none of these";
  const auto report = ReadStatementsFromBytes(bytes, "file", options, &sink);
  EXPECT_TRUE(report.ok()) << report.error().message;
  return SnapshotOf(sink.batch);
}

// The lines of TSV of statements in their canonical order, as a set has them.
std::string Listed(const std::set<Statement>& statements) {
  std::string out;
  for (const Statement& s : statements) {
    out += ToField(s.subject) + "\t" + ToField(s.relation) + "\t" + ToField(s.object) + "\t" +
           ToField(s.source) + "\n";
  }
  return out;
}

// Characters that some format has a meaning for, and some that Unicode has.
std::string AnyText(Random& random, size_t least) {
  static const std::string pieces[] = {
      "a",      "B",  "7",      " ",      "\t",         "\n",     "\r",     std::string(1, '\0'),
      "\"",     "'",  "\\",     "<",      ">",          "#",      "@en",    "^^",
      "\u00e9", "%",  "\u2028", "\ufeff", "\U0001F600", "\x7f",   "\u0085", "\uffff",
      "http:",  "//", "a:",     ",",      "{",          "_:",     "|",      "urn:loci:name:",
      "number", ".",  "\\n",    "?x",     "not",        "\\u0041"};
  std::string text;
  for (size_t n = least + random() % 5; n > 0; --n) text += pieces[random() % std::size(pieces)];
  return text;
}

Term AnySymbol(Random& random) {
  return Made(MakeSymbol(AnyText(random, 1)));
}

Term AnyNumber(Random& random) {
  std::string digits = random() % 2 ? "-" : "";
  digits += static_cast<char>('1' + random() % 9);
  for (size_t n = random() % 33; n > 0; --n) digits += static_cast<char>('0' + random() % 10);
  if (random() % 2) digits.insert(digits.size() - random() % digits.size() / 2, ".");
  if (random() % 2) digits += "e" + std::to_string(static_cast<int>(random() % 12000) - 6000);
  return Made(MakeNumber(random() % 20 == 0 ? "0" : digits));
}

Term AnyDate(Random& random) {
  const char* dates[] = {"-999999",
                         "0000",
                         "-0044-03-15",
                         "12024",
                         "2024-05",
                         "2024-02-29",
                         "2024-05-17T08:30",
                         "2024-05-17T08:30Z",
                         "2024-05-17T08:30:00",
                         "2024-05-17T08:30:00.123456789Z",
                         "2016-12-31T23:59:60Z",
                         "999999-12-31T23:59:59.9"};
  return Made(MakeDate(dates[random() % std::size(dates)]));
}

Term AnyObject(Random& random) {
  static const std::string xsd = "http://www.w3.org/2001/XMLSchema#";
  static const std::string datatypes[] = {
      xsd + "integer",   xsd + "string",
      xsd + "date",      xsd + "double",
      xsd + "gYear",     "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
      "urn:loci:number", "urn:loci:text:x",
      "my type",         "like"};
  const char* languages[] = {"en", "pt-BR", "EN", "1", "-", "x-", "de-1996"};
  const char* lexical[] = {"5", "-1.50", "2024-05-17", "2024", "1e3", ""};
  switch (random() % 7) {
    case 0:
      return AnyNumber(random);
    case 1:
      return AnyDate(random);
    case 2:
      return Made(MakeText(AnyText(random, 0)));
    case 3:
      return Made(
          MakeTaggedText(AnyText(random, 0), '@', languages[random() % std::size(languages)]));
    case 4:
      return Made(MakeTaggedText(lexical[random() % std::size(lexical)], '^',
                                 datatypes[random() % std::size(datatypes)]));
    case 5:
      return Made(MakeTaggedText(AnyText(random, 0), '^', "x" + AnyText(random, 0)));
    default:
      return AnySymbol(random);
  }
}

std::set<Statement> AnyStatements(Random& random, size_t count) {
  std::vector<Term> names;
  for (size_t i = 0; i < 8; ++i) names.push_back(AnySymbol(random));
  std::set<Statement> all;
  for (size_t i = 0; i < count; ++i) {
    all.insert({names[random() % 8], names[random() % 8], AnyObject(random), names[random() % 8]});
  }
  return all;
}

Batch BatchOf(const std::set<Statement>& statements) {
  Batch batch;
  for (const Statement& s : statements) batch.Add(s.view(), false);
  return batch;
}

TEST(Export, WritesEachFormatInCanonicalOrder) {
  const std::set<Statement> statements = {
      {test::Symbol("rex"), test::Symbol("is a"), test::Symbol("dog"), test::Symbol("z")},
      {test::Symbol("rex"), test::Symbol("is a"), test::Symbol("dog"), test::Symbol("a.tsv")},
      {test::Symbol("rex"), test::Symbol("age"), Made(MakeNumber("4.0")), test::Symbol("z")},
      {test::Symbol("rex"), test::Symbol("said"), Made(MakeTaggedText("\"w\tf\"", '@', "en")),
       test::Symbol("z")},
      {test::Symbol("ann"), test::Symbol("born"), Made(MakeDate("1990-05")), test::Symbol("z")},
      {test::Symbol("ann"), test::Symbol("x"), Made(MakeTaggedText("1", '^', "t")),
       test::Symbol("z")}};
  const Snapshot snapshot = SnapshotOf(BatchOf(statements));
  EXPECT_EQ(Exported(snapshot, "tsv"),
            "ann\tborn\t\"1990-05\"^^date\tz\n"
            "ann\tx\t\"1\"^^t\tz\n"
            "rex\tage\t\"4\"^^number\tz\n"
            "rex\tis a\tdog\ta.tsv\n"
            "rex\tis a\tdog\tz\n"
            "rex\tsaid\t\"\\\"w\\tf\\\"\"@en\tz\n");
  EXPECT_EQ(
      Exported(snapshot, "jsonl"),
      R"({"subject":"ann","relation":"born","object":{"date":"1990-05"},"source":"z"})"
      "\n"
      R"({"subject":"ann","relation":"x","object":{"text":"1","datatype":"t"},"source":"z"})"
      "\n"
      R"({"subject":"rex","relation":"age","object":4,"source":"z"})"
      "\n"
      R"({"subject":"rex","relation":"is a","object":"dog","source":"a.tsv"})"
      "\n"
      R"({"subject":"rex","relation":"is a","object":"dog","source":"z"})"
      "\n"
      R"({"subject":"rex","relation":"said","object":{"text":"\"w\tf\"","lang":"en"},"source":"z"})"
      "\n");
  const std::string n = "<urn:loci:name:", xsd = "<http://www.w3.org/2001/XMLSchema#";
  EXPECT_EQ(Exported(snapshot, "nquads"),
            n + "ann> " + n + "born> \"1990-05\"^^" + xsd + "gYearMonth> " + n + "z> .\n" +  //
                n + "ann> " + n + "x> \"1\"^^" + n + "t> " + n + "z> .\n" +                  //
                n + "rex> " + n + "age> \"4\"^^" + xsd + "integer> " + n + "z> .\n" +        //
                n + "rex> " + n + "is%20a> " + n + "dog> " + n + "a.tsv> .\n" +              //
                n + "rex> " + n + "is%20a> " + n + "dog> " + n + "z> .\n" +                  //
                n + "rex> " + n + "said> \"\\\"w\\tf\\\"\"@en " + n + "z> .\n");
  // A fact of two sources is one triple.
  EXPECT_EQ(Exported(snapshot, "ntriples"),
            n + "ann> " + n + "born> \"1990-05\"^^" + xsd + "gYearMonth> .\n" +  //
                n + "ann> " + n + "x> \"1\"^^" + n + "t> .\n" +                  //
                n + "rex> " + n + "age> \"4\"^^" + xsd + "integer> .\n" +        //
                n + "rex> " + n + "is%20a> " + n + "dog> .\n" +                  //
                n + "rex> " + n + "said> \"\\\"w\\tf\\\"\"@en .\n");
  EXPECT_EQ(Exported(Snapshot({}), "nquads"), "");
}

// Every kind, any name, through layers and what was removed from them.
TEST(Export, LearnedBackItIsTheSameMemory) {
  Random random(61);
  for (int round = 0; round < 60; ++round) {
    std::set<Statement> live;
    std::vector<std::shared_ptr<const Image>> layers;
    for (size_t n = 1 + random() % 4; n > 0; --n) {
      std::vector<test::Word> words;
      const std::vector<Statement> before(live.begin(), live.end());
      for (const Statement& s : before) {
        if (random() % 3 != 0) continue;
        words.push_back({s, true});
        live.erase(s);
      }
      for (const Statement& s : AnyStatements(random, 30)) {
        if (live.insert(s).second && std::find(before.begin(), before.end(), s) == before.end()) {
          words.push_back({s, false});
        } else if (std::find(before.begin(), before.end(), s) != before.end()) {
          live.erase(s);  // forgotten above: a layer has one word on a statement
        }
      }
      layers.push_back(test::LayerOf(words));
      ASSERT_NE(layers.back(), nullptr);
    }
    const Snapshot snapshot(layers);
    ASSERT_EQ(Exported(snapshot, "tsv"), Listed(live));
    for (const char* format : kLossless) {
      const std::string bytes = Exported(snapshot, format);
      const Snapshot again = Learned(bytes, format);
      ASSERT_EQ(again.digest(), snapshot.digest()) << format << "\n" << bytes;
      ASSERT_EQ(again.statements(), live.size()) << format;
      ASSERT_EQ(Exported(again, format), bytes) << format;
    }
    // Without sources, at least the facts come back.
    std::set<Statement> facts;
    for (Statement s : live) {
      s.source = test::Symbol("none of these");
      facts.insert(s);
    }
    ASSERT_EQ(Listed(facts), Exported(Learned(Exported(snapshot, "ntriples"), "ntriples"), "tsv"));
  }
}

// The double: N-Quads' grammar for what we write, which is less than all of it, by hand.
bool IsQuad(std::string_view line) {
  const auto take_iri = [&] {
    if (!line.starts_with('<')) return false;
    line.remove_prefix(1);
    const size_t colon = line.find(':'), close = line.find('>');
    if (colon == 0 || colon > close || close == std::string_view::npos) return false;
    for (const char c : line.substr(0, close)) {
      if (static_cast<uint8_t>(c) <= 0x20 ||
          std::string_view("<\"{}|^`\\").find(c) != std::string_view::npos)
        return false;
    }
    line.remove_prefix(close + 1);
    return true;
  };
  const auto take = [&](std::string_view expected) {
    if (!line.starts_with(expected)) return false;
    line.remove_prefix(expected.size());
    return true;
  };
  const auto take_literal = [&] {
    if (!take("\"")) return false;
    while (!line.empty() && line[0] != '"') {
      if (line[0] == '\n' || line[0] == '\r') return false;
      if (take("\\u")) {
        for (int i = 0; i < 4; ++i) {
          if (line.empty() ||
              std::string_view("0123456789ABCDEF").find(line[0]) == std::string_view::npos)
            return false;
          line.remove_prefix(1);
        }
      } else if (take("\\")) {
        if (line.empty() || std::string_view("tbnrf\"\\").find(line[0]) == std::string_view::npos)
          return false;
        line.remove_prefix(1);
      } else {
        line.remove_prefix(1);
      }
    }
    if (!take("\"")) return false;
    if (take("^^")) return take_iri();
    if (!take("@")) return true;
    bool first = true;
    do {
      size_t n = 0;
      for (; n < line.size() && line[n] != '-' && line[n] != ' '; ++n) {
        const bool letter = (line[n] | 0x20) >= 'a' && (line[n] | 0x20) <= 'z';
        if (!letter && (first || line[n] < '0' || line[n] > '9')) return false;
      }
      if (n == 0) return false;
      line.remove_prefix(n);
      first = false;
    } while (take("-"));
    return true;
  };
  if (!take_iri() || !take(" ") || !take_iri() || !take(" ")) return false;
  if (!(line.starts_with('<') ? take_iri() : take_literal())) return false;
  return take(" ") && take_iri() && line == " .";
}

TEST(Export, WhatIsWrittenAsNquadsIsNquads) {
  Random random(62);
  const std::set<Statement> statements = AnyStatements(random, 4000);
  const std::string bytes = Exported(SnapshotOf(BatchOf(statements)), "nquads");
  ASSERT_EQ(static_cast<size_t>(std::ranges::count(bytes, '\n')), statements.size());
  std::string for_rapper;  // which ends a text at a NUL
  size_t expected = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t stop = bytes.find('\n', at);
    const std::string line = bytes.substr(at, stop - at);
    ASSERT_TRUE(IsQuad(line)) << line;
    if (line.find("\\u0000") == std::string::npos) {
      for_rapper += line + "\n";
      ++expected;
    }
    at = stop + 1;
  }
  EXPECT_FALSE(IsQuad("<a> <a:b> <a:b> <a:b> ."));
  EXPECT_FALSE(IsQuad("<a:b> <a:b> \"x\\y\" <a:b> ."));

  auto rapper = FilterProcess::Start({"rapper", "-q", "-i", "nquads", "-o", "nquads", "-", "a:b"},
                                     FromBytes(for_rapper));
  if (!rapper.ok()) GTEST_SKIP() << "rapper is not here (Debian's raptor2-utils)";
  std::string answer(for_rapper.size() * 4, '\0');
  size_t size = 0;
  while (true) {
    const auto got = (*rapper)->Read(&answer[size], answer.size() - size);
    ASSERT_TRUE(got.ok());
    if (*got == 0) break;
    size += *got;
  }
  EXPECT_TRUE((*rapper)->Wait()) << (*rapper)->errors();
  EXPECT_EQ((*rapper)->errors(), "");
  EXPECT_EQ(static_cast<size_t>(std::count(answer.begin(), answer.begin() + size, '\n')), expected);
}

TEST(Export, GoesOutInBlocksAndMayBeEnded) {
  Batch batch;
  const Term relation = test::Symbol("r"), source = test::Symbol("s");
  for (int i = 0; i < 20'000; ++i) {
    batch.Add({test::Symbol("a subject of some length " + std::to_string(i)), relation,
               test::Symbol("o" + std::to_string(i)), source},
              false);
  }
  const Snapshot snapshot = SnapshotOf(batch);
  StringSink sink;
  ExportOptions options;
  uint64_t last = 0, total = 0;
  options.on_progress = [&](uint64_t done, uint64_t all) {
    EXPECT_GT(done, last);
    last = done;
    total = all;
    return true;
  };
  const auto records = ExportStatements(snapshot, options, &sink);
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(*records, 20'000u);
  EXPECT_EQ(last, 20'000u);
  EXPECT_EQ(total, 20'000u);
  EXPECT_GT(sink.blocks, 2);

  options.on_progress = [](uint64_t, uint64_t) { return false; };
  EXPECT_EQ(ExportStatements(snapshot, options, &sink).error().kind, ErrorKind::kCancelled);

  struct Full : ExportSink {
    Result<void> Write(std::string_view) override { return Error{ErrorKind::kNoSpace, "full"}; }
  } full;
  EXPECT_EQ(ExportStatements(snapshot, {}, &full).error().kind, ErrorKind::kNoSpace);
}

TEST(Export, KnowsItsFormats) {
  std::string names;
  for (const ExportFormat& format : ExportFormats()) {
    names += std::string(format.name) + (format.has_sources ? " " : "! ");
    EXPECT_TRUE(FindExportFormat(format.name).ok());
  }
  EXPECT_EQ(names, "tsv jsonl nquads ntriples! ");
  EXPECT_EQ(FindExportFormat("xml").error().message,
            "\"xml\" is no format to export to; these are tsv, jsonl, nquads, ntriples");
}

}  // namespace
}  // namespace loci
