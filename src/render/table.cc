// SPDX-License-Identifier: Apache-2.0
//
// Widths come from utf8proc, so that names of any script line up.
#include "render/table.h"

#include <algorithm>

#include <utf8proc.h>

#include "base/unicode.h"

namespace loci {

size_t DisplayWidth(std::string_view utf8) {
  if (IsAscii(utf8)) return utf8.size();
  if (FindInvalidUtf8(utf8).has_value()) return utf8.size();
  size_t width = 0;
  while (!utf8.empty()) {
    const CodePoint point = FirstCodePoint(utf8);
    width += static_cast<size_t>(
        std::max(0, utf8proc_charwidth(static_cast<utf8proc_int32_t>(point.value))));
    utf8.remove_prefix(point.length);
  }
  return width;
}

std::string AlignedTable(const std::vector<TableRow>& rows) {
  std::vector<size_t> widths;
  for (const TableRow& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], DisplayWidth(row[i]));
  }
  std::string out;
  for (const TableRow& row : rows) {
    size_t owed = 0;  // spaces before the next cell that is not empty
    for (size_t i = 0; i < row.size(); ++i) {
      if (!row[i].empty()) {
        out.append(owed, ' ');
        out += row[i];
        owed = 0;
      }
      owed += widths[i] - DisplayWidth(row[i]) + 2;
    }
    out += '\n';
  }
  return out;
}

void AppendTsv(const TableRow& row, std::string* out) {
  for (size_t i = 0; i < row.size(); ++i) {
    if (i > 0) *out += '\t';
    *out += row[i];
  }
  *out += '\n';
}

}  // namespace loci
