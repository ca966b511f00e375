// SPDX-License-Identifier: Apache-2.0
//
// The writer's and the consolidator's side of a memory on disk. docs/impl.md tells the protocol;
// what this file keeps true:
//
// - Only the holder of the writer lock (byte 0 of `lock`) appends to the log or replaces CURRENT.
// - Only the holder of the consolidator lock (byte 1) folds. It takes the writer lock for two short
//   moments: to seal the tail, and to publish. In between CURRENT says how many of the oldest runs
//   it is folding, and writers leave those alone.
// - A file is complete and synced before CURRENT names it, and is unlinked only after CURRENT has
//   ceased to name it.
// - After a failed sync nobody knows what is on disk: this process writes no more (failed_).
#include "store/store.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/unicode.h"
#include "memory/build.h"
#include "memory/effect.h"
#include "memory/merge.h"
#include "store/copy.h"
#include "store/counters.h"
#include "store/runs.h"
#include "store/timed_files.h"
#include "store/upgrade.h"
#include "store/view.h"

namespace loci {
namespace {

constexpr int kWriterByte = 0;
constexpr int kConsolidatorByte = 1;

using Layer = std::shared_ptr<const Image>;

class DiskStore : public Store {
 public:
  DiskStore(std::shared_ptr<FileSystem> files, const StoreOptions& options)
      : timed_(std::make_shared<TimedFiles>(std::move(files))),
        files_(timed_),
        read_only_(options.read_only),
        upgrade_(options.upgrade) {}

  Result<void> Open(bool create);

  Result<std::shared_ptr<const Snapshot>> Read() override {
    counters_.Add(Counter::kReads);
    return view_->Read();
  }
  Result<Receipt> Apply(const Batch& batch, const ProgressFn& progress) override;
  Result<Receipt> Apply(const SelectFn& select, const ProgressFn& progress) override;
  Result<void> Consolidate(const ProgressFn& progress) override;
  Result<void> Check(const ProgressFn& progress) override;
  Result<StoreStats> Stats() override;
  Result<void> Copy(const std::string& path, const ProgressFn& progress) override;
  Result<void> Configure(const std::string& key, const std::string& value,
                         const ProgressFn& progress) override;
  Result<UpgradeReport> Upgrade(const ProgressFn& progress) override;
  void RemoveUnwritten() override;
  void CountQuery(std::chrono::nanoseconds time) override;

 private:
  Result<bool> Exists(bool create);
  Result<void> Create();
  // Excludes the writers of this process, then those of all others.
  struct WriterLock {
    std::unique_lock<std::mutex> threads;
    std::unique_ptr<FileLock> processes;
  };
  Result<WriterLock> LockWriter();
  Result<void> PrepareLog();
  template <class Choose>
  Result<Receipt> Write(Choose choose, const ProgressFn& progress);
  Result<Receipt> Commit(const Batch& batch, const Snapshot& snapshot, const ProgressFn& progress);
  Result<void> Append(const Batch& effect);
  Result<Layer> WriteRun(const Batch& effect, const ProgressFn& progress);
  Result<void> Tidy();
  Result<void> MergeRuns();
  Result<void> Fold(const ProgressFn& progress);
  bool WantsFold() const;
  Result<Layer> Rewrite(const Snapshot& snapshot, const std::string& name,
                        const std::string& settings, const ProgressFn& progress,
                        UpgradeReport* report);
  Result<void> PublishOne(Current next, const Layer& image);

  Current Next() const;
  Result<void> SealTail(Current* next);
  Result<void> Seal(std::span<const Layer> layers, Current* next);
  Result<void> SealWith(const Batch& effect);
  Result<void> MakeLog(const std::string& name);
  template <class Fill>
  Result<Layer> WriteLayer(const std::string& name, Fill fill);
  Result<Layer> MergeToFile(const std::string& name, std::span<const Layer> layers, bool to_base,
                            const std::string& settings, const ProgressFn& progress);
  Result<void> Publish(const Current& next);
  void RemoveOrphans();
  Result<void> Synced(Result<void> sync);

  const std::shared_ptr<TimedFiles> timed_;
  const std::shared_ptr<FileSystem> files_;  // the same
  const bool read_only_, upgrade_;
  Counters counters_{nullptr, 0};
  std::unique_ptr<View> view_;
  bool created_ = false;

