// SPDX-License-Identifier: Apache-2.0
#include "mcp/first_start.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>

#include <fmt/format.h>

#include "base/directory.h"
#include "formats/batch_sink.h"
#include "render/plural.h"
#include "store/store.h"

namespace loci::mcp {
namespace {

constexpr size_t kBadLinesTold = 5;

bool EndsWith(const std::string& name, std::string_view end) {
  return name.size() > end.size() && std::string_view(name).substr(name.size() - end.size()) == end;
}

bool IsFile(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

bool IsDirectory(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// memory.jsonl -> memory.loci
std::string Beside(const std::string& file) {
  for (const std::string_view end : {".jsonl", ".json"}) {
    if (EndsWith(file, end)) return file.substr(0, file.size() - end.size()) + ".loci";
  }
  return file + ".loci";
}

Result<void> Import(const std::string& file, const std::string& memory,
                    std::vector<std::string>* notes) {
  ReadOptions options;
  options.format = "mcp";
  std::vector<std::string> bad;
  uint64_t skipped = 0;
  options.on_bad = [&](const BadRecord& record) {
    if (++skipped <= kBadLinesTold) bad.push_back(record.ToString());
    return true;
  };
  BatchSink sink;
  LOCI_TRY(ReadStatements(file, options, &sink));
  StoreOptions create;
  create.create = true;
  LOCI_ASSIGN(const auto store, Store::Open(memory, create));
  LOCI_ASSIGN(const Receipt receipt, store->Apply(sink.Finish()));
  notes->push_back(fmt::format("imported {} from {}", Plural(receipt.learned, "statement"), file));
  if (skipped > 0) {
    notes->push_back(fmt::format("{} of it could not be read:", Plural(skipped, "line")));
    notes->insert(notes->end(), bad.begin(), bad.end());
  }
  return {};
}

}  // namespace

Result<FirstStart> PrepareMemory(const std::string& name) {
  FirstStart start;
  start.memory = name;
  const bool is_file = IsFile(name);
  if (!is_file && (IsDirectory(name) || (!EndsWith(name, ".jsonl") && !EndsWith(name, ".json")))) {
    return start;
  }
  start.memory = Beside(name);
  if (!is_file || PathExists(start.memory)) return start;
  const std::string part = fmt::format("{}.part-{}", start.memory, ::getpid());
  auto done = Import(name, part, &start.notes);
  if (done.ok()) done = PutInPlace(part, start.memory);
  if (done.ok()) return start;
  start.notes.clear();
  // What is half made is of no use to anybody; where this fails too, the first fault is the one to
  // tell.
  const auto removed = RemoveFlatDirectory(part);
  if (removed.ok() && PathExists(start.memory)) return start;  // another server was quicker
  return done.error();
}

}  // namespace loci::mcp
