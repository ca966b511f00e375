// SPDX-License-Identifier: Apache-2.0
//
// JSONL: one statement a line, as a JSON object (RFC 8259):
//
//   {"subject":"dog","relation":"is_a","object":O,"source":"x"}      source may be left out
//   O: "a symbol"   {"symbol":"..."}   {"text":"...","lang":"en"}   {"text":"...","datatype":"..."}
//      {"number":"1.50"}   1.50   {"date":"2024-05"}
//
// Numbers are taken from their characters, never through a double. Unknown and duplicate keys are
// faults: a key that is ignored would be a fact that is lost.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/unicode.h"
#include "formats/json_line.h"
#include "formats/readers.h"

namespace loci {
namespace {

namespace json = simdjson::ondemand;

using Part = JsonLine::Part;

enum Member {
  kSubject,
  kRelation,
  kObject,
  kSource,
  kSymbol,
  kText,
  kNumber,
  kDate,
  kLang,
  kDatatype
};
constexpr std::array<std::string_view, 10> kKeys = {"subject", "relation", "object", "source",
                                                    "symbol",  "text",     "number", "date",
                                                    "lang",    "datatype"};
constexpr std::string_view kForm =
    R"(write {"subject":"...","relation":"...","object":"...","source":"..."})";
constexpr std::string_view kObjectForm =
    R"(write "a symbol", a number, {"symbol":"..."}, {"text":"...","lang":"en"}, )"
    R"({"text":"...","datatype":"..."}, {"number":"1.50"} or {"date":"2024-05"})";

// Takes one line apart into parts_, then makes terms of them.
class Statement {
 public:
  // False: fault() says why.
  bool Parse(std::string_view line) {
    parts_ = {};
    object_is_literal_ = false;
    json::object object;
    if (!line_.Open(line, kForm, &object) || !Members(object, kSubject, kSource)) return false;
    if (!line_.Close()) return false;
    for (const Member member : {kSubject, kRelation, kObject}) {
      if (parts_[member].present) continue;
      return line_.Fail(std::nullopt, fmt::format("\"{}\" has no \"{}\"; {}", Excerpt(line),
                                                  kKeys[member], kForm));
    }
    return true;
  }

  // Makes the terms; the views are valid until the next Parse.
  bool Terms(TermView source, StatementView* statement) {
    if (!Name(kSubject, &terms_[0], &statement->subject)) return false;
    if (!Name(kRelation, &terms_[1], &statement->relation)) return false;
    statement->source = source;
    if (parts_[kSource].present && !Name(kSource, &terms_[3], &statement->source)) return false;
    return Object(&statement->object);
  }

  const LineFault& fault() const { return line_.fault(); }

 private:
  // The members of an object whose keys are kKeys[first] to kKeys[last], into parts_.
  bool Members(json::object& object, Member first, Member last) {
    for (auto item : object) {
      std::string_view key;
      size_t key_at = 0;
      json::value value;
      if (!line_.Key(std::move(item), &key, &key_at, &value)) return false;
      size_t member = first;
      while (member <= last && kKeys[member] != key) ++member;
      if (member > last) {
        if (key == "vector") {
          return line_.Fail(key_at, "vectors are not supported yet; leave this statement out");
        }
        return line_.Fail(key_at, fmt::format("unknown key \"{}\"; {}", Excerpt(key, 40),
                                              first == kSubject ? kForm : kObjectForm));
      }
      Part& part = parts_[member];
      if (part.present) {
        return line_.Fail(key_at, fmt::format("the key \"{}\" is given twice; give it once", key));
      }
      part.present = true;
      if (!Value(value, static_cast<Member>(member))) return false;
    }
    return true;
  }

  bool Value(json::value value, Member member) {
    Part& part = parts_[member];
    const std::string_view token = line_.Token(&value);
    part.offset = line_.Offset(token.data());
    json::json_type type;
    if (!line_.Type(&value, &type)) return false;
    if (type == json::json_type::string) return line_.String(&value, &part);
    if (type == json::json_type::number && (member == kObject || member == kNumber)) {
      if (!IsJsonNumber(token)) {
        return line_.Fail(part.offset,
                          fmt::format("\"{}\" is not a JSON number; write digits as in -12.5e3, "
                                      "or a string",
                                      Excerpt(token, 40)));
      }
      part.text = token;
      object_is_literal_ = member == kObject;
      return true;
    }
    if (type == json::json_type::object && member == kObject) {
      json::object object;
      if (const auto error = value.get_object().get(object)) return line_.Syntax(error);
      return Members(object, kSymbol, kDatatype) && OneForm();
    }
    return line_.Fail(part.offset, member == kObject
                                       ? fmt::format("{} is no object of a statement; {}",
                                                     Excerpt(token, 20), kObjectForm)
                                       : fmt::format("{} is not a string; \"{}\" needs one",
                                                     Excerpt(token, 20), kKeys[member]));
  }

  // Exactly one of symbol, text, number and date; lang or datatype only with a text.
  bool OneForm() {
    int forms = 0;
    for (const Member form : {kSymbol, kText, kNumber, kDate}) forms += parts_[form].present;
    const int tags = parts_[kLang].present + parts_[kDatatype].present;
    if (forms == 1 && tags <= (parts_[kText].present ? 1 : 0)) return true;
    return line_.Fail(parts_[kObject].offset, fmt::format("the object has {}; {}",
                                                          forms == 0  ? "no value"
                                                          : forms > 1 ? "several values"
                                                                      : "tags that do not fit",
                                                          kObjectForm));
  }

  bool Made(Result<Term> made, const Part& part, Term* term, TermView* view) {
    if (!made.ok()) return line_.Fail(part.offset, made.error().message);
    *term = made.take();
    *view = *term;
    return true;
  }

  bool Name(Member member, Term* term, TermView* view) {
    return Made(MakeSymbol(parts_[member].text), parts_[member], term, view);
  }

  bool Object(TermView* view) {
    Term* term = &terms_[2];
    const auto& p = parts_;
    if (object_is_literal_) return Made(MakeNumber(p[kObject].text), p[kObject], term, view);
    if (p[kSymbol].present) return Name(kSymbol, term, view);
    if (p[kNumber].present) return Made(MakeNumber(p[kNumber].text), p[kNumber], term, view);
    if (p[kDate].present) return Made(MakeDate(p[kDate].text), p[kDate], term, view);
    if (!p[kText].present) return Name(kObject, term, view);
    const char tag_kind = p[kLang].present ? '@' : p[kDatatype].present ? '^' : '\0';
    const Part& tag = p[tag_kind == '@' ? kLang : kDatatype];
    return Made(MakeTaggedText(p[kText].text, tag_kind, tag.text), tag_kind ? tag : p[kText], term,
                view);
  }

  JsonLine line_;
  std::array<Part, kKeys.size()> parts_;
  bool object_is_literal_ = false;
  Term terms_[4];
};

}  // namespace

Result<void> ReadJsonl(LineReader* lines, Reading* reading) {
  Statement statement;
  for (std::string_view line; lines->Next(&line);) {
    line = WithoutCr(line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    StatementView view;
    if (statement.Parse(line) && statement.Terms(reading->source(), &view)) {
      LOCI_TRY(reading->Add(view.subject, view.relation, view.object, view.source));
      continue;
    }
    LOCI_TRY(reading->BadAt(lines->number(), line, statement.fault()));
  }
  return lines->status();
}

}  // namespace loci
