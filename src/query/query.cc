// SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "query/analysis.h"
#include "query/compiled.h"
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

void AddOnce(const Term& term, std::vector<Term>* terms) {
  if (std::find(terms->begin(), terms->end(), term) == terms->end()) terms->push_back(term);
}

void CollectNames(const Program& program, const Conjunction& conjunction, Query::Names* names) {
  for (const Goal& goal : conjunction.goals) {
    if (goal.relation.kind == Slot::Kind::kConstant) {
      AddOnce(program.constants[goal.relation.index], &names->relations);
    }
    for (const Automaton::Step& step : goal.forward.steps) {
      AddOnce(program.constants[step.relation], &names->relations);
    }
    if (goal.kind == Goal::Kind::kFact || goal.kind == Goal::Kind::kPath) {
      for (const Slot& end : {goal.start, goal.end}) {
        if (end.kind != Slot::Kind::kConstant) continue;
        const Term& term = program.constants[end.index];
        AddOnce(term, &names->ends);
      }
    }
    for (const Conjunction& branch : goal.branches) CollectNames(program, branch, names);
  }
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

Query::Names Query::ListNames() const {
  Names names;
  CollectNames(compiled_->program(), compiled_->program().root, &names);
  return names;
}

Result<Answers> Query::Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options,
                           std::span<const Binding> bindings) const {
  const Program& program = compiled_->program();
  const SnapshotGraph graph(snapshot.get(), options.associate);
  Meter meter(options.max_work, options.max_memory, &options.cancelled);
  LOCI_ASSIGN(const std::vector<Variable> bound, VariablesOf(bindings, program));
  LOCI_ASSIGN(const auto prepared,
              compiled_->Prepare(snapshot, graph, &meter, bound, options.as_written));
  const Session session(graph, program, *prepared, &meter, Ranking::kByScore);
  Context context(&session.run(), &program);
  LOCI_ASSIGN(const std::vector<Seed> seeds, MakeSeeds(bindings, bound, &context));

  Answers answers;
  answers.variables = program.names;
  const uint64_t limit = std::min(program.limit, options.limit), offset = program.offset;
  if (const auto pattern = AsPattern(context, seeds); pattern && !context.ranked()) {
    LOCI_ASSIGN(const std::vector<TermId> found, RunPattern(context, *pattern));
    const size_t begin = std::min<uint64_t>(offset, found.size());
    const size_t end = begin + std::min<uint64_t>(limit, found.size() - begin);
    answers.rows.resize(end - begin);
    for (size_t i = begin; i < end; ++i) {
      snapshot->PrefetchName(found[i]);  // what is asked for is mostly read next
      answers.rows[i - begin].values.assign(1, found[i]);
    }
  } else {
    const uint64_t most = limit > UINT64_MAX - offset ? UINT64_MAX : limit + offset;
    const size_t columns = program.head.size();
    LOCI_ASSIGN(const Collector found, RunPlan(&context, prepared->plan, seeds, columns,
                                               program.order, limit == 0 ? 0 : most));
    for (size_t row = std::min<uint64_t>(offset, found.rows()); row < found.rows(); ++row) {
      Answer& answer = answers.rows.emplace_back();
      answer.score = found.score(row);
      answer.values.reserve(columns);
      for (size_t column = 0; column < columns; ++column) {
        answer.values.push_back(found.at(row, column));
      }
    }
  }
  LOCI_TRY(graph.Verify());
  answers.snapshot = std::move(snapshot);
  answers.own_terms = context.OwnTerms();
  answers.work = meter.work();
  return answers;
}

}  // namespace loci::query
