// SPDX-License-Identifier: Apache-2.0
#include "formats/line_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace loci {
namespace {

std::vector<std::string> Lines(std::string_view bytes, size_t block_bytes) {
  const auto source = FromBytes(bytes);
  LineReader lines(source.get(), block_bytes);
  std::vector<std::string> all;
  for (std::string_view line; lines.Next(&line);) {
    all.emplace_back(line);
    EXPECT_EQ(lines.number(), all.size());
  }
  EXPECT_TRUE(lines.status().ok());
  return all;
}

// The double: one split of the whole.
std::vector<std::string> Split(std::string bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.erase(0, 3);
  std::vector<std::string> all;
  std::string line;
  for (char c : bytes) {
    if (c == '\n') {
      all.push_back(line);
      line.clear();
    } else {
      line += c;
    }
  }
  if (!line.empty()) all.push_back(line);
  return all;
}

TEST(LineReader, LinesDoNotDependOnBlocks) {
  std::mt19937 random(9);
  for (int round = 0; round < 300; ++round) {
    std::string bytes(random() % 200, 'x');
    for (char& c : bytes) c = "ab\n\r\xEF"[random() % 5];
    if (round % 5 == 0)
      bytes.insert(0,
                   "\xEF\xBB\xBF"
                   "a");
    for (size_t block = 1; block <= 17; ++block) ASSERT_EQ(Lines(bytes, block), Split(bytes));
    ASSERT_EQ(Lines(bytes, 1 << 20), Split(bytes));
  }
}

TEST(LineReader, ALineMayBeMuchLongerThanABlock) {
  const std::string line(3'000'000, 'x');
  EXPECT_EQ(Lines("a\n" + line + "\nb", 4096), (std::vector<std::string>{"a", line, "b"}));
}

TEST(LineReader, AnErrorOfTheSourceIsKept) {
  class Failing : public ByteSource {
   public:
    Result<size_t> Read(char* to, size_t) override {
      if (calls_++ == 1) return Error{ErrorKind::kIo, "broken"};
      to[0] = 'a';
      return size_t{1};
    }
    int calls_ = 0;
  } source;
  LineReader lines(&source, 16);
  std::string_view line;
  EXPECT_FALSE(lines.Next(&line));
  ASSERT_FALSE(lines.status().ok());
  EXPECT_EQ(lines.status().error().message, "broken");
}

}  // namespace
}  // namespace loci
