// SPDX-License-Identifier: Apache-2.0
#include "formats/converters.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "formats/filter_process.h"
#include "formats/passages.h"
#include "formats/readers.h"

namespace loci {
namespace {

// HTML 4.01 and 5 want the encoding within the first kilobyte.
constexpr size_t kHeadBytes = 4096;

struct Converter {
  std::string_view format, program, package;
};

// Reads by `read` what the program makes of the input.
Result<void> Convert(const Converter& converter, const std::vector<std::string>& arguments,
                     std::unique_ptr<ByteSource> input, Reading* reading,
                     Result<void> (*read)(LineReader*, Reading*)) {
  // What Python takes for the encoding of its output is not the locale's.
  auto started = FilterProcess::Start(arguments, std::move(input), {"PYTHONUTF8=1"});
  if (!started.ok() && started.error().kind == ErrorKind::kNotFound) {
    return Error{
        ErrorKind::kUnsupported,
        fmt::format("{}: {} is read through the program {}, which is not here; install "
                    "Debian's package {}, or convert the file to text",
                    reading->file(), converter.format, converter.program, converter.package)};
  }
  LOCI_ASSIGN(const auto process, std::move(started));
  LineReader lines(process.get(), reading->options().block_bytes);
  reading->SetConverted(true);
  LOCI_TRY(read(&lines, reading));
  if (process->Wait()) return {};
  // The last line says what was wrong; of Python, what came before is where in its code.
  std::string_view said = process->errors();
  said = said.substr(0, said.find_last_not_of(" \n") + 1);
  const size_t line = said.rfind('\n');
  if (line != std::string_view::npos) said.remove_prefix(line + 1);
  return reading->Bad(0, 0,
                      fmt::format("\"{}\" (says {}); what follows was not read", Excerpt(said, 200),
                                  converter.program));
}

// Text whose pages end in form feeds.
Result<void> ReadPages(LineReader* lines, Reading* reading) {
  Passages passages(reading);
  uint64_t page = 1;
  passages.SetPage(page);
  for (std::string_view line; lines->Next(&line);) {
    while (line.starts_with('\f')) {
      LOCI_TRY(passages.Close({}));
      passages.SetPage(++page);
      line.remove_prefix(1);
    }
    if (line.find_first_not_of(" \t\f\v") == std::string_view::npos) {
      LOCI_TRY(passages.Close({}));
    } else {
      passages.AddLine(line, lines->number());
    }
  }
  LOCI_TRY(lines->status());
  return passages.Close({});
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

}  // namespace

std::string HtmlEncoding(std::string_view beginning) {
  const std::string head = Lower(beginning);
  constexpr std::string_view kCharset = "charset=";
  for (size_t meta = head.find("<meta"); meta != std::string::npos;
       meta = head.find("<meta", meta + 1)) {
    const std::string_view tag = std::string_view(head).substr(meta, head.find('>', meta) - meta);
    size_t at = tag.find(kCharset);
    if (at == std::string_view::npos) continue;
    at = tag.find_first_not_of("\"' ", at + kCharset.size());
    if (at == std::string_view::npos) continue;
    const std::string_view name = tag.substr(at, tag.find_first_of("\"' ;/", at) - at);
    // What a program gets as an argument is a name and nothing else.
    const bool plain = std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == ':';
    });
    if (plain && !name.empty() && !name.starts_with('-')) return std::string(name);
  }
  return "utf-8";
}

Result<void> ReadHtml(std::unique_ptr<ByteSource> input, Reading* reading) {
  LOCI_ASSIGN(std::string head, ReadUpTo(input.get(), kHeadBytes));
  const bool marked = head.starts_with("\xEF\xBB\xBF");
  const std::string encoding = marked ? "utf-8-sig" : HtmlEncoding(head);
  const Converter converter{"HTML", "html2markdown.py3", "python3-html2text"};
  return Convert(converter,
                 {std::string(converter.program), "--ignore-links", "--ignore-images",
                  "--ignore-emphasis", "--unicode-snob", "--body-width=0", "-", encoding},
                 Replay(std::move(head), std::move(input)), reading, ReadMarkdown);
}

Result<void> ReadPdf(std::unique_ptr<ByteSource> input, Reading* reading) {
  const Converter converter{"PDF", "pdftotext", "poppler-utils"};
  return Convert(converter,
                 {std::string(converter.program), "-enc", "UTF-8", "-eol", "unix", "-", "-"},
                 std::move(input), reading, ReadPages);
}

}  // namespace loci
