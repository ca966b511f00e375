// SPDX-License-Identifier: Apache-2.0
//
// One record of CSV by RFC 4180: fields between commas; a field in double quotes may hold commas,
// newlines and doubled quotes. Quotes within an unquoted field, and anything but a comma after a
// closing quote, are faults: guessing would change what was said.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

class CsvRecord {
 public:
  enum class State { kWhole, kOpen, kFault };

  // The record's text, without the line break that ends it. kOpen: a quoted field is not closed
  // yet; parse again with the next line appended. The text must live as long as fields() is used.
  State Parse(std::string_view text);

  const std::vector<std::string_view>& fields() const { return fields_; }
  // Offset in the text of a byte of a field (of its first byte by default).
  size_t Place(std::string_view text, size_t field, size_t offset = 0) const;
  // Offset in the text of the fault; of a kOpen, of the quote that is not closed.
  size_t fault() const { return fault_; }

 private:
  bool Quoted(std::string_view text, size_t* at, State* state);

  std::vector<std::string_view> fields_;
  std::vector<size_t> starts_;
  std::vector<std::string> unquoted_;  // reused; fields with doubled quotes point into it
  size_t used_ = 0;
  size_t fault_ = 0;
};

}  // namespace loci
