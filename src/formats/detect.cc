// SPDX-License-Identifier: Apache-2.0
#include "formats/detect.h"

#include <algorithm>

#include "base/unicode.h"
#include "formats/csv_record.h"
#include "formats/line_reader.h"
#include "formats/markdown_line.h"
#include "formats/ntriples_line.h"

namespace loci {
namespace {

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\f\v\r") == std::string_view::npos;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x + 32 : x) == y; });
}

}  // namespace

Sample MakeSample(std::string_view bytes, bool whole) {
  Sample sample;
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (!whole) {
    const size_t last_break = bytes.rfind('\n');
    if (last_break != std::string_view::npos) {
      bytes = bytes.substr(0, last_break + 1);
    } else if (const auto cut = FindInvalidUtf8(bytes); cut && *cut + 4 > bytes.size()) {
      bytes = bytes.substr(0, *cut);  // a character that the end of the sample cut
    }
  }
  sample.bytes = bytes;
  sample.is_text = bytes.find('\0') == std::string_view::npos && !FindInvalidUtf8(bytes);
  for (std::string_view rest = bytes; !rest.empty() && sample.lines.size() < kMostLines;) {
    const size_t stop = std::min(rest.find('\n'), rest.size());
    const std::string_view line = WithoutCr(rest.substr(0, stop));
    if (!IsBlank(line)) sample.lines.push_back(line);
    rest.remove_prefix(std::min(stop + 1, rest.size()));
  }
  return sample;
}

// Nothing else has two or three tabs in line after line. Some bad lines do not change what it is.
Fit FitsTsv(const Sample& sample) {
  const auto good = std::ranges::count_if(sample.lines, [](std::string_view line) {
    const auto tabs = std::ranges::count(line, '\t');
    return tabs == 2 || tabs == 3;
  });
  if (good == 0) return Fit::kNone;
  if (4 * good >= 3 * std::ssize(sample.lines)) return Fit::kCertain;
  return 2 * good >= std::ssize(sample.lines) ? Fit::kLikely : Fit::kPossible;
}

// Prose has commas too: without a header it takes several records of one width to make it likely.
Fit FitsCsv(const Sample& sample) {
  CsvRecord record;
  std::string open;  // a record whose quoted field goes on
  size_t width = 0, records = 0;
  for (std::string_view rest = sample.bytes; !rest.empty() && records < kMostLines;) {
    const size_t stop = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, stop);
    rest.remove_prefix(std::min(stop + 1, rest.size()));
    if (open.empty() && IsBlank(line)) continue;
    std::string_view text = WithoutCr(line);
    if (!open.empty()) text = WithoutCr(open.append("\n").append(line));
    const auto state = record.Parse(text);
    if (state == CsvRecord::State::kOpen) {
      if (open.empty()) open = line;
      if (open.size() > kSampleBytes / 4) break;
      continue;
    }
    if (state == CsvRecord::State::kFault) return records >= 2 ? Fit::kPossible : Fit::kNone;
    const auto& fields = record.fields();
    if (fields.size() != 3 && fields.size() != 4) {
      return records >= 2 ? Fit::kPossible : Fit::kNone;
    }
    if (records == 0 && EqualsIgnoringCase(fields[0], "subject") &&
        EqualsIgnoringCase(fields[1], "relation") && EqualsIgnoringCase(fields[2], "object")) {
      return Fit::kCertain;
    }
    if (width != 0 && fields.size() != width) return Fit::kPossible;
    width = fields.size();
    ++records;
    open.clear();
  }
  return records == 0 ? Fit::kNone : records == 1 ? Fit::kPossible : Fit::kLikely;
}

Fit FitsJsonl(const Sample& sample) {
  if (sample.lines.empty()) return Fit::kNone;
  const std::string_view line = sample.lines[0];
  const size_t brace = line.find_first_not_of(" \t");
  if (line[brace] != '{') return Fit::kNone;
  const size_t next = line.find_first_not_of(" \t", brace + 1);
  const bool object = next != std::string_view::npos && (line[next] == '"' || line[next] == '}');
  if (!object) return Fit::kNone;
  const auto has = [line](std::string_view key) {
    return line.find(key) != std::string_view::npos;
  };
  // A passage may have a subject, as letters do.
  return has("\"subject\"") && (has("\"relation\"") || !has("\"text\"")) ? Fit::kCertain
                                                                         : Fit::kLikely;
}

