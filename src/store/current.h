// SPDX-License-Identifier: Apache-2.0
//
// CURRENT: the text file that names the files of a memory. It is replaced whole (write, fsync,
// rename, fsync of the directory), so that a reader finds the old one or the new one.
//
//   loci 1                    format version of the directory
//   generation 17             grows at each replacement; the next ones name new files
//   image image-12            absent where the memory has none
//   run run-15                oldest first; any number
//   folding 1                 the oldest runs that a consolidator is about to fold, if any
//   log log-17                the tail
//   setting unicode 15.0.0    sorted; one line each
//   check 6f0d3a...           XXH3-64 of the bytes above, 16 hex digits
//
// No file's number is above the generation, those of runs ascend, and the generation has far to go:
// what the next one writes never has the name of what this one needs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "loci/result.h"
#include "store/settings.h"

namespace loci {

inline constexpr char kCurrentName[] = "CURRENT";
inline constexpr int kDirectoryVersion = 1;
inline constexpr uint64_t kMaxGeneration = uint64_t{1} << 56;

struct Current {
  uint64_t generation = 0;
  std::string image;
  std::vector<std::string> runs;
  uint64_t folding = 0;
  std::string log;
  Settings settings;

  std::vector<std::string> layers() const;  // image and runs, oldest first
  // Those that shape images, as "key value\n" lines: what an image holds.
  std::string ImageSettings() const;
  bool Names(std::string_view file) const;
};

std::string FormatCurrent(const Current& current);
Result<Current> ParseCurrent(std::string_view text, const std::string& path);

Result<Current> ReadCurrent(FileSystem* files);

// The directory is synced before the rename too, so that no crash keeps the new CURRENT and loses
// the entry of a file that it names. On failure *unknown says whether a sync failed: then nobody
// knows which of the two a power loss would leave.
Result<void> ReplaceCurrent(const Current& current, FileSystem* files, bool* unknown);

}  // namespace loci
