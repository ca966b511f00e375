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
#include <simdjson.h>

#include <array>
#include <optional>
#include <utility>

#include "base/unicode.h"
#include "formats/readers.h"

namespace loci {
namespace {

namespace json = simdjson::ondemand;

struct Fault {
  std::optional<size_t> offset;  // in the line; absent: the line as a whole
  std::string reason;
};

// A member's characters and where they are.
struct Part {
  bool present = false;
  std::string_view text;
  size_t offset = 0;
};

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

// What JSON calls a number; the decimals of ours also allow 01, +1, .5 and 5.
bool IsJsonNumber(std::string_view s) {
  const auto digits = [&] {
    size_t n = 0;
    while (n < s.size() && s[n] >= '0' && s[n] <= '9') ++n;
    s.remove_prefix(n);
    return n;
  };
  if (s.starts_with('-')) s.remove_prefix(1);
  const bool zero = s.starts_with('0');
  const size_t whole = digits();
  if (whole == 0 || (zero && whole > 1)) return false;
  if (s.starts_with('.')) {
    s.remove_prefix(1);
    if (digits() == 0) return false;
  }
  if (s.starts_with('e') || s.starts_with('E')) {
    s.remove_prefix(1);
    if (s.starts_with('+') || s.starts_with('-')) s.remove_prefix(1);
    if (digits() == 0) return false;
  }
  return s.empty();
}

std::string_view Trimmed(std::string_view token) {
  const size_t last = token.find_last_not_of(" \t\r\n");
  return token.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

// Takes one line apart into parts_, then makes terms of them.
class Statement {
 public:
  // False: fault() says why.
  bool Parse(std::string_view line) {
    padded_.assign(line);
    padded_.resize(line.size() + simdjson::SIMDJSON_PADDING, ' ');
    begin_ = padded_.data();
    size_ = line.size();
    parts_ = {};
    object_is_literal_ = false;
    json::document document;
    simdjson::error_code error = parser_.iterate(begin_, size_, padded_.size()).get(document);
    if (error != simdjson::SUCCESS) {
      // There is no document yet to ask for the place.
      fault_ = {FindInvalidUtf8(line),
                error == simdjson::UTF8_ERROR
                    ? "not UTF-8 here; convert the input, e.g. with iconv"
                    : fmt::format("\"{}\" is not JSON: {}", Excerpt(line), error_message(error))};
      return false;
    }
    json::object object;
    if (line[line.find_first_not_of(" \t\r")] != '{') {
      fault_ = {0, fmt::format("\"{}\" is not a JSON object; {}", Excerpt(line, 40), kForm)};
      return false;
    }
    if (const size_t last = line.find_last_not_of(" \t\r"); line[last] != '}') {
      fault_ = {last, fmt::format("\"{}\" where the object's closing }} ends the line",
                                  Excerpt(line.substr(last)))};
      return false;
    }
    error = document.get_object().get(object);
    if (error != simdjson::SUCCESS) return Syntax(error, document);
    if (!Members(object, document, kSubject, kSource)) return false;
    const char* rest = nullptr;
    if (document.current_location().get(rest) == simdjson::SUCCESS) {
      fault_ = {Offset(rest), fmt::format("unexpected \"{}\" after the object; one object a line",
                                          Excerpt(line.substr(std::min(size_, Offset(rest))), 20))};
      return false;
    }
    for (const Member member : {kSubject, kRelation, kObject}) {
      if (parts_[member].present) continue;
      fault_ = {std::nullopt,
                fmt::format("\"{}\" has no \"{}\"; {}", Excerpt(line), kKeys[member], kForm)};
      return false;
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

  const Fault& fault() const { return fault_; }

 private:
  size_t Offset(const char* at) const { return static_cast<size_t>(at - begin_); }

  bool Syntax(simdjson::error_code error, json::document& document) {
    const char* at = nullptr;
    fault_.offset.reset();
    if (document.current_location().get(at) == simdjson::SUCCESS && Offset(at) <= size_) {
      fault_.offset = Offset(at);
    }
    const std::string_view near = std::string_view(begin_, size_).substr(fault_.offset.value_or(0));
    fault_.reason =
        fmt::format("not JSON at \"{}\": {}", Excerpt(near, 30), simdjson::error_message(error));
    return false;
  }

  // The members of an object whose keys are kKeys[first] to kKeys[last], into parts_.
  bool Members(json::object& object, json::document& document, Member first, Member last) {
    for (auto item : object) {
      json::field field;
      if (const auto error = std::move(item).get(field)) return Syntax(error, document);
      const size_t key_at = Offset(field.key().raw()) - 1;
      std::string_view key;
      if (const auto error = field.unescaped_key().get(key)) return Syntax(error, document);
      size_t member = first;
      while (member <= last && kKeys[member] != key) ++member;
      if (member > last) {
        if (key == "vector") {
          fault_ = {key_at, "vectors are not supported yet; leave this statement out"};
        } else {
          fault_ = {key_at, fmt::format("unknown key \"{}\"; {}", Excerpt(key, 40),
                                        first == kSubject ? kForm : kObjectForm)};
        }
        return false;
      }
      Part& part = parts_[member];
      if (part.present) {
        fault_ = {key_at, fmt::format("the key \"{}\" is given twice; give it once", key)};
        return false;
      }
      part.present = true;
      if (!Value(field.value(), static_cast<Member>(member), document)) return false;
    }
    return true;
  }

  bool Value(json::value value, Member member, json::document& document) {
    Part& part = parts_[member];
    const std::string_view token = Trimmed(value.raw_json_token());
    part.offset = Offset(token.data());
    json::json_type type;
    if (const auto error = value.type().get(type)) return Syntax(error, document);
    if (type == json::json_type::string) {
      if (const auto error = value.get_string().get(part.text)) {
        fault_ = {part.offset, fmt::format("the string {} is not valid: {} (an escape, or a lone "
                                           "surrogate)",
                                           Excerpt(token, 40), simdjson::error_message(error))};
        return false;
      }
      return true;
    }
    if (type == json::json_type::number && (member == kObject || member == kNumber)) {
      if (!IsJsonNumber(token)) {
        fault_ = {part.offset,
                  fmt::format("\"{}\" is not a JSON number; write digits as in -12.5e3, "
                              "or a string",
                              Excerpt(token, 40))};
        return false;
      }
      part.text = token;
      object_is_literal_ = member == kObject;
      return true;
    }
    if (type == json::json_type::object && member == kObject) {
      json::object object;
      if (const auto error = value.get_object().get(object)) return Syntax(error, document);
      if (!Members(object, document, kSymbol, kDatatype)) return false;
      return OneForm();
    }
    fault_ = {part.offset, member == kObject ? fmt::format("{} is no object of a statement; {}",
                                                           Excerpt(token, 20), kObjectForm)
                                             : fmt::format("{} is not a string; \"{}\" needs one",
                                                           Excerpt(token, 20), kKeys[member])};
    return false;
  }

  // Exactly one of symbol, text, number and date; lang or datatype only with a text.
  bool OneForm() {
    int forms = 0;
    for (const Member form : {kSymbol, kText, kNumber, kDate}) forms += parts_[form].present;
    const int tags = parts_[kLang].present + parts_[kDatatype].present;
    if (forms == 1 && tags <= (parts_[kText].present ? 1 : 0)) return true;
    fault_ = {parts_[kObject].offset, fmt::format("the object has {}; {}",
                                                  forms == 0  ? "no value"
                                                  : forms > 1 ? "several values"
                                                              : "tags that do not fit",
                                                  kObjectForm)};
    return false;
  }

  bool Made(Result<Term> made, const Part& part, Term* term, TermView* view) {
    if (!made.ok()) {
      fault_ = {part.offset, made.error().message};
      return false;
    }
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

  json::parser parser_;
  std::string padded_;
  const char* begin_ = nullptr;
  size_t size_ = 0;
  std::array<Part, kKeys.size()> parts_;
  bool object_is_literal_ = false;
  Term terms_[4];
  Fault fault_;
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
    const Fault& fault = statement.fault();
    if (fault.offset) {
      LOCI_TRY(reading->BadAt(lines->number(), line, *fault.offset, fault.reason));
    } else {
      LOCI_TRY(reading->Bad(lines->number(), 0, fault.reason));
    }
  }
  return lines->status();
}

}  // namespace loci
