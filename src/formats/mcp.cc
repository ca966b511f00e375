// SPDX-License-Identifier: Apache-2.0
//
// The memory.jsonl of the reference MCP memory server: an entity or a relation a line.
//
//   {"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}
//       entity_type(Ada, person)   observation(Ada, "likes tea")   (formats/mcp_graph.h)
//   {"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}
//       works_at(Ada, Acme)
//
// All that the server's tools say can be told from these again: an entity is whatever has an
// entity_type, with or without observations; its observations are the texts; every other fact
// between two symbols is a relation, whether its ends are entities or not. Therefore no relation
// may be called entity_type. An entity's observations are a set: order and repetition are not kept.
#include <fmt/format.h>

#include <array>
#include <utility>
#include <vector>

#include "base/unicode.h"
#include "formats/json_line.h"
#include "formats/mcp_graph.h"
#include "formats/readers.h"

namespace loci {
namespace {

namespace json = simdjson::ondemand;

using Part = JsonLine::Part;

enum Member { kType, kName, kEntityType, kObservations, kFrom, kTo, kRelationType };
constexpr std::array<std::string_view, 7> kKeys = {"type", "name", "entityType",  "observations",
                                                   "from", "to",   "relationType"};

constexpr std::string_view kEntityForm =
    R"(write {"type":"entity","name":"...","entityType":"...","observations":["..."]})";
constexpr std::string_view kRelationForm =
    R"(write {"type":"relation","from":"...","to":"...","relationType":"..."})";
constexpr std::string_view kForm =
    R"(write {"type":"entity","name":"...","entityType":"...","observations":["..."]} or )"
    R"({"type":"relation","from":"...","to":"...","relationType":"..."})";

// Takes a line apart as a whole before anything of it is handed on.
class Item {
 public:
  // False: fault() says why.
  bool Parse(std::string_view line) {
    parts_ = {};
    observations_.clear();
    json::object object;
    if (!line_.Open(line, kForm, &object) || !Members(object) || !line_.Close()) return false;
    const Part& type = parts_[kType];
    if (!type.present) return line_.Fail(std::nullopt, Missing(line, kType, kForm));
    is_entity_ = type.text == "entity";
    if (!is_entity_ && type.text != "relation") {
      return line_.Fail(type.offset,
                        fmt::format("the type \"{}\" is neither \"entity\" nor \"relation\"; {}",
                                    Excerpt(type.text, 40), kForm));
    }
    const std::string_view form = is_entity_ ? kEntityForm : kRelationForm;
    for (int member = kName; member <= kRelationType; ++member) {
      const bool needed = (member <= kObservations) == is_entity_;
      const Part& part = parts_[member];
      if (part.present && !needed) {
        return line_.Fail(part.offset, fmt::format("\"{}\" in {}; {}", kKeys[member],
                                                   is_entity_ ? "an entity" : "a relation", form));
      }
      if (!part.present && needed) return line_.Fail(std::nullopt, Missing(line, member, form));
    }
    return Terms();
  }

  Result<void> Add(Reading* reading) const {
    if (!is_entity_) return reading->Add(terms_[0], terms_[1], terms_[2]);
    constexpr TermView kObservation{Kind::kSymbol, kObservationRelation};
    LOCI_TRY(reading->Add(terms_[0], terms_[1], terms_[2]));
    for (const Term& text : texts_) LOCI_TRY(reading->Add(terms_[0], kObservation, text));
    return {};
  }

  const LineFault& fault() const { return line_.fault(); }

 private:
  static std::string Missing(std::string_view line, int member, std::string_view form) {
    return fmt::format("\"{}\" has no \"{}\"; {}", Excerpt(line), kKeys[member], form);
  }

