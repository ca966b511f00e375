// SPDX-License-Identifier: Apache-2.0
//
// Export: a snapshot's statements written in one of the formats that are read, in their canonical
// order (subject, relation, object, source), so that equal memories give equal bytes.
//
// What a lossless format writes is learned back as the same statements, hence the same digest, for
// every kind of object and any name; the source of each statement is in its own record, whatever
// the file is called. docs/formats.md has the correspondence.
//
// Nothing but the subjects' ids and the facts of one subject is held.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "loci/result.h"
#include "memory/snapshot.h"

namespace loci {

// Where the bytes go, in blocks.
class ExportSink {
 public:
  virtual ~ExportSink() = default;
  virtual Result<void> Write(std::string_view bytes) = 0;
};

struct ExportFormat {
  std::string_view name;     // as given to --format, and to `learn --format`
  std::string_view summary;  // one line for help
  std::string_view extension;
  bool has_sources;  // false: lossy, a fact of several sources is written once and names none
};
const std::vector<ExportFormat>& ExportFormats();

// The format of that name; kUsage, listing them all, where there is none.
Result<const ExportFormat*> FindExportFormat(std::string_view name);

struct ExportOptions {
  std::string_view format = "tsv";
  // Called now and then with the statements done and their number; false cancels.
  std::function<bool(uint64_t done, uint64_t total)> on_progress;
};

// Returns the number of records written: of statements, or of facts where the format has no
// sources. Fails with the sink's error, or with kDamaged where bytes of the memory are: what the
// sink got until then is of no use.
Result<uint64_t> ExportStatements(const Snapshot& snapshot, const ExportOptions& options,
                                  ExportSink* sink);

}  // namespace loci