  std::mutex failed_mutex_;
  std::optional<Error> failed_;

  std::mutex write_mutex_;  // all below; writers of this process queue here, readers never
  std::unique_ptr<WritableFile> log_;
  std::string log_name_;
};

// --- opening ---

// A file that a memory makes and unlinks, whatever its number.
bool IsOurs(std::string_view name) {
  return name.starts_with("image-") || name.starts_with("run-") || name.starts_with("log-") ||
         name == "CURRENT.tmp";
}

Result<bool> DiskStore::Exists(bool create) {
  const auto has_current = [this]() -> Result<bool> {
    const auto current = files_->Read(kCurrentName);
    if (!current.ok() && current.error().kind != ErrorKind::kNotFound) return current.error();
    return current.ok();
  };
  LOCI_ASSIGN(const bool exists, has_current());
  if (exists) return true;
  // Another may be creating it: what a listing shows counts only if there is no CURRENT after it.
  LOCI_ASSIGN(const std::vector<std::string> names, files_->List());
  std::string_view remnant, foreign;
  for (const std::string& name : names) {
    if (name == kLockName || name == "CURRENT.tmp") continue;
    if (!IsOurs(name)) {
      foreign = name;
      continue;
    }
    // A creation that was killed leaves a log without frames. Anything more is a memory that lost
    // its CURRENT, and making an empty one in its place would remove the rest.
    if (name == "log-1") {
      const auto frames = files_->Read(name, kLogHeaderBytes);
      if (frames.ok() && frames->empty()) continue;
      if (!frames.ok() && frames.error().kind != ErrorKind::kNotFound) return frames.error();
    }
    remnant = name;
  }
  LOCI_ASSIGN(const bool exists_now, has_current());
  if (exists_now) return true;
  if (!remnant.empty()) {
    return Error{ErrorKind::kDamaged,
                 fmt::format("{} is damaged: it holds {} but no {}, which names the files of a "
                             "memory; restore it from a copy",
                             files_->root(), remnant, kCurrentName)};
  }
  if (!create) {
    return Error{ErrorKind::kNotFound,
                 fmt::format("{} holds no memory; `loci learn {} FILE` makes one", files_->root(),
                             files_->root())};
  }
  if (!foreign.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} is a directory with other files in it (\"{}\"), not a memory; "
                             "choose a new name",
                             files_->root(), foreign)};
  }
  return false;
}

Result<void> DiskStore::Create() {
  LOCI_ASSIGN(const auto lock, files_->Lock(kLockName, kWriterByte, true));
  LOCI_ASSIGN(const bool exists, Exists(true));  // another may have been quicker
  if (exists) return {};
  Current first;
  first.generation = 1;
  first.log = "log-1";
  first.settings[kUnicodeSetting] = ProgramUnicode();
  LOCI_TRY(MakeLog(first.log));
  bool unknown;
  created_ = true;
  return ReplaceCurrent(first, files_.get(), &unknown);
}

Result<void> DiskStore::Open(bool create) {
  LOCI_ASSIGN(const bool exists, Exists(create && !read_only_));
  if (!exists) LOCI_TRY(Create());
  std::shared_ptr<SharedPage> page;
  auto mapped = files_->MapShared(kLockName,
                                  read_only_ ? FileSystem::Mode::kCount : FileSystem::Mode::kWrite);
  if (mapped.ok()) {
    page = mapped.take();
  } else if (!read_only_ || mapped.error().kind != ErrorKind::kNotFound) {
    return mapped.error();
  }
  counters_ = Counters(page, files_->BootId());
  timed_->SetCounters(counters_);
  view_ = std::make_unique<View>(files_, std::move(page));
  if (!read_only_) {
    LOCI_ASSIGN(const auto writer, files_->Lock(kLockName, kWriterByte, false));
    if (writer) {
      LOCI_ASSIGN(const auto consolidator, files_->Lock(kLockName, kConsolidatorByte, false));
      if (consolidator) {
        LOCI_TRY(view_->Read());
        RemoveOrphans();
      }
    }
  }
  LOCI_TRY(view_->Read());
  if (!read_only_ && !upgrade_) LOCI_TRY(CheckUnicode(view_->current().settings, files_->root()));
  counters_.Add(Counter::kOpens);
  return {};
}

