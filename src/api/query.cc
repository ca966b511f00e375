// SPDX-License-Identifier: Apache-2.0
#include "api/query.h"

#include <fmt/format.h>

#include "api/convert.h"
#include "api/guarded.h"
#include "query/facts.h"

namespace loci {
namespace {

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

}  // namespace

Query::Query(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<Query> Query::Prepare(std::string_view text) {
  return Guarded([&]() -> Result<Query> {
    LOCI_ASSIGN(query::Query parsed, query::Query::Parse(text));
    return Query(std::make_shared<const State>(State{std::move(parsed)}));
  });
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
  query::QueryOptions engine;
  engine.limit = options.limit;
  engine.max_work = options.max_work;
  engine.max_memory = options.max_memory;
  engine.cancelled = [&options] { return options.cancellation.cancelled(); };
  LOCI_ASSIGN(const query::Answers found, query.Run(snapshot, engine, bindings));

  Answers answers;
  answers.variables = found.variables;
  answers.rows.resize(found.rows.size());
  for (size_t i = 0; i < found.rows.size(); ++i) {
    Answer& answer = answers.rows[i];
    answer.values.reserve(found.variables.size());
    for (const TermId id : found.rows[i].values) answer.values.push_back(ToValue(found.Name(id)));
    answer.score = static_cast<double>(found.rows[i].score) * 0x1p-32;
    if (!options.evidence) continue;
    LOCI_ASSIGN(const auto facts, query.Explain(found, i, engine));
    for (const query::Evidence& cited : facts) {
      answer.evidence.push_back(ToEvidence(*snapshot, cited));
    }
  }
  LOCI_TRY(snapshot->damage());
  return answers;
}

}  // namespace loci
