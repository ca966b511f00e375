// SPDX-License-Identifier: Apache-2.0
//
// ask: exact questions in the query language, of which its description has what a model needs to
// write it: examples first, then the grammar in short. Values come back in notation, which can be
// put into the next query as it is.
#include <algorithm>
#include <chrono>
#include <vector>

#include <fmt/format.h>

#include "base/fixed.h"
#include "mcp/arguments.h"
#include "mcp/hints.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "query/facts.h"
#include "query/query.h"
#include "render/derivation.h"
#include "render/evidence.h"
#include "render/score.h"

namespace loci::mcp {
namespace {

constexpr uint64_t kDefaultLimit = 50, kMostLimit = 10'000;
constexpr uint64_t kDefaultWork = 100'000'000, kMostWork = 1'000'000'000;
constexpr uint64_t kMostMemory = uint64_t{1} << 30;  // bytes of one table of a query
constexpr size_t kMostEvidence = 10;                 // facts of one answer
constexpr size_t kMostSources = 5;                   // of one fact
constexpr query::DerivationLimits kMostWhy{30, 16};  // of one answer

constexpr char kDescription[] =
    R"end(Ask an exact question in the memory's query language: facts are relation(subject, object), ?x is a variable, "," is and. Use stats to see the relations and recall to find names.
  works_at(ann, ?where)                       one unknown
  ?r(<New York>, ?x)                          all that is said of a name; names with spaces stand in <>
  parent/^parent(ann, ?s), not likes(ann, ?s)   path: / then, ^ inverse, r+ one or more, r* zero or more, (r|s) either
  (?p) <- born(?p, ?d), ?d >= 1990-01-01 order by ?d desc limit 5   only ?p, sorted
  like(?x, "boat trips"), speaker(?x, ann)    text search joined with facts
query  := [ "(" VAR {"," VAR} ")" "<-" ] body [ "order by" VAR ["desc"] ] [ "limit" N ]
body   := conj { "or" conj }      conj := clause {"," clause}
clause := path "(" term "," term ")" [ "from" SOURCE ] | term (=|!=|<|<=|>|>=) term | not clause | "(" body ")" | like(?x, "words")
term   := ?var | name | <any name> | "text" | number | 2024-05-17 | _
< needs a space behind it when it compares. Texts match exactly; to search in them use like.)end";

PageItem Show(const query::Answers& answers, size_t row, bool scored, size_t most) {
  PageItem item;
  Json bindings = Json::object();
  const query::Answer& answer = answers.rows[row];
  for (size_t i = 0; i < answers.variables.size(); ++i) {
    std::string cell = Cut(ToNotation(answers.Name(answer.values[i])), most);
    item.text += (i == 0 ? "" : "\t") + cell;
    bindings[answers.variables[i]] = std::move(cell);
  }
  if (answers.variables.empty()) item.text = "yes";
  if (scored) item.text += fmt::format("\t{}", ScoreNumber(answer.score));
  item.text += '\n';
  item.json = {{"bindings", std::move(bindings)}, {"score", ScoreNumber(answer.score)}};
  return item;
}

void AddEvidence(const Snapshot& snapshot, const query::Derivation& whole, size_t most,
                 PageItem* item) {
  const std::vector<query::Evidence> evidence = query::EvidenceOf(whole, snapshot);
  item->json["evidence"] = Json::array();
  for (size_t i = 0; i < std::min(evidence.size(), kMostEvidence); ++i) {
    query::Evidence one = evidence[i];
    const size_t sources = one.sources.size();
    one.sources.resize(std::min(sources, kMostSources));
    Json json = {{"fact", Cut(query::FactNotation(snapshot, one.fact), most)},
                 {"sources", Json::array()},
                 {"addresses", Json::array()}};
    item->text += "  " + json["fact"].get<std::string>() + "  from ";
    for (const TermId source : one.sources) {
      const std::string name = Cut(ToNotation(snapshot.Name(source)), most);
      const std::string address = query::StatementAddress(snapshot, one.fact, source);
      item->text += (json["sources"].empty() ? "" : ", ") + name + ' ' + address;
      json["sources"].push_back(name);
      json["addresses"].push_back(address);
    }
    if (sources > kMostSources) {
      item->text += fmt::format(" and {} more sources", sources - kMostSources);
    }
    item->text += '\n';
    item->json["evidence"].push_back(std::move(json));
  }
  if (evidence.size() > kMostEvidence) {
    item->text +=
        fmt::format("  and {} more facts; why tells all\n", evidence.size() - kMostEvidence);
  }
}

void AddWhy(const Snapshot& snapshot, const query::Derivation& derivation, size_t most,
            PageItem* item) {
  item->json["why"] = Json::array();
  for (const std::string& line : DerivationLines(snapshot, derivation, true)) {
    const std::string cut = Cut(line, most);
    item->text += "  " + cut + '\n';
    item->json["why"].push_back(cut);
  }
}

struct Request {
  std::string text;
  uint64_t limit, offset;
  bool evidence, why;
  query::QueryOptions engine;
};

Request RequestOf(const Json& arguments, const ToolContext& context) {
  Request request;
  request.text = TextOf(arguments, "query");
  request.limit = CountOf(arguments, "limit", kDefaultLimit);
  request.offset = CountOf(arguments, "offset", 0);
  request.evidence = IsSet(arguments, "evidence");
  request.why = IsSet(arguments, "why");
  request.engine.limit = request.offset + request.limit + 1;  // one more: are there more?
  request.engine.max_work = CountOf(arguments, "max_work", kDefaultWork);
  request.engine.max_memory = kMostMemory;
  request.engine.cancelled = [&context] { return !context.KeepGoing(); };
  return request;
}

// As many of the answers from the offset on as there is room for.
Result<Page> Fill(const query::Query& query, const query::Answers& answers, const Request& request,
                  bool scored, uint64_t max_bytes) {
  Page page(max_bytes);
  query::Explainer explainer(query, answers, request.engine);
  const uint64_t end = std::min<uint64_t>(answers.rows.size(), request.offset + request.limit);
  for (uint64_t row = request.offset; row < end; ++row) {
    query::Derivation whole, tree;
    if (request.evidence) {
      LOCI_ASSIGN(whole, explainer.Derive(row, query::kForEvidence));
    }
    if (request.why) {
      LOCI_ASSIGN(tree, explainer.Derive(row, kMostWhy));
    }
    const auto render = [&](size_t most) {
      PageItem item = Show(answers, row, scored, most);
      if (request.evidence) AddEvidence(*answers.snapshot, whole, most, &item);
      if (request.why) AddWhy(*answers.snapshot, tree, most, &item);
      return item;
    };
    const Json empty = {{"bindings", Json::object()},
                        {"score", ScoreNumber(answers.rows[row].score)}};
    if (!page.AddFitting(render, empty)) break;
  }
  return page;
}

std::string Header(const query::Answers& answers, bool scored) {
  std::string out;
  for (const std::string& variable : answers.variables) {
    out += (out.empty() ? "?" : "\t?") + variable;
  }
  if (scored) out += out.empty() ? "score" : "\tscore";
  return out.empty() ? out : out + '\n';
}

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  const Request request = RequestOf(arguments, context);
  const auto query = query::Query::Parse(request.text);
  if (!query.ok()) return InQuery(query.error(), request.text);
  LOCI_ASSIGN(const auto snapshot, context.store->Read());
  const auto start = std::chrono::steady_clock::now();
  const auto answers = query->Run(snapshot, request.engine);
  context.store->CountQuery(std::chrono::steady_clock::now() - start);
  if (!answers.ok()) return InQuery(answers.error(), request.text);