// A passage has a text; in a statement that is within its object, beside a relation.
Fit FitsPassageRecords(const Sample& sample) {
  if (FitsJsonl(sample) != Fit::kLikely || FitsMcp(sample) != Fit::kNone) return Fit::kNone;
  const std::string_view line = sample.lines[0];
  return line.find("\"text\"") != std::string_view::npos ? Fit::kCertain : Fit::kPossible;
}

// The objects of the MCP memory server say what they are; no statement of ours has a "type".
Fit FitsMcp(const Sample& sample) {
  if (FitsJsonl(sample) == Fit::kNone) return Fit::kNone;
  const std::string_view line = sample.lines[0];
  const auto has = [line](std::string_view key) {
    return line.find(key) != std::string_view::npos;
  };
  return has("\"type\"") && (has("\"entityType\"") || has("\"relationType\"")) ? Fit::kCertain
                                                                               : Fit::kNone;
}

namespace {

struct RdfLines {
  std::ptrdiff_t triples = 0, quads = 0, bad = 0;

  explicit RdfLines(const Sample& sample) {
    NtriplesLine parser("sample");
    for (const std::string_view line : sample.lines) {
      switch (parser.Parse(line, true)) {
        case NtriplesLine::Found::kNothing:
          break;
        case NtriplesLine::Found::kStatement:
          ++(parser.has_graph() ? quads : triples);
          break;
        case NtriplesLine::Found::kFault:
          ++bad;
      }
    }
  }
  // Some bad lines do not change what it is.
  bool AreMost(std::ptrdiff_t good) const { return good > 0 && good >= 3 * bad; }
};

}  // namespace

Fit FitsNtriples(const Sample& sample) {
  const RdfLines lines(sample);
  return lines.quads == 0 && lines.AreMost(lines.triples) ? Fit::kCertain : Fit::kNone;
}

Fit FitsNquads(const Sample& sample) {
  const RdfLines lines(sample);
  return lines.AreMost(lines.triples + lines.quads) ? Fit::kCertain : Fit::kNone;
}

// Turtle begins with its prefixes, after comments.
Fit FitsTurtle(const Sample& sample) {
  for (const std::string_view line : sample.lines) {
    const std::string_view text = line.substr(line.find_first_not_of(" \t"));
    if (text.starts_with('#')) continue;
    const std::string_view word = text.substr(0, text.find_first_of(" \t"));
    const bool directive = word == "@prefix" || word == "@base" ||
                           EqualsIgnoringCase(word, "prefix") || EqualsIgnoringCase(word, "base");
    return directive && text.find('<') != std::string_view::npos ? Fit::kCertain : Fit::kNone;
  }
  return Fit::kNone;
}

Fit FitsRdfXml(const Sample& sample) {
  const std::string_view xml = sample.bytes.substr(0, 4096);
  if (!xml.starts_with("<?xml") && !xml.starts_with("<rdf:RDF")) return Fit::kNone;
  return xml.find("<rdf:RDF") != std::string_view::npos ? Fit::kCertain : Fit::kNone;
}

Fit FitsMarkdown(const Sample& sample) {
  if (!sample.is_text || sample.lines.empty()) return Fit::kNone;
  bool after_paragraph = false;
  for (const std::string_view line : sample.lines) {
    const bool heading = ParseAtx(line).level != 0 && line.size() > 2;
    const bool underline = after_paragraph && line.size() >= 3 && SetextLevel(line) != 0;
    if (heading || underline || OpeningFence(line).length != 0) return Fit::kLikely;
    after_paragraph = MayBeSetextTitle(line);
  }
  return Fit::kNone;
}

// What opens a page, in any case; XHTML may have <?xml ...?> before.
Fit FitsHtml(const Sample& sample) {
  std::string head(sample.bytes.substr(0, 4096));
  for (char& c : head) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  std::string_view rest = head;
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"<?xml", "?>"}, {"<!--", "-->"}}) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    if (!rest.starts_with(open)) continue;
    rest.remove_prefix(std::min(rest.find(close), rest.size() - close.size()) + close.size());
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
  return rest.starts_with("<!doctype html") || rest.starts_with("<html") ? Fit::kCertain
                                                                         : Fit::kNone;
}

// What is no text may have a kilobyte of anything before.
Fit FitsPdf(const Sample& sample) {
  constexpr std::string_view kHead = "%PDF-";
  const bool is_pdf =
      sample.bytes.starts_with(kHead) ||
      (!sample.is_text && sample.bytes.substr(0, 1024 + kHead.size()).find(kHead) != kHead.npos);
  return is_pdf ? Fit::kCertain : Fit::kNone;
}

Fit FitsText(const Sample& sample) {
  return sample.is_text && !sample.lines.empty() ? Fit::kPossible : Fit::kNone;
}

}  // namespace loci
