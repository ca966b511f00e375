// SPDX-License-Identifier: Apache-2.0
//
// The table of formats, and the way from a path to statements: open, decompress, detect, read.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <new>

#include "base/unicode.h"
#include "formats/byte_source.h"
#include "formats/converters.h"
#include "formats/detect.h"
#include "formats/format.h"
#include "formats/rapper.h"
#include "formats/readers.h"

namespace loci {
namespace {

struct Format {
  FormatInfo info;
  std::vector<std::string_view> extensions;
  Fit (*fit)(const Sample&);  // null: known by being a directory
  Result<void> (*read)(LineReader*, Reading*);
  std::string_view wider = {};  // the format that reads all of this one, and more
  // Instead of read, of what another program turns into one of ours.
  Result<void> (*convert)(std::unique_ptr<ByteSource>, Reading*) = nullptr;
};

Result<void> ReadTurtle(std::unique_ptr<ByteSource> input, Reading* reading) {
  return ReadByRapper(std::move(input), "turtle", reading);
}
Result<void> ReadRdfXml(std::unique_ptr<ByteSource> input, Reading* reading) {
  return ReadByRapper(std::move(input), "rdfxml", reading);
}

constexpr std::string_view kMapped = "csv";

// In the order of help. A format that comes later is added here and nowhere else.
const std::vector<Format>& Table() {
  static const std::vector<Format> table = {
      {{"tsv", "subject TAB relation TAB object [TAB source]"}, {".tsv", ".tab"}, FitsTsv, ReadTsv},
      {{"csv", "subject,relation,object[,source] with quotes as in RFC 4180"},
       {".csv"},
       FitsCsv,
       ReadCsv},
      {{"jsonl", "one {\"subject\":..,\"relation\":..,\"object\":..} a line"},
       {".jsonl", ".ndjson"},
       FitsJsonl,
       ReadJsonl},
      {{"passages", "one {\"text\":..,\"title\":..} a line: texts, turns, BEIR"},
       {},
       FitsPassageRecords,
       ReadPassageRecords},
      {{"mcp", "memory.jsonl of the reference MCP memory server"}, {}, FitsMcp, ReadMcp},
      {{"nquads", "N-Quads (RDF), a quad's graph being the source"},
       {".nq"},
       FitsNquads,
       ReadNquads},
      {{"ntriples", "N-Triples (RDF)"}, {".nt"}, FitsNtriples, ReadNtriples, "nquads"},
      {{"turtle", "Turtle (RDF), through the program rapper"},
       {".ttl"},
       FitsTurtle,
       nullptr,
       {},
       ReadTurtle},
      {{"rdfxml", "RDF/XML, through the program rapper"},
       {".rdf", ".owl"},
       FitsRdfXml,
       nullptr,
       {},
       ReadRdfXml},
      {{"text", "plain text, a passage for each paragraph"}, {".txt", ".text"}, FitsText, ReadText},
      {{"markdown", "text with headings, which become the titles of passages"},
       {".md", ".markdown"},
       FitsMarkdown,
       ReadMarkdown},
      {{"html", "a page, through the program html2markdown"},
       {".html", ".htm", ".xhtml"},
       FitsHtml,
       nullptr,
       {},
       ReadHtml},
      {{"pdf", "pages of text, through the program pdftotext"},
       {".pdf"},
       FitsPdf,
       nullptr,
       {},
       ReadPdf},
      {{"wordnet", "a directory of WordNet database files, as /usr/share/wordnet"},
       {},
       nullptr,
       nullptr},
  };
  return table;
}

std::string Names() {
  std::string names;
  for (const Format& format : Table()) {
    if (!names.empty()) names += ", ";
    names += format.info.name;
  }
  return names;
}

Result<const Format*> Find(std::string_view name) {
  for (const Format& format : Table()) {
    if (format.info.name == name) return &format;
  }
  return Error{ErrorKind::kUsage,
               fmt::format("unknown format \"{}\"; the formats are {}", Excerpt(name), Names())};
}

bool HasExtension(const Format& format, std::string_view name) {
  return std::ranges::any_of(format.extensions,
                             [&](std::string_view e) { return name.ends_with(e); });
}

// name: the base name, without the extension of the compression.
Result<const Format*> Detect(const Sample& sample, std::string_view name, const std::string& file) {
  const Format* named = nullptr;
  std::vector<const Format*> best;
  Fit best_fit = Fit::kPossible;
  for (const Format& format : Table()) {
    if (format.fit == nullptr) continue;
    if (HasExtension(format, name)) named = &format;
    const Fit fit = format.fit(sample);
    if (fit < best_fit) continue;
    if (fit > best_fit) best.clear();
    best_fit = fit;
    best.push_back(&format);
  }
  const auto gives_way = [&](const Format* format) {
    return format != named && std::ranges::any_of(best, [&](const Format* other) {
             return other->info.name == format->wider;
           });
  };
  std::erase_if(best, gives_way);
  const bool fits = std::ranges::find(best, named) != best.end();
  if (named != nullptr && (fits || best_fit != Fit::kCertain)) return named;
  if (best.size() == 1) return best[0];
  if (sample.lines.empty() && sample.is_text) return &Table()[0];  // nothing to read in any format
  std::string why = "its first bytes are of no format";
  if (best.size() > 1)
    why = fmt::format("it could be {} or {}", best[0]->info.name, best[1]->info.name);
  return Error{ErrorKind::kBadInput,
               fmt::format("{}: cannot tell the format: {}; name it with --format: {}",
                           Excerpt(file, 200), why, Names())};
}

std::string WithoutCompressionExtension(std::string name) {
  for (const std::string_view extension : {".gz", ".zst"}) {
    if (name.size() > extension.size() && name.ends_with(extension)) {
      return name.substr(0, name.size() - extension.size());
    }
  }
  return name;
}

// The last component of a path; of "." or "/" or "a/..", that of the directory it stands for.
std::string BaseName(const std::string& path) {
  namespace fs = std::filesystem;
  fs::path name = fs::path(path);
  if (!name.has_filename()) name = name.parent_path();
  if (name.filename() == "." || name.filename() == ".." || !name.has_filename()) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error) name = real;
  }
  return name.has_filename() ? name.filename().string() : path;
}

