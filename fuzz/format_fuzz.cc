// SPDX-License-Identifier: Apache-2.0
//
// Every reader of one file, on any bytes. The input's first line names the format, or is a map of
// CSV ("map MAP"); where it is neither, the whole input is read as what it is detected to be.
// Blocks of any size give the same statements and the same complaints; a complaint is at a place
// that exists; what is read is normal, so that it is written as TSV and read back.
#include <stdlib.h>

#include <algorithm>
#include <vector>

#include "formats/format.h"
#include "harness.h"

namespace loci {
namespace {

using fuzz::Require;

struct Outcome {
  std::vector<std::string> statements;  // as lines of TSV
  std::vector<std::string> bad;
  std::string error, format;
  uint64_t skipped = 0;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

class Collector : public StatementSink {
 public:
  explicit Collector(Outcome* outcome) : outcome_(*outcome) {}
  Result<void> Add(const StatementView& s) override {
    outcome_.statements.push_back(ToField(s.subject) + "\t" + ToField(s.relation) + "\t" +
                                  ToField(s.object) + "\t" + ToField(s.source));
    return {};
  }

 private:
  Outcome& outcome_;
};

bool IsCompressed(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b") || bytes.starts_with("\x28\xb5\x2f\xfd");
}

// Where a record is bad: at a line and a column of the input, where that is what was given.
void RequirePlace(const BadRecord& record, std::string_view bytes) {
  fuzz::RequireClear({ErrorKind::kBadInput, record.ToString()}, {ErrorKind::kBadInput});
  if (IsCompressed(bytes)) return;
  uint64_t line = 1;
  for (; line < record.line; ++line) {
    const size_t newline = bytes.find('\n');
    Require(newline != std::string_view::npos, "a bad line exists", record.ToString());
    bytes.remove_prefix(newline + 1);
  }
  Require(record.column <= CountCodePoints(bytes.substr(0, bytes.find('\n'))) + 1,
          "a bad column exists", record.ToString());
}

struct How {
  std::string format, map;
};

Outcome Read(std::string_view bytes, const How& how, size_t block, bool skip) {
  Outcome outcome;
  ReadOptions options;
  options.format = how.format;
  options.map = how.map;
  options.block_bytes = block;
  options.on_bad = [&](const BadRecord& record) {
    RequirePlace(record, bytes);
    outcome.bad.push_back(record.ToString());
    return skip;
  };
  Collector collector(&outcome);
  const auto report = ReadStatementsFromBytes(bytes, "input", options, &collector);
  if (report.ok()) {
    Require(report->statements == outcome.statements.size(), "statements are counted");
    outcome.skipped = report->skipped;
    outcome.format = report->format;
  } else {
    fuzz::RequireClear(report.error(), {ErrorKind::kBadInput, ErrorKind::kUsage, ErrorKind::kLimit,
                                        ErrorKind::kUnsupported});
    outcome.error = report.error().message;
  }
  return outcome;
}

void Check(std::string_view bytes, const How& how) {
  const Outcome strict = Read(bytes, how, 1 << 12, false);
  const Outcome pieces = Read(bytes, how, 7, false);
  // Of damaged gzip a block is read before its lines are: whichever is wrong first is told.
  if (IsCompressed(bytes) && !strict.error.empty() && !pieces.error.empty()) return;
  Require(strict == pieces, "blocks of any size read the same",
          strict.error + " / " + pieces.error);
  const Outcome skipping = Read(bytes, how, 1 << 12, true);
  Require(skipping.skipped == (skipping.error.empty() ? skipping.bad.size() : 0),
          "what is skipped is counted");
  if (strict.error.empty()) Require(skipping == strict, "nothing bad, nothing skipped");
  Require(skipping.statements.size() >= strict.statements.size() &&
              std::equal(strict.statements.begin(), strict.statements.end(),
                         skipping.statements.begin()),
          "to skip what is bad loses nothing", strict.error);
  std::string written;
  for (const std::string& statement : skipping.statements) written += statement + "\n";
  const Outcome again = Read(written, {"tsv", ""}, 1 << 12, false);
  Require(again.error.empty() && again.statements == skipping.statements,
          "what is read can be written as TSV", again.error);
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // Turtle is read through another program, which is not what is tested here.
  static const int no_programs = setenv("PATH", "/nowhere", 1);
  loci::fuzz::Require(no_programs == 0, "no program can be found");
  const std::string_view input = loci::AsChars({data, size});
  const std::string_view name = input.substr(0, std::min(input.find('\n'), input.size()));
  const std::string_view rest = input.substr(std::min(size, name.size() + 1));
  if (name.starts_with("map ")) {
    loci::Check(rest, {"", std::string(name.substr(4))});
    return 0;
  }
  for (const loci::FormatInfo& format : loci::Formats()) {
    if (format.name != name || name == "wordnet") continue;
    loci::Check(rest, {std::string(name), ""});
    return 0;
  }
  loci::Check(input, {});
  return 0;
}