// Only with both locks held and the view up to date.
void DiskStore::RemoveOrphans() {
  const auto names = files_->List();
  if (!names.ok()) return;
  bool synced = false;
  for (const std::string& name : *names) {
    if (!IsOurs(name) || view_->current().Names(name)) continue;
    // Whoever put this CURRENT in place may have died before it was certain to stay.
    if (!synced && !files_->SyncDirectory().ok()) return;
    synced = true;
    (void)files_->Remove(name);
  }
}

// CURRENT goes first, under the writer lock: who waits for that, or opens the memory from now on,
// finds none and writes nothing that would be lost.
void DiskStore::RemoveUnwritten() {
  if (!created_) return;
  const auto consolidator = files_->Lock(kLockName, kConsolidatorByte, false);
  if (!consolidator.ok() || !*consolidator) return;
  const auto writer = LockWriter();
  if (!writer.ok()) return;
  if (view_->current().generation != 1 || view_->log_end() > kLogHeaderBytes) return;
  if (!files_->Remove(kCurrentName).ok()) return;
  if (const auto names = files_->List(); names.ok()) {
    for (const std::string& name : *names) {
      if (IsOurs(name) || name == kLockName) (void)files_->Remove(name);
    }
  }
  std::error_code not_empty;
  std::filesystem::remove(files_->root(), not_empty);
}

// --- writing ---

Result<void> DiskStore::Synced(Result<void> sync) {
  if (sync.ok()) return sync;
  const std::lock_guard guard(failed_mutex_);
  if (!failed_) failed_ = sync.error();
  return sync;
}

Result<DiskStore::WriterLock> DiskStore::LockWriter() {
  if (read_only_) {
    return Error{ErrorKind::kUsage, fmt::format("{} was opened for reading only", files_->root())};
  }
  WriterLock lock{std::unique_lock(write_mutex_), nullptr};
  {
    const std::lock_guard guard(failed_mutex_);
    if (failed_) {
      return Error{failed_->kind,
                   fmt::format("{}: an earlier sync failed ({}); what is on disk is unknown. Open "
                               "the memory again to go on from what is",
                               files_->root(), failed_->message)};
    }
  }
  LOCI_ASSIGN(lock.processes, files_->Lock(kLockName, kWriterByte, true));
  LOCI_TRY(PrepareLog());
  // Another program may have upgraded the memory while this one had it open.
  if (!upgrade_) LOCI_TRY(CheckUnicode(view_->current().settings, files_->root()));
  return lock;
}

// Opens the log for appending and mends what a writer that was killed left at its end.
Result<void> DiskStore::PrepareLog() {
  std::optional<View::OpenLog> open;
  if (log_) {
    LOCI_ASSIGN(const uint64_t size, log_->Size());
    open = {log_name_, size};
  }
  LOCI_ASSIGN(const View::End end, view_->Adopt(open));
  if (log_name_ != view_->current().log) {
    LOCI_ASSIGN(log_, files_->OpenForWriting(view_->current().log, false));
    log_name_ = view_->current().log;
  }
  if (end.excess) LOCI_TRY(log_->Truncate(view_->log_end()));
  if (!end.excess && !end.unpublished) return {};
  LOCI_TRY(Synced(log_->Sync()));
  LOCI_TRY(Synced(files_->SyncDirectory()));
  view_->Publish(view_->current().generation, view_->log_end());
  return {};
}

Result<Receipt> DiskStore::Apply(const Batch& batch, const ProgressFn& progress) {
  return Write([&batch](const Snapshot&, Batch*) -> Result<const Batch*> { return &batch; },
               progress);
}

Result<Receipt> DiskStore::Apply(const SelectFn& select, const ProgressFn& progress) {
  return Write(
      [&select](const Snapshot& snapshot, Batch* own) -> Result<const Batch*> {
        LOCI_TRY(select(snapshot, own));
        return own;
      },
      progress);
}

