// SPDX-License-Identifier: Apache-2.0
//
// loci why: the derivation of one fact. The fact is asked as a query without variables, so that it
// may be stored, derived, or a path.
#include <ostream>

#include <fmt/format.h>

#include "command/open.h"
#include "command/verb.h"
#include "query/facts.h"
#include "query/query.h"
#include "query/selection.h"
#include "render/caret.h"
#include "render/derivation.h"

namespace loci {
namespace {

// The fact to ask for: FACT as it stands, or that of the statement with this address; empty where
// there is none.
Result<std::string> FactOf(const Snapshot& snapshot, const std::string& text,
                           const std::function<bool()>& cancelled) {
  if (!query::IsAddress(text)) return text;
  LOCI_ASSIGN(const query::Selector selector, query::SelectorFromFact(text));
  LOCI_ASSIGN(const query::Selection found, query::Select(snapshot, selector, cancelled));
  if (found.statements.empty()) return std::string();
  const auto& [fact, source] = found.statements[0];
  return query::FactNotation(snapshot, fact) + " from " + ToNotation(snapshot.Name(source));
}

}  // namespace

Result<ExitCode> RunWhy(const Invocation& invocation, Io* io) {
  StoreOptions store_options;
  store_options.read_only = true;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], store_options));
  LOCI_ASSIGN(const auto snapshot, store->Read());
  query::QueryOptions options;
  options.cancelled = [io] { return io->interrupted(); };
  options.max_work = invocation.CountOr("max-work", options.max_work);

  LOCI_ASSIGN(const std::string fact,
              FactOf(*snapshot, invocation.arguments[1], options.cancelled));
  query::Derivation derivation;
  if (!fact.empty()) {
    const auto query = query::Query::Parse(fact);
    if (!query.ok()) return WithCaret(query.error(), fact);
    options.limit = 1;
    auto answers = query->Run(snapshot, options);
    if (!answers.ok()) return WithCaret(answers.error(), fact);
    if (!answers->variables.empty()) {
      return Error{ErrorKind::kUsage,
                   fmt::format("found ?{}, expected a fact without variables; 'loci ask --why' "
                               "explains the answers of a query",
                               answers->variables[0])};
    }
    if (!answers->rows.empty()) {
      LOCI_ASSIGN(derivation, query->Derive(*answers, 0, options, {}));
    }
  }
  LOCI_TRY(snapshot->damage());
  if (invocation.Has("json")) {
    const nlohmann::ordered_json json = {{"fact", fact},
                                         {"why", DerivationJson(*snapshot, derivation)}};
    *io->out << json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << "\n";
  } else if (derivation.nodes.empty()) {
    *io->out << "no\n";
  } else {
    *io->out << DerivationText(*snapshot, derivation, false);
  }
  return derivation.nodes.empty() ? ExitCode::kNothing : ExitCode::kFound;
}

}  // namespace loci
