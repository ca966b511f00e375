// SPDX-License-Identifier: Apache-2.0
//
// Store: the home of one memory on disk. docs/impl.md tells its files, locks and protocol; in short
//
//   CURRENT        names the files that make the memory
//   image-G run-G  immutable layers (image/image.h), G the generation that wrote them
//   log-G          the tail: one checksummed frame per batch, synced before Apply returns
//   lock           one page mapped by all processes: what is committed; its bytes 0 and 1 are the
//                  locks of the writer and of the consolidator
//
// Any number of processes and threads may use one memory at once. Apply returns after the batch is
// on disk; every Read that begins later, in any process, sees it. Readers take no lock.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "memory/batch.h"
#include "memory/snapshot.h"
#include "store/settings.h"

namespace loci {

struct StoreOptions {
  bool create = false;     // make an empty memory where there is none
  bool read_only = false;  // never write, not even to clean up; only count (store/counters.h)
  bool upgrade = false;    // open for Upgrade alone, where a writer would be refused
};

// What a write did.
struct Receipt {
  uint64_t learned = 0;    // statements that were new
  uint64_t known = 0;      // statements that were there already
  uint64_t forgotten = 0;  // statements removed
  uint64_t absent = 0;     // statements to remove that were not there
  Sum256 digest_after;
};

// Work that may take long says how far it is, and stops when told to (false).
using ProgressFn = std::function<bool(const char* step, uint64_t done, uint64_t total)>;

struct StoreStats {
  uint64_t generation = 0;
  uint64_t tail_statements = 0, tail_bytes = 0;
  struct File {
    std::string name;
    uint64_t bytes = 0, statements = 0, removed = 0;
  };
  std::vector<File> layers;  // image first, then runs, oldest first
  uint64_t LayerBytes() const {
    uint64_t bytes = 0;
    for (const File& layer : layers) bytes += layer.bytes;
    return bytes;
  }
  Settings settings;  // those that hold (store/settings.h)
  // What all processes did since the machine was started (store/counters.h); times in nanoseconds.
  struct Done {
    uint64_t opens = 0, reads = 0, writes = 0, merges = 0, folds = 0;
    uint64_t syncs = 0, sync_nanos = 0, longest_sync = 0;
    uint64_t queries = 0, slow_queries = 0;
  };
  Done done;
};

// What an upgrade changed.
struct UpgradeReport {
  std::string from, to;                     // versions of Unicode
  uint32_t format_from = 0, format_to = 0;  // versions of the oldest layer and of all now
  bool changed() const { return from != to || format_from != format_to; }
  std::vector<std::pair<Term, Term>> renamed;  // old and new, in the canonical order of the old
  uint64_t statements_before = 0, statements_after = 0;  // fewer where names became one
};

class Store {
 public:
  static Result<std::unique_ptr<Store>> Open(std::shared_ptr<FileSystem> files,
                                             const StoreOptions& options);
  // The same on a directory of this machine.
  static Result<std::unique_ptr<Store>> Open(const std::string& path, const StoreOptions& options);
  virtual ~Store() = default;

  // Everything committed so far.
  virtual Result<std::shared_ptr<const Snapshot>> Read() = 0;

  // Learns and removes as one atomic, durable step. Statements already there (or not there) do not
  // count; a batch without effect writes nothing. A large batch tells progress; cancelled before it
  // is on disk it changes nothing, and afterwards only the folding that may follow is given up.
  Result<Receipt> Apply(const Batch& batch) { return Apply(batch, ProgressFn()); }
  virtual Result<Receipt> Apply(const Batch& batch, const ProgressFn& progress) = 0;

  // Chooses under the writer lock what to remove, so that nothing slips between look and write:
  // select fills a batch from the snapshot that the removal will apply to.
  using SelectFn = std::function<Result<void>(const Snapshot&, Batch*)>;
  Result<Receipt> Apply(const SelectFn& select) { return Apply(select, ProgressFn()); }
  virtual Result<Receipt> Apply(const SelectFn& select, const ProgressFn& progress) = 0;

  // Folds runs and tail into one canonical image. Waits for another consolidator. Cancelled or
  // failed, it leaves the memory as it was.
  virtual Result<void> Consolidate(const ProgressFn& progress) = 0;

  // Verifies every checksum and invariant of every file; the error names what is wrong.
  virtual Result<void> Check(const ProgressFn& progress) = 0;

  virtual Result<StoreStats> Stats() = 0;

  // Makes a memory at the path that knows the same, with the same settings (store/copy.h).
  virtual Result<void> Copy(const std::string& path, const ProgressFn& progress) = 0;

  // Sets one of store/settings.h, durably, for all processes. kUsage where the key is not known,
  // the setting read-only or the value not one. One that shapes images writes them anew: writers
  // wait meanwhile, readers do not. Cancelled or failed, it leaves the memory as it was.
  virtual Result<void> Configure(const std::string& key, const std::string& value,
                                 const ProgressFn& progress) = 0;
  Result<void> Configure(const std::string& key, const std::string& value) {
    return Configure(key, value, ProgressFn());
  }

  // Writes all names anew, by this program's Unicode, where the settings name an older one, and all
  // layers where one is of an older format; writers wait meanwhile, readers do not. Cancelled or
  // failed, it leaves the memory as it was.
  virtual Result<UpgradeReport> Upgrade(const ProgressFn& progress) = 0;

  // Takes a memory away that this store made and nobody has written to: a first write that failed
  // or was cancelled leaves no trace. One that was written to stays.
  virtual void RemoveUnwritten() = 0;

  // Counts a query that took so long, and that it was slow where the settings say so.
  virtual void CountQuery(std::chrono::nanoseconds time) = 0;
};

}  // namespace loci
