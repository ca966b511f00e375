// SPDX-License-Identifier: Apache-2.0
//
// Terms written (image/term.h): the notation of queries, TSV, CSV and output. What ToNotation
// writes, ParseNotation reads back as the same term, in a query as elsewhere.
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/decimal.h"
#include "base/unicode.h"
#include "image/term.h"

namespace loci {
namespace {

// Words of the grammar; a name that is one of them is written in angle brackets.
constexpr std::string_view kReserved[] = {"not",   "or",     "from", "with", "infer", "order", "by",
                                          "limit", "offset", "asc",  "desc", "score", "conf"};

bool IsReserved(std::string_view word) {
  return std::ranges::find(kReserved, word) != std::end(kReserved);
}

// The operators of the language. Bare, they are names where a term stands, but not before a
// parenthesis: so they are read bare and written in angle brackets, which are right everywhere.
constexpr std::string_view kOperators[] = {"like", "near", "next", "phrase", "analogy"};

bool IsOperator(std::string_view word) {
  return std::ranges::find(kOperators, word) != std::end(kOperators);
}

void AppendEscape(uint32_t code_point, std::string* out) {
  *out += code_point <= 0xFFFF ? fmt::format("\\u{:04X}", code_point)
                               : fmt::format("\\U{:08X}", code_point);
}

// Appends bytes, escaping the closing character, the backslash and what a line must not hold raw.
void AppendEscaped(std::string_view bytes, char close, std::string* out) {
  for (size_t i = 0; i < bytes.size();) {
    const CodePoint c = FirstCodePoint(bytes.substr(i, 4));
    if (c.value == static_cast<uint8_t>(close) || c.value == '\\') {
      out->push_back('\\');
      out->push_back(bytes[i]);
    } else if (close == '"' && (c.value == '\n' || c.value == '\r' || c.value == '\t')) {
      *out += c.value == '\n' ? "\\n" : c.value == '\r' ? "\\r" : "\\t";
    } else if (IsControl(c.value)) {
      AppendEscape(c.value, out);
    } else {
      out->append(bytes, i, c.length);
    }
    i += c.length;
  }
}

std::string NameToNotation(std::string_view name) {
  if (IsBareName(name) && !IsOperator(name)) return std::string(name);
  std::string out = "<";
  AppendEscaped(name, '>', &out);
  return out += '>';
}

// Reads one field forward. A failure leaves at() at the fault.
class Reader {
 public:
  Reader(std::string_view field, bool bare_is_symbol)
      : field_(field), bare_is_symbol_(bare_is_symbol) {}

  size_t at() const { return at_; }

  Result<Term> Read() {
    if (const auto fault = FindInvalidUtf8(field_)) {
      at_ = *fault;
      return Bad("not UTF-8 here; convert the input, e.g. with iconv");
    }
    if (field_.empty())
      return Bad("the field is empty; write a name, <a name>, \"a text\" or a number");
    if (field_[0] == '<') {
      LOCI_ASSIGN(const std::string name, Delimited('>'));
      LOCI_TRY(AtEnd());
      return From(0, MakeSymbol(name));
    }
    if (field_[0] == '"') return Text();
    if (bare_is_symbol_) return From(0, MakeSymbol(field_));
    return Bare();
  }

 private:
  Error Bad(std::string message) const { return {ErrorKind::kBadInput, std::move(message)}; }

  // A maker's answer about what began at the offset.
  Result<Term> From(size_t offset, Result<Term> made) {
    if (!made.ok()) at_ = offset;
    return made;
  }

  Result<void> AtEnd() const {
    if (at_ == field_.size()) return {};
    return Bad(fmt::format("unexpected \"{}\" after the end of the term",
                           Excerpt(field_.substr(at_), 20)));
  }

