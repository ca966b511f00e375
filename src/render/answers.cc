// SPDX-License-Identifier: Apache-2.0
//
// Rendering of answers and of the statements behind them.
#include "render/answers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "render/derivation.h"
#include "render/evidence.h"
#include "render/score.h"
#include "render/table.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json AnswerJson(const query::Answers& answers, size_t row,
                const std::vector<query::Evidence>& evidence) {
  Json bindings = Json::object();
  for (size_t i = 0; i < answers.variables.size(); ++i) {
    bindings[answers.variables[i]] = ToPlain(answers.Name(answers.rows[row].values[i]));
  }
  Json json;
  json["bindings"] = std::move(bindings);
  json["score"] = ScoreNumber(answers.rows[row].score);
  json["evidence"] = Json::array();
  for (const query::Evidence& one : evidence) {
    json["evidence"].push_back(EvidenceJson(*answers.snapshot, one));
  }
  return json;
}

class Renderer {
 public:
  Renderer(const query::Query& query, const query::Answers& answers,
           const query::QueryOptions& options, const AnswerStyle& style)
      : answers_(answers), style_(style), explainer_(query, answers, options) {}

  Result<std::string> Run() {
    switch (style_.form) {
      case AnswerForm::kJson:
        return AsJson();
      case AnswerForm::kJsonl:
        return AsJsonl();
      case AnswerForm::kTable:
        return AsTable();
      case AnswerForm::kTsv:
        return AsTsv();
    }
    return std::string();
  }

 private:
  Result<std::vector<query::Evidence>> Explain(size_t row) {
    LOCI_ASSIGN(const query::Derivation derivation, explainer_.Derive(row, query::kForEvidence));
    return query::EvidenceOf(derivation, *answers_.snapshot);
  }

  Result<std::string> RowJson(size_t row) {
    LOCI_ASSIGN(const query::Derivation whole, explainer_.Derive(row, query::kForEvidence));
    Json json = AnswerJson(answers_, row, query::EvidenceOf(whole, *answers_.snapshot));
    if (!whole.whole) json["evidence_cut"] = true;
    if (style_.why) {
      LOCI_ASSIGN(const query::Derivation derivation, explainer_.Derive(row, {}));
      json["why"] = DerivationJson(*answers_.snapshot, derivation);
    }
    return Dump(json);
  }

  Result<std::string> AsJson() {
    std::string out = "{\"answers\":[";
    for (size_t row = 0; row < answers_.rows.size(); ++row) {
      LOCI_ASSIGN(const std::string json, RowJson(row));
      out += (row == 0 ? "\n" : ",\n") + json;
    }
    if (!answers_.rows.empty()) out += '\n';
    out += fmt::format("],\"variables\":{},\"truncated\":{}}}\n", Dump(Json(answers_.variables)),
                       style_.truncated);
    return out;
  }

  Result<std::string> AsJsonl() {
    std::string out;
    for (size_t row = 0; row < answers_.rows.size(); ++row) {
      LOCI_ASSIGN(const std::string json, RowJson(row));
      out += json + '\n';
    }
    return out;
  }

  // Empty where there is nothing to head: no variables, or no answers.
  TableRow Header() const {
    TableRow header;
    if (answers_.rows.empty()) return header;
    for (const std::string& variable : answers_.variables) header.push_back('?' + variable);
    if (style_.evidence && !header.empty()) header.push_back("evidence");
    return header;
  }

  TableRow Cells(size_t row) const {
    TableRow cells;
    if (answers_.variables.empty()) cells.push_back("yes");
    for (TermId value : answers_.rows[row].values) {
      cells.push_back(ToNotation(answers_.Name(value)));
    }
    return cells;
  }

  bool IsNo() const { return answers_.variables.empty() && answers_.rows.empty(); }

  // One answer a line, its evidence in one cell.
  Result<std::string> AsTsv() {
    if (IsNo()) return std::string("no\n");
    std::string out;
    if (TableRow header = Header(); !header.empty()) AppendTsv(header, &out);
    for (size_t row = 0; row < answers_.rows.size(); ++row) {
      TableRow cells = Cells(row);
      if (style_.evidence) {
        LOCI_ASSIGN(const auto evidence, Explain(row));
        std::string joined;
        for (const query::Evidence& one : evidence) {
          joined += (joined.empty() ? "" : "; ") + EvidenceLine(*answers_.snapshot, one);
        }
        cells.push_back(std::move(joined));
      }
      AppendTsv(cells, &out);
      LOCI_TRY(AppendTree(row, &out));
    }
    return out;
  }

  Result<void> AppendTree(size_t row, std::string* out) {
    if (!style_.why) return {};
    LOCI_ASSIGN(const query::Derivation derivation, explainer_.Derive(row, {}));
    *out += DerivationText(*answers_.snapshot, derivation, true);
    return {};
  }

  // Each fact of the evidence on a line of its own, the first beside its answer.
  Result<std::string> AsTable() {
    if (IsNo()) return std::string("no\n");
    std::vector<TableRow> rows;
    if (TableRow header = Header(); !header.empty()) rows.push_back(std::move(header));
    for (size_t row = 0; row < answers_.rows.size(); ++row) {
      TableRow cells = Cells(row);
      const size_t width = cells.size();
      if (style_.evidence) {
        LOCI_ASSIGN(const auto evidence, Explain(row));
        for (const query::Evidence& one : evidence) {
          cells.push_back(EvidenceLine(*answers_.snapshot, one));
          rows.push_back(std::move(cells));
          cells = TableRow(width);
        }
        if (!evidence.empty()) continue;
      }
      rows.push_back(std::move(cells));
    }
    const std::string table = AlignedTable(rows);
    return style_.why ? WithTrees(table) : table;
  }

  // The lines of a table, which are one a row, each answer followed by its tree.
  Result<std::string> WithTrees(std::string_view table) {
    std::string out;
    const size_t headers = Header().empty() ? 0 : 1;
    for (size_t line = 0; !table.empty(); ++line) {
      const size_t end = table.find('\n') + 1;
      out += table.substr(0, end);
      table.remove_prefix(end);
      if (line >= headers) LOCI_TRY(AppendTree(line - headers, &out));
    }
    return out;
  }

  const query::Answers& answers_;
  const AnswerStyle& style_;
  query::Explainer explainer_;
};

}  // namespace

Result<std::string> RenderAnswers(const query::Query& query, const query::Answers& answers,
                                  const query::QueryOptions& options, const AnswerStyle& style) {
  LOCI_ASSIGN(std::string out, Renderer(query, answers, options, style).Run());
  LOCI_TRY(answers.snapshot->damage());
  return out;
}

}  // namespace loci
