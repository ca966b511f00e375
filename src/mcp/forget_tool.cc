// SPDX-License-Identifier: Apache-2.0
//
// forget: what is chosen is chosen under the writer's lock. The receipt never holds the digest from
// before: the difference of the two would be the hash of what was erased.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/hints.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "query/selection.h"
#include "render/plural.h"

namespace loci::mcp {
namespace {

using query::Selector;

constexpr char kDescription[] =
    "Erase from the memory, for good: exactly one of fact, address, subject, source or naming says "
    "what. With dry_run=true nothing is erased, and what would be is listed: do that first unless "
    "you erase one statement. Returns a receipt.";

constexpr std::array<std::pair<const char*, Selector::By>, 5> kKinds = {
    {{"fact", Selector::By::kFact},
     {"address", Selector::By::kAddress},
     {"subject", Selector::By::kSubject},
     {"source", Selector::By::kSource},
     {"naming", Selector::By::kNaming}}};

Result<Selector> SelectorOf(const Json& arguments) {
  std::string text, name;
  auto by = Selector::By::kFact;
  for (const auto& [argument, kind] : kKinds) {
    const std::string given = TextOf(arguments, argument);
    if (given.empty()) continue;
    if (!text.empty()) {
      return Error{ErrorKind::kUsage,
                   fmt::format("forget: {} and {} are given; give exactly one, and call again for "
                               "the other",
                               name, argument)};
    }
    text = given;
    name = argument;
    by = kind;
  }
  if (text.empty()) {
    return Error{ErrorKind::kUsage, "forget: give one of fact, address, subject, source or naming"};
  }
  if (by == Selector::By::kAddress && !query::IsAddress(text)) {
    return Error{ErrorKind::kUsage, fmt::format("address: '{}' is not of 16 hex digits, as results "
                                                "show them",
                                                Cut(text, 60))};
  }
  if (by == Selector::By::kFact || by == Selector::By::kAddress) {
    auto selector = query::SelectorFromFact(text);
    if (!selector.ok()) return InQuery(selector.error(), text);
    return selector;
  }
  auto selector = query::SelectorFromName(by, text);
  if (!selector.ok()) return InToolWords(selector.error());
  return selector;
}

std::string ReceiptText(const query::Selection& selection, bool dry_run) {
  std::string out = fmt::format("{} {}: {} gone", dry_run ? "would forget" : "forgot",
                                Plural(selection.statements.size(), "statement"),
                                Plural(selection.facts_gone, "fact"));
  if (selection.facts_kept > 0) {
    out += fmt::format(", {} kept, as other sources have {}", Plural(selection.facts_kept, "fact"),
                       selection.facts_kept == 1 ? "it" : "them");
  }
  out += '\n';
  if (selection.still_named > 0) {
    out += fmt::format("the name still stands in {}, as object or relation; naming forgets them\n",
                       Plural(selection.still_named, "fact"));
  }
  if (selection.still_source > 0) {
    out += fmt::format("the name is still the source of {}; source forgets them\n",
                       Plural(selection.still_source, "statement"));
  }
  return out;
}

Json ReceiptJson(const Selector& selector, const query::Selection& selection, bool dry_run) {
  Json json = {{"dry_run", dry_run},
               {"forgotten", selection.statements.size()},
               {"facts_gone", selection.facts_gone},
               {"facts_kept", selection.facts_kept}};
  if (selector.by == Selector::By::kSubject) {
    json["still_named"] = selection.still_named;
    json["still_source"] = selection.still_source;
  }
  return json;
}

// What may have been meant where nothing was chosen.
std::string HintsOf(const std::shared_ptr<const Snapshot>& snapshot, const Json& arguments,
                    const Selector& selector, const ToolContext& context) {
  if (selector.by == Selector::By::kSubject || selector.by == Selector::By::kNaming) {
    return UnknownName(snapshot, selector.name, context);
  }
  if (selector.by != Selector::By::kFact) return {};
  const auto query = query::Query::Parse(TextOf(arguments, "fact"));
  return query.ok() ? HintsFor(snapshot, *query, context) : std::string();
}

Result<ToolResult> ShowOnly(const Json& arguments, const Selector& selector,
                            const ToolContext& context) {
  LOCI_ASSIGN(const auto snapshot, context.store->Read());
  LOCI_ASSIGN(query::Selection selection,
              query::Select(*snapshot, selector, [&context] { return !context.KeepGoing(); }));
  query::Sort(*snapshot, &selection);
  ToolResult result;
  result.structured = ReceiptJson(selector, selection, true);
  Page page(MaxBytesOf(arguments, context));
  for (const auto& statement : selection.statements) {
    query::Selection one;
    one.statements.push_back(statement);
    const std::string line = query::Describe(*snapshot, one)[0];
    const auto render = [&line](size_t most) {
      const std::string cut = Cut(line, most);
      return PageItem{cut + '\n', cut};
    };
    if (!page.AddFitting(render, "")) break;
  }
  LOCI_TRY(snapshot->damage());
  result.text = ReceiptText(selection, true);
  if (selection.statements.empty()) {
    result.text += HintsOf(snapshot, arguments, selector, context);
  }
  if (page.size() > 0) result.text += fmt::format("({})\n{}", kDataNotice, page.text());
  result.structured["statements"] = page.TakeItems();
  if (page.size() < selection.statements.size()) {
    result.left_out = fmt::format("the first {} of {} statements; a larger max_bytes lists more",
                                  page.size(), selection.statements.size());
  }
  return result;
}

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const Selector selector, SelectorOf(arguments));
  if (IsSet(arguments, "dry_run")) {
    return ShowOnly(arguments, selector, context);
  }
  query::Selection selection;
  const auto choose = [&](const Snapshot& snapshot, Batch* batch) -> Result<void> {
    LOCI_ASSIGN(selection,
                query::Select(snapshot, selector, [&context] { return !context.KeepGoing(); }));
    query::Remove(snapshot, selection, batch);
    return {};
  };
  const auto progress = [&context](const char*, uint64_t, uint64_t) { return context.KeepGoing(); };
  LOCI_ASSIGN(const Receipt receipt, context.store->Apply(Store::SelectFn(choose), progress));
  ToolResult result;
  result.wrote = receipt.forgotten > 0;
  result.structured = ReceiptJson(selector, selection, false);
  result.structured["digest"] = receipt.digest_after.Hex();
  result.text = ReceiptText(selection, false);
  if (selection.statements.empty()) {
    LOCI_ASSIGN(const auto snapshot, context.store->Read());
    result.text += HintsOf(snapshot, arguments, selector, context);
  }
  bool consolidated = false;
  if (IsSet(arguments, "consolidate")) {
    const auto done = context.store->Consolidate(progress);
    consolidated = done.ok();
    if (!done.ok()) {
      result.text += fmt::format("but its bytes are still in the files: {}\n",
                                 Cut(done.error().message, kFrame / 4));
    }
  }
  result.structured["consolidated"] = consolidated;
  if (consolidated) {
    result.text += "its bytes are gone from the memory's files\n";
  } else if (receipt.forgotten > 0 && !IsSet(arguments, "consolidate")) {
    result.text +=
        "no answer has it any more; its bytes leave the files with the next "
        "consolidation (consolidate=true, or `loci consolidate`)\n";
  }
  result.text += fmt::format("digest after: {}\n", receipt.digest_after.Hex());
  return result;
}

}  // namespace

Tool ForgetTool() {
  Tool tool;
  tool.name = "forget";
  tool.title = "Forget";
  tool.description = kDescription;
  tool.input_schema =
      ObjectSchema({{"fact", TextSchema("relation(subject, object), alone or with: from source")},
                    {"address", TextSchema("One statement, by its 16 hex digits")},
                    {"subject", TextSchema("All that is said about this name")},
                    {"source", TextSchema("All that this source said")},
                    {"naming", TextSchema("All that has this name in any place")},
                    {"dry_run", FlagSchema("Only list what would go")},
                    {"consolidate", FlagSchema("Also rewrite the files without its bytes")},
                    {"max_bytes", MaxBytesSchema()}});
  tool.output_schema =
      ItemSchema({"dry_run", "forgotten", "facts_gone", "facts_kept", "still_named", "still_source",
                  "statements", "consolidated", "digest"});
  tool.destructive = true;
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
