// SPDX-License-Identifier: Apache-2.0
#include "store/copy.h"

#include <fmt/format.h>

#include "base/directory.h"
#include "base/unicode.h"
#include "memory/merge.h"
#include "store/current.h"
#include "store/log.h"

namespace loci {
namespace {

// Writes the image, verifies what it came from, and keeps the file only where it knows something.
Result<bool> WriteImageFile(const Snapshot& snapshot, const std::string& name,
                            const std::string& settings, FileSystem* files,
                            const ProgressFn& progress) {
  for (const auto& layer : snapshot.layers()) LOCI_TRY(layer->VerifyChecksums());
  {
    LOCI_ASSIGN(const auto file, files->OpenForWriting(name, true));
    FileSink sink(file.get());
    MergeOptions options{.to_base = true, .settings = settings, .on_progress = {}};
    if (progress) {
      options.on_progress = [&progress](uint64_t done, uint64_t total) {
        return progress("copying", done, total);
      };
    }
    LOCI_TRY(MergeImages(snapshot.layers(), options, &sink));
    LOCI_TRY(sink.Flush());
    LOCI_TRY(file->Sync());
  }
  LOCI_ASSIGN(const std::shared_ptr<MappedFile> mapped, files->Map(name));
  LOCI_ASSIGN(const auto image, Image::Open(mapped->bytes(), mapped, name));
  if (image->digest() != snapshot.digest()) {
    return Error{ErrorKind::kDamaged, "the copy does not know what its original does; check it"};
  }
  if (image->facts() > 0) return true;
  LOCI_TRY(files->Remove(name));
  return false;
}

Result<void> FillDirectory(const Snapshot& snapshot, const Settings& settings, FileSystem* files,
                           const ProgressFn& progress) {
  Current current;
  current.generation = 1;
  current.log = "log-1";
  current.settings = settings;
  {
    LOCI_ASSIGN(const auto log, files->OpenForWriting(current.log, true));
    LOCI_TRY(log->WriteAt(0, LogHeader(1)));
    LOCI_TRY(log->Sync());
  }
  if (!snapshot.layers().empty()) {
    LOCI_ASSIGN(const bool kept,
                WriteImageFile(snapshot, "image-1", current.ImageSettings(), files, progress));
    if (kept) current.image = "image-1";
  }
  bool unknown;
  return ReplaceCurrent(current, files, &unknown);
}

}  // namespace

Result<void> CopySnapshot(const Snapshot& snapshot, const Settings& settings,
                          const std::string& path, const ProgressFn& progress) {
  const std::string target = WithoutTrailingSlashes(path);
  if (PathExists(target)) {
    return Error{ErrorKind::kUsage, fmt::format("'{}' exists; choose a new name", target)};
  }
  const std::string part = target + ".part";
  if (Result<void> made = MakeNewDirectory(part); !made.ok()) {
    if (!PathExists(part)) return made;
    return Error{ErrorKind::kUsage,
                 fmt::format("'{}' is in the way: another copy is under way, or one was killed; if "
                             "it is the latter, remove it",
                             part)};
  }
  const auto fill = [&]() -> Result<void> {
    LOCI_ASSIGN(const auto files, OpenDirectory(part, false));
    return FillDirectory(snapshot, settings, files.get(), progress);
  };
  Result<void> result = fill();
  if (result.ok()) result = PutInPlace(part, target);
  if (!result.ok() && PathExists(part)) (void)RemoveFlatDirectory(part);
  return result;
}

}  // namespace loci