  // What stands between the opening character at at_ and the closing one, unescaped.
  Result<std::string> Delimited(char close) {
    const size_t open = at_++;
    std::string out;
    while (true) {
      const size_t stop = field_.find_first_of(close == '>' ? ">\\\n" : "\"\\", at_);
      if (stop == std::string_view::npos || field_[stop] == '\n') {
        at_ = open;
        return Bad(fmt::format("{} is not closed; end it with {}", Excerpt(field_.substr(open), 30),
                               close));
      }
      out.append(field_, at_, stop - at_);
      at_ = stop;
      if (field_[stop] == close) {
        ++at_;
        return out;
      }
      LOCI_TRY(Escape(close, &out));
    }
  }

  Result<void> Escape(char close, std::string* out) {
    const char c = at_ + 1 < field_.size() ? field_[at_ + 1] : '\0';
    const size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits != 0) return HexEscape(digits, out);
    if (c == close || c == '\\') {
      out->push_back(c);
    } else if (close == '"' && (c == 'n' || c == 'r' || c == 't')) {
      out->push_back(c == 'n' ? '\n' : c == 'r' ? '\r' : '\t');
    } else {
      return Bad(fmt::format("\"{}\" is not an escape; use {} (a backslash itself is \\\\)",
                             Excerpt(field_.substr(at_, 2)),
                             close == '>' ? "\\> \\\\ \\uXXXX or \\UXXXXXXXX"
                                          : "\\\" \\\\ \\n \\r \\t \\uXXXX or \\UXXXXXXXX"));
    }
    at_ += 2;
    return {};
  }

  Result<void> HexEscape(size_t digits, std::string* out) {
    const std::string_view hex = field_.substr(at_ + 2, digits);
    uint32_t value = 0;
    bool good = hex.size() == digits;
    for (char c : hex) {
      const char lower = static_cast<char>(c | 0x20);
      const bool decimal = c >= '0' && c <= '9', letter = lower >= 'a' && lower <= 'f';
      good = good && (decimal || letter);
      value = value << 4 | static_cast<uint32_t>(decimal ? c - '0' : lower - 'a' + 10);
    }
    if (!good) {
      return Bad(fmt::format("\"{}\" needs {} hexadecimal digits",
                             Excerpt(field_.substr(at_, 2 + digits), 20), digits));
    }
    if (!AppendUtf8(out, value)) {
      return Bad(
          fmt::format("\"{}\" is no character: a surrogate, or above U+10FFFF; write one "
                      "above U+FFFF as \\UXXXXXXXX",
                      field_.substr(at_, 2 + digits)));
    }
    at_ += 2 + digits;
    return {};
  }

  Result<Term> Text() {
    LOCI_ASSIGN(const std::string text, Delimited('"'));
    if (at_ == field_.size()) return From(0, MakeText(text));
    if (field_[at_] == '@') {
      return From(at_, MakeTaggedText(text, '@', field_.substr(at_ + 1)));
    }
    const size_t tag_at = at_ + 2;
    if (field_.substr(at_, 2) != "^^") {
      return Bad(
          fmt::format("unexpected \"{}\" after the text; only @language or ^^datatype may "
                      "follow",
                      Excerpt(field_.substr(at_), 20)));
    }
    at_ = tag_at;
    if (at_ < field_.size() && field_[at_] == '<') {
      LOCI_ASSIGN(const std::string datatype, Delimited('>'));
      LOCI_TRY(AtEnd());
      return From(tag_at, MakeTaggedText(text, '^', datatype));
    }
    const std::string_view datatype = field_.substr(at_);
    if (!IsBareName(datatype)) {
      return Bad(fmt::format("\"{}\" is not a datatype; write a name, or <any name>",
                             Excerpt(datatype, 30)));
    }
    const bool is_kind = datatype == "number" || datatype == "date";
    return From(is_kind ? 0 : tag_at, MakeTaggedText(text, '^', datatype));
  }

