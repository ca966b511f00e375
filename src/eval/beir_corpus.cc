// SPDX-License-Identifier: Apache-2.0
#include "eval/beir_corpus.h"

#include <map>

#include "eval/lines.h"
#include "formats/json_line.h"

namespace loci::eval {
namespace {

using Strings = std::map<std::string, std::string, std::less<>>;

bool Members(JsonLine* line, JsonLine::Object& object, Strings* strings) {
  for (auto item : object) {
    std::string_view key;
    size_t at = 0;
    JsonLine::Value value;
    if (!line->Key(std::move(item), &key, &at, &value)) return false;
    const std::string name(key);
    simdjson::ondemand::json_type type;
    if (!line->Type(&value, &type)) return false;
    if (type == simdjson::ondemand::json_type::object) {
      JsonLine::Object inner;
      if (const auto error = value.get_object().get(inner)) return line->Syntax(error);
      if (!Members(line, inner, strings)) return false;
    } else if (type == simdjson::ondemand::json_type::string) {
      JsonLine::Part part;
      if (!line->String(&value, &part)) return false;
      (*strings)[name] = part.text;
    }
  }
  return true;
}

}  // namespace

Result<void> ReadCorpus(const std::string& path, StatementSink* sink) {
  LOCI_ASSIGN(const Term source, MakeSymbol("corpus.jsonl"));
  JsonLine parser;
  return EachLine(path,
                  [&](std::string_view line, uint64_t number, Reading* reading) -> Result<void> {
                    JsonLine::Object object;
                    Strings strings;
                    if (!parser.Open(line, "write {\"_id\":...}", &object) ||
                        !Members(&parser, object, &strings) || !parser.Close()) {
                      return reading->BadAt(number, line, parser.fault());
                    }
                    LOCI_ASSIGN(const Term id, MakeSymbol(strings["_id"]));
                    for (const auto& [key, text] : strings) {
                      if (key == "_id" || text.empty()) continue;
                      LOCI_ASSIGN(const Term relation, MakeSymbol(key));
                      auto object_term = key == "speaker" || key == "part_of" ? MakeSymbol(text)
                                         : key == "time"                      ? MakeDate(text)
                                                                              : MakeText(text);
                      if (!object_term.ok()) continue;
                      LOCI_TRY(sink->Add({id, relation, *object_term, source}));
                    }
                    return {};
                  });
}

}  // namespace loci::eval
