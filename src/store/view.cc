// SPDX-License-Identifier: Apache-2.0
#include "store/view.h"

#include <fmt/format.h>

#include <charconv>

#include "memory/build.h"
#include "memory/merge.h"

namespace loci {
namespace {

constexpr int kLengthBits = 40;
constexpr uint64_t kGenerationMask = (uint64_t{1} << (64 - kLengthBits)) - 1;
constexpr int kAttempts = 1000;  // each one lost to a writer that moved the files meanwhile

uint64_t Pack(uint64_t generation, uint64_t length) {
  return (generation & kGenerationMask) << kLengthBits | length;
}
bool IsOf(uint64_t word, uint64_t generation) {
  return word >> kLengthBits == (generation & kGenerationMask);
}
uint64_t Length(uint64_t word) {
  return word & ((uint64_t{1} << kLengthBits) - 1);
}

}  // namespace

uint64_t View::LogNumber(const std::string& name) {
  uint64_t number = 0;
  const size_t dash = name.find('-') + 1;
  std::from_chars(name.data() + dash, name.data() + name.size(), number);
  return number;
}

View::Word View::LoadWord() const {
  if (!page_) return std::nullopt;
  // Between its two stores a writer's words do not match for some nanoseconds; longer, it is dead.
  for (int i = 0; i < 100; ++i) {
    const uint64_t check = page_->Load(1), word = page_->Load(0);
    if (word == ~check) return word;
  }
  return std::nullopt;
}

bool View::IsOfThisBoot() const {
  const uint64_t boot = files_->BootId();
  return page_ && boot != 0 && page_->Load(2) == boot;
}

void View::Publish(uint64_t generation, uint64_t log_length) {
  if (!page_) return;
  const uint64_t word = Pack(generation, log_length);
  page_->Store(1, ~word);
  page_->Store(0, word);
  page_->Store(2, files_->BootId());
}

Result<std::shared_ptr<const Snapshot>> View::Read() {
  const std::lock_guard lock(mutex_);
  LOCI_ASSIGN([[maybe_unused]] const End end, Update(false));
  return snapshot_;
}

// A writer does not trust the page to tell of each new CURRENT: who replaced it may have died
// before it told. But the next writer tells, before it does anything else; so at most one CURRENT
// is untold, and it was made while the one before it was there. If the page has our generation, and
// the name CURRENT still leads to the file that we read, we have seen the last.
bool View::IsUpToDate(const OpenLog& log) const {
  const Word word = LoadWord();
  if (!loaded_ || identity_ == 0 || !word || word != seen_ || !IsOfThisBoot()) return false;
  if (!IsOf(*word, current_.generation) || Length(*word) != log_end_) return false;
  if (log.name != current_.log || log.size != log_end_) return false;
  const auto identity = files_->Identity(kCurrentName);
  return identity.ok() && *identity == identity_;
}

Result<View::End> View::Adopt(std::optional<OpenLog> log) {
  const std::lock_guard lock(mutex_);
  if (log && IsUpToDate(*log)) return End();
  LOCI_ASSIGN(const End end, Update(true));
  // The writer lock is held: nobody replaced CURRENT since it was read.
  const auto identity = files_->Identity(kCurrentName);
  identity_ = identity.ok() ? *identity : 0;
  return end;
}

void View::PublishFrame(const Batch& batch, uint64_t at, uint64_t frame_bytes) {
  const std::lock_guard lock(mutex_);
  Publish(current_.generation, at + frame_bytes);
  if (log_end_ != at) return;  // without a page a reader takes a frame as soon as it is whole
  log_end_ = at + frame_bytes;
  ++next_sequence_;
  tail_statements_ += batch.size();
  seen_ = LoadWord();
  if (PushTail(batch).ok()) {
    MakeSnapshot();
  } else {
    loaded_ = false;  // half of it may be there: the next Read starts anew
  }
}

View::Summary View::Summarize() {
  const std::lock_guard lock(mutex_);
  return {current_, base_, snapshot_, log_end_, tail_statements_};
}

Result<View::End> View::Update(bool adopt) {
  for (int i = 0; i < kAttempts; ++i) {
    const Word word = LoadWord();
    End end;
    if (!adopt && loaded_ && word && word == seen_) return end;
    LOCI_ASSIGN(const bool done, Load(word, adopt, &end));
    if (done) return end;
  }
  return Error{ErrorKind::kIo,
               fmt::format("{}: the memory's files keep changing under the reader; try again",
                           files_->root())};
}

Result<bool> View::Load(Word word, bool adopt, End* end) {
  // A writer does not trust the page: who replaced CURRENT may have died before it told.
  if (adopt || !loaded_ || !word || !IsOf(*word, current_.generation)) {
    LOCI_ASSIGN(const bool done, LoadCurrent());
    if (!done) return false;
  }
  LOCI_ASSIGN(const bool done, LoadFrames(word, end));
  if (!done) return false;
  seen_ = word;
  return true;
}

Result<bool> View::LoadCurrent() {
  LOCI_ASSIGN(Current next, ReadCurrent(files_.get()));
  if (loaded_ && next.generation == current_.generation) return true;
  std::vector<std::shared_ptr<const Image>> base;
  for (const std::string& name : next.layers()) {
    std::shared_ptr<const Image> layer;
    for (const auto& known : base_) {
      if (known->name() == files_->root() + "/" + name) layer = known;
    }
    if (!layer) {
      auto file = files_->Map(name);
      if (!file.ok()) {
        if (file.error().kind != ErrorKind::kNotFound) return file.error();
        LOCI_ASSIGN(const Current again, ReadCurrent(files_.get()));
        if (again.generation != next.generation) return false;
        return Error{ErrorKind::kDamaged,
                     fmt::format("{} is damaged: CURRENT names {}, which is missing; restore the "
                                 "memory from a copy",
                                 files_->root(), name)};
      }
      const std::shared_ptr<MappedFile> mapped = file.take();
      LOCI_ASSIGN(layer, Image::Open(mapped->bytes(), mapped, files_->root() + "/" + name));
    }
    base.push_back(std::move(layer));
  }
  if (!loaded_ || next.log != current_.log) {
    tail_.clear();
    log_end_ = 0;
    next_sequence_ = 1;
    tail_statements_ = 0;
  }
  base_ = std::move(base);
  current_ = std::move(next);
  identity_ = 0;
  snapshot_.reset();
  loaded_ = true;
  return true;
}

Result<bool> View::LoadFrames(Word word, End* end) {
  const bool this_boot = IsOfThisBoot();  // before the log is read, as the word was
  auto log = files_->Read(current_.log, log_end_);
  if (!log.ok()) {
    if (log.error().kind != ErrorKind::kNotFound) return log.error();
    LOCI_ASSIGN(const Current again, ReadCurrent(files_.get()));
    if (again.generation != current_.generation) return loaded_ = false;
    return Error{ErrorKind::kDamaged,
                 fmt::format("{} is damaged: its log {} is missing; restore the memory from a copy",
                             files_->root(), current_.log)};
  }
  const bool word_counts = word && IsOf(*word, current_.generation);
  const uint64_t published = word_counts ? Length(*word) : 0;
  std::string_view bytes = *log;
  const uint64_t number = LogNumber(current_.log);
  const bool fresh = log_end_ == 0;
  if (fresh) {
    LOCI_TRY(CheckLogHeader(bytes, number, LogPath()));
    bytes.remove_prefix(kLogHeaderBytes);
  }
  const uint64_t at = fresh ? kLogHeaderBytes : log_end_;
  const uint64_t file_end = log_end_ + log->size();
  if (word_counts && this_boot) {
    bytes = bytes.substr(0, published > at ? published - at : 0);
  }
  FrameReader frames(bytes, at, next_sequence_, number, LogPath());
  Batch batch;
  for (;;) {
    LOCI_ASSIGN(const bool more, frames.Next(&batch));
    if (!more) break;
  }
  // What was read may be of two moments.
  if (LoadWord() != word || IsOfThisBoot() != this_boot) return false;
  if (frames.at() < published || (!frames.at_end() && frames.WholeFrameFollows())) {
    return Error{ErrorKind::kDamaged,
                 fmt::format("{} is damaged: frame {} at byte {} does not hold, though it was "
                             "acknowledged; restore the memory from a copy",
                             LogPath(), frames.sequence(), frames.at())};
  }
  end->excess = frames.at() != file_end;
  end->unpublished = !word_counts || !this_boot || frames.at() != published;
  // A reader that finds nothing new leaves alone what a writer may be looking at.
  if (frames.at() != log_end_) {
    log_end_ = frames.at();
    next_sequence_ = frames.sequence();
    tail_statements_ += batch.size();
    if (!batch.empty()) LOCI_TRY(PushTail(batch));
  }
  if (!snapshot_) MakeSnapshot();
  return true;
}

void View::MakeSnapshot() {
  std::vector<std::shared_ptr<const Image>> layers = base_;
  layers.insert(layers.end(), tail_.begin(), tail_.end());
  snapshot_ = std::make_shared<const Snapshot>(std::move(layers));
}

Result<void> View::PushTail(const Batch& batch) {
  constexpr uint64_t kFactor = 4;
  // Layers that are too many for a tail are about to be merged into a run; where that fails again
  // and again, they are kept few all the same.
  constexpr size_t kMostLayers = 16;
  LOCI_ASSIGN(auto layer, BuildImage(batch, Words::kAlternate, current_.ImageSettings()));
  tail_.push_back(std::move(layer));
  while (tail_.size() >= 2) {
    const uint64_t newest = tail_.back()->facts(), before = tail_[tail_.size() - 2]->facts();
    if (before >= kFactor * std::max<uint64_t>(1, newest)) break;
    if (before + newest > kMaxTailStatements && tail_.size() < kMostLayers) break;
    StringSink sink;
    LOCI_TRY(MergeImages(
        {tail_.data() + tail_.size() - 2, 2},
        {.to_base = false, .settings = current_.ImageSettings(), .on_progress = {}}, &sink));
    tail_.pop_back();
    LOCI_ASSIGN(tail_.back(), OpenOwned(sink.take(), LogPath()));
  }
  if (tail_.back()->facts() == 0) tail_.pop_back();
  snapshot_.reset();
  return {};
}

}  // namespace loci
