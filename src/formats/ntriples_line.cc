// SPDX-License-Identifier: Apache-2.0
#include "formats/ntriples_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/unicode.h"
#include "formats/rdf.h"

namespace loci {
namespace {

enum CharClass : uint8_t { kPlain, kEnd, kBackslash, kForbidden, kHigh };

// What each byte is between < and >, and between quotes.
constexpr auto kIriClass = [] {
  std::array<uint8_t, 256> classes{};
  for (size_t c = 0; c < 256; ++c) classes[c] = c <= 0x20 ? kForbidden : c >= 0x80 ? kHigh : kPlain;
  for (const char c : std::string_view("<\"{}|^`")) classes[static_cast<uint8_t>(c)] = kForbidden;
  classes['>'] = kEnd;
  classes['\\'] = kBackslash;
  return classes;
}();
constexpr auto kTextClass = [] {
  std::array<uint8_t, 256> classes{};
  for (size_t c = 0x80; c < 256; ++c) classes[c] = kHigh;
  classes['"'] = kEnd;
  classes['\\'] = kBackslash;
  classes['\r'] = classes['\n'] = kForbidden;
  return classes;
}();

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool HasScheme(std::string_view iri) {
  if (iri.empty() || !IsAlpha(iri[0])) return false;
  for (const char c : iri) {
    if (c == ':') return true;
    if (!IsAlpha(c) && !IsDigit(c) && c != '+' && c != '-' && c != '.') return false;
  }
  return false;
}

// PN_CHARS_U, with the errata, which take the colon out of it.
bool IsLabelStart(uint32_t c) {
  if (c < 0x80) return IsAlpha(static_cast<char>(c)) || c == '_';
  constexpr uint32_t kRanges[][2] = {{0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x2FF},
                                     {0x370, 0x37D},   {0x37F, 0x1FFF},  {0x200C, 0x200D},
                                     {0x2070, 0x218F}, {0x2C00, 0x2FEF}, {0x3001, 0xD7FF},
                                     {0xF900, 0xFDCF}, {0xFDF0, 0xFFFD}, {0x10000, 0xEFFFF}};
  return std::ranges::any_of(kRanges, [c](const auto& r) { return c >= r[0] && c <= r[1]; });
}

// PN_CHARS.
bool IsLabelInside(uint32_t c) {
  return IsLabelStart(c) || (c >= '0' && c <= '9') || c == '-' || c == 0xB7 ||
         (c >= 0x300 && c <= 0x36F) || (c >= 0x203F && c <= 0x2040);
}

}  // namespace

NtriplesLine::Found NtriplesLine::Parse(std::string_view line, bool graphs) {
  line_ = line;
  at_ = 0;
  has_graph_ = false;
  SkipSpace();
  if (at_ == line_.size() || line_[at_] == '#') return Found::kNothing;
  return Statement(graphs) ? Found::kStatement : Found::kFault;
}

bool NtriplesLine::Fail(size_t offset, std::string reason) {
  fault_ = {offset, std::move(reason)};
  return false;
}

bool NtriplesLine::Unexpected(std::string_view expected) {
  if (at_ == line_.size())
    return Fail(at_, fmt::format("the line ends here; expected {}", expected));
  return Fail(at_,
              fmt::format("found \"{}\", expected {}", Excerpt(line_.substr(at_), 20), expected));
}

bool NtriplesLine::Made(size_t offset, Result<Term> made, int slot) {
  if (!made.ok()) return Fail(offset, made.error().message);
  owned_[slot] = made.take();
  terms_[slot] = owned_[slot];
  return true;
}

void NtriplesLine::SkipSpace() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
}

bool NtriplesLine::Statement(bool graphs) {
  if (!Node(0, "the subject: <iri> or _:label")) return false;
  SkipSpace();
  if (at_ == line_.size() || line_[at_] != '<') return Unexpected("the predicate: <iri>");
  if (!IriTerm(1)) return false;
  SkipSpace();
  if (at_ < line_.size() && line_[at_] == '"') {
    if (!Literal(2)) return false;
  } else if (!Node(2, "the object: <iri>, _:label or \"text\"")) {
    return false;
  }
  SkipSpace();
  if (graphs && at_ < line_.size() && (line_[at_] == '<' || line_[at_] == '_')) {
    has_graph_ = true;
    if (!Node(3, "the graph: <iri> or _:label")) return false;
    SkipSpace();
  }
  if (at_ == line_.size() || line_[at_] != '.') {
    return Unexpected(!graphs      ? "the \".\" that ends a triple"
                      : has_graph_ ? "the \".\" that ends a quad"
                                   : "a graph or the \".\" that ends a quad");
  }
  ++at_;
  SkipSpace();
  if (at_ == line_.size() || line_[at_] == '#') return true;
  return Unexpected("the end of the line or a # comment; one statement a line");
}

