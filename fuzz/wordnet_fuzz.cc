// SPDX-License-Identifier: Apache-2.0
//
// A WordNet directory of any content. The input is its files one after another, each headed by a
// line "=== NAME"; they are laid in a temporary folder, as the reader takes no other. Reading twice
// gives the same; a complaint names one of the files.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "formats/format.h"
#include "harness.h"

namespace loci {
namespace {

using fuzz::Require;

constexpr const char* kFiles[] = {
    "data.noun",   "data.verb",  "data.adj",  "data.adv",    "index.noun", "index.verb",
    "index.adj",   "index.adv",  "noun.exc",  "verb.exc",    "adj.exc",    "adv.exc",
    "cntlist.rev", "frames.vrb", "sents.vrb", "sentidx.vrb", "lexnames",   "index.sense"};

// A folder that goes when the process ends in peace.
class Folder {
 public:
  Folder() {
    std::string pattern = std::filesystem::temp_directory_path() / "loci-fuzz-XXXXXX";
    Require(::mkdtemp(pattern.data()) != nullptr, "a temporary folder can be made", pattern);
    path_ = pattern + "/wordnet";
    std::filesystem::create_directory(path_);
    for (const char* name : kFiles) Write(name, "");
  }
  ~Folder() { std::filesystem::remove_all(std::filesystem::path(path_).parent_path()); }

  const std::string& path() const { return path_; }
  // Only what changed is written.
  void Put(const std::map<std::string, std::string, std::less<>>& files) {
    for (const char* name : kFiles) {
      const auto at = files.find(name);
      const std::string bytes = at == files.end() ? "" : at->second;
      if (there_[name] != bytes) Write(name, bytes);
    }
  }

 private:
  void Write(const char* name, const std::string& bytes) {
    std::ofstream(path_ + "/" + name, std::ios::binary | std::ios::trunc) << bytes;
    there_[name] = bytes;
  }

  std::string path_;
  std::map<std::string, std::string, std::less<>> there_;
};

std::map<std::string, std::string, std::less<>> Split(std::string_view input) {
  constexpr std::string_view kMark = "=== ";
  std::map<std::string, std::string, std::less<>> files;
  std::string* file = nullptr;
  while (!input.empty()) {
    const size_t end = std::min(input.size(), input.find('\n') + 1);
    const std::string_view line = input.substr(0, end == 0 ? input.size() : end);
    input.remove_prefix(line.size());
    if (line.starts_with(kMark) && line.ends_with('\n')) {
      file = &files[std::string(line.substr(kMark.size(), line.size() - kMark.size() - 1))];
    } else if (file != nullptr) {
      file->append(line);
    }
  }
  return files;
}

class Collector : public StatementSink {
 public:
  Result<void> Add(const StatementView& s) override {
    for (const TermView term : {s.subject, s.relation, s.object, s.source}) {
      const std::string field = ToField(term);
      const auto again = ParseNotation(field, true, nullptr);
      Require(again.ok() && again->view() == term, "what is read is normal", field);
      lines += field + "\t";
    }
    lines += "\n";
    return {};
  }
  std::string lines;
};

std::string Read(const std::string& path, bool skip, bool* failed) {
  ReadOptions options;
  options.source = "wordnet";
  options.block_bytes = 1 << 12;
  options.on_bad = [&](const BadRecord& record) {
    fuzz::RequireClear({ErrorKind::kBadInput, record.ToString()}, {ErrorKind::kBadInput});
    Require(record.file.starts_with(path + "/"), "a complaint names its file", record.file);
    return skip;
  };
  Collector collector;
  const auto report = ReadStatements(path, options, &collector);
  *failed = !report.ok();
  if (report.ok()) return collector.lines;
  fuzz::RequireClear(report.error(), {ErrorKind::kBadInput, ErrorKind::kIo, ErrorKind::kUsage});
  return report.error().message;
}

void Check(std::string_view input) {
  static Folder folder;
  folder.Put(Split(input));
  bool strict_failed, failed;
  const std::string strict = Read(folder.path(), false, &strict_failed);
  const std::string skipping = Read(folder.path(), true, &failed);
  Require(Read(folder.path(), true, &failed) == skipping, "reading twice gives the same");
  if (!strict_failed) Require(strict == skipping, "nothing bad, nothing skipped");
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  loci::Check(loci::AsChars({data, size}));
  return 0;
}