// choose(snapshot, &own) gives the batch to write, which may be its second argument.
template <class Choose>
Result<Receipt> DiskStore::Write(Choose choose, const ProgressFn& progress) {
  Receipt receipt;
  bool fold = false;
  {
    LOCI_ASSIGN(const auto lock, LockWriter());
    LOCI_ASSIGN(auto snapshot, view_->Read());
    Batch own;
    LOCI_ASSIGN(const Batch* const batch, choose(*snapshot, &own));
    LOCI_ASSIGN(receipt, Commit(*batch, *snapshot, progress));
    snapshot.reset();
    if (auto after = view_->Read(); after.ok()) {
      receipt.digest_after = (*after)->digest();
    } else {
      return Error{after.error().kind, fmt::format("the write is on disk, but the memory cannot be "
                                                   "read after it: {}",
                                                   after.error().message)};
    }
    if (receipt.learned + receipt.forgotten > 0) {
      counters_.Add(Counter::kWrites);
      // The batch is on disk and acknowledged: what tidying up meets is no failure of it.
      (void)Tidy();
      fold = WantsFold();
    }
  }
  if (fold) {
    const auto lock = files_->Lock(kLockName, kConsolidatorByte, false);
    if (lock.ok() && *lock) (void)Fold(progress);
  }
  return receipt;
}

Result<Receipt> DiskStore::Commit(const Batch& batch, const Snapshot& snapshot,
                                  const ProgressFn& progress) {
  const auto large = [](const Batch& b) {
    return b.size() > kMaxTailStatements || b.name_bytes() > kMaxTailBytes;
  };
  // Into an empty memory all is new: the image is built from the batch as it stands, and tells how
  // many of its rows were the same.
  if (snapshot.layers().empty() && large(batch) && !batch.any_removed()) {
    LOCI_ASSIGN(const Layer layer, WriteRun(batch, progress));
    const uint64_t learned = layer->header().learned_statements;
    return Receipt{learned, batch.size() - learned, 0, 0, {}};
  }
  const Effect effect = EffectOf(batch, snapshot);
  LOCI_TRY(snapshot.damage());
  if (!effect.batch.empty() && large(effect.batch)) {
    LOCI_ASSIGN([[maybe_unused]] const Layer layer, WriteRun(effect.batch, progress));
  } else if (!effect.batch.empty()) {
    const bool fits = view_->tail_statements() + effect.batch.size() <= kMaxTailStatements;
    LOCI_TRY(fits ? Append(effect.batch) : SealWith(effect.batch));
  }
  return Receipt{effect.learned, effect.known, effect.forgotten, effect.absent, {}};
}

Result<void> DiskStore::Append(const Batch& effect) {
  const uint64_t at = view_->log_end();
  const std::string frame = EncodeFrame(effect, view_->next_sequence(), View::LogNumber(log_name_));
  Result<void> written = log_->WriteAt(at, frame);
  if (written.ok()) written = Synced(log_->Sync());
  if (!written.ok()) {
    (void)log_->Truncate(at);  // so that no later writer takes the frame for a whole one
    return written;
  }
  view_->PublishFrame(effect, at, frame.size());
  return {};
}

// A batch that would make the tail too long goes into the run that the tail becomes: a frame of it
// would be written and synced only to be copied at once.
Result<void> DiskStore::SealWith(const Batch& effect) {
  Current next = Next();
  std::vector<Layer> layers = view_->tail();
  LOCI_ASSIGN(layers.emplace_back(), BuildImage(effect, Words::kLastCounts, next.ImageSettings()));
  LOCI_TRY(Seal(layers, &next));
  return Publish(next);
}

// Tells how much of a layer is written, and stops where told to.
class WatchedSink : public ImageSink {
 public:
  WatchedSink(ImageSink* below, const ProgressFn& progress, uint64_t expected)
      : below_(below), progress_(progress), expected_(expected) {}
  Result<void> Append(std::string_view bytes) override {
    written_ += bytes.size();
    if (progress_ && !progress_("writing", std::min(written_, expected_), expected_)) {
      return Error{ErrorKind::kCancelled, "interrupted; nothing was changed"};
    }
    return below_->Append(bytes);
  }
  Result<void> SetHead(std::string_view bytes) override { return below_->SetHead(bytes); }

 private:
  ImageSink* const below_;
  const ProgressFn& progress_;
  const uint64_t expected_;
  uint64_t written_ = 0;
};

// What a layer of the batch takes, about: 24 bytes a fact, and of a name its bytes, offset, id and
// slot.
uint64_t LayerBytes(const Batch& batch) {
  return batch.name_bytes() + uint64_t{32} * batch.terms() + uint64_t{24} * batch.size();
}