// A file's name may be any bytes; a source is a name of ours.
Result<Term> SourceTerm(const std::string& given, const std::string& base) {
  auto source = MakeSymbol(given.empty() ? base : given);
  if (source.ok()) return source;
  return Error{ErrorKind::kUsage,
               fmt::format("as a source, {}; name one with --source", source.error().message)};
}

Result<ReadReport> ReadStream(std::unique_ptr<ByteSource> raw, const std::string& file,
                              std::string base, const ReadOptions& options, StatementSink* sink) {
  LOCI_ASSIGN(Decompressed input, Decompress(std::move(raw)));
  if (input.was_compressed) base = WithoutCompressionExtension(std::move(base));
  const Format* format = nullptr;
  if (options.format.empty() && !options.map.empty()) {
    LOCI_ASSIGN(format, Find(kMapped));
  } else if (options.format.empty()) {
    LOCI_ASSIGN(std::string prefix, ReadUpTo(input.source.get(), kSampleBytes));
    const bool whole = prefix.size() < kSampleBytes;
    LOCI_ASSIGN(format, Detect(MakeSample(prefix, whole), base, file));
    input.source = Replay(std::move(prefix), std::move(input.source));
  } else {
    // Nothing is read ahead, so that what is written to a pipe is learned as it comes.
    LOCI_ASSIGN(format, Find(options.format));
  }
  if (!options.map.empty() && format->info.name != kMapped) {
    return Error{ErrorKind::kUsage,
                 fmt::format("--map is for {}, not for {}", kMapped, format->info.name)};
  }
  if (format->fit == nullptr) {
    return Error{ErrorKind::kUsage,
                 fmt::format("{} is a file, but {} is read from a directory; name "
                             "that",
                             Excerpt(file, 200), format->info.name)};
  }
  LOCI_ASSIGN(Term source, SourceTerm(options.source, base));
  Reading reading(file, std::move(base), std::move(source), options, sink);
  reading.report()->format = format->info.name;
  if (format->convert != nullptr) {
    LOCI_TRY(format->convert(std::move(input.source), &reading));
    return *reading.report();
  }
  LineReader lines(input.source.get(), options.block_bytes);
  LOCI_TRY(format->read(&lines, &reading));
  return *reading.report();
}

