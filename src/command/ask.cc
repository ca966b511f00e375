// SPDX-License-Identifier: Apache-2.0
//
// loci ask: one query, its answers in canonical order.
#include <chrono>
#include <ostream>

#include <fmt/format.h>

#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "query/query.h"
#include "render/answers.h"
#include "render/caret.h"
#include "render/plural.h"

namespace loci {
namespace {

AnswerForm FormOf(const Invocation& invocation, const Io& io) {
  if (invocation.Has("json")) return AnswerForm::kJson;
  if (invocation.Has("jsonl")) return AnswerForm::kJsonl;
  if (invocation.Has("tsv") || !io.out_is_terminal) return AnswerForm::kTsv;
  return AnswerForm::kTable;
}

}  // namespace

Result<ExitCode> RunAsk(const Invocation& invocation, Io* io) {
  const std::string& text = invocation.arguments[1];
  auto query = query::Query::Parse(text);
  if (!query.ok()) return WithCaret(query.error(), text);
  StoreOptions store_options;
  store_options.read_only = true;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], store_options));
  LOCI_ASSIGN(const auto snapshot, store->Read());

  query::QueryOptions options;
  Progress progress(io);
  options.cancelled = [&progress] { return !progress.Wait("asking"); };
  options.max_work = invocation.CountOr("max-work", options.max_work);
  // One more than is shown, to know whether there are more.
  const uint64_t limit = invocation.CountOr("limit", UINT64_MAX);
  options.limit = limit == UINT64_MAX ? limit : limit + 1;
  const auto start = std::chrono::steady_clock::now();
  auto run = query->Run(snapshot, options);
  store->CountQuery(std::chrono::steady_clock::now() - start);
  if (!run.ok()) return WithCaret(run.error(), text);
  query::Answers answers = run.take();

  AnswerStyle style;
  style.form = FormOf(invocation, *io);
  style.evidence = invocation.Has("evidence");
  style.why = invocation.Has("why");
  style.truncated = answers.rows.size() > limit;
  if (style.truncated) answers.rows.resize(limit);
  LOCI_ASSIGN(const std::string rendered, RenderAnswers(*query, answers, options, style));
  progress.Clear();
  *io->out << rendered;
  if (io->err_is_terminal && style.truncated) {
    *io->err << fmt::format("{} shown; there are more\n", Plural(limit, "answer"));
  }
  if (io->err_is_terminal && answers.rows.empty() && !answers.variables.empty()) {
    *io->err << "no answers\n";
  }
  return answers.rows.empty() ? ExitCode::kNothing : ExitCode::kFound;
}

}  // namespace loci
