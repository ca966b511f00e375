// SPDX-License-Identifier: Apache-2.0
#include "formats/rdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/decimal.h"
#include "base/unicode.h"
#include "formats/rdf_datatypes.h"

namespace loci::rdf {
namespace {

constexpr std::string_view kOwn = "urn:loci:";
constexpr std::string_view kName = "urn:loci:name:";
constexpr std::string_view kNumber = "urn:loci:number";
constexpr std::string_view kDate = "urn:loci:date";
constexpr std::string_view kText = "urn:loci:text:";
constexpr std::string_view kLanguage = "urn:loci:lang:";

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void AppendPercentEncoded(std::string_view name, std::string* out) {
  constexpr char kHex[] = "0123456789ABCDEF";
  for (const char c : name) {
    if (IsUnreserved(c)) {
      *out += c;
    } else {
      const auto byte = static_cast<uint8_t>(c);
      *out += '%';
      *out += kHex[byte >> 4];
      *out += kHex[byte & 15];
    }
  }
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

Result<std::string> PercentDecoded(std::string_view encoded) {
  std::string out;
  for (size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] != '%') {
      out += encoded[i];
      continue;
    }
    const int high = i + 2 < encoded.size() ? HexDigit(encoded[i + 1]) : -1;
    const int low = high >= 0 ? HexDigit(encoded[i + 2]) : -1;
    if (low < 0) {
      return Error{ErrorKind::kBadInput,
                   fmt::format("\"{}\" needs two hexadecimal digits after %; a % itself is %25",
                               Excerpt(encoded.substr(i, 3)))};
    }
    out += static_cast<char>(high << 4 | low);
    i += 2;
  }
  return out;
}

// A name as an IRI, without its angle brackets.
void AppendName(std::string_view name, std::string* out) {
  if (!name.starts_with(kOwn) && IsIri(name)) {
    *out += name;
  } else {
    *out += kName;
    AppendPercentEncoded(name, out);
  }
}

void AppendQuoted(std::string_view text, std::string* out) {
  *out += '"';
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\' && c != 0x7F) {
      *out += c;
      ++i;
      continue;
    }
    const CodePoint point = FirstCodePoint(text.substr(i, 4));
    switch (point.value) {
      case '"':
        *out += "\\\"";
        break;
      case '\\':
        *out += "\\\\";
        break;
      case '\n':
        *out += "\\n";
        break;
      case '\r':
        *out += "\\r";
        break;
      case '\t':
        *out += "\\t";
        break;
      default:
        if (IsControl(point.value)) {
          *out += fmt::format("\\u{:04X}", point.value);
        } else {
          out->append(text, i, point.length);
        }
    }
    i += point.length;
  }
  *out += '"';
}

void AppendTyped(std::string_view text, std::string_view datatype, std::string* out) {
  AppendQuoted(text, out);
  out->append("^^<").append(datatype).append(">");
}

// BCP 47's shape as N-Triples has it: letters, then parts of letters and digits after hyphens.
bool IsLanguageTag(std::string_view tag) {
  size_t part = 0;
  bool first = true;
  for (const char c : tag) {
    if (c == '-') {
      if (part == 0) return false;
      part = 0;
      first = false;
    } else {
      if (first && (c | 0x20) < 'a') return false;  // a digit
      ++part;
    }
  }
  return part != 0;
}

void AppendText(const TextParts& parts, std::string* out) {
  if (parts.tag_kind == 0) return AppendQuoted(parts.text, out);
  if (parts.tag_kind == '@') {
    if (!IsLanguageTag(parts.tag)) {
      return AppendTyped(parts.text, std::string(kLanguage).append(parts.tag), out);
    }
    AppendQuoted(parts.text, out);
    out->append("@").append(parts.tag);
    return;
  }
  AppendQuoted(parts.text, out);
  *out += "^^<";
  if (MeansMoreThanText(parts.text, parts.tag)) {
    *out += kText;
    AppendPercentEncoded(parts.tag, out);
  } else {
    AppendName(parts.tag, out);
  }
  *out += '>';
}

void AppendNumber(std::string_view bytes, std::string* out) {
  const std::string text = DecimalToText(bytes);
  const bool exponent = text.find('e') != std::string::npos;
  const bool fraction = text.find('.') != std::string::npos;
  AppendTyped(text, exponent ? kNumber : fraction ? kXsdDecimal : kXsdInteger, out);
}

}  // namespace

Result<Term> SymbolOfIri(std::string_view iri) {
  if (!iri.starts_with(kName)) return MakeSymbol(iri);
  LOCI_ASSIGN(const std::string name, PercentDecoded(iri.substr(kName.size())));
  return MakeSymbol(name);
}

Result<Term> TermOfLiteral(std::string_view text, char tag_kind, std::string_view tag) {
  if (tag_kind != '^') return MakeTaggedText(text, tag_kind, tag);
  if (!tag.starts_with(kOwn)) {
    if (auto more = TermOfDatatype(text, tag)) return std::move(*more);
    return MakeTaggedText(text, '^', tag);
  }
  if (tag == kNumber) return MakeNumber(text);
  if (tag == kDate) return MakeDate(text);
  if (tag.starts_with(kLanguage)) {
    return MakeTaggedText(text, '@', tag.substr(kLanguage.size()));
  }
  if (tag.starts_with(kText)) {
    LOCI_ASSIGN(const std::string datatype, PercentDecoded(tag.substr(kText.size())));
    return MakeTaggedText(text, '^', datatype);
  }
  LOCI_ASSIGN(const Term datatype, SymbolOfIri(tag));
  return MakeTaggedText(text, '^', datatype.bytes);
}

void Append(TermView term, std::string* out) {
  switch (term.kind) {
    case Kind::kNumber:
      return AppendNumber(term.bytes, out);
    case Kind::kDate: {
      const std::string text = ToPlain(term);
      return AppendTyped(text, DatatypeOfDate(text).value_or(kDate), out);
    }
    case Kind::kText:
      return AppendText(SplitText(term.bytes), out);
    case Kind::kSymbol:
      *out += '<';
      AppendName(term.bytes, out);
      *out += '>';
  }
}

}  // namespace loci::rdf
