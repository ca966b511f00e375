// SPDX-License-Identifier: Apache-2.0
#include "formats/export.h"

#include <fmt/format.h>

#include <new>
#include <string>

#include "base/unicode.h"
#include "formats/records.h"
#include "memory/statement_walk.h"

namespace loci {
namespace {

constexpr size_t kBlockBytes = 256 << 10;

struct Writer {
  ExportFormat format;
  void (*append)(const StatementView&, std::string*);
};

const std::vector<Writer>& Writers() {
  static const std::vector<Writer> writers = {
      {{"tsv", "subject TAB relation TAB object TAB source", ".tsv", true}, AppendTsv},
      {{"jsonl", "one {\"subject\":..,\"relation\":..,\"object\":..,\"source\":..} a line",
        ".jsonl", true},
       AppendJsonl},
      {{"nquads", "N-Quads (RDF), the source being the quad's graph", ".nq", true}, AppendNquad},
      {{"ntriples", "N-Triples (RDF); loses the sources", ".nt", false}, AppendNtriple},
  };
  return writers;
}

// Gathers records into blocks.
class Output {
 public:
  explicit Output(ExportSink* sink) : sink_(sink) { block_.reserve(2 * kBlockBytes); }

  std::string* block() { return &block_; }
  bool full() const { return block_.size() >= kBlockBytes; }
  Result<void> Flush() {
    if (block_.empty()) return {};
    LOCI_TRY(sink_->Write(block_));
    block_.clear();
    return {};
  }

 private:
  ExportSink* sink_;
  std::string block_;
};

class Exporter {
 public:
  Exporter(const Snapshot& snapshot, const ExportOptions& options, const Writer& writer,
           ExportSink* sink)
      : snapshot_(snapshot), options_(options), writer_(writer), output_(sink) {}

  Result<uint64_t> Run() {
    StatementWalk walk(snapshot_);
    while (walk.Next()) LOCI_TRY(Add(walk.fact(), walk.sources()));
    LOCI_TRY(Flush());
    return records_;
  }

 private:
  Result<void> Add(const Fact& fact, const std::vector<TermId>& sources) {
    StatementView statement{snapshot_.Name(fact.subject),
                            snapshot_.Name(fact.relation),
                            snapshot_.Name(fact.object),
                            {}};
    done_ += sources.size();
    for (const TermId source : sources) {
      statement.source = snapshot_.Name(source);
      writer_.append(statement, output_.block());
      ++records_;
      if (output_.full()) LOCI_TRY(Flush());
      if (!writer_.format.has_sources) break;
    }
    return {};
  }

  // What was read to write a block is known to be sound before it leaves.
  Result<void> Flush() {
    LOCI_TRY(snapshot_.damage());
    LOCI_TRY(output_.Flush());
    if (!options_.on_progress || options_.on_progress(done_, snapshot_.statements())) return {};
    return Error{ErrorKind::kCancelled, "cancelled while exporting"};
  }

  const Snapshot& snapshot_;
  const ExportOptions& options_;
  const Writer& writer_;
  Output output_;
  uint64_t done_ = 0, records_ = 0;
};

Result<const Writer*> FindWriter(std::string_view name) {
  std::string names;
  for (const Writer& writer : Writers()) {
    if (writer.format.name == name) return &writer;
    names.append(names.empty() ? "" : ", ").append(writer.format.name);
  }
  return Error{ErrorKind::kUsage,
               fmt::format("\"{}\" is no format to export to; these are {}", Excerpt(name), names)};
}

}  // namespace

const std::vector<ExportFormat>& ExportFormats() {
  static const std::vector<ExportFormat> formats = [] {
    std::vector<ExportFormat> all;
    for (const Writer& writer : Writers()) all.push_back(writer.format);
    return all;
  }();
  return formats;
}

Result<const ExportFormat*> FindExportFormat(std::string_view name) {
  LOCI_ASSIGN(const Writer* writer, FindWriter(name));
  return &writer->format;
}

Result<uint64_t> ExportStatements(const Snapshot& snapshot, const ExportOptions& options,
                                  ExportSink* sink) try {
  LOCI_ASSIGN(const Writer* writer, FindWriter(options.format));
  return Exporter(snapshot, options, *writer, sink).Run();
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::kNoMemory, "no memory to export one subject's facts"};
}

}  // namespace loci