// A batch as a layer of its own, behind a sealed tail.
Result<Layer> DiskStore::WriteRun(const Batch& effect, const ProgressFn& progress) {
  // To sort the batch takes as long as to write it, and cannot be interrupted.
  if (progress && !progress("sorting", 0, 0))
    return Error{ErrorKind::kCancelled, "interrupted; nothing was changed"};
  Current next = Next();
  LOCI_TRY(SealTail(&next));
  const bool first = next.layers().empty();
  const std::string name = fmt::format("{}-{}", first ? "image" : "run", next.generation);
  LOCI_ASSIGN(const Layer layer, WriteLayer(name, [&](ImageSink* sink) {
                WatchedSink watched(sink, progress, LayerBytes(effect));
                return BuildImage(effect, Words::kLastCounts, next.ImageSettings(), &watched);
              }));
  first ? void(next.image = name) : next.runs.push_back(name);
  LOCI_TRY(Publish(next));
  return layer;
}

// Keeps tail and runs within their bounds.
Result<void> DiskStore::Tidy() {
  if (view_->tail_statements() > kMaxTailStatements || view_->log_end() > kMaxTailBytes) {
    Current next = Next();
    LOCI_TRY(SealTail(&next));
    LOCI_TRY(Publish(next));
  }
  return MergeRuns();
}

Result<void> DiskStore::MergeRuns() {
  if (view_->current().runs.size() <= kMaxRuns) return {};
  LOCI_ASSIGN(const auto consolidator, files_->Lock(kLockName, kConsolidatorByte, false));
  Current next = Next();
  if (consolidator) next.folding = 0;
  const size_t image = next.image.empty() ? 0 : 1;
  std::vector<uint64_t> sizes;
  for (size_t i = next.folding; i < next.runs.size(); ++i) {
    const ImageHeader& header = view_->base()[image + i]->header();
    sizes.push_back(header.learned_statements + header.removed_statements);
  }
  const size_t merge = RunsToMerge(sizes);
  if (merge == 0) return {};
  const size_t kept = next.runs.size() - merge;
  const std::string name = fmt::format("run-{}", next.generation);
  const std::span<const Layer> layers(view_->base().data() + image + kept, merge);
  LOCI_ASSIGN(const Layer layer,
              MergeToFile(name, layers, image + kept == 0, next.ImageSettings(), {}));
  next.runs.resize(kept);
  if (layer) next.runs.push_back(name);
  LOCI_TRY(Publish(next));
  counters_.Add(Counter::kMerges);
  return {};
}

// --- publishing ---

// What CURRENT says now, under the generation that names the files of the next one.
Current DiskStore::Next() const {
  Current next = view_->current();
  ++next.generation;
  return next;
}

Result<void> DiskStore::MakeLog(const std::string& name) {
  LOCI_ASSIGN(auto file, files_->OpenForWriting(name, true));
  LOCI_TRY(file->Truncate(0));
  LOCI_TRY(file->WriteAt(0, LogHeader(View::LogNumber(name))));
  return Synced(file->Sync());
}

// Makes the tail a run of `next` (or its image, where it has no layer yet) with a new, empty log,
// and moves on to a generation whose names are free. A log with frames is left behind even where
// they amount to nothing: its bytes may name what was forgotten.
Result<void> DiskStore::SealTail(Current* next) {
  if (view_->log_end() <= kLogHeaderBytes) return {};
  return Seal(view_->tail(), next);
}

Result<void> DiskStore::Seal(std::span<const Layer> layers, Current* next) {
  const bool first = next->layers().empty();
  if (!layers.empty()) {
    const std::string name = fmt::format("{}-{}", first ? "image" : "run", next->generation);
    LOCI_ASSIGN(const Layer layer, MergeToFile(name, layers, first, next->ImageSettings(), {}));
    if (layer) first ? void(next->image = name) : next->runs.push_back(name);
  }
  next->log = fmt::format("log-{}", next->generation++);
  return MakeLog(next->log);
}

