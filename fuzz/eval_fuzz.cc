// SPDX-License-Identifier: Apache-2.0
//
// Files of retrieval tasks: any bytes are queries, judgements or a run, or are refused with the
// place of what is wrong; what was read as judgements or a run and can stand in TREC's files comes
// back from them, in the same order; and every measure of a run is from 0 to 1.
#include <sys/mman.h>
#include <unistd.h>

#include "eval/beir.h"
#include "eval/metrics.h"
#include "eval/trec.h"
#include "harness.h"

namespace loci::eval {
namespace {

using fuzz::Require;

// The bytes as a file that has a path and is on no disk.
class FileOf {
 public:
  explicit FileOf(std::string_view bytes) : fd_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    Require(fd_ >= 0, "there is room for a file in memory");
    Require(::write(fd_, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
            "the file takes all");
  }
  ~FileOf() { ::close(fd_); }
  FileOf(const FileOf&) = delete;
  FileOf& operator=(const FileOf&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

template <class T>
void RequirePlace(const Result<T>& read, const std::string& path) {
  if (read.ok()) return;
  fuzz::RequireClear(read.error(), {ErrorKind::kBadInput, ErrorKind::kLimit, ErrorKind::kNoMemory});
  Require(read.error().message.starts_with(path + ":"), "an error names the file",
          read.error().message);
}

void CheckJudgements(const Judgements& judgements) {
  std::string text;
  for (const auto& [query, grades] : judgements) {
    if (!CheckTrecId(query).ok()) return;
    for (const auto& [document, grade] : grades) {
      if (!CheckTrecId(document).ok()) return;
    }
    AppendQrels(query, grades, &text);
  }
  const FileOf file(text);
  const auto back = ReadJudgements(file.path());
  Require(back.ok() && *back == judgements, "judgements come back", text);
}

void CheckRun(const Run& run) {
  std::string text;
  for (const auto& [query, hits] : run) AppendRun(query, hits, "loci", &text);
  const FileOf file(text);
  const auto back = ReadRun(file.path());
  Require(back.ok() && back->size() == run.size(), "a run comes back", text);
  for (const auto& [query, hits] : run) {
    const auto& again = back->at(query);
    Require(again.size() == hits.size(), "all hits come back", text);
    for (size_t i = 0; i < hits.size(); ++i) {
      Require(again[i].document == hits[i].document, "hits keep their order", text);
    }
    Grades grades;
    for (size_t i = 0; i < hits.size(); ++i) grades[hits[i].document] = static_cast<int>(i % 4) - 1;
    grades["another"] = 1;
    for (const double figure : Measure(hits, grades)) {
      Require(figure >= 0 && figure <= 1 + 1e-12, "a measure is from 0 to 1", text);
    }
  }
}

void Check(std::string_view bytes) {
  const FileOf file(bytes);
  RequirePlace(ReadQueries(file.path()), file.path());
  const auto judgements = ReadJudgements(file.path());
  RequirePlace(judgements, file.path());
  if (judgements.ok()) CheckJudgements(*judgements);
  const auto run = ReadRun(file.path());
  RequirePlace(run, file.path());
  if (run.ok()) CheckRun(*run);
}

}  // namespace
}  // namespace loci::eval

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  loci::eval::Check(loci::AsChars({data, size}));
  return 0;
}