// Errors of a stream (damaged gzip) do not know the file.
Result<ReadReport> Named(Result<ReadReport> result, const std::string& file) {
  if (result.ok() || result.error().message.starts_with(file)) return result;
  const ErrorKind kind = result.error().kind;
  if (kind != ErrorKind::kBadInput && kind != ErrorKind::kLimit) return result;
  return Error{kind, file + ": " + result.error().message};
}

// The corpus of a directory of BEIR's layout; empty where it is none.
std::string BeirCorpus(const std::string& directory) {
  for (const char* const name : {"corpus.jsonl", "corpus.jsonl.gz", "corpus.jsonl.zst"}) {
    std::error_code error;
    if (std::filesystem::exists(directory + "/" + name, error)) return directory + "/" + name;
  }
  return {};
}

// Of a directory, its own name is the document's and the source's.
Result<ReadReport> ReadDirectory(std::string path, ReadOptions options, StatementSink* sink) {
  if (!options.format.empty()) LOCI_TRY(Find(options.format));
  const auto may_be = [&](std::string_view format) {
    return options.format.empty() || options.format == format;
  };
  const std::string base = BaseName(path);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (may_be("wordnet") && IsWordNet(path)) {
    LOCI_ASSIGN(Term source, SourceTerm(options.source, base));
    Reading reading(path, base, std::move(source), options, sink);
    reading.report()->format = "wordnet";
    LOCI_TRY(ReadWordNet(path, &reading));
    return *reading.report();
  }
  if (const std::string corpus = BeirCorpus(path); may_be("passages") && !corpus.empty()) {
    LOCI_ASSIGN(auto raw, OpenFile(corpus, options.on_progress));
    options.format = "passages";
    return Named(ReadStream(std::move(raw), corpus, base, options, sink), corpus);
  }
  return Error{ErrorKind::kUsage,
               fmt::format("{} is a directory, and neither one of WordNet (data.noun and so on) "
                           "nor one of BEIR (corpus.jsonl); name the files in it",
                           Excerpt(path, 200))};
}

}  // namespace

Result<ReadReport> ReadStatements(const std::string& path, const ReadOptions& options,
                                  StatementSink* sink) try {
  std::error_code error;
  if (path != "-" && std::filesystem::is_directory(path, error)) {
    return ReadDirectory(path, options, sink);
  }
  LOCI_ASSIGN(auto raw, OpenFile(path, options.on_progress));
  if (path != "-") {
    return Named(ReadStream(std::move(raw), path, BaseName(path), options, sink), path);
  }
  const std::string base = options.source.empty() ? "stdin" : options.source;
  return Named(ReadStream(std::move(raw), "stdin", base, options, sink), "stdin");
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::kNoMemory, fmt::format("no memory for a record of {}", path)};
}

Result<ReadReport> ReadStatementsFromBytes(std::string_view bytes, const std::string& name,
                                           const ReadOptions& options, StatementSink* sink) try {
  return Named(ReadStream(FromBytes(bytes), name, BaseName(name), options, sink), name);
} catch (const std::bad_alloc&) {
  return Error{ErrorKind::kNoMemory, fmt::format("no memory for a record of {}", name)};
}

const std::vector<FormatInfo>& Formats() {
  static const std::vector<FormatInfo> infos = [] {
    std::vector<FormatInfo> all;
    for (const Format& format : Table()) all.push_back(format.info);
    return all;
  }();
  return infos;
}

}  // namespace loci
