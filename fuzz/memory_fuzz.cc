// SPDX-License-Identifier: Apache-2.0
//
// A whole memory in a directory of damaged files. The input lists edits of the files of a small
// memory (image, run, log with frames, CURRENT, lock), then which checksums are made to hold again.
//
// Opening, reading, checking, writing and consolidating give answers or clear errors. Where Check
// finds nothing wrong, nothing is: the memory equals the set of its statements, seen from each end,
// takes more, and after consolidation is the image that learning them at once gives.
#include <fmt/format.h>

#include <memory>
#include <vector>

#include "../tests/faults/double.h"
#include "../tests/faults/recording_files.h"
#include "base/hash.h"
#include "harness.h"
#include "image/testing.h"
#include "store/current.h"
#include "store/log.h"
#include "store/store.h"
#include "store/view.h"

namespace loci {
namespace {

using faults::Changes;
using faults::Disk;
using faults::RecordingFiles;
using fuzz::Choices;
using fuzz::Require;
using fuzz::Value;

// An image, a run, and a log of three frames.
const Disk& Sample() {
  static const Disk sample = [] {
    auto files = std::make_shared<RecordingFiles>();
    auto store = Value(Store::Open(files, {.create = true}), "a memory is made");
    std::mt19937_64 random(7);
    const auto apply = [&](int learn, const Changes& more) {
      Changes changes = more;
      for (int i = 0; i < learn; ++i) changes.push_back({faults::RandomStatement(random), false});
      Require(store->Apply(faults::ToBatch(changes)).ok(), "the memory learns");
      return changes;
    };
    const Changes first = apply(30, {});
    Require(store->Consolidate({}).ok(), "the memory is consolidated");
    apply(4, {{first[1].statement, true}});
    // A consolidation that is cancelled has made the tail a run.
    const auto cancel = [](const char*, uint64_t, uint64_t) { return false; };
    Require(!store->Consolidate(cancel).ok(), "the second consolidation is cancelled");
    // While this one seems to be at work, no writer folds the run.
    const auto busy = files->Lock(kLockName, 1, true);
    apply(2, {{first[2].statement, true}});
    apply(3, {});
    apply(0, {{first[1].statement, false}});
    const StoreStats stats = Value(store->Stats(), "the memory counts");
    Require(stats.layers.size() == 2 && stats.tail_statements > 4, "the sample is as planned",
            fmt::format("{} layers, {} in the tail", stats.layers.size(), stats.tail_statements));
    return files->Now();
  }();
  return sample;
}

void Edit(Choices* choices, Disk* disk) {
  const auto pick = [&] { return std::next(disk->begin(), choices->Below(disk->size())); };
  const auto file = pick();
  std::string& bytes = file->second;
  enum { kOverwrite, kAdd, kInsert, kErase, kCut, kRemove, kRename, kCopy, kSplice, kKinds };
  switch (choices->Below(kKinds)) {
    case kOverwrite: {
      const size_t at = choices->Below(bytes.size());
      const std::string_view with = choices->Take(choices->Below(9));
      bytes.replace(at, with.size(), with);
      break;
    }
    case kAdd:
      if (!bytes.empty()) {
        char& byte = bytes[choices->Below(bytes.size())];
        byte = static_cast<char>(byte + choices->Int<int8_t>());
      }
      break;
    case kInsert: {
      const size_t at = choices->Below(bytes.size() + 1);
      bytes.insert(at, choices->Take(choices->Below(33)));
      break;
    }
    case kErase: {
      const size_t at = choices->Below(bytes.size() + 1);
      bytes.erase(at, choices->Below(65));
      break;
    }
    case kCut:
      bytes.resize(choices->Below(bytes.size() + 1));
      break;
    case kRemove:
      disk->erase(file);
      break;
    case kRename: {
      std::string moved = std::move(bytes);
      disk->erase(file);
      (*disk)["run-" + std::to_string(choices->Below(16))] = std::move(moved);
      break;
    }
    case kCopy:
      bytes = pick()->second;
      break;
    case kSplice: {
      const std::string other = pick()->second;
      const size_t from = choices->Below(other.size() + 1), n = choices->Below(256);
      bytes.insert(choices->Below(bytes.size() + 1), other.substr(from, n));
      break;
    }
  }
}

// --- checksums that hold again ---

void MendLog(const std::string& name, std::string* bytes) {
  if (bytes->size() < kLogHeaderBytes) return;
  const uint64_t number = View::LogNumber(name);
  const std::string header = LogHeader(number);
  bytes->replace(0, header.size(), header);
  for (size_t at = kLogHeaderBytes; bytes->size() - at >= kFrameHeaderBytes;) {
    const std::string_view rest = std::string_view(*bytes).substr(at);
    const auto length = Load<uint64_t>(rest.data());
    if (length > rest.size() - kFrameHeaderBytes) return;
    const uint64_t sum =
        Xxh3(rest.substr(kFrameHeaderBytes, length), Xxh3(rest.substr(0, 16), number));
    std::memcpy(bytes->data() + at + 16, &sum, sizeof sum);
    at += kFrameHeaderBytes + length;
  }
}

void Mend(Choices* choices, Disk* disk) {
  const auto what = choices->Int<uint8_t>();
  for (auto& [name, bytes] : *disk) {
    const bool image = name.starts_with("image-") || name.starts_with("run-");
    if ((what & 1) && image &&
        bytes.size() >= sizeof(ImageHeader) + kSections * sizeof(SectionEntry)) {
      bytes = test::Resealed(bytes);
    }
    if ((what & 2) && name.starts_with("log-")) MendLog(name, &bytes);
    if ((what & 4) && name == kCurrentName) {
      bytes.resize(std::min(bytes.size(), bytes.rfind("check ")));
      bytes += "check " + fmt::format("{:016x}", Xxh3(bytes)) + "\n";
    }
    if ((what & 8) && name == kLockName && bytes.size() >= 16) {
      const uint64_t word = ~Load<uint64_t>(bytes.data());
      std::memcpy(bytes.data() + 8, &word, sizeof word);
    }
  }
}

// --- properties ---

void RequireClear(const Error& error) {
  fuzz::RequireClear(error, {ErrorKind::kDamaged, ErrorKind::kUnsupported, ErrorKind::kNotFound,
                             ErrorKind::kLimit, ErrorKind::kUsage, ErrorKind::kIo});
}

// The statements of a memory in which Check finds nothing wrong.
bool Look(const Disk& disk, uint64_t boot, faults::Double* whole) {
  const auto files = std::make_shared<RecordingFiles>(disk, boot);
  const auto opened = Store::Open(files, {.read_only = true});
  if (!opened.ok()) return RequireClear(opened.error()), false;
  Store& store = **opened;
  const auto stats = store.Stats();
  if (!stats.ok()) RequireClear(stats.error());
  const auto snapshot = store.Read();
  if (!snapshot.ok()) RequireClear(snapshot.error());
  const auto statements = snapshot.ok() ? faults::StatementsOf(**snapshot)
                                        : Result<std::set<faults::Statement>>(snapshot.error());
  if (!statements.ok()) RequireClear(statements.error());
  const Result<void> checked = store.Check({});
  Require(files->operations() == 0, "a reader writes nothing");
  if (!checked.ok()) return RequireClear(checked.error()), false;
  Require(snapshot.ok() && statements.ok(), "what Check passes can be read");
  Changes changes;
  for (const faults::Statement& s : *statements) changes.push_back({s, false});
  whole->Apply(changes);
  const std::string differs = Value(faults::Differences(**snapshot, *whole), "no damage");
  Require(differs.empty(), "what Check passes is the set of its statements", differs);
  return true;
}

void Write(const Disk& disk, uint64_t boot, const faults::Double* whole) {
  const auto files = std::make_shared<RecordingFiles>(disk, boot);
  const auto opened = Store::Open(files, {.create = true});
  if (!opened.ok()) {
    Require(whole == nullptr, "what Check passes opens for writing", opened.error().message);
    return RequireClear(opened.error());
  }
  Store& store = **opened;
  std::mt19937_64 random(11);
  const Changes changes = {{faults::RandomStatement(random), false},
                           {faults::RandomStatement(random), true},
                           {faults::RandomStatement(random), false}};
  const auto receipt = store.Apply(faults::ToBatch(changes));
  if (!receipt.ok()) RequireClear(receipt.error());
  const Result<void> consolidated = store.Consolidate({});
  if (!consolidated.ok()) RequireClear(consolidated.error());
  const auto snapshot = store.Read();
  if (!snapshot.ok()) RequireClear(snapshot.error());
  if (whole == nullptr) return;
  const std::string why = !receipt.ok()        ? receipt.error().message
                          : !consolidated.ok() ? consolidated.error().message
                          : !snapshot.ok()     ? snapshot.error().message
                                               : "";
  Require(why.empty(), "what Check passes is written to and consolidated", why);
  faults::Double after = *whole;
  after.Apply(changes);
  Require(receipt->digest_after.Hex() == after.Digest(), "a receipt has the digest");
  Require(Value(faults::Differences(**snapshot, after), "no damage").empty(), "writes are kept");
  const Result<void> checked = store.Check({});
  Require(checked.ok(), "what was consolidated holds", checked.ok() ? "" : checked.error().message);
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  Choices choices(data, size);
  Disk disk = Sample();
  const auto setup = choices.Int<uint8_t>();
  Choices for_mending = choices;
  choices.Int<uint8_t>();
  while (!choices.empty() && !disk.empty()) Edit(&choices, &disk);
  Mend(&for_mending, &disk);
  // The same boot trusts the page in `lock`, another does not.
  const uint64_t boot = 1 + (setup & 1);
  faults::Double whole;
  const bool sound = Look(disk, boot, &whole);
  if (size == 0) Require(sound, "an undamaged memory is sound");
  Write(disk, boot, sound ? &whole : nullptr);
  return 0;
}
