// SPDX-License-Identifier: Apache-2.0
//
// CSV (RFC 4180) with 3 or 4 columns, subject, relation, object and perhaps source; a first row
// that says so, in any case, is skipped. A field, once unquoted, is read as in TSV: a text is in
// the quotes of the notation within those of CSV, "he said ""no""" being the symbol [he said "no"]
// and
// """no""@en" the English text [no]. Blank lines are skipped.
//
// With a map (--map), columns of any file: csv_map.h, csv_mapped.cc.
#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/unicode.h"
#include "formats/csv_reader.h"
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

}  // namespace

Result<void> ReadCsv(LineReader* lines, Reading* reading) {
  if (!reading->options().map.empty()) return ReadMappedCsv(lines, reading);
  StatementFields statement(reading);
  StatementFields::Fault fault;
  CsvReader csv(lines, reading, kMostFields);
  for (bool first = true; csv.Next();) {
    const auto& fields = csv.fields();
    if (std::exchange(first, false) && IsHeader(fields)) continue;
    if (fields.size() < 3 || fields.size() > kMostFields) {
      const std::string reason = fmt::format(
          "\"{}\" has {} field{}; write subject,relation,object[,source], or say "
          "with --map what its columns are",
          Excerpt(csv.text()), fields.size(), fields.size() == 1 ? "" : "s");
      LOCI_TRY(fields.size() < 3 ? csv.BadAt(csv.text().size(), reason)
                                 : csv.BadField(kMostFields, 0, reason));
      continue;
    }
    Result<void> added;
    if (!statement.Add(fields.data(), static_cast<int>(fields.size()), &fault, &added)) {
      LOCI_TRY(csv.BadField(static_cast<size_t>(fault.field), fault.offset, fault.reason));
      continue;
    }
    if (!added.ok()) return added;
  }
  return csv.status();
}

}  // namespace loci
