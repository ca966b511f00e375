// SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "query/analysis.h"
#include "query/compiled.h"
#include "query/explain.h"
#include "query/facts.h"
#include "query/parser.h"
#include "query/pattern.h"
#include "query/snapshot_graph.h"
#include "query/solve.h"

namespace loci::query {
namespace {

// The variables that bindings name; their values come later.
Result<std::vector<Variable>> VariablesOf(std::span<const Binding> bindings,
                                          const Program& program) {
  std::vector<Variable> variables;
  for (const Binding& binding : bindings) {
    const auto& names = program.outer_names;
    const auto at = std::find(names.begin(), names.end(), binding.variable);
    if (at == names.end()) {
      return Error{ErrorKind::kUsage,
                   fmt::format("a value was given for ?{}, but the query has no such variable "
                               "outside of \"not\" and of branches of \"or\"",
                               Excerpt(binding.variable))};
    }
    const Variable variable = program.outer[at - names.begin()];
    if (std::find(variables.begin(), variables.end(), variable) != variables.end()) {
      return Error{ErrorKind::kUsage, fmt::format("two values were given for ?{}, expected one",
                                                  Excerpt(binding.variable))};
    }
    variables.push_back(variable);
  }
  return variables;
}

Result<std::vector<Seed>> MakeSeeds(std::span<const Binding> bindings,
                                    const std::vector<Variable>& variables, Context* context) {
  std::vector<Seed> seeds;
  if (bindings.empty()) return seeds;
  seeds.reserve(bindings.size());
  for (size_t i = 0; i < bindings.size(); ++i) {
    seeds.push_back({variables[i], kNoTerm});
    LOCI_TRY(context->Find({&bindings[i].value, 1}, &seeds.back().value));
  }
  return seeds;
}

}  // namespace

TermView Answers::Name(TermId id) const {
  return id < kOwnTerms ? snapshot->Name(id) : TermView(own_terms[id - kOwnTerms]);
}

Result<Query> Query::Parse(std::string_view text) {
  LOCI_ASSIGN(QueryTree tree, ParseQuery(text));
  LOCI_ASSIGN(Program program, Analyze(text, std::move(tree)));
  return Query(std::make_shared<const Compiled>(std::move(program)));
}

Result<Answers> Query::Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options,
                           std::span<const Binding> bindings) const {
  const Program& program = compiled_->program();
  const SnapshotGraph graph(snapshot.get());
  Meter meter(options.max_work, options.max_memory, &options.cancelled);
  LOCI_ASSIGN(const std::vector<Variable> bound, VariablesOf(bindings, program));
  LOCI_ASSIGN(const auto prepared, compiled_->Prepare(snapshot, graph, &meter, bound));
  Context context(&graph, &program, &prepared->constants, &meter);
  LOCI_ASSIGN(const std::vector<Seed> seeds, MakeSeeds(bindings, bound, &context));

  Answers answers;
  answers.variables = program.names;
  const uint64_t limit = std::min(program.limit, options.limit), offset = program.offset;
  if (const auto pattern = AsPattern(context, seeds)) {
    LOCI_ASSIGN(const std::vector<TermId> found, RunPattern(context, *pattern));
    const size_t begin = std::min<uint64_t>(offset, found.size());
    const size_t end = begin + std::min<uint64_t>(limit, found.size() - begin);
    answers.rows.resize(end - begin);
    for (size_t i = begin; i < end; ++i) answers.rows[i - begin].values.assign(1, found[i]);
  } else {
    const uint64_t most = limit > UINT64_MAX - offset ? UINT64_MAX : limit + offset;
    const size_t columns = program.head.size();
    LOCI_ASSIGN(const Collector found, RunPlan(&context, prepared->plan, seeds, columns,
                                               program.order, limit == 0 ? 0 : most));
    for (size_t row = std::min<uint64_t>(offset, found.rows()); row < found.rows(); ++row) {
      Answer& answer = answers.rows.emplace_back();
      answer.values.reserve(columns);
      for (size_t column = 0; column < columns; ++column) {
        answer.values.push_back(found.at(row, column));
      }
    }
  }
  LOCI_TRY(graph.Verify());
  answers.snapshot = std::move(snapshot);
  answers.own_terms = context.OwnTerms();
  return answers;
}

Result<Derivation> Query::Derive(const Answers& answers, size_t row, const QueryOptions& options,
                                 const DerivationLimits& limits) const {
  const Program& program = compiled_->program();
  const size_t columns = program.head.size();
  if (row >= answers.rows.size() || answers.rows[row].values.size() != columns) {
    return Error{ErrorKind::kNotFound, fmt::format("there is no answer {} of this query among {}",
                                                   row, answers.rows.size())};
  }
  const SnapshotGraph graph(answers.snapshot.get());
  Meter meter(options.max_work, options.max_memory, &options.cancelled);
  LOCI_ASSIGN(const Constants constants, FindConstants(graph, program));
  Context context(&graph, &program, &constants, &meter);
  std::vector<Seed> seeds;
  for (size_t i = 0; i < columns; ++i) {
    seeds.push_back({program.head[i], kNoTerm});
    const TermView value = answers.Name(answers.rows[row].values[i]);
    LOCI_TRY(context.Find({&value, 1}, &seeds.back().value));
  }
  LOCI_ASSIGN(Derivation derivation, ExplainAnswer(&context, seeds, limits));
  for (Derivation::Node& node : derivation.nodes) {
    if (node.kind != Derivation::Kind::kStatement) continue;
    node.clause = FactNotation(*answers.snapshot, node.fact);
  }
  return derivation;
}

Result<std::vector<Evidence>> Query::Explain(const Answers& answers, size_t row,
                                             const QueryOptions& options) const {
  const DerivationLimits all{SIZE_MAX};
  LOCI_ASSIGN(const Derivation derivation, Derive(answers, row, options, all));
  return ListEvidence(derivation,
                      [&](TermId a, TermId b) { return answers.snapshot->Compare(a, b) < 0; });
}

}  // namespace loci::query