bool NtriplesLine::Node(int slot, std::string_view expected) {
  if (at_ < line_.size() && line_[at_] == '<') return IriTerm(slot);
  if (line_.substr(at_, 2) == "_:") return BlankNode(slot);
  return Unexpected(expected);
}

// From the '<' at at_ on. The view is into the line or into iri_.
bool NtriplesLine::Iri(std::string_view* iri) {
  const size_t open = at_++;
  size_t copied = at_;
  bool plain = true;
  iri_.clear();
  const auto not_closed = [&] {
    return Fail(open,
                fmt::format("{} is not closed; end it with >", Excerpt(line_.substr(open), 30)));
  };
  for (;; ++at_) {
    if (at_ == line_.size()) return not_closed();
    const uint8_t char_class = kIriClass[static_cast<uint8_t>(line_[at_])];
    if (char_class == kPlain || char_class == kHigh) [[likely]]
      continue;
    if (char_class == kEnd) break;
    if (char_class == kForbidden) {
      return Fail(at_, fmt::format("\"{}\" cannot stand in an IRI; percent-encode it",
                                   Excerpt(line_.substr(at_, 1))));
    }
    iri_.append(line_, copied, at_ - copied);
    const size_t escape = at_, before = iri_.size();
    if (!Escape(false, &iri_)) return false;
    if (const auto c = static_cast<uint8_t>(iri_[before]); c < 0x80 && kIriClass[c] != kPlain) {
      return Fail(escape, fmt::format("{} cannot stand in an IRI; percent-encode it",
                                      line_.substr(escape, at_ - escape)));
    }
    copied = at_--;
    plain = false;
  }
  if (plain) {
    *iri = line_.substr(open + 1, at_ - open - 1);
  } else {
    iri_.append(line_, copied, at_ - copied);
    *iri = iri_;
  }
  ++at_;
  if (const auto fault = FindInvalidUtf8(line_.substr(open, at_ - open))) {
    return Fail(open + *fault, "not UTF-8 here; convert the input, e.g. with iconv");
  }
  if (HasScheme(*iri)) return true;
  return Fail(open, fmt::format("<{}> is a relative IRI; write all of it, as in <http://...>",
                                Excerpt(*iri, 30)));
}

bool NtriplesLine::IriTerm(int slot) {
  const size_t start = at_;
  std::string_view iri;
  if (!Iri(&iri)) return false;
  if (iri.data() != iri_.data() && rdf::IsPlainIri(iri) && IsPlainlyNfc(iri) &&
      iri.size() <= kMaxNameBytes) {
    terms_[slot] = {Kind::kSymbol, iri};
    return true;
  }
  return Made(start, rdf::SymbolOfIri(iri), slot);
}

bool NtriplesLine::BlankNode(int slot) {
  const size_t start = at_;
  at_ += 2;
  const size_t label = at_;
  size_t end = label;  // of the longest label that does not end in '.'
  while (at_ < line_.size()) {
    const CodePoint c = FirstCodePoint(line_.substr(at_, 4));
    const bool good = at_ == label ? IsLabelStart(c.value) || (c.value >= '0' && c.value <= '9')
                                   : IsLabelInside(c.value) || c.value == '.';
    if (!good) break;
    at_ += c.length;
    if (c.value != '.') end = at_;
  }
  at_ = end;
  if (end == label) return Unexpected("a blank node's label: letters, digits and _ after _:");
  Term& term = owned_[slot];
  term.bytes.assign(line_, start, end - start).append("@").append(document_);
  if (IsPlainlyNfc(term.bytes) && term.bytes.size() <= kMaxNameBytes &&
      !FindInvalidUtf8(term.bytes)) {
    term.kind = Kind::kSymbol;
    terms_[slot] = term;
    return true;
  }
  return Made(start, MakeSymbol(std::string(term.bytes)), slot);
}

