// SPDX-License-Identifier: Apache-2.0
//
// Passages as JSON objects, one a line (RFC 8259): the corpora of BEIR, texts that another program
// has cut, and conversations. They are one format, for what they say is said in the same way:
//
//   {"_id":"d7","title":"Oaks","text":"...","metadata":{"year":1998,"tags":["tree","wood"]}}
//   {"text":"...","title":"...","time":"2024-05-17","source":"notes","page":3}
//   {"speaker":"Ada","text":"...","time":"2023-05-08T13:56","session":1}
//
//   _id, id       the passage's name; without it NAME#000007, for the 7th record of NAME
//   text          must be there, and may be empty
//   part_of       what it is a passage of; without it NAME, where it has a number for a name or a
//                 speaker; where it has a session, NAME/SESSION, which is in turn part_of NAME
//   source        of all that the record says
//   speaker       a symbol, as are part_of and truth values
//   time          a date, where it is one
//   metadata      its members are as those of the record, but for _id, id, title and text, which
//   are
//                 then facts like any other
//   all others    a fact each: a string is a text, a number a number; of an array a fact for each
//                 element; {"a":{"b":1}} is a.b(passage, 1). null and empty strings say nothing
//
// A record is learned as a whole or, where a part of it is bad, not at all.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/unicode.h"
#include "formats/json_line.h"
#include "formats/readers.h"

namespace loci {
namespace {

namespace json = simdjson::ondemand;

using Part = JsonLine::Part;

constexpr std::string_view kForm =
    R"(write {"_id":"...","title":"...","text":"...","metadata":{...}} or )"
    R"({"text":"...","speaker":"...","time":"..."})";

constexpr int kMostDepth = 100;  // this code calls itself

// Taken as they stand, whatever JSON calls them.
bool IsName(std::string_view relation) {
  return relation == "speaker" || relation == "part_of";
}

class Record {
 public:
  // False: fault() says why.
  bool Parse(std::string_view line) {
    id_ = text_ = source_ = session_ = {};
    facts_.clear();
    json::object object;
    if (!line_.Open(line, kForm, &object) || !Members(object, "", 0) || !line_.Close()) {
      return false;
    }
    return text_.present || line_.Fail(std::nullopt, fmt::format("\"{}\" has no \"text\"; {}",
                                                                 Excerpt(line), kForm));
  }

  // What it says, of the record of that number. False: fault() says why.
  bool Statements(const std::string& document, TermView default_source, uint64_t number) {
    statements_.clear();
    source_term_ = Term{default_source.kind, std::string(default_source.bytes)};
    const std::string name =
        id_.present ? std::string(id_.text) : fmt::format("{}#{:06}", document, number);
    if (source_.present && !Made(MakeSymbol(source_.text), source_.offset, &source_term_)) {
      return false;
    }
    if (!Made(MakeSymbol(name), id_.offset, &subject_)) return false;
    bool in_part = false, spoken = false;
    for (const Fact& fact : facts_) {
      in_part |= fact.relation == "part_of";
      spoken |= fact.relation == "speaker";
      if (!Say(fact)) return false;
    }
    if (session_.present) {
      const Term said_of = subject_;
      const std::string session = fmt::format("{}/{}", document, session_.text);
      if (!Say({"part_of", session, session_.offset, Form::kSymbol})) return false;
      if (!sessions_.insert(session + '\0' + source_term_.bytes).second) return true;
      if (!Made(MakeSymbol(session), session_.offset, &subject_)) return false;
      return Say({"part_of", document, session_.offset, Form::kSymbol});
    }
    if (in_part || (id_.present && !spoken)) return true;
    return Say({"part_of", document, 0, Form::kSymbol});
  }

  Result<void> HandOn(Reading* reading) const {
    for (const Statement& s : statements_) {
      LOCI_TRY(reading->Add(s.subject, s.relation, s.object, source_term_));
    }
    return {};
  }

  const LineFault& fault() const { return line_.fault(); }

 private:
  enum class Form : uint8_t { kText, kSymbol, kNumber, kTime };
  struct Fact {
    std::string relation;
    std::string_view value;
    size_t offset;
    Form form;
  };
  struct Statement {
    Term subject, relation, object;
  };

  // depth 0: the record's own members, else those of something in it, whose relations begin so.
  bool Members(json::object& object, const std::string& prefix, int depth) {
    const bool top = depth == 0;
    for (auto item : object) {
      std::string_view key;
      size_t key_at = 0;
      json::value value;
      if (!line_.Key(std::move(item), &key, &key_at, &value)) return false;
      json::json_type type;
      if (!line_.Type(&value, &type)) return false;
      if (top && key == "metadata" && type == json::json_type::object) {
        json::object metadata;
        if (const auto error = value.get_object().get(metadata)) return line_.Syntax(error);
        if (!Members(metadata, "", 1)) return false;
        continue;
      }
      Part* const own = top && (key == "_id" || key == "id") ? &id_
                        : top && key == "text"               ? &text_
                        : prefix.empty() && key == "source"  ? &source_
                        : prefix.empty() && key == "session" ? &session_
                                                             : nullptr;
      if (own == nullptr) {
        const std::string relation = prefix.empty() ? "" : prefix + ".";
        if (!Value(value, type, relation + std::string(key), depth)) return false;
        continue;
      }
      if (type == json::json_type::null && own != &text_) continue;
      if (own->present) {
        return line_.Fail(key_at, fmt::format("\"{}\" is given twice; give it once", key));
      }
      if (!Characters(value, type, key, own)) return false;
      if (own == &text_ && !own->text.empty()) {
        facts_.push_back({"text", own->text, own->offset, Form::kText});
      } else if (own->text.empty() && own != &id_) {
        own->present = own == &text_;  // says nothing
      }
    }
    return true;
  }

