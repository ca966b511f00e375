// SPDX-License-Identifier: Apache-2.0
//
// Lines of a stream, read in blocks. A line is given without its '\n'; a '\r' before it stays (some
// formats hold it in quotes), see WithoutCr. The last line needs no '\n'. A byte order mark at the
// start of the stream is dropped. One line at a time is in memory, of any length up to
// kMaxLineBytes.
//
//   for (std::string_view line; lines.Next(&line);) ...
//   LOCI_TRY(lines.status());
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/byte_source.h"
#include "loci/result.h"

namespace loci {

inline constexpr size_t kMaxLineBytes = size_t{3} << 30;

class LineReader {
 public:
  LineReader(ByteSource* source, size_t block_bytes);

  // The view is valid until the next call. False at the end and after an error: ask status().
  bool Next(std::string_view* line) {
    while (true) {
      const size_t newline = FindNewline();
      if (newline != kNone) {
        *line = {&buffer_[begin_], newline - begin_};
        begin_ = scanned_ = newline + 1;
        break;
      }
      if (!Fill()) {
        if (begin_ == end_ || !status_.ok()) return false;
        *line = {&buffer_[begin_], end_ - begin_};
        begin_ = scanned_ = end_;
        break;
      }
    }
    if (++number_ == 1) DropByteOrderMark(line);
    return true;
  }

  // Of the line last given, from 1.
  uint64_t number() const { return number_; }
  const Result<void>& status() const { return status_; }

 private:
  static constexpr size_t kNone = SIZE_MAX;

  size_t FindNewline();
  bool Fill();
  static void DropByteOrderMark(std::string_view* line) {
    if (line->starts_with("\xEF\xBB\xBF")) line->remove_prefix(3);
  }

  ByteSource* source_;
  size_t block_bytes_;
  std::vector<char> buffer_;  // [begin_, end_) is unread, [begin_, scanned_) has no newline
  size_t begin_ = 0, scanned_ = 0, end_ = 0;
  uint64_t number_ = 0;
  bool at_end_ = false;
  Result<void> status_;
};

inline std::string_view WithoutCr(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace loci