// From the '"' at at_ on. The view is into the line or into text_.
bool NtriplesLine::Quoted(std::string_view* text, bool* plain) {
  const size_t open = at_++;
  size_t copied = at_;
  text_.clear();
  *plain = true;
  for (;; ++at_) {
    const uint8_t char_class =
        at_ == line_.size() ? uint8_t{kForbidden} : kTextClass[static_cast<uint8_t>(line_[at_])];
    if (char_class == kPlain || char_class == kHigh) [[likely]]
      continue;
    if (char_class == kEnd) break;
    if (char_class == kForbidden) {
      return Fail(open,
                  fmt::format("{} is not closed; end it with \"", Excerpt(line_.substr(open), 30)));
    }
    text_.append(line_, copied, at_ - copied);
    if (!Escape(true, &text_)) return false;
    copied = at_--;
    *plain = false;
  }
  if (*plain) {
    *text = line_.substr(open + 1, at_ - open - 1);
  } else {
    text_.append(line_, copied, at_ - copied);
    *text = text_;
  }
  ++at_;
  if (const auto fault = FindInvalidUtf8(line_.substr(open, at_ - open))) {
    return Fail(open + *fault, "not UTF-8 here; convert the input, e.g. with iconv");
  }
  return true;
}

bool NtriplesLine::Literal(int slot) {
  const size_t start = at_;
  std::string_view text;
  bool plain = true;
  if (!Quoted(&text, &plain)) return false;
  const char next = at_ < line_.size() ? line_[at_] : '\0';
  if (next == '@' || next == '^') return Tagged(start, text, slot);
  if (plain && text.size() <= kMaxTextBytes) {
    terms_[slot] = {Kind::kText, text};
    return true;
  }
  return Made(start, MakeText(text), slot);
}

bool NtriplesLine::Tagged(size_t start, std::string_view text, int slot) {
  if (line_[at_] == '@') {
    const size_t tag = ++at_;
    while (at_ < line_.size() && IsAlpha(line_[at_])) ++at_;
    bool good = at_ > tag;
    while (good && at_ < line_.size() && line_[at_] == '-') {
      const size_t part = ++at_;
      while (at_ < line_.size() && (IsAlpha(line_[at_]) || IsDigit(line_[at_]))) ++at_;
      good = at_ > part;
    }
    if (!good) return Unexpected("a language tag: letters, then -letters or digits, as in pt-BR");
    return Made(start, rdf::TermOfLiteral(text, '@', line_.substr(tag, at_ - tag)), slot);
  }
  if (line_.substr(at_, 2) != "^^") return Unexpected("^^ and a datatype: ^^<iri>");
  at_ += 2;
  if (at_ == line_.size() || line_[at_] != '<') return Unexpected("the datatype: <iri>");
  std::string_view datatype;
  if (!Iri(&datatype)) return false;
  return Made(start, rdf::TermOfLiteral(text, '^', datatype), slot);
}

bool NtriplesLine::Escape(bool characters, std::string* out) {
  constexpr std::string_view kLetters = "tbnrf\"'\\", kMeanings = "\t\b\n\r\f\"'\\";
  const size_t start = at_;
  const char c = at_ + 1 < line_.size() ? line_[at_ + 1] : '\0';
  const size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
  if (digits == 0) {
    const size_t letter = characters ? kLetters.find(c) : std::string_view::npos;
    if (letter == std::string_view::npos) {
      return Fail(start, fmt::format("\"{}\" is not an escape; write {}\\uXXXX or \\UXXXXXXXX",
                                     Excerpt(line_.substr(start, 2)),
                                     characters ? "\\t \\b \\n \\r \\f \\\" \\' \\\\ " : ""));
    }
    *out += kMeanings[letter];
    at_ += 2;
    return true;
  }
  const std::string_view hex = line_.substr(start + 2, digits);
  uint32_t value = 0;
  bool good = hex.size() == digits;
  for (const char digit : hex) {
    const char lower = static_cast<char>(digit | 0x20);
    const bool is_letter = lower >= 'a' && lower <= 'f';
    good = good && (IsDigit(digit) || is_letter);
    value = value << 4 | static_cast<uint32_t>(is_letter ? lower - 'a' + 10 : digit - '0');
  }
  if (!good) {
    return Fail(start, fmt::format("\"{}\" needs {} hexadecimal digits",
                                   Excerpt(line_.substr(start, 2 + digits), 20), digits));
  }
  if (!AppendUtf8(out, value)) {
    return Fail(start, fmt::format("\"{}\" is no character: a surrogate, or above U+10FFFF",
                                   line_.substr(start, 2 + digits)));
  }
  at_ += 2 + digits;
  return true;
}

}  // namespace loci
