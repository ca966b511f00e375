// SPDX-License-Identifier: Apache-2.0
//
// TSV: subject TAB relation TAB object [TAB source], a line each, fields as in ParseNotation
// outside of queries. There are no comments and no quoting beyond the notation's: '#' is data, and
// a name that holds a tab or a newline is written <with \u0009>. Blank lines are skipped, CRLF is
// accepted.
//
// This is the format in which large inputs come: a line of plain ASCII costs a few memchr calls and
// no allocation.
#include <fmt/format.h>

#include <cstring>

#include "base/unicode.h"
#include "formats/readers.h"

namespace loci {
namespace {

constexpr int kMostFields = 4;

bool IsBlank(std::string_view line) {
  return line.empty() || (line[0] == ' ' && line.find_first_not_of(' ') == std::string_view::npos);
}

// The fields of the line, at most kMostFields; more returns kMostFields + 1, and *extra is where
// what is too much begins.
int Split(std::string_view line, std::string_view* fields, size_t* extra) {
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int count = 0; count < kMostFields; ++count) {
    const void* tab = std::memchr(at, '\t', static_cast<size_t>(end - at));
    const char* stop = tab == nullptr ? end : static_cast<const char*>(tab);
    fields[count] = {at, static_cast<size_t>(stop - at)};
    if (tab == nullptr) return count + 1;
    at = stop + 1;
  }
  *extra = static_cast<size_t>(at - line.data());
  return kMostFields + 1;
}

}  // namespace

Result<void> ReadTsv(LineReader* lines, Reading* reading) {
  StatementFields statement(reading);
  StatementFields::Fault fault;
  std::string_view fields[kMostFields];
  for (std::string_view line; lines->Next(&line);) {
    line = WithoutCr(line);
    if (IsBlank(line)) continue;
    size_t extra = 0;
    const int count = Split(line, fields, &extra);
    if (count < 3 || count > kMostFields) {
      LOCI_TRY(reading->BadAt(
          lines->number(), line, count < 3 ? line.size() : extra,
          fmt::format("\"{}\" has {} tab-separated field{}; write subject TAB relation TAB object "
                      "[TAB source]",
                      Excerpt(line), count < 3 ? std::to_string(count) : "more than 4",
                      count == 1 ? "" : "s")));
      continue;
    }
    Result<void> added;
    if (!statement.Add(fields, count, &fault, &added)) {
      const size_t start = static_cast<size_t>(fields[fault.field].data() - line.data());
      LOCI_TRY(reading->BadAt(lines->number(), line, start + fault.offset, fault.reason));
      continue;
    }
    if (!added.ok()) return added;
  }
  return lines->status();
}

}  // namespace loci