  // In a query, where digits are a number and a name is BARE.
  Result<Term> Bare() {
    if (IsBareName(field_)) return From(0, MakeSymbol(field_));
    const char first = field_[0];
    if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') {
      const bool has_parts = field_.find('-', 1) != std::string_view::npos;
      if (has_parts && field_.find_first_of("eE") == std::string_view::npos) {
        return From(0, MakeDate(field_));
      }
      auto number = MakeNumber(field_);
      if (number.ok()) return number;
      return Bad(fmt::format("{}; a name that starts so is written <{}>", number.error().message,
                             Excerpt(field_, 30)));
    }
    return Bad(fmt::format("\"{}\" {}; as a name it is written {}", Excerpt(field_, 30),
                           IsReserved(field_) ? "is a word of the language" : "is not a bare name",
                           Excerpt(NameToNotation(field_), 40)));
  }

  std::string_view field_;
  bool bare_is_symbol_;
  size_t at_ = 0;
};

}  // namespace

bool IsBareName(std::string_view name) {
  if (name.empty() || name == "_" || IsReserved(name)) return false;
  constexpr std::string_view kInside = ".:-_@#";
  bool ends_in_word = false;
  for (size_t i = 0; i < name.size();) {
    const CodePoint c = FirstCodePoint(name.substr(i, 4));
    const bool word = c.value == '_' || (i == 0 ? IsLetter(c.value) : IsLetterDigitOrMark(c.value));
    const bool inside = i > 0 && c.value < 0x80 &&
                        kInside.find(static_cast<char>(c.value)) != std::string_view::npos;
    if (!word && !inside) return false;
    ends_in_word = word;
    i += c.length;
  }
  return ends_in_word;
}

std::string ToNotation(TermView term) {
  switch (term.kind) {
    case Kind::kNumber:
      return DecimalToText(term.bytes);
    case Kind::kDate: {
      const std::string date = DateToText(term.bytes);
      const bool has_day = term.bytes.size() > 5;
      return has_day ? date : "\"" + date + "\"^^date";
    }
    case Kind::kText: {
      const TextParts parts = SplitText(term.bytes);
      std::string out = "\"";
      AppendEscaped(parts.text, '"', &out);
      out += '"';
      if (parts.tag_kind == '@') out.append("@").append(parts.tag);
      if (parts.tag_kind == '^') out.append("^^").append(NameToNotation(parts.tag));
      return out;
    }
    case Kind::kSymbol:
      return NameToNotation(term.bytes);
  }
  return {};
}

std::string ToField(TermView term) {
  switch (term.kind) {
    case Kind::kNumber:
      return "\"" + DecimalToText(term.bytes) + "\"^^number";
    case Kind::kDate:
      return "\"" + DateToText(term.bytes) + "\"^^date";
    case Kind::kText:
      return ToNotation(term);
    case Kind::kSymbol:
      break;
  }
  bool plain = !term.bytes.starts_with('<') && !term.bytes.starts_with('"');
  for (size_t i = 0; plain && i < term.bytes.size();) {
    if (term.bytes[i] >= ' ' && term.bytes[i] < '\x7f') {  // nearly all are
      ++i;
      continue;
    }
    const CodePoint c = FirstCodePoint(term.bytes.substr(i, 4));
    plain = !IsControl(c.value);
    i += c.length;
  }
  return plain ? std::string(term.bytes) : NameToNotation(term.bytes);
}

std::string ToPlain(TermView term) {
  switch (term.kind) {
    case Kind::kNumber:
      return DecimalToText(term.bytes);
    case Kind::kDate:
      return DateToText(term.bytes);
    case Kind::kText:
      return std::string(SplitText(term.bytes).text);
    case Kind::kSymbol:
      return std::string(term.bytes);
  }
  return {};
}

Result<Term> ParseNotation(std::string_view field, bool bare_is_symbol, size_t* column) {
  Reader reader(field, bare_is_symbol);
  auto term = reader.Read();
  if (column != nullptr) *column = term.ok() ? 0 : reader.at();
  return term;
}

}  // namespace loci
