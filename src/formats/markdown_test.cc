// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "formats/collect_for_test.h"
#include "formats/markdown_line.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

// Each passage as "title | text".
Lines Passages(std::string_view markdown, size_t block_bytes = 1 << 20) {
  struct Sink : StatementSink {
    Result<void> Add(const StatementView& s) override {
      if (s.relation.bytes == "text") passages.push_back(" | " + ToPlain(s.object));
      if (s.relation.bytes == "title") passages.back().insert(0, ToPlain(s.object));
      return {};
    }
    Lines passages;
  } sink;
  ReadOptions options;
  options.format = "markdown";
  options.block_bytes = block_bytes;
  const auto report = ReadStatementsFromBytes(markdown, "doc.md", options, &sink);
  EXPECT_TRUE(report.ok());
  return sink.passages;
}

TEST(Markdown, HeadingsGivePassagesTheirTitles) {
  const std::string_view markdown =
      "before\n"
      "# One #\n"
      "text\n"
      "more\n"
      "## Two\n"
      "a\r\n"
      "\n"
      "b\n"
      "Three\n"
      "=====\n"
      "c\n"
      "\n"
      "  Under\n"
      "lined\n"
      "---\n"
      "d\n"
      "***\n"
      "e\n"
      "###### Six\n"
      "### Empty\n"
      "## Four\n"
      "f";
  Lines all = Passages(markdown);
  EXPECT_EQ(all, (Lines{" | before", "One | text\nmore", "One > Two | a", "b Three | c",
                        "b Three > Under lined | d", "b Three > Under lined | e",
                        "b Three > Under lined > Six | Six",
                        "b Three > Under lined > Empty | Empty", "b Three > Four | f"}));
  for (size_t block = 1; block <= 17; ++block) EXPECT_EQ(Passages(markdown, block), all);
}

TEST(Markdown, WritesTheFactsOfAPassage) {
  const auto all = Collect("# A\n## B\nx\n", "markdown", false, "doc.md");
  EXPECT_EQ(all.statements,
            (Lines{"doc.md#000001\ttext\t\"x\"\tdoc.md", "doc.md#000001\tpart_of\tdoc.md\tdoc.md",
                   "doc.md#000001\ttitle\t\"A > B\"\tdoc.md"}));
}

TEST(Markdown, FencedCodeStaysWhole) {
  EXPECT_EQ(
      Passages(
          "# T\nSee:\n```sh\n# no heading\n\nls\n~~~\n````\nafter\n\n~~~~\n---\n~~~\n\n~~~~\nend"),
      (Lines{"T | See:\n```sh\n# no heading\n\nls\n~~~\n````\nafter",
             "T | ~~~~\n---\n~~~\n\n~~~~\nend"}));
  EXPECT_EQ(Passages("```\nnever closed\n\n# x"), Lines{" | ```\nnever closed\n\n# x"});
}

TEST(Markdown, FrontMatterAndBreaks) {
  EXPECT_EQ(Passages("---\ntitle: x\n\nb: c\n---\ntext\n"),
            (Lines{" | ---\ntitle: x\n\nb: c\n---", " | text"}));
  EXPECT_EQ(Passages("- item\n---\n> quote\n***\nx\n\n---\n"),
            (Lines{" | - item", " | > quote", " | x"}));
}

// Found by fuzz/format_fuzz.cc: a fault in a heading was told at the column of its title, and again
// at every passage below.
TEST(Markdown, PointsIntoHeadings) {
  const std::string text = "## a\xFF\n\nx\n\none\n two\xFF\n===\ny\n";
  EXPECT_EQ(Collect(text, "markdown").error,
            "in:1:5: not UTF-8 after \"## a\"; convert the input, e.g. with iconv");
  const Collected rest = Collect(text, "markdown", true);
  EXPECT_EQ(rest.bad, (std::vector<std::string>{
                          "in:1:5: not UTF-8 after \"## a\"; convert the input, e.g. with iconv",
                          "in:6:5: not UTF-8 after \" two\"; convert the input, e.g. with iconv"}));
  EXPECT_EQ(rest.statements.size(), 4u);  // x and y, each a text and part of the document
}

TEST(Markdown, KnowsItsLines) {
  EXPECT_EQ(ParseAtx("## A b ##  ").title, "A b");
  EXPECT_EQ(ParseAtx("   # x#").title, "x#");
  EXPECT_EQ(ParseAtx("#").level, 1);
  EXPECT_EQ(ParseAtx("# #").title, "");
  for (const char* no : {"#x", "####### seven", "    # code", "", "x # y"}) {
    EXPECT_EQ(ParseAtx(no).level, 0) << no;
  }
  EXPECT_EQ(SetextLevel("==="), 1);
  EXPECT_EQ(SetextLevel("  --  "), 2);
  EXPECT_EQ(SetextLevel("=-="), 0);
  EXPECT_EQ(SetextLevel("    ---"), 0);
  EXPECT_TRUE(IsThematicBreak("* * *"));
  EXPECT_TRUE(IsThematicBreak("---"));
  EXPECT_FALSE(IsThematicBreak("--"));
  EXPECT_FALSE(IsThematicBreak("*-*"));
  EXPECT_FALSE(MayBeSetextTitle("- x"));
  EXPECT_FALSE(MayBeSetextTitle("12. x"));
  EXPECT_FALSE(MayBeSetextTitle("| a | b"));
  EXPECT_TRUE(MayBeSetextTitle("12 apples"));
  EXPECT_EQ(OpeningFence("  ```c++").length, 3u);
  EXPECT_EQ(OpeningFence("~~~~").character, '~');
  EXPECT_EQ(OpeningFence("``` a ` b").length, 0u);
  EXPECT_TRUE(ClosesFence("````  ", {'`', 3}));
  EXPECT_FALSE(ClosesFence("``", {'`', 3}));
  EXPECT_FALSE(ClosesFence("```x", {'`', 3}));
  EXPECT_FALSE(ClosesFence("~~~", {'`', 3}));
}

}  // namespace
}  // namespace loci
