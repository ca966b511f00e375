// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(Text, ParagraphsArePassages) {
  const auto all = Collect(
      "\xEF\xBB\xBF"
      "First line\nsecond  line \r\n\n \t\n\n  Next.\x0c\n\x0c\nlast",
      "text", false, "dir/doc.txt");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.statements, (Lines{"doc.txt#000001\ttext\t\"First line\\nsecond  line \"\tdoc.txt",
                                   "doc.txt#000001\tpart_of\tdoc.txt\tdoc.txt",
                                   "doc.txt#000002\ttext\t\"  Next.\\u000C\"\tdoc.txt",
                                   "doc.txt#000002\tpart_of\tdoc.txt\tdoc.txt",
                                   "doc.txt#000003\ttext\t\"last\"\tdoc.txt",
                                   "doc.txt#000003\tpart_of\tdoc.txt\tdoc.txt"}));
  EXPECT_EQ(Collect("", "text").statements, Lines{});
  EXPECT_EQ(Collect("\n\n  \n", "text").statements, Lines{});
}

TEST(Text, TheSourceDoesNotNameTheDocument) {
  ReadOptions options;
  options.source = "manuals";
  options.format = "text";
  const auto all = CollectBy(options, false, [](const ReadOptions& o, StatementSink* sink) {
    return ReadStatementsFromBytes("x\n", "a.txt", o, sink);
  });
  EXPECT_EQ(all.statements,
            (Lines{"a.txt#000001\ttext\t\"x\"\tmanuals", "a.txt#000001\tpart_of\ta.txt\tmanuals"}));
}

TEST(Text, ABadPassageKeepsItsNumber) {
  const std::string bytes("one\n\nt\u00e9\ntwo\xff\n\nthr\0ee\n\nfour\n", 28);
  EXPECT_EQ(Collect(bytes, "text").error,
            "in:4:4: not UTF-8 after \"two\"; convert the input, e.g. with iconv");
  const auto all = Collect(bytes, "text", true);
  EXPECT_EQ(all.bad, (Lines{"in:4:4: not UTF-8 after \"two\"; convert the input, e.g. with iconv",
                            "in:6:4: a NUL byte after \"thr\"; is this a text file?"}));
  EXPECT_EQ(all.statements, (Lines{"in#000001\ttext\t\"one\"\tin", "in#000001\tpart_of\tin\tin",
                                   "in#000004\ttext\t\"four\"\tin", "in#000004\tpart_of\tin\tin"}));
}

TEST(Text, AHundredMegabyteLineIsOnePassage) {
  class Length : public StatementSink {
   public:
    Result<void> Add(const StatementView& s) override {
      if (s.relation.bytes == "text") length = s.object.bytes.size();
      return {};
    }
    size_t length = 0;
  } sink;
  const std::string line(100 << 20, 'x');
  const auto report = ReadStatementsFromBytes(line, "big.txt", {}, &sink);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->format, "text");
  EXPECT_EQ(report->statements, 2u);
  EXPECT_EQ(sink.length, line.size());
}

// The double: split the whole at runs of blank lines.
TEST(Text, PassagesDoNotDependOnBlocks) {
  std::mt19937 random(15);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(random() % 60, 'x');
    for (char& c : bytes) c = "ab\n\n "[random() % 5];
    Lines expected;
    std::string passage, line;
    int count = 0;
    const auto close = [&] {
      if (passage.empty()) return;
      passage.pop_back();
      const std::string name = "in#00000" + std::to_string(++count);
      expected.push_back((count > 9 ? "in#0000" + std::to_string(count) : name) + "\ttext\t" +
                         ToField(*MakeText(passage)) + "\tin");
      passage.clear();
    };
    for (char c : bytes + "\n") {
      if (c != '\n') {
        line += c;
        continue;
      }
      if (line.find_first_not_of(' ') == std::string::npos) {
        close();
      } else {
        passage += line + "\n";
      }
      line.clear();
    }
    close();
    for (size_t block = 1; block <= 17; ++block) {
      auto all = Collect(bytes, "text", false, "in", block);
      std::erase_if(all.statements,
                    [](const std::string& s) { return s.find("\tpart_of\t") != s.npos; });
      ASSERT_EQ(all.statements, expected) << bytes;
    }
  }
}

}  // namespace
}  // namespace loci
