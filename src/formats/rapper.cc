// SPDX-License-Identifier: Apache-2.0
#include "formats/rapper.h"

#include <fmt/format.h>

#include <charconv>

#include "base/unicode.h"
#include "formats/filter_process.h"
#include "formats/readers.h"

namespace loci {
namespace {

// Reads digits at the head of *text, of which there is at least one.
bool TakeNumber(std::string_view* text, uint64_t* number) {
  const auto parsed = std::from_chars(text->data(), text->data() + text->size(), *number);
  if (parsed.ec != std::errc()) return false;
  text->remove_prefix(static_cast<size_t>(parsed.ptr - text->data()));
  return true;
}

// "URI file:///x:3 column 5 - why" or "- why" into its parts.
RapperFault FaultOf(std::string_view message) {
  RapperFault fault;
  const size_t dash = message.find("- ");
  fault.reason = message.substr(dash == std::string_view::npos ? 0 : dash + 2);
  if (!message.starts_with("URI ") || dash == std::string_view::npos) return fault;
  std::string_view place = message.substr(0, dash);
  while (place.ends_with(' ')) place.remove_suffix(1);
  std::string_view number;
  constexpr std::string_view kColumn = " column ";
  if (const size_t column = place.rfind(kColumn); column != std::string_view::npos) {
    number = place.substr(column + kColumn.size());
    TakeNumber(&number, &fault.column);
    place = place.substr(0, column);
  }
  number = place.substr(place.rfind(':') + 1);
  if (!TakeNumber(&number, &fault.line) || !number.empty()) fault.line = fault.column = 0;
  return fault;
}

// Rapper reads a word of Turtle that is not one, "aaaa...", in time quadratic in its length: 4 MB
// take it a minute. No name is as long as this; an unbroken text that is has to be converted.
class WordLimit : public ByteSource {
 public:
  explicit WordLimit(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {}

  Result<size_t> Read(char* to, size_t most) override {
    LOCI_ASSIGN(const size_t got, source_->Read(to, most));
    for (const char c : std::string_view(to, got)) {
      constexpr std::string_view kBetween = " \t\r\n\"'<>()[]{},;";
      const bool between = static_cast<uint8_t>(c) < 0x7F && kBetween.find(c) != kBetween.npos;
      if (between) {
        word_ = 0;
      } else if (++word_ > kMostWord) {
        return Error{ErrorKind::kLimit,
                     fmt::format("a word of more than {} bytes, too long for Turtle to be read "
                                 "here; convert the file to N-Triples, which has no such limit",
                                 kMostWord)};
      }
    }
    return got;
  }

 private:
  static constexpr size_t kMostWord = 256 << 10;

  std::unique_ptr<ByteSource> source_;
  size_t word_ = 0;
};

std::string BaseIri(std::string_view name) {
  constexpr std::string_view kUnreserved = "-._~";
  std::string iri = "file:///";
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       kUnreserved.find(c) != std::string_view::npos;
    iri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<uint8_t>(c));
  }
  return iri;
}

}  // namespace

std::optional<RapperFault> ParseRapperFault(std::string_view output) {
  constexpr std::string_view kError = "rapper: Error - ";
  std::optional<RapperFault> first;
  while (!output.empty()) {
    const size_t stop = std::min(output.find('\n'), output.size());
    const std::string_view line = output.substr(0, stop);
    output.remove_prefix(std::min(stop + 1, output.size()));
    if (!line.starts_with(kError)) continue;
    RapperFault fault = FaultOf(line.substr(kError.size()));
    if (!first) first = fault;
    // The first error is the cause, but the place may come only with what follows from it.
    if (fault.line == 0) continue;
    first->line = fault.line;
    first->column = fault.column;
    break;
  }
  return first;
}

Result<void> ReadByRapper(std::unique_ptr<ByteSource> input, std::string_view syntax,
                          Reading* reading) {
  // The language of a text stays as it was written.
  const std::vector<std::string> arguments = {"rapper", "-q",
                                              "-f",     "noNet",
                                              "-f",     "noFile",
                                              "-f",     "normalizeLanguage=0",
                                              "-i",     std::string(syntax),
                                              "-o",     "ntriples",
                                              "-",      BaseIri(reading->base())};
  if (syntax == "turtle") input = std::make_unique<WordLimit>(std::move(input));
  auto started = FilterProcess::Start(arguments, std::move(input));
  if (!started.ok() && started.error().kind == ErrorKind::kNotFound) {
    return Error{
        ErrorKind::kUnsupported,
        fmt::format("{}: {} is read through the program rapper, which is not here; install "
                    "Debian's package raptor2-utils, or convert the file to N-Triples",
                    reading->file(), syntax == "turtle" ? "Turtle" : "RDF/XML")};
  }
  LOCI_ASSIGN(const auto process, std::move(started));
  LineReader lines(process.get(), reading->options().block_bytes);
  reading->SetConverted(true);
  LOCI_TRY(ReadNtriples(&lines, reading));
  reading->SetConverted(false);
  if (process->Wait()) return {};
  const auto fault = ParseRapperFault(process->errors());
  if (!fault) {
    return reading->Bad(0, 0,
                        fmt::format("rapper failed: \"{}\"", Excerpt(process->errors(), 200)));
  }
  return reading->Bad(
      fault->line, fault->column,
      fmt::format("{} (says rapper); what follows was not read", Excerpt(fault->reason, 300)));
}

}  // namespace loci
