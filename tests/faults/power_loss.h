// SPDX-License-Identifier: Apache-2.0
//
// PowerLoss: the directories that a crash may leave, rebuilt from a record of operations.
//
// What POSIX promises is all that is assumed: bytes are kept once their file was synced, entries of
// the directory once the directory was synced; until then each write (in sectors of 512 bytes) and
// each entry is kept or lost on its own, and an extended file may show zeros. The shared page is
// written back by the kernel when it likes: it shows some moment of its past. After a failed sync
// the writes before it never become durable by a later one (Linux marks the pages clean).
#pragma once

#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "recording_files.h"

namespace loci::faults {

enum class Loss {
  kNothing,      // the process was killed, the machine stayed up
  kUnsynced,     // everything unsynced is gone, the page shows its first state
  kNamesOnly,    // unsynced bytes are gone, entries are kept
  kBytesOnly,    // unsynced entries are gone, bytes are kept
  kTornShort,    // as kNothing, but the last operation, a write, ends somewhere in its middle
  kTornZeros,    // the same, and the file has its full length, the rest zeros
  kTornGarbage,  // the same, the rest other bytes
  kAnySubset,    // each unsynced sector and entry kept or not
};
inline constexpr Loss kLosses[] = {Loss::kNothing,     Loss::kUnsynced,  Loss::kNamesOnly,
                                   Loss::kBytesOnly,   Loss::kTornShort, Loss::kTornZeros,
                                   Loss::kTornGarbage, Loss::kAnySubset};
const char* NameOf(Loss loss);

class PowerLoss {
 public:
  // The initial disk is durable. Keeps a reference to the journal, which may grow.
  PowerLoss(const Disk& initial, const std::deque<Operation>& journal);

  // Goes on to the moment after the first n operations; n never falls.
  void AdvanceTo(size_t n);

  // Whether the loss can happen at this moment and differs from kNothing.
  bool Applies(Loss loss) const;

  Disk After(Loss loss, std::mt19937_64& random) const;

 private:
  struct File {
    std::string live, durable;
    std::vector<const Operation*> pending;      // may become durable
    std::vector<const Operation*> page_stores;  // all of them
    bool is_page = false;
  };
  using Directory = std::map<std::string, int>;

  static void Change(const Operation& operation, Directory* directory);
  std::string BytesAfter(const File& file, Loss loss, std::mt19937_64& random) const;
  std::string PageAfter(const File& file, Loss loss, std::mt19937_64& random) const;
  std::string Torn(const File& file, Loss loss, std::mt19937_64& random) const;
  std::string Subset(const File& file, std::mt19937_64& random) const;

  const std::deque<Operation>& journal_;
  size_t at_ = 0;
  std::vector<File> files_;
  Directory live_, durable_;
  std::vector<const Operation*> pending_entries_;
};

}  // namespace loci::faults
