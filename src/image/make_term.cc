// SPDX-License-Identifier: Apache-2.0
//
// The makers of terms (image/term.h): what comes from outside is brought to normal form, or refused
// with the reason.
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/decimal.h"
#include "base/unicode.h"
#include "image/term.h"

namespace loci {
namespace {

Error Bad(std::string message) {
  return {ErrorKind::kBadInput, std::move(message)};
}

Result<void> CheckUtf8(std::string_view what, std::string_view bytes) {
  const auto fault = FindInvalidUtf8(bytes);
  if (!fault) return {};
  return Bad(fmt::format("the {} \"{}\" is not UTF-8 at byte {}; convert it, e.g. with iconv", what,
                         Excerpt(bytes.substr(*fault > 20 ? *fault - 20 : 0), 40), *fault + 1));
}

Result<std::string> NormalName(std::string_view what, std::string_view name) {
  if (name.empty())
    return Bad(fmt::format("the {} is empty; give it at least one character", what));
  const auto too_long = [&] {
    return Bad(fmt::format("the {} \"{}\" has {} bytes, more than {}; keep it as a text", what,
                           Excerpt(name, 30), name.size(), kMaxNameBytes));
  };
  // NFC may shorten a name, but to no less than a third: longer ones are not worth the attempt.
  if (name.size() > 3 * kMaxNameBytes) return too_long();
  LOCI_TRY(CheckUtf8(what, name));
  LOCI_ASSIGN(std::string normal, ToNfc(name));
  if (normal.size() > kMaxNameBytes) return too_long();
  return normal;
}

bool IsLanguageCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

}  // namespace

Result<Term> MakeSymbol(std::string_view name) {
  LOCI_ASSIGN(std::string normal, NormalName("name", name));
  return Term{Kind::kSymbol, std::move(normal)};
}

Result<Term> MakeText(std::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return Bad(fmt::format("the text \"{}\" has {} bytes, more than {}; split it",
                           Excerpt(text, 30), text.size(), kMaxTextBytes));
  }
  LOCI_TRY(CheckUtf8("text", text));
  return Term{Kind::kText, std::string(text)};
}

Result<Term> MakeTaggedText(std::string_view text, char tag_kind, std::string_view tag) {
  if (tag_kind == '^' && tag == "number") return MakeNumber(text);
  if (tag_kind == '^' && tag == "date") return MakeDate(text);
  LOCI_ASSIGN(Term term, MakeText(text));
  if (tag_kind == 0) return term;
  term.bytes += '\xFF';
  term.bytes += tag_kind;
  if (tag_kind == '^') {
    LOCI_ASSIGN(const std::string datatype, NormalName("datatype", tag));
    term.bytes += datatype;
    return term;
  }
  if (tag.empty() || tag.size() > kMaxNameBytes || !std::ranges::all_of(tag, IsLanguageCharacter)) {
    return Bad(
        fmt::format("\"{}\" is not a language tag; write letters, digits and -, as in en or "
                    "pt-BR",
                    Excerpt(tag)));
  }
  term.bytes += tag;
  return term;
}

Result<Term> MakeNumber(std::string_view decimal) {
  LOCI_ASSIGN(std::string bytes, DecimalFromText(decimal));
  return Term{Kind::kNumber, std::move(bytes)};
}

Result<Term> MakeDate(std::string_view iso8601) {
  LOCI_ASSIGN(std::string bytes, DateFromText(iso8601));
  return Term{Kind::kDate, std::move(bytes)};
}

}  // namespace loci