// A complete, synced and opened file; removed again where anything fails.
template <class Fill>
Result<Layer> DiskStore::WriteLayer(const std::string& name, Fill fill) {
  const auto make = [&]() -> Result<Layer> {
    LOCI_ASSIGN(auto file, files_->OpenForWriting(name, true));
    LOCI_TRY(file->Truncate(0));
    FileSink sink(file.get());
    LOCI_TRY(fill(&sink));
    LOCI_TRY(sink.Flush());
    LOCI_TRY(Synced(file->Sync()));
    LOCI_ASSIGN(const std::shared_ptr<MappedFile> mapped, files_->Map(name));
    return Image::Open(mapped->bytes(), mapped, name);
  };
  Result<Layer> layer = make();
  if (!layer.ok()) (void)files_->Remove(name);
  return layer;
}

// Null, and no file, where the layers amount to nothing.
Result<Layer> DiskStore::MergeToFile(const std::string& name, std::span<const Layer> layers,
                                     bool to_base, const std::string& settings,
                                     const ProgressFn& progress) {
  MergeOptions options{.to_base = to_base, .settings = settings, .on_progress = {}};
  if (progress) {
    options.on_progress = [&progress](uint64_t done, uint64_t total) {
      return progress("merging", done, total);
    };
  }
  for (const Layer& layer : layers) LOCI_TRY(layer->VerifyChecksums());
  LOCI_ASSIGN(Layer merged, WriteLayer(name, [&](ImageSink* sink) {
                return MergeImages(layers, options, sink);
              }));
  if (merged->facts() > 0) return merged;
  (void)files_->Remove(name);
  return Layer();
}

// Makes `next` the memory, tells all processes, and unlinks what it no longer names.
Result<void> DiskStore::Publish(const Current& next) {
  const Current before = view_->current();
  bool unknown;
  if (const Result<void> replaced = ReplaceCurrent(next, files_.get(), &unknown); !replaced.ok()) {
    return unknown ? Synced(replaced) : replaced;  // what either CURRENT names stays on disk
  }
  view_->Publish(next.generation, next.log == before.log ? view_->log_end() : kLogHeaderBytes);
  LOCI_TRY(view_->Read());
  for (const std::string& name : before.layers()) {
    if (!next.Names(name)) (void)files_->Remove(name);
  }
  if (!next.Names(before.log)) (void)files_->Remove(before.log);
  if (log_name_ != next.log) {
    LOCI_ASSIGN(log_, files_->OpenForWriting(next.log, false));
    log_name_ = next.log;
  }
  return {};
}

// --- consolidating ---

bool DiskStore::WantsFold() const {
  constexpr uint64_t kFraction = 4;
  uint64_t image = 0, runs = 0;
  for (size_t i = 0; i < view_->base().size(); ++i) {
    const uint64_t bytes = view_->base()[i]->bytes().size();
    (i == 0 && !view_->current().image.empty() ? image : runs) += bytes;
  }
  return runs > image / kFraction;
}

Result<void> DiskStore::Consolidate(const ProgressFn& progress) {
  LOCI_ASSIGN(const auto lock, files_->Lock(kLockName, kConsolidatorByte, true));
  return Fold(progress);
}

// With the consolidator lock held.
Result<void> DiskStore::Fold(const ProgressFn& progress) {
  // Without the writer lock the view may move under us: what the merge needs is taken along.
  std::vector<Layer> layers;
  std::string name, settings;
  {
    LOCI_ASSIGN(const auto lock, LockWriter());
    Current next = Next();
    LOCI_TRY(SealTail(&next));
    next.folding = next.runs.size();
    const bool sealed = next.log != view_->current().log;
    if (sealed || next.folding != 0) LOCI_TRY(Publish(next));
    RemoveOrphans();
    if (next.folding == 0) return {};
    layers = view_->base();
    name = fmt::format("image-{}", next.generation);
    settings = next.ImageSettings();
  }
  LOCI_ASSIGN(const Layer image, MergeToFile(name, layers, true, settings, progress));
  LOCI_ASSIGN(const auto lock, LockWriter());
  Current next = Next();
  next.image = image ? name : "";
  next.runs.erase(next.runs.begin(), next.runs.begin() + static_cast<std::ptrdiff_t>(next.folding));
  next.folding = 0;
  LOCI_TRY(Publish(next));
  counters_.Add(Counter::kFolds);
  RemoveOrphans();
  return {};
}

// --- settings ---