  bool Members(json::object& object) {
    for (auto item : object) {
      std::string_view key;
      size_t key_at = 0;
      json::value value;
      if (!line_.Key(std::move(item), &key, &key_at, &value)) return false;
      size_t member = 0;
      while (member < kKeys.size() && kKeys[member] != key) ++member;
      if (member == kKeys.size()) {
        return line_.Fail(key_at, fmt::format("unknown key \"{}\"; {}", Excerpt(key, 40), kForm));
      }
      Part& part = parts_[member];
      if (part.present) {
        return line_.Fail(key_at, fmt::format("the key \"{}\" is given twice; give it once", key));
      }
      part.present = true;
      part.offset = key_at;
      if (!(member == kObservations ? Observations(value) : String(value, kKeys[member], &part))) {
        return false;
      }
    }
    return true;
  }

  bool String(json::value value, std::string_view what, Part* part) {
    json::json_type type;
    if (!line_.Type(&value, &type)) return false;
    if (type == json::json_type::string) return line_.String(&value, part);
    const std::string_view token = line_.Token(&value);
    return line_.Fail(line_.Offset(token.data()),
                      fmt::format("{} is not a string; \"{}\" needs {}", Excerpt(token, 20), what,
                                  what == kKeys[kObservations] ? "an array of them" : "one"));
  }

  bool Observations(json::value value) {
    json::json_type type;
    if (!line_.Type(&value, &type)) return false;
    json::array array;
    if (type != json::json_type::array) {
      const std::string_view token = line_.Token(&value);
      return line_.Fail(line_.Offset(token.data()),
                        fmt::format("{} is not an array; \"observations\" needs one of strings",
                                    Excerpt(token, 20)));
    }
    if (const auto error = value.get_array().get(array)) return line_.Syntax(error);
    for (auto element : array) {
      json::value observation;
      if (const auto error = std::move(element).get(observation)) return line_.Syntax(error);
      if (!String(observation, kKeys[kObservations], &observations_.emplace_back())) return false;
    }
    return true;
  }

  bool Made(Result<Term> made, const Part& part, std::string_view what, Term* term) {
    if (!made.ok()) {
      return line_.Fail(part.offset, fmt::format("{}: {}", what, made.error().message));
    }
    *term = made.take();
    return true;
  }

  bool Name(Member member, Term* term) {
    return Made(MakeSymbol(parts_[member].text), parts_[member], kKeys[member], term);
  }

  bool Terms() {
    if (!is_entity_) {
      if (!Name(kFrom, &terms_[0]) || !Name(kRelationType, &terms_[1]) || !Name(kTo, &terms_[2])) {
        return false;
      }
      if (terms_[1].bytes != kEntityTypeRelation) return true;
      return line_.Fail(parts_[kRelationType].offset,
                        "a relation of the type \"entity_type\" would be taken for the type of an "
                        "entity; give it another name");
    }
    terms_[1] = {Kind::kSymbol, std::string(kEntityTypeRelation)};
    texts_.resize(observations_.size());
    for (size_t i = 0; i < texts_.size(); ++i) {
      if (!Made(MakeText(observations_[i].text), observations_[i], kKeys[kObservations],
                &texts_[i])) {
        return false;
      }
    }
    return Name(kName, &terms_[0]) && Made(MakeEntityType(parts_[kEntityType].text),
                                           parts_[kEntityType], kKeys[kEntityType], &terms_[2]);
  }

  JsonLine line_;
  std::array<Part, kKeys.size()> parts_;
  std::vector<Part> observations_;
  bool is_entity_ = false;
  Term terms_[3];
  std::vector<Term> texts_;
};

}  // namespace

Result<void> ReadMcp(LineReader* lines, Reading* reading) {
  Item item;
  for (std::string_view line; lines->Next(&line);) {
    line = WithoutCr(line);
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    if (item.Parse(line)) {
      LOCI_TRY(item.Add(reading));
    } else {
      LOCI_TRY(reading->BadAt(lines->number(), line, item.fault()));
    }
  }
  return lines->status();
}

}  // namespace loci
