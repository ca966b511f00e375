// SPDX-License-Identifier: Apache-2.0
//
// loci recall: what a cue brings to mind, as a list of memories to be read.
#include <chrono>
#include <iostream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>

#include "base/unicode.h"
#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "query/recollect.h"
#include "query/selection.h"
#include "render/caret.h"
#include "render/memories.h"

namespace loci {
namespace {

// Without the newline that echo adds.
Result<std::string> ReadCue(const Io& io, const std::string& argument) {
  if (argument != "-") return argument;
  if (io.in_is_script) {
    return Error{ErrorKind::kUsage, "the cue cannot be read from a script's own input; write it"};
  }
  std::string cue{std::istreambuf_iterator<char>(std::cin), {}};
  if (cue.ends_with('\n')) cue.pop_back();
  return cue;
}

Result<std::optional<Term>> NameOf(const Invocation& invocation, const std::string& flag) {
  if (!invocation.Has(flag)) return std::optional<Term>();
  LOCI_ASSIGN(query::Selector selector,
              query::SelectorFromName(query::Selector::By::kSource, invocation.Text(flag)));
  return std::optional<Term>(std::move(selector.name));
}

Result<std::optional<Term>> DateOf(const Invocation& invocation, const std::string& flag) {
  if (!invocation.Has(flag)) return std::optional<Term>();
  auto date = MakeDate(invocation.Text(flag));
  if (date.ok()) return std::optional<Term>(date.take());
  return Error{ErrorKind::kUsage, fmt::format("--{}: {}", flag, date.error().message)};
}

Result<query::RecollectOptions> OptionsOf(const Invocation& invocation) {
  query::RecollectOptions options;
  options.limit = invocation.CountOr("limit", options.limit);
  options.offset = invocation.CountOr("offset", 0);
  options.where = invocation.Text("where");
  LOCI_ASSIGN(options.source, NameOf(invocation, "from-source"));
  LOCI_ASSIGN(options.within, NameOf(invocation, "within"));
  LOCI_ASSIGN(options.since, DateOf(invocation, "since"));
  LOCI_ASSIGN(options.until, DateOf(invocation, "until"));
  if (invocation.Has("not")) {
    LOCI_ASSIGN(options.unlike, MakeText(invocation.Text("not")));
  }
  options.evidence = invocation.Has("evidence");
  options.engine.associate = !invocation.Has("lexical");
  options.engine.max_work = invocation.CountOr("max-work", options.engine.max_work);
  return options;
}

}  // namespace

Result<ExitCode> RunRecall(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(query::RecollectOptions options, OptionsOf(invocation));
  LOCI_ASSIGN(const std::string cue, ReadCue(*io, invocation.arguments[1]));
  LOCI_ASSIGN(const auto store, OpenToRead(invocation.arguments[0]));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  Progress progress(io);
  options.engine.cancelled = [&progress] { return !progress.Wait("recalling"); };
  const auto start = std::chrono::steady_clock::now();
  auto recalled = query::Recollect(snapshot, cue, options);
  store->CountQuery(std::chrono::steady_clock::now() - start);
  if (!recalled.ok()) return WithCaret(recalled.error(), options.where);

  MemoryStyle style;
  if (invocation.Has("json")) style.form = MemoryForm::kJson;
  if (invocation.Has("jsonl")) style.form = MemoryForm::kJsonl;
  style.why = invocation.Has("why");
  style.evidence = options.evidence;
  style.bold = io->color;
  style.max_bytes = invocation.CountOr("max-bytes", UINT64_MAX);
  style.offset = options.offset;
  const RenderedMemories rendered = RenderMemories(*recalled, style);
  LOCI_TRY(snapshot->damage());
  progress.Clear();
  *io->out << rendered.text;
  const size_t here = recalled->memories.size();
  const uint64_t next = options.offset + rendered.shown;
  if (rendered.shown < here) {
    *io->err << fmt::format("{} of {} shown, as more does not fit in {} bytes; {}\n",
                            rendered.shown, here, style.max_bytes,
                            rendered.shown > 0 ? fmt::format("--offset {} goes on", next)
                                               : std::string("raise --max-bytes"));
  } else if (io->err_is_terminal && next < recalled->found) {
    *io->err << fmt::format("{} of {} shown; --offset {} goes on\n", rendered.shown,
                            recalled->found, next);
  } else if (io->err_is_terminal && here == 0) {
    *io->err << "nothing comes to mind\n";
  }
  return here == 0 ? ExitCode::kNothing : ExitCode::kFound;
}

}  // namespace loci