Result<void> DiskStore::Configure(const std::string& key, const std::string& value,
                                  const ProgressFn& progress) {
  const SettingInfo* const info = FindSetting(key);
  if (info == nullptr) {
    return Error{ErrorKind::kUsage, fmt::format("there is no setting '{}'", Excerpt(key))};
  }
  LOCI_ASSIGN(const std::string checked, CheckSetting(*info, value));
  std::unique_ptr<FileLock> consolidator;
  if (info->shapes_images) {
    LOCI_ASSIGN(consolidator, files_->Lock(kLockName, kConsolidatorByte, true));
  }
  LOCI_ASSIGN(const auto writer, LockWriter());
  Current next = Next();
  // CURRENT holds what differs from the fallbacks: to set one of these is to take it back.
  next.settings.erase(key);
  if (checked != info->fallback) next.settings[key] = checked;
  if (next.settings == view_->current().settings) return {};
  if (!info->shapes_images) return Publish(next);
  LOCI_ASSIGN(const auto snapshot, view_->Read());
  Layer image;
  if (!snapshot->layers().empty()) {
    const std::string name = fmt::format("image-{}", next.generation);
    LOCI_ASSIGN(image, MergeToFile(name, snapshot->layers(), true, next.ImageSettings(), progress));
  }
  return PublishOne(std::move(next), image);
}

// Makes the memory that one image (null: nothing is known) and an empty log.
Result<void> DiskStore::PublishOne(Current next, const Layer& image) {
  next.image = image ? image->name() : "";
  next.runs.clear();
  next.folding = 0;
  next.log = fmt::format("log-{}", next.generation);
  LOCI_TRY(MakeLog(next.log));
  LOCI_TRY(Publish(next));
  RemoveOrphans();
  return {};
}

Result<UpgradeReport> DiskStore::Upgrade(const ProgressFn& progress) {
  LOCI_ASSIGN(const auto consolidator, files_->Lock(kLockName, kConsolidatorByte, true));
  LOCI_ASSIGN(const auto writer, LockWriter());
  LOCI_TRY(CheckUpgradable(view_->current().settings, files_->root()));
  Current next = Next();
  UpgradeReport report;
  report.to = ProgramUnicode();
  report.from = std::exchange(next.settings[kUnicodeSetting], report.to);
  LOCI_ASSIGN(const auto snapshot, view_->Read());
  report.statements_before = report.statements_after = snapshot->statements();
  report.format_from = report.format_to = kImageVersion;
  for (const Layer& layer : view_->base()) {
    report.format_from = std::min(report.format_from, layer->header().version);
  }
  if (!report.changed()) return report;
  const std::string name = fmt::format("image-{}", next.generation);
  LOCI_ASSIGN(const Layer image, Rewrite(*snapshot, name, next.ImageSettings(), progress, &report));
  LOCI_TRY(PublishOne(std::move(next), image));
  return report;
}

// All that the memory knows as one image, with all names in this program's normal form; null where
// it knows nothing.
Result<Layer> DiskStore::Rewrite(const Snapshot& snapshot, const std::string& name,
                                 const std::string& settings, const ProgressFn& progress,
                                 UpgradeReport* report) {
  if (snapshot.layers().empty()) return Layer();
  bool changes = false;
  if (report->from != report->to) {
    LOCI_ASSIGN(changes, AnyNameChanges(snapshot, progress));
  }
  if (!changes) return MergeToFile(name, snapshot.layers(), true, settings, progress);
  for (const Layer& layer : snapshot.layers()) LOCI_TRY(layer->VerifyChecksums());
  LOCI_ASSIGN(const Batch batch, Renormalize(snapshot, progress, &report->renamed));
  if (batch.empty()) return Layer();
  LOCI_ASSIGN(const Layer image, WriteLayer(name, [&](ImageSink* sink) {
                return BuildImage(batch, Words::kLastCounts, settings, sink);
              }));
  report->statements_after = image->header().learned_statements;
  return image;
}

// --- looking ---

// Accepts an image and keeps nothing of it.
class NullSink : public ImageSink {
 public:
  Result<void> Append(std::string_view) override { return {}; }
  Result<void> SetHead(std::string_view) override { return {}; }
};

