// SPDX-License-Identifier: Apache-2.0
//
// Rows of cells for people and for scripts: aligned columns, or tab-separated values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

using TableRow = std::vector<std::string>;

// Columns that a terminal's cell of text takes: wide characters count two, combining ones none.
size_t DisplayWidth(std::string_view utf8);

// Columns two spaces apart, none after the last; no line ends in spaces.
std::string AlignedTable(const std::vector<TableRow>& rows);

// One line. Cells are in notation (image/term.h), which holds neither tab nor newline.
void AppendTsv(const TableRow& row, std::string* out);

}  // namespace loci
