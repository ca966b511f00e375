// SPDX-License-Identifier: Apache-2.0
//
// loci export: all statements of a memory on standard output, in a format that learn reads.
#include <ostream>

#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "formats/export.h"

namespace loci {
namespace {

class StreamSink : public ExportSink {
 public:
  explicit StreamSink(std::ostream* out) : out_(out) {}
  Result<void> Write(std::string_view bytes) override {
    out_->write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (out_->good()) return {};
    return Error{ErrorKind::kIo, "cannot write the export to standard output"};
  }

 private:
  std::ostream* out_;
};

}  // namespace

Result<ExitCode> RunExport(const Invocation& invocation, Io* io) {
  StoreOptions open;
  open.read_only = true;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], open));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  const std::string format = invocation.Has("format") ? invocation.Text("format") : "tsv";
  Progress progress(io);
  ExportOptions options;
  options.format = format;
  options.on_progress = [&](uint64_t done, uint64_t total) {
    return progress.Update("exporting", done, total);
  };
  StreamSink sink(io->out);
  LOCI_ASSIGN(const uint64_t written, ExportStatements(*snapshot, options, &sink));
  io->out->flush();
  return written > 0 ? ExitCode::kFound : ExitCode::kNothing;
}

}  // namespace loci
