// SPDX-License-Identifier: Apache-2.0
//
// Explainer (query.h): a run that lasts as long as answers are asked about.
#include <fmt/format.h>

#include "query/compiled.h"
#include "query/explain.h"
#include "query/facts.h"
#include "query/query.h"
#include "query/snapshot_graph.h"

namespace loci::query {

struct Explainer::State {
  explicit State(const Answers& answers, const QueryOptions& options)
      : graph(answers.snapshot.get(), options.associate),
        meter(options.max_work, options.max_memory, &options.cancelled) {}

  SnapshotGraph graph;
  Meter meter;
  Prepared prepared;
  std::optional<Session> session;
};

Explainer::Explainer(const Query& query, const Answers& answers, const QueryOptions& options)
    : query_(query), answers_(answers), options_(options) {}

Explainer::~Explainer() = default;

Result<void> Explainer::Prepare() {
  const Program& program = query_.compiled_->program();
  auto state = std::make_unique<State>(answers_, options_);
  Prepared& prepared = state->prepared;
  LOCI_ASSIGN(prepared.rules, LoadRules(state->graph, program));
  LOCI_ASSIGN(
      prepared.constants,
      FindConstants(state->graph, prepared.rules ? prepared.rules->constants : program.constants));
  state->session.emplace(state->graph, program, prepared, &state->meter, Ranking::kByProof);
  state_ = std::move(state);
  return {};
}

Result<Derivation> Explainer::Derive(size_t row, const DerivationLimits& limits) {
  const Program& program = query_.compiled_->program();
  const size_t columns = program.head.size();
  if (row >= answers_.rows.size() || answers_.rows[row].values.size() != columns) {
    return Error{ErrorKind::kNotFound, fmt::format("there is no answer {} of this query among {}",
                                                   row, answers_.rows.size())};
  }
  if (!state_) LOCI_TRY(Prepare());
  state_->meter.Restart();
  Context context(&state_->session->run(), &program);
  std::vector<Seed> seeds;
  for (size_t i = 0; i < columns; ++i) {
    seeds.push_back({program.head[i], kNoTerm});
    const TermView value = answers_.Name(answers_.rows[row].values[i]);
    LOCI_TRY(context.Find({&value, 1}, &seeds.back().value));
  }
  const RuleSet* rules = state_->prepared.rules.get();
  auto derivation = ExplainAnswer(&context, rules, seeds, limits);
  // What a run that failed had begun is of no use.
  if (!derivation.ok()) {
    state_.reset();
    return derivation.error();
  }
  for (Derivation::Node& node : derivation->nodes) {
    if (node.kind != Derivation::Kind::kStatement) continue;
    node.clause = FactNotation(*answers_.snapshot, node.fact);
  }
  return derivation.take();
}

Result<Derivation> Query::Derive(const Answers& answers, size_t row, const QueryOptions& options,
                                 const DerivationLimits& limits) const {
  return Explainer(*this, answers, options).Derive(row, limits);
}

Result<std::vector<Evidence>> Query::Explain(const Answers& answers, size_t row,
                                             const QueryOptions& options) const {
  LOCI_ASSIGN(const Derivation derivation, Derive(answers, row, options, kForEvidence));
  return EvidenceOf(derivation, *answers.snapshot);
}

std::vector<Evidence> EvidenceOf(const Derivation& derivation, const Snapshot& snapshot) {
  return ListEvidence(derivation, [&](TermId a, TermId b) { return snapshot.Compare(a, b) < 0; });
}

}  // namespace loci::query
