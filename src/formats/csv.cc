// SPDX-License-Identifier: Apache-2.0
//
// CSV (RFC 4180) with 3 or 4 columns, subject, relation, object and perhaps source; a first row
// that says so, in any case, is skipped. A field, once unquoted, is read as in TSV: a text is in
// the quotes of the notation within those of CSV, "he said ""no""" being the symbol [he said "no"]
// and
// """no""@en" the English text [no]. Blank lines are skipped.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/unicode.h"
#include "formats/csv_record.h"
#include "formats/readers.h"

namespace loci {
namespace {

constexpr size_t kMostFields = 4;

bool IsHeader(const std::vector<std::string_view>& fields) {
  constexpr std::string_view kNames[] = {"subject", "relation", "object", "source"};
  return std::ranges::equal(fields, std::span(kNames).first(std::min(fields.size(), kMostFields)),
                            [](std::string_view field, std::string_view name) {
                              return std::ranges::equal(field, name, [](char a, char b) {
                                return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b;
                              });
                            }) &&
         fields.size() >= 3;
}

// Whether a line that begins within quotes has the quote that closes them. A record is parsed again
// only at such a line, at most once a field, so that a stray quote costs no quadratic time.
bool ClosesQuote(std::string_view line) {
  for (size_t quote = line.find('"'); quote != std::string_view::npos;
       quote = line.find('"', quote + 2)) {
    if (quote + 1 >= line.size() || line[quote + 1] != '"') return true;
  }
  return false;
}

// The faults of a record, which may span lines: offsets in its text become lines and columns.
class Faults {
 public:
  Faults(Reading* reading, std::string_view text, uint64_t first_line)
      : reading_(reading), text_(text), first_line_(first_line) {}

  Result<void> Report(size_t offset, std::string reason) const {
    offset = std::min(offset, text_.size());
    const size_t break_before =
        offset == 0 ? std::string_view::npos : text_.rfind('\n', offset - 1);
    const size_t line_start = break_before == std::string_view::npos ? 0 : break_before + 1;
    const auto breaks = std::ranges::count(text_.substr(0, line_start), '\n');
    return reading_->BadAt(first_line_ + static_cast<uint64_t>(breaks), text_.substr(line_start),
                           offset - line_start, std::move(reason));
  }

 private:
  Reading* reading_;
  std::string_view text_;
  uint64_t first_line_;
};

}  // namespace

Result<void> ReadCsv(LineReader* lines, Reading* reading) {
  StatementFields statement(reading);
  StatementFields::Fault fault;
  CsvRecord record;
  std::string joined;
  bool first = true;
  for (std::string_view line; lines->Next(&line);) {
    const uint64_t first_line = lines->number();
    std::string_view text = WithoutCr(line);
    if (text.find_first_not_of(' ') == std::string_view::npos) continue;
    CsvRecord::State state = record.Parse(text);
    if (state == CsvRecord::State::kOpen) {
      joined = line;
      while (state == CsvRecord::State::kOpen && record.fields().size() < kMostFields &&
             lines->Next(&line)) {
        joined.append("\n").append(line);
        if (ClosesQuote(line)) state = record.Parse(WithoutCr(joined));
      }
      LOCI_TRY(lines->status());
      text = WithoutCr(joined);
    }
    const Faults faults(reading, text, first_line);
    if (state == CsvRecord::State::kOpen) {
      const std::string excerpt = Excerpt(text.substr(record.fault()), 30);
      LOCI_TRY(faults.Report(
          record.fault(), fmt::format("the quoted field {} is not closed; add a quote", excerpt)));
      continue;
    }
    if (state == CsvRecord::State::kFault) {
      const std::string excerpt = Excerpt(text.substr(record.fault()), 20);
      LOCI_TRY(faults.Report(record.fault(),
                             fmt::format("unexpected {} here; a field that holds quotes is itself "
                                         "quoted, and each quote in it doubled",
                                         excerpt)));
      continue;
    }
    const auto& fields = record.fields();
    if (std::exchange(first, false) && IsHeader(fields)) continue;
    if (fields.size() < 3 || fields.size() > kMostFields) {
      LOCI_TRY(
          faults.Report(fields.size() < 3 ? text.size() : record.Place(text, kMostFields),
                        fmt::format("\"{}\" has {} fields; write subject,relation,object[,source]",
                                    Excerpt(text), fields.size())));
      continue;
    }
    Result<void> added;
    if (!statement.Add(fields.data(), static_cast<int>(fields.size()), &fault, &added)) {
      LOCI_TRY(faults.Report(record.Place(text, static_cast<size_t>(fault.field), fault.offset),
                             fault.reason));
      continue;
    }
    if (!added.ok()) return added;
  }
  return lines->status();
}

}  // namespace loci