Result<void> DiskStore::Check(const ProgressFn& progress) {
  // CURRENT and the log are read and verified again from their bytes, by a view of our own.
  View fresh(files_, [&]() -> std::unique_ptr<SharedPage> {
    auto page = files_->MapShared(kLockName, FileSystem::Mode::kRead);
    return page.ok() ? page.take() : nullptr;
  }());
  LOCI_ASSIGN(const auto snapshot, fresh.Read());
  LOCI_TRY(CheckUnicode(fresh.current().settings, files_->root()));  // whose normal form it is
  for (const Layer& layer : fresh.base()) {
    if (layer->settings() == fresh.current().ImageSettings()) continue;
    return Error{ErrorKind::kDamaged,
                 fmt::format("{} is damaged: its settings are not those in {}; restore the memory "
                             "from a copy",
                             layer->name(), kCurrentName)};
  }
  uint64_t done = 0, total = 0;
  for (const Layer& layer : snapshot->layers()) total += layer->bytes().size();
  for (const Layer& layer : snapshot->layers()) {
    const uint64_t bytes = layer->bytes().size();
    LOCI_TRY(layer->Verify([&](double share) {
      const auto part = static_cast<uint64_t>(share * static_cast<double>(bytes));
      return !progress || progress("checking", done + part, total);
    }));
    done += bytes;
    if (progress && !progress("checking", done, total)) {
      return Error{ErrorKind::kCancelled, "cancelled before every file was checked"};
    }
  }
  // Across layers: each word must have changed something. One alone is compared with nothing below.
  // The format without an index of texts, which tells nothing here.
  NullSink nowhere;
  MergeOptions options{
      .to_base = true, .settings = {}, .version = kFirstImageVersion, .on_progress = {}};
  if (progress) {
    options.on_progress = [&progress](uint64_t merged, uint64_t of) {
      return progress("comparing layers", merged, of);
    };
  }
  return MergeImages(snapshot->layers(), options, &nowhere);
}

Result<StoreStats> DiskStore::Stats() {
  LOCI_ASSIGN(const auto snapshot, view_->Read());
  const View::Summary view = view_->Summarize();
  StoreStats stats;
  stats.generation = view.current.generation;
  stats.settings = EffectiveSettings(view.current.settings);
  stats.tail_statements = view.tail_statements;
  stats.tail_bytes = view.log_end - kLogHeaderBytes;
  const std::vector<std::string> names = view.current.layers();
  for (size_t i = 0; i < names.size(); ++i) {
    const ImageHeader& header = view.base[i]->header();
    stats.layers.push_back(
        {names[i], header.length, header.learned_statements, header.removed_statements});
  }
  const auto get = [this](Counter counter) { return counters_.Get(counter); };
  stats.done = {.opens = get(Counter::kOpens),
                .reads = get(Counter::kReads),
                .writes = get(Counter::kWrites),
                .merges = get(Counter::kMerges),
                .folds = get(Counter::kFolds),
                .syncs = get(Counter::kSyncs),
                .sync_nanos = get(Counter::kSyncNanos),
                .longest_sync = get(Counter::kLongestSync),
                .queries = get(Counter::kQueries),
                .slow_queries = get(Counter::kSlowQueries)};
  return stats;
}

Result<void> DiskStore::Copy(const std::string& path, const ProgressFn& progress) {
  LOCI_TRY(view_->Read());
  const View::Summary view = view_->Summarize();
  return CopySnapshot(*view.snapshot, view.current.settings, path, progress);
}

void DiskStore::CountQuery(std::chrono::nanoseconds time) {
  counters_.Add(Counter::kQueries);
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  if (static_cast<uint64_t>(millis) >=
      CountSetting(view_->Summarize().current.settings, kSlowQuerySetting)) {
    counters_.Add(Counter::kSlowQueries);
  }
}

}  // namespace

Result<std::unique_ptr<Store>> Store::Open(std::shared_ptr<FileSystem> files,
                                           const StoreOptions& options) {
  auto store = std::make_unique<DiskStore>(std::move(files), options);
  LOCI_TRY(store->Open(options.create));
  return std::unique_ptr<Store>(std::move(store));
}

Result<std::unique_ptr<Store>> Store::Open(const std::string& path, const StoreOptions& options) {
  auto files = OpenDirectory(path, options.create);
  if (!files.ok() && files.error().kind == ErrorKind::kNotFound && !options.create) {
    return Error{
        ErrorKind::kNotFound,
        fmt::format("there is no memory at {}; `loci learn {} FILE` makes one", path, path)};
  }
  if (!files.ok()) return files.error();
  return Open(std::shared_ptr<FileSystem>(files.take()), options);
}

}  // namespace loci
