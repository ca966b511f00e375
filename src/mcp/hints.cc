// SPDX-License-Identifier: Apache-2.0
#include "mcp/hints.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "mcp/page.h"
#include "query/recollect.h"
#include "query/rule.h"
#include "render/nearest.h"

namespace loci::mcp {
namespace {

constexpr size_t kMostNamed = 5;     // relations, where none is near
constexpr size_t kMostRecalled = 3;  // names
constexpr size_t kMostName = 60;     // bytes of one

std::string Named(TermView name) {
  return Cut(ToNotation(name), kMostName);
}

// Stored, or what a rule concludes.
bool IsRelation(const Snapshot& snapshot, TermView name) {
  const auto id = snapshot.Find(name);
  if (!id) return false;
  if (snapshot.IsRelation(*id)) return true;
  const auto rule = snapshot.Find({Kind::kSymbol, query::kRuleWord});
  std::vector<TermId> rules;
  if (rule) snapshot.Objects(*id, *rule, &rules);
  return !rules.empty();
}

std::string UnknownRelation(const Snapshot& snapshot, const Term& name) {
  std::vector<TermId> ids;
  snapshot.Relations(&ids);
  std::sort(ids.begin(), ids.end(), [&](TermId a, TermId b) { return snapshot.Compare(a, b) < 0; });
  std::vector<std::string_view> names;
  for (const TermId id : ids) names.push_back(snapshot.Name(id).bytes);
  std::string out = fmt::format("no relation {} is known", Named(name));
  if (names.empty()) return out + "; the memory has none yet\n";
  if (const auto nearest = Nearest(name.bytes, names); !nearest.empty()) {
    return out + fmt::format("; nearest: {}\n", Named({Kind::kSymbol, nearest}));
  }
  for (size_t i = 0; i < std::min(names.size(), kMostNamed); ++i) {
    out += (i == 0 ? "; there are: " : ", ") + Named({Kind::kSymbol, names[i]});
  }
  return out + (names.size() > kMostNamed ? ", ... (stats lists all)\n" : "\n");
}

}  // namespace

std::string UnknownName(const std::shared_ptr<const Snapshot>& snapshot, const Term& name,
                        const ToolContext& context) {
  const auto id = snapshot->Find(name);
  if (id && (snapshot->IsSubject(*id) || snapshot->IsObject(*id))) return {};
  std::string cue = name.bytes;
  std::replace(cue.begin(), cue.end(), '_', ' ');
  query::RecollectOptions options;
  options.limit = kMostRecalled;
  options.engine.cancelled = [&context] { return !context.KeepGoing(); };
  std::string out = fmt::format("no name {} is known", Named(name));
  const auto recalled = query::Recollect(snapshot, cue, options);
  if (recalled.ok() && !recalled->memories.empty()) {
    for (size_t i = 0; i < recalled->memories.size(); ++i) {
      out += (i == 0 ? "; recall finds by it: " : ", ") +
             Named(snapshot->Name(recalled->memories[i].item));
    }
  } else {
    out += "; recall finds names by their words";
  }
  return out + '\n';
}

std::string UnknownNames(const std::shared_ptr<const Snapshot>& snapshot, const query::Query& query,
                         const ToolContext& context) {
  const query::Query::Names names = query.ListNames();
  std::string out;
  for (const Term& relation : names.relations) {
    if (out.size() > kMostHints) break;
    if (!IsRelation(*snapshot, relation)) out += UnknownRelation(*snapshot, relation);
  }
  for (const Term& end : names.ends) {
    if (out.size() > kMostHints) break;
    out += UnknownName(snapshot, end, context);
  }
  return Cut(out, kMostHints);
}

}  // namespace loci::mcp
