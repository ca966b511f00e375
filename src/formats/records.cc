// SPDX-License-Identifier: Apache-2.0
#include "formats/records.h"

#include <fmt/format.h>

#include "base/unicode.h"
#include "formats/rdf.h"

namespace loci {
namespace {

// RFC 8259; what a line must not hold raw is escaped even where JSON would allow it.
void AppendJsonString(std::string_view text, std::string* out) {
  *out += '"';
  for (size_t i = 0; i < text.size();) {
    if (const auto b = static_cast<uint8_t>(text[i]);
        b >= 0x20 && b < 0x7F && b != '"' && b != '\\') {
      *out += text[i++];
      continue;
    }
    const CodePoint c = FirstCodePoint(text.substr(i, 4));
    if (c.value == '"' || c.value == '\\') {
      *out += '\\';
      *out += text[i];
    } else if (IsControl(c.value)) {
      *out += c.value == '\n'   ? "\\n"
              : c.value == '\t' ? "\\t"
              : c.value == '\r' ? "\\r"
                                : fmt::format("\\u{:04x}", c.value);
    } else {
      out->append(text, i, c.length);
    }
    i += c.length;
  }
  *out += '"';
}

void AppendMember(std::string_view key, std::string_view text, std::string* out) {
  out->append("\"").append(key).append("\":");
  AppendJsonString(text, out);
}

void AppendJsonObject(TermView term, std::string* out) {
  switch (term.kind) {
    case Kind::kNumber:
      *out += ToPlain(term);
      return;
    case Kind::kDate:
      *out += '{';
      AppendMember("date", ToPlain(term), out);
      *out += '}';
      return;
    case Kind::kText: {
      const TextParts parts = SplitText(term.bytes);
      *out += '{';
      AppendMember("text", parts.text, out);
      if (parts.tag_kind != 0) {
        *out += ',';
        AppendMember(parts.tag_kind == '@' ? "lang" : "datatype", parts.tag, out);
      }
      *out += '}';
      return;
    }
    case Kind::kSymbol:
      AppendJsonString(term.bytes, out);
  }
}

void AppendTriple(const StatementView& s, std::string* out) {
  rdf::Append(s.subject, out);
  *out += ' ';
  rdf::Append(s.relation, out);
  *out += ' ';
  rdf::Append(s.object, out);
}

}  // namespace

void AppendTsv(const StatementView& s, std::string* out) {
  out->append(ToField(s.subject)).append("\t").append(ToField(s.relation)).append("\t");
  out->append(ToField(s.object)).append("\t").append(ToField(s.source)).append("\n");
}

void AppendJsonl(const StatementView& s, std::string* out) {
  *out += '{';
  AppendMember("subject", s.subject.bytes, out);
  *out += ',';
  AppendMember("relation", s.relation.bytes, out);
  *out += ",\"object\":";
  AppendJsonObject(s.object, out);
  *out += ',';
  AppendMember("source", s.source.bytes, out);
  *out += "}\n";
}

void AppendNquad(const StatementView& s, std::string* out) {
  AppendTriple(s, out);
  *out += ' ';
  rdf::Append(s.source, out);
  *out += " .\n";
}

void AppendNtriple(const StatementView& s, std::string* out) {
  AppendTriple(s, out);
  *out += " .\n";
}

}  // namespace loci
