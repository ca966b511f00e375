// SPDX-License-Identifier: Apache-2.0
//
// Values and statements: made, and translated to the terms of the engine and back.
#include "loci/value.h"

#include <fmt/format.h>

#include "api/convert.h"
#include "api/guarded.h"

namespace loci {

static_assert(static_cast<int>(Value::Kind::kNumber) == static_cast<int>(Kind::kNumber) &&
              static_cast<int>(Value::Kind::kDate) == static_cast<int>(Kind::kDate) &&
              static_cast<int>(Value::Kind::kText) == static_cast<int>(Kind::kText) &&
              static_cast<int>(Value::Kind::kSymbol) == static_cast<int>(Kind::kSymbol));

Value Value::Symbol(std::string_view name) {
  return {Kind::kSymbol, std::string(name), {}, {}};
}
Value Value::Text(std::string_view text) {
  return {Kind::kText, std::string(text), {}, {}};
}
Value Value::TextIn(std::string_view language, std::string_view text) {
  return {Kind::kText, std::string(text), std::string(language), {}};
}
Value Value::TypedText(std::string_view datatype, std::string_view text) {
  return {Kind::kText, std::string(text), {}, std::string(datatype)};
}
Value Value::Number(std::string_view decimal) {
  return {Kind::kNumber, std::string(decimal), {}, {}};
}
Value Value::Number(std::int64_t integer) {
  return {Kind::kNumber, fmt::to_string(integer), {}, {}};
}
Value Value::Date(std::string_view iso8601) {
  return {Kind::kDate, std::string(iso8601), {}, {}};
}

Result<std::string> Value::Notation() const {
  return Guarded([&]() -> Result<std::string> {
    LOCI_ASSIGN(const Term term, ToTerm(*this));
    return ToNotation(term);
  });
}

Result<Value> Value::FromNotation(std::string_view notation) {
  return Guarded([&]() -> Result<Value> {
    LOCI_ASSIGN(const Term term, ParseNotation(notation, false, nullptr));
    return ToValue(term);
  });
}

Result<Term> ToTerm(const Value& value) {
  const bool tagged = !value.language.empty() || !value.datatype.empty();
  if (tagged && value.kind != Value::Kind::kText) {
    return Error{ErrorKind::kUsage,
                 fmt::format("only a text has a language or a datatype, not \"{}\"", value.text)};
  }
  if (!value.language.empty() && !value.datatype.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("a text has a language (\"{}\") or a datatype (\"{}\"), not both",
                             value.language, value.datatype)};
  }
  switch (value.kind) {
    case Value::Kind::kSymbol:
      return MakeSymbol(value.text);
    case Value::Kind::kNumber:
      return MakeNumber(value.text);
    case Value::Kind::kDate:
      return MakeDate(value.text);
    case Value::Kind::kText:
      if (!value.language.empty()) return MakeTaggedText(value.text, '@', value.language);
      if (!value.datatype.empty()) return MakeTaggedText(value.text, '^', value.datatype);
      return MakeText(value.text);
  }
  return Error{ErrorKind::kUsage,
               fmt::format("there is no kind {} of values", static_cast<int>(value.kind))};
}

Value ToValue(TermView term) {
  Value value{static_cast<Value::Kind>(term.kind), {}, {}, {}};
  if (term.kind != Kind::kText) {
    value.text = ToPlain(term);
    return value;
  }
  const TextParts parts = SplitText(term.bytes);
  value.text = parts.text;
  if (parts.tag_kind == '@') value.language = parts.tag;
  if (parts.tag_kind == '^') value.datatype = parts.tag;
  return value;
}

namespace {

Result<Term> Field(const char* field, Result<Term> term) {
  if (term.ok()) return term;
  return Error{term.error().kind, fmt::format("{}: {}", field, term.error().message)};
}

}  // namespace

Result<void> AddStatement(const Statement& s, BatchLoader* loader) {
  const std::string_view said_by = s.source.empty() ? kDefaultSource : std::string_view(s.source);
  LOCI_ASSIGN(const Term subject, Field("subject", MakeSymbol(s.subject)));
  LOCI_ASSIGN(const Term relation, Field("relation", MakeSymbol(s.relation)));
  LOCI_ASSIGN(const Term object, Field("object", ToTerm(s.object)));
  LOCI_ASSIGN(const Term source, Field("source", MakeSymbol(said_by)));
  loader->Learn(StatementView{subject, relation, object, source});
  return {};
}

Statement ToStatement(const Snapshot& snapshot, const Fact& fact, TermId source) {
  return {ToPlain(snapshot.Name(fact.subject)), ToPlain(snapshot.Name(fact.relation)),
          ToValue(snapshot.Name(fact.object)), ToPlain(snapshot.Name(source))};
}

}  // namespace loci
