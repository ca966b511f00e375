// SPDX-License-Identifier: Apache-2.0
#include "eval/beir.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/unicode.h"
#include "eval/lines.h"
#include "eval/metrics.h"
#include "formats/json_line.h"

namespace loci::eval {
namespace {

namespace json = simdjson::ondemand;

constexpr std::string_view kQueryForm = R"(write {"_id":"...","text":"..."})";
constexpr std::string_view kJudgementForm =
    "write query-id TAB corpus-id TAB score, or TREC's: query 0 document grade";

// One line of queries.jsonl.
class QueryLine {
 public:
  // False: fault() says why.
  bool Parse(std::string_view line, Query* query) {
    *query = {};
    bool has_id = false, has_text = false;
    json::object object;
    if (!line_.Open(line, kQueryForm, &object)) return false;
    for (auto item : object) {
      std::string_view key;
      size_t at = 0;
      json::value value;
      if (!line_.Key(std::move(item), &key, &at, &value)) return false;
      if (key == "_id" || key == "text") {
        bool& given = key == "text" ? has_text : has_id;
        if (given) return line_.Fail(at, fmt::format("the key \"{}\" is given twice", key));
        given = true;
        if (!Text(value, key, key == "text" ? &query->text : &query->id)) return false;
      } else if (key == "metadata") {
        if (!Metadata(value, query)) return false;
      }
    }
    if (!line_.Close()) return false;
    if (has_id && has_text) return Normalize(query);
    return line_.Fail(std::nullopt, fmt::format("\"{}\" has no \"{}\"; {}", Excerpt(line),
                                                has_id ? "text" : "_id", kQueryForm));
  }

  const LineFault& fault() const { return line_.fault(); }

 private:
  bool Text(json::value value, std::string_view key, std::string* text) {
    json::json_type type;
    if (!line_.Type(&value, &type)) return false;
    const std::string_view token = line_.Token(&value);
    if (type == json::json_type::number && key == "_id") {  // some collections number queries
      *text = token;
      return true;
    }
    if (type != json::json_type::string) {
      return line_.Fail(
          line_.Offset(token.data()),
          fmt::format("{} is not a string; \"{}\" needs one", Excerpt(token, 20), key));
    }
    JsonLine::Part part;
    if (!line_.String(&value, &part)) return false;
    *text = part.text;
    return true;
  }

  bool Metadata(json::value value, Query* query) {
    json::json_type type;
    if (!line_.Type(&value, &type)) return false;
    json::object object;
    if (type != json::json_type::object) return true;
    if (const auto error = value.get_object().get(object)) return line_.Syntax(error);
    for (auto item : object) {
      std::string_view key;
      size_t at = 0;
      json::value member;
      if (!line_.Key(std::move(item), &key, &at, &member)) return false;
      if (key == "kind" && !Text(member, key, &query->kind)) return false;
    }
    return true;
  }

  bool Normalize(Query* query) {
    auto id = MakeSymbol(query->id);
    if (!id.ok()) return line_.Fail(std::nullopt, "as an \"_id\", " + id.error().message);
    query->id = id.take().bytes;
    return true;
  }

  JsonLine line_;
};

// The ids and the grade of a line, whichever of the two forms it has.
struct JudgementLine {
  Field query, document, grade;
};

bool SplitJudgement(std::string_view line, JudgementLine* parts) {
  if (const auto fields = FieldsByTab(line); fields.size() == 3) {
    *parts = {fields[0], fields[1], fields[2]};
    return true;
  }
  if (const auto fields = FieldsBySpace(line); fields.size() == 4) {
    *parts = {fields[0], fields[2], fields[3]};
    return true;
  }
  return false;
}

}  // namespace

Result<std::vector<Query>> ReadQueries(const std::string& path) {
  std::vector<Query> queries;
  std::set<std::string> known;
  QueryLine parser;
  LOCI_TRY(EachLine(path, [&](std::string_view line, uint64_t number, Reading* reading) {
    Query query;
    if (!parser.Parse(line, &query)) return reading->BadAt(number, line, parser.fault());
    if (!known.insert(query.id).second) {
      return reading->Bad(number, 0,
                          fmt::format("the query {} was there before; give each its own \"_id\"",
                                      Excerpt(query.id, 40)));
    }
    queries.push_back(std::move(query));
    return Result<void>();
  }));
  return queries;
}

Result<Judgements> ReadJudgements(const std::string& path) {
  Judgements judgements;
  LOCI_TRY(
      EachLine(path, [&](std::string_view line, uint64_t number, Reading* reading) -> Result<void> {
        JudgementLine parts;
        if (!SplitJudgement(line, &parts)) {
          return reading->Bad(
              number, 0, fmt::format("\"{}\" is no judgement; {}", Excerpt(line), kJudgementForm));
        }
        int64_t grade = 0;
        if (!ParseGrade(parts.grade.text, &grade)) {
          if (number == 1) return {};  // the header
          return reading->BadAt(number, line, parts.grade.offset,
                                fmt::format("\"{}\" is not a whole number; {}",
                                            Excerpt(parts.grade.text, 20), kJudgementForm));
        }
        std::string ids[2];
        for (const auto& [field, id] :
             {std::pair(&parts.query, &ids[0]), {&parts.document, &ids[1]}}) {
          auto made = MakeSymbol(field->text);
          if (!made.ok()) {
            return reading->BadAt(number, line, field->offset, "as an id, " + made.error().message);
          }
          *id = made.take().bytes;
        }
        const auto [place, fresh] = judgements[ids[0]].emplace(ids[1], grade);
        if (!fresh && place->second != grade) {
          return reading->Bad(number, 0,
                              fmt::format("the document {} of the query {} was judged {} before; "
                                          "keep one of the two",
                                          Excerpt(ids[1], 40), Excerpt(ids[0], 40), place->second));
        }
        return {};
      }));
  return judgements;
}

Result<Task> ReadTask(const std::string& directory, const std::string& split) {
  Task task;
  LOCI_ASSIGN(const std::string queries_path, FindFile(directory, "queries.jsonl"));
  LOCI_ASSIGN(const std::string judgements_path,
              FindFile(directory, fmt::format("qrels/{}.tsv", split)));
  LOCI_ASSIGN(std::vector<Query> queries, ReadQueries(queries_path));
  LOCI_ASSIGN(task.judgements, ReadJudgements(judgements_path));
  task.unanswerable =
      std::erase_if(task.judgements, [](const auto& one) { return !HasRelevant(one.second); });
  for (Query& query : queries) {
    if (task.judgements.contains(query.id)) task.queries.push_back(std::move(query));
  }
  if (task.queries.size() < task.judgements.size()) {
    std::set<std::string_view> there;
    for (const Query& query : task.queries) there.insert(query.id);
    for (const auto& [id, grades] : task.judgements) {
      if (there.contains(id)) continue;
      return Error{ErrorKind::kBadInput,
                   fmt::format("the query {} of {} is not in {}", Excerpt(id, 40), judgements_path,
                               queries_path)};
    }
  }
  if (task.queries.empty()) {
    return Error{ErrorKind::kBadInput,
                 fmt::format("{} judges no document as relevant: there is nothing to measure",
                             judgements_path)};
  }
  return task;
}

}  // namespace loci::eval
