// SPDX-License-Identifier: Apache-2.0
//
// Reading: what a reader knows of the input that it reads, where its statements go, and what
// becomes of a record that is bad. One per input; not thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "formats/format.h"
#include "formats/line_reader.h"

namespace loci {

// What is wrong with a line, and where.
struct LineFault {
  std::optional<size_t> offset;  // in bytes; absent: the line as a whole
  std::string reason;
};

class Reading {
 public:
  // file: as errors name the input. base: the input's base name, the default source.
  Reading(std::string file, std::string base, Term source, const ReadOptions& options,
          StatementSink* sink)
      : file_(std::move(file)),
        base_(std::move(base)),
        source_(std::move(source)),
        options_(options),
        sink_(sink) {}

  const std::string& file() const { return file_; }
  const std::string& base() const { return base_; }
  TermView source() const { return source_; }
  const ReadOptions& options() const { return options_; }
  ReadReport* report() { return &report_; }

  // Errors are about this file from now on: WordNet has many.
  void SetFile(std::string file) { file_ = std::move(file); }

  // What is read is not the file but what was made of it: lines and columns are not the file's.
  void SetConverted(bool converted) { converted_ = converted; }

  Result<void> Add(TermView subject, TermView relation, TermView object) {
    return Add(subject, relation, object, source_);
  }
  Result<void> Add(TermView subject, TermView relation, TermView object, TermView source) {
    ++report_.statements;
    return sink_->Add({subject, relation, object, source});
  }

  // A bad record: success where the caller of the reader says to skip it, else its error.
  Result<void> Bad(uint64_t line, uint64_t column, std::string reason);

  // The same where the fault is at an offset in bytes of the line.
  Result<void> BadAt(uint64_t line, std::string_view text, size_t offset, std::string reason);
  Result<void> BadAt(uint64_t line, std::string_view text, const LineFault& fault) {
    if (!fault.offset) return Bad(line, 0, fault.reason);
    return BadAt(line, text, *fault.offset, fault.reason);
  }

 private:
  std::string file_, base_;
  Term source_;
  const ReadOptions& options_;
  StatementSink* sink_;
  ReadReport report_;
  bool converted_ = false;
};

// Turns the field of a TSV or CSV record into a term, keeping nothing: the view is into the field
// or into this, until the next call.
class FieldTerm {
 public:
  // On failure false, with why() and the offset() of the fault within the field.
  bool Parse(std::string_view field, TermView* term);
  const std::string& why() const { return why_; }
  size_t offset() const { return offset_; }

 private:
  bool ParseSlowly(std::string_view field, TermView* term);

  Term term_;
  std::string why_;
  size_t offset_ = 0;
};

// The four fields of a record into a statement of the sink, or a bad record. Where a field starts
// in the text around it is asked only when there is a fault.
class StatementFields {
 public:
  explicit StatementFields(Reading* reading) : reading_(reading) {}

  struct Fault {
    int field = 0;
    size_t offset = 0;
    std::string reason;
  };

  // 3 or 4 fields. False: *fault says what is wrong, and nothing was added. True: *added is what
  // the sink said.
  bool Add(const std::string_view* fields, int count, Fault* fault, Result<void>* added);

 private:
  Reading* reading_;
  FieldTerm terms_[4];
};

}  // namespace loci
