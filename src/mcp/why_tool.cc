// SPDX-License-Identifier: Apache-2.0
//
// why: the derivation of one fact, which may be stored, derived by rules, or a path. The tree comes
// as a list of steps with their levels: it can be cut anywhere and still be read.
#include <chrono>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/hints.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "query/facts.h"
#include "query/query.h"
#include "query/selection.h"
#include "render/derivation.h"
#include "render/score.h"

namespace loci::mcp {
namespace {

constexpr uint64_t kMostWork = 100'000'000;
constexpr size_t kMostSources = 10;  // of one step

constexpr char kDescription[] =
    "Tell where a fact comes from: the stored statements, rules and paths that make it true, as a "
    "tree with sources and statement addresses; or that it does not hold. Use it before relying on "
    "an answer, or to see who said something.";

// The fact to ask for: as it stands, or that of the statement with this address; empty where there
// is none.
Result<std::string> FactOf(const Snapshot& snapshot, const std::string& text,
                           const query::QueryOptions& options) {
  if (!query::IsAddress(text)) return text;
  LOCI_ASSIGN(const query::Selector selector, query::SelectorFromFact(text));
  LOCI_ASSIGN(const query::Selection found, query::Select(snapshot, selector, options.cancelled));
  if (found.statements.empty()) return std::string();
  const auto& [fact, source] = found.statements[0];
  return query::FactNotation(snapshot, fact) + " from " + ToNotation(snapshot.Name(source));
}

Page Fill(const Snapshot& snapshot, query::Derivation derivation, uint64_t max_bytes) {
  for (query::Derivation::Node& node : derivation.nodes) {
    const size_t sources = node.sources.size();
    if (sources <= kMostSources) continue;
    node.sources.resize(kMostSources);
    node.clause += fmt::format("  (the first {} of {} sources)", kMostSources, sources);
  }
  const std::vector<std::string> lines = DerivationLines(snapshot, derivation, false);
  Page page(max_bytes);
  for (size_t i = 0; i < lines.size(); ++i) {
    const query::Derivation::Node& node = derivation.nodes[i];
    const auto render = [&](size_t most) {
      Json json = NodeJson(snapshot, node);
      Json step = {{"level", node.level},
                   {"kind", json["kind"]},
                   {"clause", Cut(node.clause, most)},
                   {"score", ScoreNumber(node.score)},
                   {"sources", Json::array()},
                   {"addresses", Json::array()}};
      for (const TermId source : node.sources) {
        step["sources"].push_back(Cut(ToNotation(snapshot.Name(source)), most));
        step["addresses"].push_back(query::StatementAddress(snapshot, node.fact, source));
      }
      return PageItem{Cut(lines[i], most) + '\n', std::move(step)};
    };
    const Json empty = {{"level", node.level}, {"kind", "more"}, {"clause", ""}, {"score", 1}};
    if (!page.AddFitting(render, empty)) break;
  }
  return page;
}

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const auto snapshot, context.store->Read());
  query::QueryOptions options;
  options.cancelled = [&context] { return !context.KeepGoing(); };
  options.max_work = kMostWork;
  options.limit = 1;
  const std::string asked = TextOf(arguments, "fact");
  LOCI_ASSIGN(const std::string fact, FactOf(*snapshot, asked, options));
  const uint64_t max_bytes = MaxBytesOf(arguments, context);

  ToolResult result;
  result.structured = {
      {"fact", Cut(fact, max_bytes / 8)}, {"holds", false}, {"steps", Json::array()}};
  if (fact.empty()) {
    result.text = fmt::format("no statement has the address {}\n", Cut(asked, 100));
    return result;
  }
  const auto query = query::Query::Parse(fact);
  if (!query.ok()) return InQuery(query.error(), fact);
  auto answers = query->Run(snapshot, options);
  if (!answers.ok()) return InQuery(answers.error(), fact);
  if (!answers->variables.empty()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("found ?{}, expected a fact without variables, such as works_at(ann, "
                             "acme); ask with why=true explains the answers of a query",
                             answers->variables[0])};
  }
  if (answers->rows.empty()) {
    result.text = "no: the fact does not hold\n" + HintsFor(snapshot, *query, context);
    return result;
  }
  LOCI_ASSIGN(query::Derivation derivation, query->Derive(*answers, 0, options, {}));
  const size_t steps = derivation.nodes.size();
  Page page = Fill(*snapshot, std::move(derivation), max_bytes - max_bytes / 8);
  LOCI_TRY(snapshot->damage());
  result.text = fmt::format("it holds ({}):\n{}", kDataNotice, page.text());
  result.structured["holds"] = true;
  if (page.size() < steps) {
    result.left_out =
        fmt::format("the first {} of {} steps; a larger max_bytes shows more", page.size(), steps);
  }
  result.structured["steps"] = page.TakeItems();
  return result;
}

}  // namespace

Tool WhyTool() {
  Tool tool;
  tool.name = "why";
  tool.title = "Explain a fact";
  tool.description = kDescription;
  tool.input_schema = ObjectSchema(
      {{"fact", TextSchema("A fact such as works_at(ann, <Acme Inc>), a path such as part+(a, b), "
                           "or the 16 hex digits of a statement's address")},
       {"max_bytes", MaxBytesSchema()}},
      {"fact"});
  tool.output_schema = ObjectSchema(
      {{"fact", TypeSchema("string")},
       {"holds", TypeSchema("boolean")},
       {"steps",
        ListSchema(ItemSchema({"level", "kind", "clause", "score", "sources", "addresses"}))}},
      {"fact", "holds", "steps"});
  tool.read_only = true;
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
