// SPDX-License-Identifier: Apache-2.0
//
// gzip by zlib and Zstandard by libzstd, as streams (byte_source.h).
#include <zlib.h>
#include <zstd.h>

#include <fmt/format.h>

#include <algorithm>

#include "formats/byte_source.h"

namespace loci {
namespace {

constexpr size_t kInputBlock = 256 << 10;
constexpr std::string_view kGzipMagic = "\x1f\x8b";
constexpr std::string_view kZstdMagic = "\x28\xb5\x2f\xfd";

Error Damaged(std::string_view what, std::string_view why) {
  return {ErrorKind::kBadInput,
          fmt::format("the {} data is damaged: {}; fetch the file again", what, why)};
}

// A compressed input and the block of it that is being decompressed.
class Upstream {
 public:
  explicit Upstream(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), block_(kInputBlock, '\0') {}

  std::string_view rest() const { return rest_; }
  void KeepLast(size_t n) { rest_.remove_prefix(rest_.size() - n); }

  // More bytes where none are left; false at the end of the input.
  Result<bool> Fill() {
    if (!rest_.empty()) return true;
    LOCI_ASSIGN(const size_t got, source_->Read(block_.data(), block_.size()));
    rest_ = std::string_view(block_).substr(0, got);
    return got != 0;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string block_;
  std::string_view rest_;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> source) : in_(std::move(source)) {
    ready_ = inflateInit2(&stream_, 16 + MAX_WBITS) == Z_OK;
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<size_t> Read(char* to, size_t most) override {
    if (!ready_) return Error{ErrorKind::kNoMemory, "no memory to decompress gzip data"};
    most = std::min<size_t>(most, 1u << 30);  // zlib counts in 32 bits
    while (true) {
      LOCI_ASSIGN(const bool more, in_.Fill());
      if (!more) {
        if (between_members_) return size_t{0};
        return Damaged("gzip", "it ends too early");
      }
      if (between_members_) {
        LOCI_ASSIGN(const bool member, StartMember());
        if (!member) continue;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in_.rest().data()));
      stream_.avail_in = static_cast<uInt>(in_.rest().size());
      stream_.next_out = reinterpret_cast<Bytef*>(to);
      stream_.avail_out = static_cast<uInt>(most);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      in_.KeepLast(stream_.avail_in);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        return Damaged("gzip", stream_.msg != nullptr ? stream_.msg : "not inflatable");
      }
      if (stream_.avail_out != most) return most - stream_.avail_out;
    }
  }

 private:
  // After a member: another one, or zeros that pad the file to a block (as tape tools write them).
  Result<bool> StartMember() {
    const char first = in_.rest().front();
    if (first == '\0' && !first_member_) {
      padding_ = true;
      in_.KeepLast(in_.rest().size() - 1);
      return false;
    }
    if (padding_ || first != kGzipMagic[0]) return Damaged("gzip", "other bytes follow its end");
    if (!first_member_) inflateReset(&stream_);
    first_member_ = false;
    between_members_ = false;
    return true;
  }

  Upstream in_;
  z_stream stream_{};
  bool ready_ = false, first_member_ = true, between_members_ = true, padding_ = false;
};

class ZstdSource : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> source) : in_(std::move(source)) {
    stream_ = ZSTD_createDStream();
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  Result<size_t> Read(char* to, size_t most) override {
    if (stream_ == nullptr) return Error{ErrorKind::kNoMemory, "no memory to decompress zstd data"};
    while (true) {
      LOCI_ASSIGN(const bool more, in_.Fill());
      if (!more && between_frames_) return size_t{0};
      ZSTD_inBuffer input{in_.rest().data(), in_.rest().size(), 0};
      ZSTD_outBuffer output{to, most, 0};
      const size_t status = ZSTD_decompressStream(stream_, &output, &input);
      in_.KeepLast(input.size - input.pos);
      if (ZSTD_isError(status)) return Damaged("zstd", ZSTD_getErrorName(status));
      between_frames_ = status == 0;
      if (output.pos != 0) return output.pos;
      if (!more && !between_frames_) return Damaged("zstd", "it ends too early");
    }
  }

 private:
  Upstream in_;
  ZSTD_DStream* stream_;
  bool between_frames_ = true;
};

bool IsZstd(std::string_view head) {
  // A skippable frame (0x184D2A50 to 0x184D2A5F) may come first: pzstd writes them.
  const bool skippable =
      head.size() == 4 && (head[0] & 0xF0) == 0x50 && head.substr(1) == "\x2a\x4d\x18";
  return head == kZstdMagic || skippable;
}

}  // namespace

Result<Decompressed> Decompress(std::unique_ptr<ByteSource> source) {
  LOCI_ASSIGN(std::string head, ReadUpTo(source.get(), 4));
  const bool gzip = head.starts_with(kGzipMagic), zstd = IsZstd(head);
  auto whole = Replay(std::move(head), std::move(source));
  if (gzip) return Decompressed{std::make_unique<GzipSource>(std::move(whole)), true};
  if (zstd) return Decompressed{std::make_unique<ZstdSource>(std::move(whole)), true};
  return Decompressed{std::move(whole), false};
}

}  // namespace loci
