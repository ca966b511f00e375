// SPDX-License-Identifier: Apache-2.0
#include "formats/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace loci {

LineReader::LineReader(ByteSource* source, size_t block_bytes)
    : source_(source), block_bytes_(std::max<size_t>(block_bytes, 1)), buffer_(block_bytes_) {}

size_t LineReader::FindNewline() {
  if (scanned_ == end_) return kNone;
  const void* found = std::memchr(&buffer_[scanned_], '\n', end_ - scanned_);
  scanned_ = end_;
  return found == nullptr ? kNone
                          : static_cast<size_t>(static_cast<const char*>(found) - buffer_.data());
}

// Appends a block to the unread bytes, moving them to the front first. A line longer than the
// buffer doubles it, so that each byte is moved a constant number of times.
bool LineReader::Fill() {
  if (at_end_ || !status_.ok()) return false;
  const size_t kept = end_ - begin_;
  if (kept > kMaxLineBytes) {
    status_ = Error{ErrorKind::kLimit, fmt::format("line {} is longer than {} bytes; split it",
                                                   number_ + 1, kMaxLineBytes)};
    return false;
  }
  if (begin_ != 0) std::memmove(buffer_.data(), &buffer_[begin_], kept);
  begin_ = 0;
  scanned_ = end_ = kept;
  if (end_ == buffer_.size()) buffer_.resize(2 * buffer_.size());
  const size_t room = std::min(buffer_.size() - end_, std::max(block_bytes_, buffer_.size() / 2));
  auto got = source_->Read(&buffer_[end_], room);
  if (!got.ok()) {
    status_ = got.error();
    return false;
  }
  end_ += *got;
  at_end_ = *got == 0;
  return !at_end_;
}

}  // namespace loci
