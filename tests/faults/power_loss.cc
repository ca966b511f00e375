// SPDX-License-Identifier: Apache-2.0
#include "power_loss.h"

#include <algorithm>

namespace loci::faults {

constexpr size_t kSectorBytes = 512;
constexpr size_t kPageBytes = 4096;

const char* NameOf(Loss loss) {
  switch (loss) {
    case Loss::kNothing:
      return "nothing lost";
    case Loss::kUnsynced:
      return "all unsynced lost";
    case Loss::kNamesOnly:
      return "unsynced bytes lost, entries kept";
    case Loss::kBytesOnly:
      return "unsynced entries lost, bytes kept";
    case Loss::kTornShort:
      return "last write cut";
    case Loss::kTornZeros:
      return "last write cut, zeros after";
    case Loss::kTornGarbage:
      return "last write cut, garbage after";
    case Loss::kAnySubset:
      return "a subset of the unsynced lost";
  }
  return "";
}

PowerLoss::PowerLoss(const Disk& initial, const std::deque<Operation>& journal)
    : journal_(journal) {
  for (const auto& [name, bytes] : initial) {
    live_[name] = static_cast<int>(files_.size());
    files_.push_back({bytes, bytes, {}, {}, false});
  }
  durable_ = live_;
}

void PowerLoss::Change(const Operation& operation, Directory* directory) {
  switch (operation.kind) {
    case Operation::kCreate:
      (*directory)[operation.name] = operation.file;
      break;
    case Operation::kRename: {
      const auto from = directory->find(operation.name);
      if (from != directory->end() && from->second == operation.file) directory->erase(from);
      (*directory)[operation.to] = operation.file;
      break;
    }
    case Operation::kRemove: {
      const auto it = directory->find(operation.name);
      if (it != directory->end() && it->second == operation.file) directory->erase(it);
      break;
    }
    default:
      break;
  }
}

void PowerLoss::AdvanceTo(size_t n) {
  for (; at_ < n; ++at_) {
    const Operation& operation = journal_[at_];
    switch (operation.kind) {
      case Operation::kCreate:
      case Operation::kRename:
      case Operation::kRemove:
        if (operation.kind == Operation::kCreate) files_.resize(operation.file + 1);
        Change(operation, &live_);
        pending_entries_.push_back(&operation);
        break;
      case Operation::kSyncDirectory:
        durable_ = live_;
        pending_entries_.clear();
        break;
      case Operation::kSync: {
        File& file = files_[operation.file];
        for (const Operation* write : file.pending) ApplyToBytes(*write, &file.durable);
        file.pending.clear();
        break;
      }
      case Operation::kFailedSync:
        files_[operation.file].pending.clear();
        break;
      case Operation::kPageStore:
        files_[operation.file].is_page = true;
        files_[operation.file].page_stores.push_back(&operation);
        [[fallthrough]];
      case Operation::kWrite:
      case Operation::kTruncate:
        ApplyToBytes(operation, &files_[operation.file].live);
        files_[operation.file].pending.push_back(&operation);
        break;
    }
  }
}

bool PowerLoss::Applies(Loss loss) const {
  switch (loss) {
    case Loss::kTornShort:
    case Loss::kTornZeros:
    case Loss::kTornGarbage:
      return at_ > 0 && journal_[at_ - 1].kind == Operation::kWrite &&
             journal_[at_ - 1].bytes.size() > 1;
    default:
      return true;
  }
}

Disk PowerLoss::After(Loss loss, std::mt19937_64& random) const {
  Directory directory = live_;
  if (loss == Loss::kUnsynced || loss == Loss::kBytesOnly) directory = durable_;
  if (loss == Loss::kAnySubset) {
    directory = durable_;
    for (const Operation* entry : pending_entries_) {
      if (random() % 2 == 0) Change(*entry, &directory);
    }
  }
  Disk disk;
  for (const auto& [name, file] : directory) disk[name] = BytesAfter(files_[file], loss, random);
  return disk;
}

std::string PowerLoss::BytesAfter(const File& file, Loss loss, std::mt19937_64& random) const {
  if (file.is_page) return PageAfter(file, loss, random);
  switch (loss) {
    case Loss::kNothing:
    case Loss::kBytesOnly:
      return file.live;
    case Loss::kUnsynced:
    case Loss::kNamesOnly:
      return file.durable;
    case Loss::kTornShort:
    case Loss::kTornZeros:
    case Loss::kTornGarbage:
      return &file == &files_[journal_[at_ - 1].file] ? Torn(file, loss, random) : file.live;
    case Loss::kAnySubset:
      return Subset(file, random);
  }
  return {};
}

// The page is one sector's worth of words: what reached the disk is a moment of its past, which may
// lie before any number of syncs of other files.
std::string PowerLoss::PageAfter(const File& file, Loss loss, std::mt19937_64& random) const {
  if (loss == Loss::kNothing) return file.live;
  std::string bytes = file.durable;
  if (loss == Loss::kUnsynced) return bytes;
  bytes.resize(std::max(bytes.size(), kPageBytes));
  const size_t stores = file.page_stores.size();
  size_t kept = random() % (stores + 1);
  if (random() % 4 == 0) kept = stores;
  for (size_t i = 0; i < kept; ++i) ApplyToBytes(*file.page_stores[i], &bytes);
  return bytes;
}

std::string PowerLoss::Torn(const File& file, Loss loss, std::mt19937_64& random) const {
  const Operation& last = journal_[at_ - 1];
  std::string bytes = file.durable;
  for (const Operation* write : file.pending) {
    if (write != &last) ApplyToBytes(*write, &bytes);
  }
  const size_t whole = last.bytes.size();
  size_t kept = random() % whole;
  if (random() % 3 == 0) kept = std::min<size_t>(whole - 1, random() % 24);  // in a frame's head
  Operation part = last;
  part.bytes.resize(kept);
  if (loss != Loss::kTornShort) part.bytes.resize(whole, '\0');
  if (loss == Loss::kTornGarbage) {
    for (size_t i = kept; i < whole; ++i) part.bytes[i] = static_cast<char>(random());
  }
  ApplyToBytes(part, &bytes);
  return bytes;
}

std::string PowerLoss::Subset(const File& file, std::mt19937_64& random) const {
  std::string bytes = file.durable;
  for (const Operation* write : file.pending) {
    if (write->kind == Operation::kTruncate) {
      if (random() % 2 == 0) ApplyToBytes(*write, &bytes);
      continue;
    }
    // Sectors of the file, not of the write: what lies in one sector is kept or lost together.
    for (size_t done = 0; done < write->bytes.size();) {
      const size_t at = write->offset + done;
      const size_t take = std::min(kSectorBytes - at % kSectorBytes, write->bytes.size() - done);
      if (random() % 2 == 0) {
        Operation sector = *write;
        sector.offset = at;
        sector.bytes = write->bytes.substr(done, take);
        ApplyToBytes(sector, &bytes);
      }
      done += take;
    }
  }
  return bytes;
}

}  // namespace loci::faults
