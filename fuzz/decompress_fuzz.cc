// SPDX-License-Identifier: Apache-2.0
//
// gzip and Zstandard: any bytes decompress the same in whatever pieces they are read, or are
// refused; what zlib and libzstd compress comes back as it was, and cut short it is an error.
#include <zlib.h>
#include <zstd.h>

#include "formats/byte_source.h"
#include "harness.h"

namespace loci {
namespace {

using fuzz::Require;

constexpr size_t kMost = 1 << 20;  // a bomb is read no further than this

struct Outcome {
  std::string bytes, error;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome ReadAll(std::string_view compressed, size_t piece) {
  Outcome outcome;
  const auto fail = [&outcome](const Error& error) {
    fuzz::RequireClear(error, {ErrorKind::kBadInput, ErrorKind::kNoMemory});
    outcome.error = error.message;
    return outcome;
  };
  auto source = Decompress(FromBytes(compressed));
  if (!source.ok()) return fail(source.error());
  std::string block(piece, '\0');
  while (outcome.bytes.size() < kMost) {
    const auto got =
        source->source->Read(block.data(), std::min(piece, kMost - outcome.bytes.size()));
    if (!got.ok()) return fail(got.error());
    Require(*got <= piece, "no more is read than there is room for");
    if (*got == 0) break;
    outcome.bytes.append(block, 0, *got);
  }
  return outcome;
}

std::string Gzip(std::string_view bytes) {
  z_stream stream{};
  Require(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK,
          "zlib begins");
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  Require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib ends");
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  const std::string_view bytes = AsChars({data, size});
  const Outcome whole = ReadAll(bytes, 64 << 10);
  const Outcome pieces = ReadAll(bytes, 7);
  // What is wrong may be told in other words, and seen sooner or later, but not what comes before.
  Require(whole.error.empty() == pieces.error.empty(), "pieces are as good as the whole",
          whole.error + " / " + pieces.error);
  Require(whole.error.empty()
              ? whole.bytes == pieces.bytes
              : whole.bytes.starts_with(pieces.bytes) || pieces.bytes.starts_with(whole.bytes),
          "pieces make the whole");
  for (const std::string& packed : {Gzip(bytes), Zstd(bytes)}) {
    const Outcome back = ReadAll(packed + packed, 1000);
    std::string twice = std::string(bytes) + std::string(bytes);
    if (twice.size() > kMost) continue;
    Require(back == Outcome{twice, ""}, "what was compressed comes back", back.error);
    Require(!ReadAll(packed.substr(0, packed.size() - 1), 1000).error.empty(),
            "what is cut short is refused");
  }
  return 0;
}
