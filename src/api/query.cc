// SPDX-License-Identifier: Apache-2.0
#include "api/query.h"

#include <fmt/format.h>

#include "api/convert.h"
#include "api/guarded.h"
#include "query/facts.h"
#include "query/selection.h"

namespace loci {

double ToScore(uint64_t fixed) {
  return static_cast<double>(fixed) * 0x1p-32;
}

Evidence ToEvidence(const Snapshot& snapshot, const query::Evidence& cited) {
  Evidence evidence;
  evidence.subject = ToPlain(snapshot.Name(cited.fact.subject));
  evidence.relation = ToPlain(snapshot.Name(cited.fact.relation));
  evidence.object = ToValue(snapshot.Name(cited.fact.object));
  for (const TermId source : cited.sources) {
    evidence.sources.push_back(ToPlain(snapshot.Name(source)));
    evidence.addresses.push_back(query::StatementAddress(snapshot, cited.fact, source));
  }
  return evidence;
}

namespace {

static_assert(static_cast<int>(Step::Kind::kLink) ==
              static_cast<int>(query::Derivation::Kind::kLink));

std::vector<Step> ToSteps(const Snapshot& snapshot, const query::Derivation& derivation) {
  std::vector<Step> steps;
  steps.reserve(derivation.nodes.size());
  for (const query::Derivation::Node& node : derivation.nodes) {
    Step& step = steps.emplace_back();
    step.kind = static_cast<Step::Kind>(node.kind);
    step.level = node.level;
    step.clause = node.clause;
    step.score = ToScore(node.score);
    for (const TermId source : node.sources) {
      step.sources.push_back(ToPlain(snapshot.Name(source)));
      step.addresses.push_back(query::StatementAddress(snapshot, node.fact, source));
    }
    for (const recall::MatchedWord& word : node.words) {
      step.words.push_back({word.cue, ToScore(word.weight)});
    }
  }
  return steps;
}

// What an answer rests on, as far as it was asked for.
Result<void> TellWhy(query::Explainer* explainer, size_t row, const Snapshot& snapshot,
                     const AskOptions& options, Answer* answer) {
  if (options.evidence) {
    LOCI_ASSIGN(const query::Derivation whole, explainer->Derive(row, query::kForEvidence));
    for (const query::Evidence& cited : query::EvidenceOf(whole, snapshot)) {
      answer->evidence.push_back(ToEvidence(snapshot, cited));
    }
  }
  if (!options.why) return {};
  LOCI_ASSIGN(const query::Derivation derivation, explainer->Derive(row, {}));
  answer->why = ToSteps(snapshot, derivation);
  return {};
}

}  // namespace

Query::Query(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Query> Query::Prepare(std::string_view text) {
  return Guarded([&]() -> Result<Query> {
    LOCI_ASSIGN(query::Query parsed, query::Query::Parse(text));
    return Query(std::make_shared<const State>(State{std::move(parsed)}));
  });
}

namespace {

query::QueryOptions ToEngine(const AskOptions& options) {
  query::QueryOptions engine;
  engine.limit = options.limit;
  engine.max_work = options.max_work;
  engine.max_memory = options.max_memory;
  engine.cancelled = [&options] { return options.cancellation.cancelled(); };
  return engine;
}

// The fact itself, or that of the statement with this address; empty where there is none.
Result<std::string> FactOf(std::string_view text, const Snapshot& snapshot,
                           const query::QueryOptions& engine) {
  std::string fact(text);
  if (!query::IsAddress(fact)) return fact;
  LOCI_ASSIGN(const query::Selector selector, query::SelectorFromFact(fact));
  LOCI_ASSIGN(const query::Selection found, query::Select(snapshot, selector, engine.cancelled));
  if (found.statements.empty()) return std::string();
  const auto& [stated, source] = found.statements[0];
  return query::FactNotation(snapshot, stated) + " from " + ToNotation(snapshot.Name(source));
}

}  // namespace

Result<std::vector<Step>> WhyInSnapshot(std::string_view text,
                                        std::shared_ptr<const Snapshot> snapshot,
                                        const AskOptions& options) {
  query::QueryOptions engine = ToEngine(options);
  engine.limit = 1;
  LOCI_ASSIGN(const std::string fact, FactOf(text, *snapshot, engine));
  if (fact.empty()) return std::vector<Step>();
  LOCI_ASSIGN(const query::Query query, query::Query::Parse(fact));
  LOCI_ASSIGN(const query::Answers answers, query.Run(snapshot, engine));
  if (!answers.variables.empty()) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("found ?{}, expected a fact without variables; ask with `why` explains "
                    "the answers of a query",
                    answers.variables[0])};
  }
  std::vector<Step> steps;
  if (!answers.rows.empty()) {
    LOCI_ASSIGN(const query::Derivation derivation, query.Derive(answers, 0, engine, {}));
    steps = ToSteps(*snapshot, derivation);
  }
  LOCI_TRY(snapshot->damage());
  return steps;
}

Result<Answers> AskSnapshot(const query::Query& query, std::shared_ptr<const Snapshot> snapshot,
                            std::span<const Parameter> parameters, const AskOptions& options) {
  std::vector<Term> terms;
  terms.reserve(parameters.size());
  std::vector<query::Binding> bindings;
  for (const Parameter& parameter : parameters) {
    auto term = ToTerm(parameter.value);
    if (!term.ok()) {
      return Error{term.error().kind,
                   fmt::format("?{}: {}", parameter.variable, term.error().message)};
    }
    terms.push_back(term.take());
    bindings.push_back({parameter.variable, terms.back()});
  }
  const query::QueryOptions engine = ToEngine(options);
  LOCI_ASSIGN(const query::Answers found, query.Run(snapshot, engine, bindings));

  Answers answers;
  answers.variables = found.variables;
  answers.rows.resize(found.rows.size());
  query::Explainer explainer(query, found, engine);
  for (size_t i = 0; i < found.rows.size(); ++i) {
    Answer& answer = answers.rows[i];
    answer.values.reserve(found.variables.size());
    for (const TermId id : found.rows[i].values) answer.values.push_back(ToValue(found.Name(id)));
    answer.score = ToScore(found.rows[i].score);
    LOCI_TRY(TellWhy(&explainer, i, *snapshot, options, &answer));
  }
  LOCI_TRY(snapshot->damage());
  return answers;
}

}  // namespace loci
