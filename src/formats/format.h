// SPDX-License-Identifier: Apache-2.0
//
// Formats: what a memory can read. Each is a function from a stream of bytes to statements; one
// table (formats.cc) names them all, and detection by content (detect.h) picks one where the caller
// did not.
//
// An input is read in blocks and never held whole, unless one record of it is that large (WordNet,
// whose files refer to each other, is held as tables). Statements come in the order of the input;
// what was handed to the sink before an error is the sink's to drop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "image/term.h"
#include "loci/result.h"

namespace loci {

// Where statements go. Views are valid during the call only.
class StatementSink {
 public:
  virtual ~StatementSink() = default;
  virtual Result<void> Add(const StatementView& statement) = 0;
};

// One bad record of an input: reported, and either fatal or skipped (--skip-bad).
struct BadRecord {
  std::string file;              // as the user named it; "stdin"
  uint64_t line = 0;             // from 1; 0 where the input as a whole is meant
  uint64_t column = 0;           // from 1, in characters; 0 where the whole line is meant
  std::string reason;            // names the offending text and the form expected
  std::string ToString() const;  // file:line:column: reason
};

struct ReadOptions {
  std::string format;  // empty: detect by content
  // Empty: the input's base name (facts.tsv; for facts.tsv.gz as well, since compression is not
  // what was said), or stdin.
  std::string source;
  // CSV alone: which columns make which statements (formats/csv_map.h), as given to --map; it
  // implies the format. Empty: subject,relation,object[,source].
  std::string map;
  // Called for each bad record; true to skip it and go on. Absent: the first one is the error.
  std::function<bool(const BadRecord&)> on_bad;
  // Called at each block with the bytes read of the (compressed) input and its size, 0 if unknown
  // (of WordNet: of the file under way); false to cancel.
  std::function<bool(uint64_t done, uint64_t total)> on_progress;
  size_t block_bytes = 1 << 20;  // read at once; tests make it small
};

struct ReadReport {
  std::string format;       // as detected or given
  uint64_t statements = 0;  // handed to the sink
  uint64_t skipped = 0;     // bad records
};

// Reads one input to its end. path: a file; "-": standard input; for WordNet, a directory. Plain,
// .gz and .zst are told apart by their first bytes.
Result<ReadReport> ReadStatements(const std::string& path, const ReadOptions& options,
                                  StatementSink* sink);

// The same from bytes in memory, as if they were a file of that name.
Result<ReadReport> ReadStatementsFromBytes(std::string_view bytes, const std::string& name,
                                           const ReadOptions& options, StatementSink* sink);

struct FormatInfo {
  std::string_view name;     // as given to --format
  std::string_view summary;  // one line for help
};
const std::vector<FormatInfo>& Formats();

}  // namespace loci
