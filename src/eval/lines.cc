// SPDX-License-Identifier: Apache-2.0
#include "eval/lines.h"

#include <charconv>

#include <fmt/format.h>

#include "base/directory.h"
#include "base/unicode.h"
#include "formats/byte_source.h"
#include "formats/line_reader.h"

namespace loci::eval {
namespace {

constexpr std::string_view kBlank = " \t\r";
constexpr size_t kBlockBytes = 1 << 18;

}  // namespace

Result<void> EachLine(const std::string& path, const LineFn& call) {
  const ReadOptions options;
  Reading reading(path, path, Term(), options, nullptr);
  LOCI_ASSIGN(auto file, OpenFile(path, nullptr));
  LOCI_ASSIGN(const Decompressed input, Decompress(std::move(file)));
  LineReader lines(input.source.get(), kBlockBytes);
  for (std::string_view line; lines.Next(&line);) {
    line = WithoutCr(line);
    if (line.find_first_not_of(kBlank) == std::string_view::npos) continue;
    if (const auto bad = FindInvalidUtf8(line)) {
      return reading.BadAt(lines.number(), line, *bad,
                           "not UTF-8 here; convert the input, e.g. with iconv");
    }
    LOCI_TRY(call(line, lines.number(), &reading));
  }
  if (lines.status().ok()) return {};
  const Error& error = lines.status().error();
  return Error{error.kind, error.message.find(path) == std::string::npos
                               ? fmt::format("{}: {}", path, error.message)
                               : error.message};
}

Result<std::string> FindFile(const std::string& directory, const std::string& name) {
  const std::string path = WithoutTrailingSlashes(directory) + "/" + name;
  for (const char* extension : {"", ".gz", ".zst"}) {
    if (PathExists(path + extension)) return path + extension;
  }
  return Error{ErrorKind::kNotFound,
               fmt::format("there is no {}, and none with .gz or .zst behind it; a BEIR directory "
                           "has corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv",
                           Excerpt(path, 200))};
}

std::vector<Field> FieldsByTab(std::string_view line) {
  std::vector<Field> fields;
  for (size_t at = 0;;) {
    const size_t tab = line.find('\t', at);
    fields.push_back({line.substr(at, tab - at), at});
    if (tab == std::string_view::npos) return fields;
    at = tab + 1;
  }
}

std::vector<Field> FieldsBySpace(std::string_view line) {
  std::vector<Field> fields;
  for (size_t at = 0; (at = line.find_first_not_of(kBlank, at)) != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlank, at), line.size());
    fields.push_back({line.substr(at, end - at), at});
    at = end;
  }
  return fields;
}

bool ParseGrade(std::string_view field, int64_t* grade) {
  constexpr int64_t kMost = int64_t{1} << 31;
  const auto [stop, code] = std::from_chars(field.data(), field.data() + field.size(), *grade);
  return code == std::errc() && stop == field.data() + field.size() && *grade <= kMost &&
         *grade >= -kMost;
}

}  // namespace loci::eval
