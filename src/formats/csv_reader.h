// SPDX-License-Identifier: Apache-2.0
//
// The records of a CSV input, one after another, blank lines left out; what is no record goes to
// Reading::Bad. A record may span lines, and its faults have the line and column where they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/csv_record.h"
#include "formats/line_reader.h"
#include "formats/reading.h"

namespace loci {

class CsvReader {
 public:
  // most_fields: how many a record may have, for a quote that is never closed must not be looked
  // for to the end of the input again and again. A record with more may still be given.
  CsvReader(LineReader* lines, Reading* reading, size_t most_fields)
      : lines_(*lines), reading_(reading), most_fields_(most_fields) {}

  void SetMostFields(size_t most) { most_fields_ = most; }

  // The next record; false at the end and after an error: ask status().
  bool Next();
  const Result<void>& status() const { return status_; }

  // Of the record last given, valid until the next call.
  const std::vector<std::string_view>& fields() const { return record_.fields(); }
  std::string_view text() const { return text_; }

  // A fault at an offset of the record's text, or within one of its fields.
  Result<void> BadAt(size_t offset, std::string reason);
  Result<void> BadField(size_t field, size_t offset, std::string reason) {
    return BadAt(record_.Place(text_, field, offset), std::move(reason));
  }

 private:
  Result<void> Fault(CsvRecord::State state);

  LineReader& lines_;
  Reading* reading_;
  size_t most_fields_;
  CsvRecord record_;
  std::string joined_;  // the lines of a record of several
  std::string_view text_;
  uint64_t first_line_ = 0;
  Result<void> status_;
};

}  // namespace loci
