// SPDX-License-Identifier: Apache-2.0
//
// Passages: the pieces of a document, as statements. The document is the symbol of the input's base
// name (of the source where the input is standard input, which has no name of its own: several
// documents under one source must not share passages); a passage is NAME#000001 and so on, in
// order. A long one is several (split.h), unless it is to stay whole.
//
//   text(doc.txt#000001, "...")   part_of(doc.txt#000001, <doc.txt>)   title(doc.txt#000001, "...")
//   page(doc.pdf#000001, 1)
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "formats/reading.h"

namespace loci {

class Passages {
 public:
  explicit Passages(Reading* reading) : reading_(reading) {}

  // A line of the passage under way, which its first line begins. Its number is for errors.
  void AddLine(std::string_view line, uint64_t number);
  // The passage under way is one, however long.
  void KeepWhole() { whole_ = true; }
  // Of the passages that are closed from now on; 0: no pages.
  void SetPage(uint64_t page) { page_ = page; }
  bool open() const { return open_; }
  const std::string& text() const { return text_; }
  uint64_t first_line() const { return first_line_; }

  // Whether it is one, without NUL and valid UTF-8; if not, that has been told of its place, which
  // begins with that line.
  Result<bool> IsText(std::string_view text, uint64_t first_line);

  // Ends the passage under way, if any, and hands it on. One that is not text is told of and keeps
  // its number. title may be empty.
  Result<void> Close(std::string_view title);
  // Forgets the passage under way.
  void Drop();

 private:
  Result<void> Emit(std::string_view text, std::string_view title);

  Reading* reading_;
  bool open_ = false;
  bool whole_ = false;
  std::string text_;
  uint64_t first_line_ = 0;
  uint64_t count_ = 0;
  uint64_t page_ = 0;
};

}  // namespace loci
