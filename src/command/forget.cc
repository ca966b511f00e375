// SPDX-License-Identifier: Apache-2.0
//
// loci forget: what is chosen is chosen under the writer's lock, from the snapshot that the removal
// applies to. The receipt never holds the digest before: the difference of the two would be the
// hash of what was erased.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "query/selection.h"
#include "render/caret.h"
#include "render/plural.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kStatementsShown = 20;  // of a dry run; --json lists all

Result<query::Selector> SelectorOf(const Invocation& invocation) {
  if (invocation.arguments.size() > 1) {
    const std::string& fact = invocation.arguments[1];
    auto selector = query::SelectorFromFact(fact);
    if (!selector.ok()) return WithCaret(selector.error(), fact);
    return selector;
  }
  for (const auto& [flag, by] : {std::pair{"subject", query::Selector::By::kSubject},
                                 std::pair{"source", query::Selector::By::kSource},
                                 std::pair{"naming", query::Selector::By::kNaming}}) {
    if (invocation.Has(flag)) return query::SelectorFromName(by, invocation.Text(flag));
  }
  return Error{
      ErrorKind::kUsage,
      "forget: name a FACT, --subject, --source or --naming; 'loci help forget' tells more"};
}

std::string ReceiptText(const query::Selector& selector, const query::Selection& selection,
                        bool dry_run) {
  std::string out = fmt::format("{} {}", dry_run ? "would forget" : "forgot",
                                Plural(selection.statements.size(), "statement"));
  if (selection.facts_gone + selection.facts_kept > 0) {
    out += fmt::format(": {} gone", Plural(selection.facts_gone, "fact"));
  }
  if (selection.facts_kept > 0) {
    out += fmt::format(", {} kept, as other sources have {}", Plural(selection.facts_kept, "fact"),
                       selection.facts_kept == 1 ? "it" : "them");
  }
  out += '\n';
  const std::string name =
      selector.by == query::Selector::By::kSubject ? ToNotation(selector.name) : std::string();
  if (selection.still_named > 0) {
    out += fmt::format("{} is still named in {}, as object or relation; --naming forgets them\n",
                       name, Plural(selection.still_named, "fact"));
  }
  if (selection.still_source > 0) {
    out += fmt::format("{} is still the source of {}; --source forgets them\n", name,
                       Plural(selection.still_source, "statement"));
  }
  return out;
}

Json ReceiptJson(const query::Selector& selector, const query::Selection& selection, bool dry_run) {
  Json json = {{"dry_run", dry_run},
               {"forgotten", selection.statements.size()},
               {"facts_gone", selection.facts_gone},
               {"facts_kept", selection.facts_kept}};
  if (selector.by == query::Selector::By::kSubject) {
    json["still_named"] = selection.still_named;
    json["still_source"] = selection.still_source;
  }
  return json;
}

void PrintDryRun(const Snapshot& snapshot, const query::Selector& selector,
                 query::Selection selection, bool json, Io* io) {
  query::Sort(snapshot, &selection);
  if (json) {
    Json object = ReceiptJson(selector, selection, true);
    object["statements"] = query::Describe(snapshot, selection);
    *io->out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
    return;
  }
  query::Selection shown;
  shown.statements.assign(
      selection.statements.begin(),
      selection.statements.begin() +
          static_cast<std::ptrdiff_t>(std::min(selection.statements.size(), kStatementsShown)));
  for (const std::string& line : query::Describe(snapshot, shown)) *io->out << line << "\n";
  if (selection.statements.size() > kStatementsShown) {
    *io->out << fmt::format(
        "... and {}\n", Plural(selection.statements.size() - kStatementsShown, "more statement"));
  }
  *io->out << ReceiptText(selector, selection, true);
}

}  // namespace

Result<ExitCode> RunForget(const Invocation& invocation, Io* io) {
  LOCI_ASSIGN(const query::Selector selector, SelectorOf(invocation));
  const bool dry_run = invocation.Has("dry-run");
  const bool json = invocation.Has("json");
  Progress progress(io);
  const auto cancelled = [&progress] { return !progress.Wait("looking"); };

  StoreOptions options;
  options.read_only = dry_run;
  LOCI_ASSIGN(const auto store, OpenMemory(invocation.arguments[0], options));
  query::Selection selection;
  if (dry_run) {
    LOCI_ASSIGN(const auto snapshot, store->Read());
    LOCI_ASSIGN(selection, query::Select(*snapshot, selector, cancelled));
    progress.Clear();
    PrintDryRun(*snapshot, selector, selection, json, io);
  } else {
    const auto choose = [&](const Snapshot& snapshot, Batch* batch) -> Result<void> {
      LOCI_ASSIGN(selection, query::Select(snapshot, selector, cancelled));
      query::Remove(snapshot, selection, batch);
      return {};
    };
    LOCI_ASSIGN(const Receipt receipt, store->Apply(Store::SelectFn(choose), progress.ForStore()));
    progress.Clear();
    if (json) {
      Json object = ReceiptJson(selector, selection, false);
      object["digest"] = receipt.digest_after.Hex();
      *io->out << object.dump() << "\n";
    } else {
      *io->out << ReceiptText(selector, selection, false)
               << fmt::format("digest after: {}\n", receipt.digest_after.Hex());
    }
  }
  return selection.statements.empty() ? ExitCode::kNothing : ExitCode::kFound;
}

}  // namespace loci
