// SPDX-License-Identifier: Apache-2.0
#include "formats/detect.h"

#include <gtest/gtest.h>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

// The format found, or the error.
std::string Detected(std::string_view bytes, const std::string& name) {
  const auto all = Collect(bytes, "", true, name);
  return all.error.empty() ? all.report.format : "error: " + all.error;
}

TEST(Detect, ByContent) {
  EXPECT_EQ(Detected("a\tb\tc\nd\te\tf\tg\n", "x"), "tsv");
  EXPECT_EQ(Detected("\xEF\xBB\xBF"
                     "a\tb\tc",
                     "x"),
            "tsv");
  EXPECT_EQ(Detected("a\tb\tc\nbad line\na\tb\tc\na\tb\tc\n", "x"), "tsv");
  EXPECT_EQ(Detected("Subject,Relation,Object\na,b,c\n", "x"), "csv");
  EXPECT_EQ(Detected("a,b,c\nd,\"e\n,\",f\n", "x"), "csv");
  EXPECT_EQ(Detected("\n{\"relation\":\"r\",\"subject\":\"s\",\"object\":\"o\"}\n", "x"), "jsonl");
  EXPECT_EQ(Detected("{ \"subject\": broken\n", "x"), "jsonl");
  EXPECT_EQ(Detected("It was a dark night.\nThe rain fell.\n\nThen it stopped.\n", "x"), "text");
  EXPECT_EQ(Detected("Title\n=====\n\nText.\n", "x"), "markdown");
  EXPECT_EQ(Detected("Intro\n\n## Usage\n\nText.\n", "x"), "markdown");
  EXPECT_EQ(Detected("Run\n\n```\nmake\n```\n", "x"), "markdown");
}

TEST(Detect, Rdf) {
  const std::string triple = "<a:s> <a:p> \"o\" .\n", quad = "<a:s> <a:p> _:o <a:g> .\n";
  EXPECT_EQ(Detected(quad, "x"), "nquads");
  EXPECT_EQ(Detected(quad, "x.nt"), "nquads");
  // A triple could be followed by quads, where nothing says that it is not.
  EXPECT_EQ(Detected("# triples\n" + triple, "x"), "nquads");
  EXPECT_EQ(Detected(triple, "x.nq"), "nquads");
  EXPECT_EQ(Detected(triple, "x.nt"), "ntriples");
  EXPECT_EQ(Detected(triple + "bad line\n" + triple + triple, "x.txt"), "nquads");
  EXPECT_EQ(Detected("no triple\n", "x.nt"), "ntriples");
  EXPECT_EQ(Detected("# empty\n", "x.nq"), "nquads");
  // Turtle that is N-Triples needs no help.
  EXPECT_EQ(Detected(triple, "x.ttl"), "nquads");
}

TEST(Detect, TheMcpServersMemory) {
  EXPECT_EQ(Detected("{\"type\":\"entity\",\"name\":\"a\",\"entityType\":\"b\","
                     "\"observations\":[]}\n",
                     "memory.jsonl"),
            "mcp");
  EXPECT_EQ(
      Detected("{ \"relationType\":\"r\",\"from\":\"a\",\"to\":\"b\",\"type\":\"relation\"}", "x"),
      "mcp");
  EXPECT_EQ(Detected("{\"subject\":\"type\",\"relation\":\"r\",\"object\":\"o\"}\n", "x"), "jsonl");
}

TEST(Detect, PassageRecords) {
  EXPECT_EQ(Detected("{\"_id\": \"1\", \"title\": \"a\", \"text\": \"b\"}\n", "corpus.jsonl"),
            "passages");
  EXPECT_EQ(Detected("{\"speaker\":\"Ada\",\"text\":\"say \\\"relation\\\"\"}\n", "x"), "passages");
  // A letter has a subject as well.
  EXPECT_EQ(Detected("{\"subject\":\"Re: hi\",\"text\":\"b\"}\n", "mail.jsonl"), "passages");
  EXPECT_EQ(Detected("{\"subject\":\"a\",\"relation\":\"b\",\"object\":{\"text\":\"c\"}}\n", "x"),
            "jsonl");
  EXPECT_EQ(Detected("{\"a\":1}\n", "x.jsonl"), "jsonl");
}

