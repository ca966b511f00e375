// SPDX-License-Identifier: Apache-2.0
#include "api/recall.h"

#include <fmt/format.h>

#include "api/query.h"
#include "query/facts.h"
#include "query/recollect.h"

namespace loci {
namespace {

// An option that is empty is not given. what: its name, for the error.
Result<std::optional<Term>> Given(const std::string& text, Result<Term> (*make)(std::string_view),
                                  std::string_view what) {
  if (text.empty()) return std::optional<Term>();
  auto term = make(text);
  if (term.ok()) return std::optional<Term>(term.take());
  return Error{ErrorKind::kUsage, fmt::format("{}: {}", what, term.error().message)};
}

Recalled ToRecalled(const Snapshot& snapshot, const query::Recollected& from) {
  Recalled to;
  to.name = ToPlain(snapshot.Name(from.item));
  to.score = ToScore(from.score);
  to.title = from.title;
  to.text = from.text;
  for (const recall::Span& span : from.spans) to.spans.push_back({span.begin, span.end});
  for (const recall::MatchedWord& word : from.words) {
    to.words.push_back({word.cue, ToScore(word.weight)});
  }
  to.links = from.links;
  for (const TermId source : from.shown.sources) {
    to.sources.push_back(ToPlain(snapshot.Name(source)));
    to.addresses.push_back(query::StatementAddress(snapshot, from.shown.fact, source));
  }
  for (const query::Evidence& cited : from.evidence) {
    to.evidence.push_back(ToEvidence(snapshot, cited));
  }
  return to;
}

}  // namespace

Result<Recollection> RecallFrom(const std::shared_ptr<const Snapshot>& snapshot,
                                std::string_view cue, const RecallOptions& options) {
  query::RecollectOptions engine;
  engine.limit = options.limit;
  engine.offset = options.offset;
  engine.where = options.where;
  LOCI_ASSIGN(engine.source, Given(options.source, MakeSymbol, "source"));
  LOCI_ASSIGN(engine.within, Given(options.within, MakeSymbol, "within"));
  LOCI_ASSIGN(engine.since, Given(options.since, MakeDate, "since"));
  LOCI_ASSIGN(engine.until, Given(options.until, MakeDate, "until"));
  LOCI_ASSIGN(engine.unlike, Given(options.unlike, MakeText, "unlike"));
  engine.evidence = options.evidence;
  engine.engine.associate = options.associate;
  engine.engine.max_work = options.max_work;
  engine.engine.cancelled = [&options] { return options.cancellation.cancelled(); };
  LOCI_ASSIGN(const query::Recollection found, query::Recollect(snapshot, cue, engine));
  Recollection out;
  out.found = found.found;
  for (const query::Recollected& one : found.memories) {
    out.memories.push_back(ToRecalled(*snapshot, one));
  }
  LOCI_TRY(snapshot->damage());
  return out;
}

}  // namespace loci
