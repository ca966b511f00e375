// SPDX-License-Identifier: Apache-2.0
#include "query/query.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "query/analysis.h"
#include "query/explain.h"
#include "query/parser.h"
#include "query/snapshot_graph.h"
#include "query/solve.h"

namespace loci {
namespace {

using query::Context;
using query::Program;
using query::Seed;

// Gives the constants their ids, and the variables their values.
Result<std::vector<Seed>> Bind(std::span<const Binding> bindings, Context* context) {
  const Program& program = context->program();
  std::vector<TermView> values;
  std::vector<Seed> seeds;
  for (const Binding& binding : bindings) {
    const auto& names = program.outer_names;
    const auto at = std::find(names.begin(), names.end(), binding.variable);
    if (at == names.end()) {
      return Error{ErrorKind::kUsage,
                   fmt::format("a value was given for ?{}, but the query has no such variable "
                               "outside of \"not\" and of branches of \"or\"",
                               Excerpt(binding.variable))};
    }
    seeds.push_back({program.outer[at - names.begin()], query::kNoTerm});
    for (size_t i = 0; i + 1 < seeds.size(); ++i) {
      if (seeds[i].variable != seeds.back().variable) continue;
      return Error{ErrorKind::kUsage, fmt::format("two values were given for ?{}, expected one",
                                                  Excerpt(binding.variable))};
    }
    values.push_back(binding.value);
  }
  std::vector<TermId> ids;
  LOCI_TRY(context->Resolve(values, &ids));
  for (size_t i = 0; i < seeds.size(); ++i) seeds[i].value = ids[i];
  return seeds;
}

}  // namespace

TermView Answers::Name(TermId id) const {
  return id < query::kOwnTerms ? snapshot->Name(id) : TermView(own_terms[id - query::kOwnTerms]);
}

Result<Query> Query::Parse(std::string_view text) {
  LOCI_ASSIGN(query::QueryTree tree, query::ParseQuery(text));
  LOCI_ASSIGN(Program program, query::Analyze(text, std::move(tree)));
  return Query(std::make_shared<const Program>(std::move(program)));
}

Result<Answers> Query::Run(std::shared_ptr<const Snapshot> snapshot, const QueryOptions& options,
                           std::span<const Binding> bindings) const {
  const query::SnapshotGraph graph(snapshot.get());
  query::Meter meter(options.max_work, options.max_memory, &options.cancelled);
  Context context(&graph, program_.get(), &meter);
  LOCI_ASSIGN(const std::vector<Seed> seeds, Bind(bindings, &context));
  const uint64_t limit = std::min(program_->limit, options.limit), offset = program_->offset;
  const uint64_t most = limit > UINT64_MAX - offset ? UINT64_MAX : limit + offset;
  LOCI_ASSIGN(const query::Collector found,
              Solve(&context, program_->root, seeds, program_->head, program_->order,
                    limit == 0 ? 0 : most));
  LOCI_TRY(graph.Verify());
  Answers answers;
  answers.variables = program_->names;
  const size_t columns = program_->head.size();
  for (size_t row = std::min<uint64_t>(offset, found.rows()); row < found.rows(); ++row) {
    Answer& answer = answers.rows.emplace_back();
    answer.values.reserve(columns);
    for (size_t column = 0; column < columns; ++column) {
      answer.values.push_back(found.at(row, column));
    }
  }
  answers.snapshot = std::move(snapshot);
  answers.own_terms = context.TakeOwnTerms();
  return answers;
}

Result<std::vector<Evidence>> Query::Explain(const Answers& answers, size_t row,
                                             const QueryOptions& options) const {
  const size_t columns = program_->head.size();
  if (row >= answers.rows.size() || answers.rows[row].values.size() != columns) {
    return Error{ErrorKind::kNotFound,
                 fmt::format("there is no answer {} of this query among {}", row,
                             answers.rows.size())};
  }
  const query::SnapshotGraph graph(answers.snapshot.get());
  query::Meter meter(options.max_work, options.max_memory, &options.cancelled);
  Context context(&graph, program_.get(), &meter);
  std::vector<Binding> bindings;
  for (size_t i = 0; i < columns; ++i) {
    bindings.push_back({program_->names[i], answers.Name(answers.rows[row].values[i])});
  }
  LOCI_ASSIGN(const std::vector<Seed> seeds, Bind(bindings, &context));
  return ExplainAnswer(&context, seeds);
}

}  // namespace loci