TEST(Detect, PagesOfOtherPrograms) {
  EXPECT_EQ(Detected("\n<!-- a -->\n<!DOCTYPE HTML PUBLIC \"x\">\n<title>a</title>\n", "x"),
            "html");
  EXPECT_EQ(Detected("<?xml version=\"1.0\"?>\n<html xmlns=\"x\">caf\xe9", "x.txt"), "html");
  EXPECT_EQ(Detected("<p>a part of a page</p>\n", "x.html"), "html");
  EXPECT_EQ(Detected("%PDF-1.5\n%\xd0\xd4\n", "x.txt"), "pdf");
  EXPECT_EQ(Detected(std::string_view("\0junk%PDF-1.5\n", 14), "x"), "pdf");
  EXPECT_EQ(Detected("The file begins with %PDF-1.5.\n", "x"), "text");
}

TEST(Detect, TheNameDecidesWhereContentLeavesAChoice) {
  EXPECT_EQ(Detected("a\tb\tc\n", "train.txt"), "tsv");
  EXPECT_EQ(Detected("no tabs here\n", "facts.tsv"), "tsv");
  EXPECT_EQ(Detected("a b c\n", "facts.csv"), "csv");
  EXPECT_EQ(Detected("one, two, three\n", "prose.txt"), "text");
  EXPECT_EQ(Detected("a,b,c\nd,e,f\n", "prose.txt"), "text");
  EXPECT_EQ(Detected("plain\n", "notes.md"), "markdown");
  EXPECT_EQ(Detected("# Title\n", "notes.txt"), "text");
  EXPECT_EQ(Detected("{\"subject\":\"s\",\"relation\":\"r\",\"object\":\"o\"}\n", "facts.txt"),
            "jsonl");
  EXPECT_EQ(Detected("subject,relation,object\n", "table.txt"), "csv");
  EXPECT_EQ(Detected("", "facts.csv"), "csv");
  EXPECT_EQ(Detected("\n\n", "x"), "tsv");
}

TEST(Detect, WhatCannotBeToldIsAnErrorThatListsTheFormats) {
  EXPECT_EQ(
      Detected("Well, no, thanks\n", "x"),
      "error: x: cannot tell the format: it could be csv or text; name it with --format: tsv, "
      "csv, jsonl, passages, mcp, nquads, ntriples, turtle, rdfxml, text, markdown, html, pdf, "
      "wordnet");
  EXPECT_EQ(Detected(std::string_view("\x7f"
                                      "ELF\x02\0\0\x01",
                                      8),
                     "x"),
            "error: x: cannot tell the format: its first bytes are of no format; name it with "
            "--format: tsv, csv, jsonl, passages, mcp, nquads, ntriples, turtle, rdfxml, text, "
            "markdown, html, pdf, wordnet");
  EXPECT_NE(Detected("latin1 caf\xe9\n", "x").find("cannot tell"), std::string::npos);
}

TEST(Detect, TheSampleEndsWithAWholeLineOrCharacter) {
  EXPECT_EQ(MakeSample("a\tb\tc\nd\te", false).lines.size(), 1u);
  EXPECT_EQ(MakeSample("a\tb\tc\nd\te", true).lines.size(), 2u);
  EXPECT_TRUE(MakeSample("caf\xc3", false).is_text);
  EXPECT_FALSE(MakeSample("caf\xc3", true).is_text);
  std::string long_line;
  while (long_line.size() < kSampleBytes + 10) long_line += "\u20ac ";
  EXPECT_EQ(Detected(long_line, "x"), "text");
}

}  // namespace
}  // namespace loci
