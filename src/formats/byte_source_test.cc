// SPDX-License-Identifier: Apache-2.0
#include "formats/byte_source.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <random>

#include "formats/format.h"

namespace loci {
namespace {

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

// Gives its bytes a few at a time, as a pipe may.
class Trickle : public ByteSource {
 public:
  Trickle(std::string bytes, size_t most) : bytes_(std::move(bytes)), most_(most) {}
  Result<size_t> Read(char* to, size_t most) override {
    const size_t n = bytes_.copy(to, std::min(most, most_), at_);
    at_ += n;
    return n;
  }

 private:
  std::string bytes_;
  size_t most_, at_ = 0;
};

// The whole decompressed input read in pieces of the given size, or the error's message.
std::string Whole(const std::string& bytes, size_t trickle, size_t piece) {
  auto opened = Decompress(std::make_unique<Trickle>(bytes, trickle));
  if (!opened.ok()) return "error: " + opened.error().message;
  std::string all, block(piece, '\0');
  while (true) {
    const auto got = opened->source->Read(block.data(), piece);
    if (!got.ok()) return "error: " + got.error().message;
    if (*got == 0) return all;
    all.append(block, 0, *got);
  }
}

std::string Sample(size_t size) {
  std::mt19937 random(8);
  std::string s(size, ' ');
  for (char& c : s) c = static_cast<char>('a' + random() % 5);
  return s;
}

TEST(ByteSource, DecompressesByMagicBytesInPiecesOfAnySize) {
  const std::string a = Sample(5000), b = "second\n";
  const std::string skippable("\x50\x2a\x4d\x18\x03\x00\x00\x00xyz", 11);
  for (const size_t trickle : {1, 2, 3, 5, 17, 100'000}) {
    for (const size_t piece : {1, 2, 7, 17, 65'536}) {
      EXPECT_EQ(Whole(a, trickle, piece), a);
      EXPECT_EQ(Whole(Gzip(a), trickle, piece), a);
      EXPECT_EQ(Whole(Gzip(a) + Gzip("") + Gzip(b), trickle, piece), a + b);
      EXPECT_EQ(Whole(Gzip(a) + std::string(10, '\0'), trickle, piece), a);
      EXPECT_EQ(Whole(Zstd(a), trickle, piece), a);
      EXPECT_EQ(Whole(skippable + Zstd(a) + Zstd("") + Zstd(b), trickle, piece), a + b);
    }
  }
  EXPECT_EQ(Whole("", 1, 1), "");
  EXPECT_EQ(Whole("\x1f", 1, 1), "\x1f");
  EXPECT_EQ(Whole(Gzip(""), 1, 1), "");
}

TEST(ByteSource, RefusesDamagedStreams) {
  const std::string a = Sample(5000);
  for (const std::string& whole : {Gzip(a), Zstd(a)}) {
    for (size_t cut = 4; cut < whole.size(); cut += 1 + cut / 8) {
      EXPECT_NE(Whole(whole.substr(0, cut), 64, 64).find("ends too early"), std::string::npos)
          << cut;
    }
    std::string flipped = whole;
    flipped[whole.size() / 2] = static_cast<char>(~flipped[whole.size() / 2]);
    EXPECT_NE(Whole(flipped, 64, 64).find("damaged"), std::string::npos);
    EXPECT_NE(Whole(whole + "tail", 64, 64).find("damaged"), std::string::npos);
  }
  EXPECT_NE(Whole(Gzip(a) + std::string(3, '\0') + Gzip(a), 64, 64).find("other bytes"),
            std::string::npos);
}

TEST(ByteSource, DamagedInputNamesTheFile) {
  class Nothing : public StatementSink {
    Result<void> Add(const StatementView&) override { return {}; }
  } sink;
  const std::string cut = Gzip("a\tb\tc\n").substr(0, 15);
  const auto result = ReadStatementsFromBytes(cut, "facts.tsv.gz", {}, &sink);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "facts.tsv.gz: the gzip data is damaged: it ends too early; fetch the file again");
  EXPECT_EQ(result.error().kind, ErrorKind::kBadInput);
}

TEST(ByteSource, ReplayGivesThePrefixFirst) {
  const auto source = Replay("abc", FromBytes("defg"));
  EXPECT_EQ(*ReadUpTo(source.get(), 2), "ab");
  EXPECT_EQ(*ReadUpTo(source.get(), 100), "cdefg");
  EXPECT_EQ(*ReadUpTo(source.get(), 100), "");
}

}  // namespace
}  // namespace loci
