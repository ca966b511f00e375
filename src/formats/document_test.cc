// SPDX-License-Identifier: Apache-2.0
//
// The examples of docs/formats.md: a block "```FORMAT NAME [--map MAP]" is a file of that name,
// detected as that format; the block "```facts" after it is what it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "formats/collect_for_test.h"
#include "formats/export.h"
#include "formats/filter_process.h"
#include "memory/build.h"

namespace loci {
namespace {

struct Block {
  std::string info, text;
};

std::vector<Block> BlocksOf(const std::filesystem::path& document) {
  std::ifstream file(document);
  std::vector<Block> blocks;
  bool open = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      open = !open;
      if (open) blocks.push_back({line.substr(3), ""});
    } else if (open) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

// As a query would say them, and as a batch.
struct FactSink : StatementSink {
  Result<void> Add(const StatementView& s) override {
    facts += ToNotation(s.relation) + "(" + ToNotation(s.subject) + ", " + ToNotation(s.object) +
             ") from " + ToNotation(s.source) + "\n";
    batch.Add(s, false);
    return {};
  }
  std::string facts;
  Batch batch;
};

TEST(FormatsDocument, EveryExampleSaysWhatItSays) {
  const auto blocks =
      BlocksOf(std::filesystem::path(__FILE__).parent_path() / "../../docs/formats.md");
  std::set<std::string> seen;
  for (size_t i = 0; i + 1 < blocks.size(); i += 2) {
    std::istringstream info(blocks[i].info);
    std::string format, name, flag;
    ReadOptions options;
    info >> format >> name >> flag >> options.map;
    SCOPED_TRACE(name);
    ASSERT_EQ(blocks[i + 1].info, "facts");
    ASSERT_EQ(flag, options.map.empty() ? "" : "--map");
    seen.insert(format);
    const std::string program = format == "turtle" ? "rapper"
                                : format == "html" ? "html2markdown.py3"
                                                   : "";
    if (!program.empty() && !FilterProcess::Start({program, "-v"}, FromBytes("")).ok()) continue;
    FactSink sink;
    const auto report = ReadStatementsFromBytes(blocks[i].text, name, options, &sink);
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->format, format);
    EXPECT_EQ(sink.facts, blocks[i + 1].text);
    if (format != "nquads") continue;
    // This one is in canonical order, as it is written.
    struct Bytes : ExportSink {
      Result<void> Write(std::string_view block) override {
        bytes += block;
        return {};
      }
      std::string bytes;
    } written;
    auto image = BuildImage(sink.batch, Words::kLastCounts, "");
    ASSERT_TRUE(image.ok());
    ExportOptions nquads;
    nquads.format = "nquads";
    ASSERT_TRUE(ExportStatements(Snapshot({image.take()}), nquads, &written).ok());
    EXPECT_EQ(written.bytes, blocks[i].text);
  }
  // One for each but what is like another, no text or a directory.
  for (const FormatInfo& info : Formats()) {
    const bool without = info.name == "rdfxml" || info.name == "wordnet" || info.name == "pdf";
    EXPECT_EQ(seen.contains(std::string(info.name)), !without) << info.name;
  }
}

}  // namespace
}  // namespace loci