  const size_t found = answers->rows.size();
  const bool is_question = answers->variables.empty();
  bool scored = false;
  for (const query::Answer& answer : answers->rows) scored |= answer.score != kScoreOne;
  const std::string header = Header(*answers, scored);
  const uint64_t max_bytes = MaxBytesOf(arguments, context);
  const uint64_t kept = max_bytes > kFrame + 2 * header.size() ? max_bytes - 2 * header.size() : 0;
  if (kept == 0) {
    return Error{ErrorKind::kUsage,
                 fmt::format("the names of {} variables do not fit in {} bytes; raise max_bytes, "
                             "or name the variables of interest: (?x, ?y) <- ...",
                             answers->variables.size(), max_bytes)};
  }
  LOCI_ASSIGN(Page page, Fill(*query, *answers, request, scored, kept));
  LOCI_TRY(snapshot->damage());

  ToolResult result;
  const uint64_t next = request.offset + page.size();
  if (page.size() > 0) {
    result.text = is_question ? page.text()
                              : fmt::format("answers {} to {} ({}):\n{}{}", request.offset + 1,
                                            next, kDataNotice, header, page.text());
  } else if (found > 0) {
    result.text = fmt::format("no more: there are {} answers in all\n", found);
  } else {
    result.text = is_question ? "no\n" : "no answers\n";
    result.text += HintsFor(snapshot, *query, context);
  }
  result.structured = {
      {"variables", answers->variables}, {"answers", page.TakeItems()}, {"offset", request.offset}};
  if (next < found) {
    result.structured["next"] = next;
    result.left_out = fmt::format("shown {} to {}, and there are more; ask with offset={} goes on",
                                  request.offset + 1, next, next);
  }
  return result;
}

}  // namespace

Tool AskTool() {
  Tool tool;
  tool.name = "ask";
  tool.title = "Ask a query";
  tool.description = kDescription;
  tool.input_schema = ObjectSchema(
      {{"query", TextSchema("One query")},
       {"limit", CountSchema(1, kMostLimit, "Default 50")},
       {"offset", CountSchema(0, 1'000'000'000, "Skip so many")},
       {"evidence", FlagSchema("With the stored facts behind each, their sources and addresses")},
       {"why", FlagSchema("With the derivation of each")},
       {"max_work", CountSchema(1, kMostWork, "Most rows to touch")},
       {"max_bytes", MaxBytesSchema()}},
      {"query"});
  tool.output_schema =
      ObjectSchema({{"variables", ListSchema(TypeSchema("string"))},
                    {"answers", ListSchema(ItemSchema({"bindings", "score", "evidence", "why"}))},
                    {"offset", TypeSchema("integer")},
                    {"next", TypeSchema("integer")}},
                   {"variables", "answers", "offset"});
  tool.read_only = true;
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