  // A string, or of a name a number, as its characters.
  bool Characters(json::value value, json::json_type type, std::string_view key, Part* part) {
    part->present = true;
    if (type == json::json_type::string) return line_.String(&value, part);
    const std::string_view token = line_.Token(&value);
    part->offset = line_.Offset(token.data());
    if (type != json::json_type::number || key == "text") {
      return line_.Fail(part->offset, fmt::format("{} is not a string; \"{}\" needs one",
                                                  Excerpt(token, 20), key));
    }
    return Number(token, part);
  }

  bool Number(std::string_view token, Part* part) {
    part->text = token;
    return IsJsonNumber(token) ||
           line_.Fail(part->offset, fmt::format("\"{}\" is not a JSON number; write digits as in "
                                                "-12.5e3, or a string",
                                                Excerpt(token, 40)));
  }

  bool Value(json::value value, json::json_type type, const std::string& relation, int depth) {
    const std::string_view token = line_.Token(&value);
    Part part{true, token, line_.Offset(token.data())};
    if (depth > kMostDepth) {
      return line_.Fail(part.offset, fmt::format("more than {} values in one another; make the "
                                                 "record flatter",
                                                 kMostDepth));
    }
    switch (type) {
      case json::json_type::object: {
        json::object object;
        if (const auto error = value.get_object().get(object)) return line_.Syntax(error);
        return Members(object, relation, depth + 1);
      }
      case json::json_type::array:
        return Elements(value, relation, depth + 1);
      case json::json_type::string: {
        if (!line_.String(&value, &part)) return false;
        const Form form = IsName(relation)     ? Form::kSymbol
                          : relation == "time" ? Form::kTime
                                               : Form::kText;
        if (!part.text.empty()) facts_.push_back({relation, part.text, part.offset, form});
        return true;
      }
      case json::json_type::number:
        if (!Number(token, &part)) return false;
        facts_.push_back(
            {relation, part.text, part.offset, IsName(relation) ? Form::kSymbol : Form::kNumber});
        return true;
      case json::json_type::boolean: {
        bool truth = false;
        if (const auto error = value.get_bool().get(truth)) return line_.Syntax(error);
        facts_.push_back({relation, truth ? "true" : "false", part.offset, Form::kSymbol});
        return true;
      }
      case json::json_type::null:
        if (token != "null")
          return line_.Fail(part.offset, fmt::format("\"{}\" is not JSON", Excerpt(token, 20)));
        return true;
    }
    return line_.Fail(part.offset, fmt::format("\"{}\" is not JSON", Excerpt(token, 20)));
  }

  bool Elements(json::value value, const std::string& relation, int depth) {
    json::array array;
    if (const auto error = value.get_array().get(array)) return line_.Syntax(error);
    for (auto element : array) {
      json::value each;
      if (const auto error = element.get(each)) return line_.Syntax(error);
      json::json_type type;
      if (!line_.Type(&each, &type) || !Value(each, type, relation, depth)) return false;
    }
    return true;
  }

  bool Made(Result<Term> made, size_t offset, Term* term) {
    if (!made.ok()) return line_.Fail(offset, made.error().message);
    *term = made.take();
    return true;
  }

  // "2023-05-08 13:56" is how many write ISO 8601's 2023-05-08T13:56.
  static Result<Term> Time(std::string_view written) {
    std::string iso(written);
    if (iso.size() > 10 && iso[10] == ' ') iso[10] = 'T';
    auto date = MakeDate(iso);
    return date.ok() ? std::move(date) : MakeText(written);
  }

  bool Say(const Fact& fact) {
    Statement s{subject_, {}, {}};
    if (!Made(MakeSymbol(fact.relation), fact.offset, &s.relation)) return false;
    auto object = fact.form == Form::kText     ? MakeText(fact.value)
                  : fact.form == Form::kSymbol ? MakeSymbol(fact.value)
                  : fact.form == Form::kNumber ? MakeNumber(fact.value)
                                               : Time(fact.value);
    if (!Made(std::move(object), fact.offset, &s.object)) return false;
    statements_.push_back(std::move(s));
    return true;
  }

  JsonLine line_;
  Part id_, text_, source_, session_;
  std::vector<Fact> facts_;
  Term subject_, source_term_;
  std::vector<Statement> statements_;
  std::set<std::string> sessions_;  // whose part_of is said, each with the source that said it
};

}  // namespace

Result<void> ReadPassageRecords(LineReader* lines, Reading* reading) {
  Record record;
  uint64_t number = 0;
  for (std::string_view line; lines->Next(&line);) {
    line = WithoutCr(line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    ++number;
    if (record.Parse(line) && record.Statements(reading->base(), reading->source(), number)) {
      LOCI_TRY(record.HandOn(reading));
      continue;
    }
    LOCI_TRY(reading->BadAt(lines->number(), line, record.fault()));
  }
  return lines->status();
}

}  // namespace loci
