// SPDX-License-Identifier: Apache-2.0
#include "formats/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"

namespace loci {
namespace {

// Whether a line that begins within quotes has the quote that closes them. A record is parsed again
// only at such a line, at most once a field, so that a stray quote costs no quadratic time.
bool ClosesQuote(std::string_view line) {
  for (size_t quote = line.find('"'); quote != std::string_view::npos;
       quote = line.find('"', quote + 2)) {
    if (quote + 1 >= line.size() || line[quote + 1] != '"') return true;
  }
  return false;
}

}  // namespace

bool CsvReader::Next() {
  for (std::string_view line; status_.ok() && lines_.Next(&line);) {
    first_line_ = lines_.number();
    text_ = WithoutCr(line);
    if (text_.find_first_not_of(' ') == std::string_view::npos) continue;
    CsvRecord::State state = record_.Parse(text_);
    if (state == CsvRecord::State::kOpen) {
      joined_ = line;
      while (state == CsvRecord::State::kOpen && record_.fields().size() < most_fields_ &&
             lines_.Next(&line)) {
        joined_.append("\n").append(line);
        if (ClosesQuote(line)) state = record_.Parse(WithoutCr(joined_));
      }
      if (!lines_.status().ok()) break;
      text_ = WithoutCr(joined_);
    }
    if (state == CsvRecord::State::kWhole) return true;
    status_ = Fault(state);
  }
  if (status_.ok()) status_ = lines_.status();
  return false;
}

Result<void> CsvReader::Fault(CsvRecord::State state) {
  const size_t at = record_.fault();
  if (state == CsvRecord::State::kOpen) {
    return BadAt(at, fmt::format("the quoted field {} is not closed; add a quote",
                                 Excerpt(text_.substr(at), 30)));
  }
  return BadAt(at,
               fmt::format("unexpected {} here; a field that holds quotes is itself quoted, and "
                           "each quote in it doubled",
                           Excerpt(text_.substr(at), 20)));
}

Result<void> CsvReader::BadAt(size_t offset, std::string reason) {
  offset = std::min(offset, text_.size());
  const size_t break_before = offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
  const size_t line_start = break_before == std::string_view::npos ? 0 : break_before + 1;
  const auto breaks = std::ranges::count(text_.substr(0, line_start), '\n');
  return reading_->BadAt(first_line_ + static_cast<uint64_t>(breaks), text_.substr(line_start),
                         offset - line_start, std::move(reason));
}

}  // namespace loci
