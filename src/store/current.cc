// SPDX-License-Identifier: Apache-2.0
#include "store/current.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/hash.h"
#include "base/unicode.h"

namespace loci {
namespace {

constexpr char kTemporaryName[] = "CURRENT.tmp";

bool ParseNumber(std::string_view text, uint64_t* out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

// A file of ours: "image-12" and the like, never a path.
bool IsFileName(std::string_view name, std::string_view kind) {
  uint64_t number;
  return name.starts_with(kind) && ParseNumber(name.substr(kind.size()), &number);
}

// 12 of "image-12".
uint64_t NumberOf(std::string_view name) {
  uint64_t number = 0;
  ParseNumber(name.substr(name.find('-') + 1), &number);
  return number;
}

// Whether the next generations have names that are free.
bool LeavesNamesFree(const Current& current) {
  if (current.generation > kMaxGeneration) return false;
  uint64_t last = 0;
  for (const std::string& run : current.runs) {
    if (NumberOf(run) <= last) return false;
    last = NumberOf(run);
  }
  return std::max({last, NumberOf(current.image), NumberOf(current.log)}) <= current.generation;
}

// One line but the last, by its first word.
bool ParseLine(std::string_view key, std::string_view value, Current* current) {
  if (key == "generation") return ParseNumber(value, &current->generation);
  if (key == "folding") return ParseNumber(value, &current->folding);
  if (key == "image") return current->image = value, IsFileName(value, "image-");
  if (key == "log") return current->log = value, IsFileName(value, "log-");
  if (key == "run") return current->runs.emplace_back(value), IsFileName(value, "run-");
  if (key == "setting") {
    const size_t space = value.find(' ');
    if (space == std::string_view::npos) return false;
    current->settings[std::string(value.substr(0, space))] = value.substr(space + 1);
    return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> Current::layers() const {
  std::vector<std::string> names;
  if (!image.empty()) names.push_back(image);
  names.insert(names.end(), runs.begin(), runs.end());
  return names;
}

std::string Current::ImageSettings() const {
  std::string text;
  for (const auto& [key, value] : settings) {
    // What holds by default leaves no trace, also where it is set by name.
    const SettingInfo* const info = FindSetting(key);
    if (info != nullptr && !info->fallback.empty() && info->fallback == value) continue;
    if (ShapesImages(key)) text += fmt::format("{} {}\n", key, value);
  }
  return text;
}

bool Current::Names(std::string_view file) const {
  return file == image || file == log || std::find(runs.begin(), runs.end(), file) != runs.end();
}

std::string FormatCurrent(const Current& current) {
  std::string text = fmt::format("loci {}\ngeneration {}\n", kDirectoryVersion, current.generation);
  if (!current.image.empty()) text += fmt::format("image {}\n", current.image);
  for (const std::string& run : current.runs) text += fmt::format("run {}\n", run);
  if (current.folding != 0) text += fmt::format("folding {}\n", current.folding);
  text += fmt::format("log {}\n", current.log);
  for (const auto& [key, value] : current.settings) {
    text += fmt::format("setting {} {}\n", key, value);
  }
  return text + fmt::format("check {:016x}\n", Xxh3(text));
}

Result<Current> ParseCurrent(std::string_view text, const std::string& path) {
  const auto damaged = [&path](std::string_view what) {
    return Error{ErrorKind::kDamaged,
                 fmt::format("{} is damaged: {}; restore the memory from a copy", path, what)};
  };
  if (!text.starts_with("loci ")) return damaged("it does not begin with \"loci\"");
  const size_t first_end = text.find('\n');
  uint64_t version = 0;
  if (first_end == std::string_view::npos ||
      !ParseNumber(text.substr(5, first_end - 5), &version)) {
    return damaged("it has no format version");
  }
  if (version != kDirectoryVersion) {
    return Error{ErrorKind::kUnsupported,
                 fmt::format("{} has format version {}, this program reads version {}; use the "
                             "program that wrote the memory",
                             path, version, kDirectoryVersion)};
  }
  constexpr size_t kCheckLine = 6 + 16 + 1;
  const size_t body = text.size() < kCheckLine ? 0 : text.size() - kCheckLine;
  if (text.substr(body) != fmt::format("check {:016x}\n", Xxh3(text.substr(0, body)))) {
    return damaged("its checksum does not hold");
  }
  Current current;
  for (size_t at = first_end + 1; at < body;) {
    const size_t end = text.find('\n', at);
    const std::string_view line = text.substr(at, end - at);
    const size_t space = line.find(' ');
    if (space == std::string_view::npos ||
        !ParseLine(line.substr(0, space), line.substr(space + 1), &current)) {
      return damaged(fmt::format("line \"{}\" is not understood", Excerpt(line)));
    }
    at = end + 1;
  }
  if (current.generation == 0 || current.log.empty() || current.folding > current.runs.size()) {
    return damaged("a line is missing");
  }
  if (FormatCurrent(current) != text) return damaged("its lines are doubled or out of order");
  if (!LeavesNamesFree(current)) return damaged("its files are not of generations up to its own");
  return current;
}

Result<Current> ReadCurrent(FileSystem* files) {
  LOCI_ASSIGN(const std::string text, files->Read(kCurrentName));
  return ParseCurrent(text, files->root() + "/" + kCurrentName);
}

Result<void> ReplaceCurrent(const Current& current, FileSystem* files, bool* unknown) {
  *unknown = false;
  if (current.generation > kMaxGeneration) {
    return Error{
        ErrorKind::kLimit,
        fmt::format("{} has reached generation {}, the last one; export what it knows into "
                    "a new memory",
                    files->root(), kMaxGeneration)};
  }
  {
    LOCI_ASSIGN(auto file, files->OpenForWriting(kTemporaryName, true));
    LOCI_TRY(file->Truncate(0));
    LOCI_TRY(file->WriteAt(0, FormatCurrent(current)));
    Result<void> synced = file->Sync();
    if (synced.ok()) synced = files->SyncDirectory();
    *unknown = !synced.ok();
    if (!synced.ok()) return synced;
  }
  LOCI_TRY(files->Rename(kTemporaryName, kCurrentName));
  const Result<void> synced = files->SyncDirectory();
  *unknown = !synced.ok();
  return synced;
}

}  // namespace loci
