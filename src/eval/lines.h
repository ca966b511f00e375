// SPDX-License-Identifier: Apache-2.0
//
// Lines of a file of a task, decompressed where they are gzip or zstd, with errors that name file,
// line and column.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/reading.h"
#include "loci/result.h"

namespace loci::eval {

// Calls with each line that is not blank, without its line break. The calls' errors are made by
// `reading`, which knows the file.
using LineFn = std::function<Result<void>(std::string_view line, uint64_t number, Reading*)>;
Result<void> EachLine(const std::string& path, const LineFn& call);

// directory/name, or that with .gz or .zst behind it: the first that is there. The error names
// the first.
Result<std::string> FindFile(const std::string& directory, const std::string& name);

// A field of a line, and where it is.
struct Field {
  std::string_view text;
  size_t offset = 0;
};
// The fields of a line: between tabs, or between runs of spaces and tabs.
std::vector<Field> FieldsByTab(std::string_view line);
std::vector<Field> FieldsBySpace(std::string_view line);

// The whole field as a whole number, at most 2^31 in absolute value.
bool ParseGrade(std::string_view field, int64_t* grade);

}  // namespace loci::eval
