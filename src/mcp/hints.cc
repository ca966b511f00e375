// SPDX-License-Identifier: Apache-2.0
#include "mcp/hints.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/unicode.h"
#include "mcp/page.h"
#include "query/facts.h"
#include "query/recollect.h"
#include "query/rule.h"
#include "render/nearest.h"

namespace loci::mcp {
namespace {

constexpr size_t kMostNamed = 8;      // relations, where none is near
constexpr size_t kMostFacts = 3;      // of one name
constexpr size_t kMostFact = 100;     // bytes of one
constexpr size_t kMostEdges = 10000;  // looked at
constexpr size_t kMostRecalled = 3;   // names
constexpr size_t kMostName = 60;      // bytes of one

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
  std::vector<std::pair<uint64_t, TermId>> by_size;
  for (const TermId id : ids) by_size.emplace_back(snapshot.SizeOf(id).facts, id);
  std::sort(by_size.begin(), by_size.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : snapshot.Compare(a.second, b.second) < 0;
  });
  std::vector<std::string_view> names;
  for (const auto& [facts, id] : by_size) names.push_back(snapshot.Name(id).bytes);
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

bool IsStated(const Snapshot& snapshot, TermView term) {
  const auto id = snapshot.Find(term);
  return id && (snapshot.IsSubject(*id) || snapshot.IsObject(*id));
}

// Of a text, number or date.
std::string UnknownValue(const Snapshot& snapshot, const Term& value) {
  if (value.kind != Kind::kText) {
    return fmt::format("no fact has exactly {}; to compare, ask relation(?x, ?v), ?v >= {}\n",
                       Named(value), Named(value));
  }
  if (IsStated(snapshot, {Kind::kSymbol, value.bytes})) {
    return fmt::format("{} is a text; the name is {}, without quotes\n", Named(value),
                       Named({Kind::kSymbol, value.bytes}));
  }
  return fmt::format("no text is exactly {}; like(?x, ...) finds texts by their words\n",
                     Named(value));
}

// The name as others may have written it: in lower case, with a capital at the first word or at
// each (of ASCII letters), words joined by spaces or underscores. The first that is stated.
std::optional<Term> OtherSpelling(const Snapshot& snapshot, const std::string& name) {
  std::string first = ToLower(name), each = first;
  bool at_start = true;
  for (size_t i = 0; i < each.size(); ++i) {
    const bool is_letter = each[i] >= 'a' && each[i] <= 'z';
    if (at_start && is_letter) {
      each[i] = static_cast<char>(each[i] - 'a' + 'A');
      if (i == 0) first[0] = each[0];
    }
    at_start = each[i] == ' ' || each[i] == '_';
  }
  for (std::string spelling : {name, ToLower(name), first, each}) {
    for (const auto& [from, to] : {std::pair{'_', ' '}, std::pair{' ', '_'}}) {
      std::replace(spelling.begin(), spelling.end(), from, to);
      if (IsStated(snapshot, {Kind::kSymbol, spelling})) return Term{Kind::kSymbol, spelling};
    }
  }
  return std::nullopt;
}

// The first facts of a known name by one of the relations, at either end.
std::string NearFacts(const Snapshot& snapshot, TermId name, const std::vector<Term>& relations) {
  std::string out;
  size_t shown = 0;
  const auto show = [&](const Fact& fact) {
    if (shown++ >= kMostFacts) return;
    out += (shown == 1 ? "known: " : "; ") + Cut(query::FactNotation(snapshot, fact), kMostFact);
  };
  for (const Term& relation : relations) {
    const auto r = snapshot.Find(relation);
    if (!r) continue;
    std::vector<TermId> others;
    const auto in_order = [&] {
      std::sort(others.begin(), others.end(),
                [&](TermId a, TermId b) { return snapshot.Compare(a, b) < 0; });
    };
    if (snapshot.DegreeFrom(name) <= kMostEdges) snapshot.Objects(name, *r, &others);
    in_order();
    for (const TermId object : others) show({name, *r, object});
    others.clear();
    if (snapshot.DegreeTo(name) <= kMostEdges) snapshot.Subjects(*r, name, &others);
    in_order();
    for (const TermId subject : others) show({subject, *r, name});
  }
  if (shown > kMostFacts) out += fmt::format(" and {} more", shown - kMostFacts);
  return out.empty() ? out : out + '\n';
}

// The relations of a known name, as patterns that can be asked.
std::string KnownPatterns(const Snapshot& snapshot, TermId name) {
  const std::string shown = Named(snapshot.Name(name));
  std::string out;
  size_t patterns = 0;
  const auto show = [&](std::vector<Edge> edges, bool from) {
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
      return snapshot.Compare(a.relation, b.relation) < 0;
    });
    for (size_t i = 0; i < edges.size(); ++i) {
      if (i > 0 && edges[i].relation == edges[i - 1].relation) continue;
      if (++patterns > kMostNamed) return;
      const std::string relation = Named(snapshot.Name(edges[i].relation));
      out += patterns == 1 ? "known: " : ", ";
      out += from ? fmt::format("{}({}, ?x)", relation, shown)
                  : fmt::format("{}(?x, {})", relation, shown);
    }
  };
  std::vector<Edge> edges;
  if (snapshot.DegreeFrom(name) <= kMostEdges) snapshot.EdgesFrom(name, &edges);
  show(std::move(edges), true);
  edges = {};
  if (snapshot.DegreeTo(name) <= kMostEdges) snapshot.EdgesTo(name, &edges);
  show(std::move(edges), false);
  if (patterns > kMostNamed) out += ", ...";
  return out.empty() ? out : out + '\n';
}

}  // namespace

std::string UnknownName(const std::shared_ptr<const Snapshot>& snapshot, const Term& name,
                        const ToolContext& context) {
  if (IsStated(*snapshot, name)) return {};
  if (name.kind != Kind::kSymbol) return UnknownValue(*snapshot, name);
  if (const auto spelling = OtherSpelling(*snapshot, name.bytes)) {
    return fmt::format("no name {} is known; nearest: {}\n", Named(name), Named(*spelling));
  }
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

std::string HintsFor(const std::shared_ptr<const Snapshot>& snapshot, const query::Query& query,
                     const ToolContext& context) {
  const query::Query::Names names = query.ListNames();
  std::string out;
  const auto tell = [&](const auto& terms, const auto& hint) {
    for (const Term& term : terms) {
      if (out.size() < kMostHints) out += hint(term);
    }
  };
  tell(names.relations, [&](const Term& relation) {
    return IsRelation(*snapshot, relation) ? std::string() : UnknownRelation(*snapshot, relation);
  });
  tell(names.ends, [&](const Term& end) { return UnknownName(snapshot, end, context); });
  if (!out.empty()) return Cut(out, kMostHints);
  const auto known = [&](const auto& hint) {
    return [&](const Term& end) {
      const auto id = snapshot->Find(end);
      return id ? hint(*id) : std::string();
    };
  };
  tell(names.ends, known([&](TermId id) { return NearFacts(*snapshot, id, names.relations); }));
  if (out.empty()) {
    tell(names.ends, known([&](TermId id) { return KnownPatterns(*snapshot, id); }));
  }
  return Cut(out, kMostHints);
}

}  // namespace loci::mcp
