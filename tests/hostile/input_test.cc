// SPDX-License-Identifier: Apache-2.0
//
// Inputs that are meant to hurt: lines of 100 MB in every format, nesting, and what a bomb unpacks
// to.
#include <zlib.h>

#include "bounds.h"
#include "formats/format.h"

namespace loci::hostile {
namespace {

constexpr size_t kLine = 100 << 20;

class NoSink : public StatementSink {
 public:
  Result<void> Add(const StatementView& s) override {
    bytes += s.object.bytes.size();
    return {};
  }
  uint64_t bytes = 0;
};

// Learned or refused with a message that a person can read; never without either.
void Read(std::string_view bytes, std::string_view format, bool skip = false) {
  ReadOptions options;
  options.format = format;
  uint64_t bad = 0;
  options.on_bad = [&](const BadRecord& record) {
    EXPECT_LT(record.ToString().size(), 1000u) << format;
    return ++bad, skip;
  };
  NoSink sink;
  const auto report = ReadStatementsFromBytes(bytes, "input", options, &sink);
  if (report.ok()) {
    EXPECT_EQ(report->skipped, bad) << format;
  } else {
    EXPECT_NE(report.error().message.find("input"), std::string::npos) << report.error().message;
    EXPECT_LT(report.error().message.size(), 1000u) << format;
  }
}

class HostileLine : public Bounded, public ::testing::WithParamInterface<std::string_view> {
 protected:
  // The line itself, the reader's copy of it as it grows, and one term made of it.
  HostileLine() : Bounded(1200, 60) {}
};

TEST_P(HostileLine, Of100Megabytes) {
  for (const std::string_view piece : {"a", "\"", "\t[,", "\xFF", "Is it? "}) {
    Read(Repeat(piece, kLine / piece.size()) + "\na\tb\tc\n", GetParam(), true);
  }
}

TEST_P(HostileLine, AsTheTextOfAStatement) {
  const std::pair<std::string_view, std::string_view> around[] = {
      {"a\tr\t\"", "\"\n"},
      {"a,r,\"\"\"", "\"\"\"\n"},
      {"{\"subject\":\"a\",\"relation\":\"r\",\"object\":{\"text\":\"", "\"}}\n"},
      {"{\"text\":\"", "\"}\n"},
      {"<a:b> <a:r> \"", "\" .\n"}};
  for (const auto& [before, after] : around) {
    std::string line(before);
    line.append(kLine, 'a').append(after);
    Read(line, GetParam());
  }
}

TEST_P(HostileLine, OfNesting) {
  constexpr size_t kDepth = 2000000;
  for (const std::string_view piece :
       {"(", "[", "{\"a\":", "<", "> ", "# ", "- ", "`", "\"", "<!--", "_:"}) {
    Read(Repeat(piece, kDepth), GetParam());
  }
}

TEST_P(HostileLine, OfManyShortOnes) {
  constexpr size_t kLines = 2000000;
  for (const std::string_view piece : {"\n", "\r\n", "x\n", "\"\n", "#\n"}) {
    Read(Repeat(piece, kLines), GetParam(), true);
  }
}

// Those whose records are lines, or that are read as lines; what another program reads (Turtle)
// costs what that costs.
std::vector<std::string_view> LineFormats() {
  std::vector<std::string_view> names;
  for (const FormatInfo& format : Formats()) {
    const bool others = format.summary.find("through the program") != std::string_view::npos;
    if (format.name != "wordnet" && !others) names.push_back(format.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(Formats, HostileLine, ::testing::ValuesIn(LineFormats()),
                         [](const auto& parameter) {
                           std::string name(parameter.param);
                           std::erase_if(name, [](char c) {
                             return !std::isalnum(static_cast<unsigned char>(c));
                           });
                           return name;
                         });

class HostileBomb : public Bounded {
 protected:
  HostileBomb() : Bounded(100, 30) {}
};

// 200 MB of lines in 200 kB of gzip pass through in blocks.
TEST_F(HostileBomb, IsReadInBlocks) {
  constexpr size_t kBlock = 1 << 20, kBlocks = 200;
  const std::string block = Repeat("a\tr\tb\n", kBlock / 6);
  z_stream stream{};
  ASSERT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(4 << 20, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  for (size_t i = 0; i < kBlocks; ++i) {
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block.data()));
    stream.avail_in = static_cast<uInt>(block.size());
    ASSERT_EQ(deflate(&stream, i + 1 == kBlocks ? Z_FINISH : Z_NO_FLUSH),
              i + 1 == kBlocks ? Z_STREAM_END : Z_OK);
  }
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  NoSink sink;
  ReadOptions options;
  options.format = "tsv";
  const auto report = ReadStatementsFromBytes(packed, "input", options, &sink);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->statements, kBlocks * (kBlock / 6));
}

}  // namespace
}  // namespace loci::hostile
