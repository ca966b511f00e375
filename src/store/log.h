// SPDX-License-Identifier: Apache-2.0
//
// The log: the tail of a memory as an append-only file. One frame is one atomic batch.
//
//   file header, 32 bytes          frame                         payload
//   0  "loci-log"                  0   u64 payload bytes         varint terms; of each its kind
//   8  u32 version, u32 0          8   u64 sequence, from 1        (u8), varint size, normal bytes
//   16 u64 number (of the name)    16  u64 XXH3-64, below        varint rows; of each varints
//   24 u64 XXH3-64 of the above    24  payload                     subject * 2 + removed, relation,
//                                                                  object, source (as terms above)
//
// A frame's checksum covers its first 16 bytes and its payload and is seeded with the log's number,
// so that no frame of an older log that a file system brings back can pass. Each row of a payload
// changed something when it was written (memory/effect.h).
//
// One sync follows each frame, so a power loss can tear only the last one. A frame that does not
// hold, with a whole one after it, is damage, as is one that the page in `lock` says was synced.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "loci/result.h"
#include "memory/batch.h"

namespace loci {

inline constexpr uint64_t kLogHeaderBytes = 32;
inline constexpr uint64_t kFrameHeaderBytes = 24;

std::string LogHeader(uint64_t number);
Result<void> CheckLogHeader(std::string_view bytes, uint64_t number, const std::string& path);

std::string EncodeFrame(const Batch& batch, uint64_t sequence, uint64_t number);

// Reads frames from the bytes of a log, which begin at offset `at` of the file with the frame of
// the given sequence.
class FrameReader {
 public:
  FrameReader(std::string_view bytes, uint64_t at, uint64_t sequence, uint64_t number,
              std::string path)
      : bytes_(bytes), at_(at), sequence_(sequence), number_(number), path_(std::move(path)) {}

  // Adds the next whole frame's rows to the batch; false where there is none.
  Result<bool> Next(Batch* batch);

  uint64_t at() const { return at_; }              // the file offset after the last whole frame
  uint64_t sequence() const { return sequence_; }  // of the next frame
  bool at_end() const { return bytes_.empty(); }   // nothing follows, not even a torn frame
  // Whether a whole frame follows what Next stopped at: then that is no torn end but damage.
  bool WholeFrameFollows() const;

 private:
  bool Holds(std::string_view frame, uint64_t sequence, std::string_view* payload) const;

  std::string_view bytes_;
  uint64_t at_;
  uint64_t sequence_;
  uint64_t number_;
  std::string path_;
};

}  // namespace loci
