// SPDX-License-Identifier: Apache-2.0
//
// stats: what a model needs in order to write a query: which relations there are, each with an
// example, and who said how much; and what a person asks of a memory: how much it holds, where.
// Relations come in the order of their facts, the largest first.
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "memory/counts.h"
#include "query/facts.h"
#include "render/plural.h"

namespace loci::mcp {
namespace {

constexpr uint64_t kDefaultLimit = 100, kMostLimit = 10'000;
constexpr size_t kMostSources = 20;
constexpr size_t kMostExample = 120;  // bytes
constexpr uint64_t kMargin = 200;     // for the words around the lists

constexpr char kDescription[] =
    "What the memory holds: relations with their number of facts and an example each, sources, "
    "counts, settings, size, digest. Call it before writing queries for a memory that you do not "
    "know.";

struct RelationOf {
  TermId id;
  uint64_t facts;
};

std::vector<RelationOf> ListRelations(const Snapshot& snapshot) {
  std::vector<TermId> ids;
  snapshot.Relations(&ids);
  std::vector<RelationOf> relations;
  for (const TermId id : ids) relations.push_back({id, snapshot.SizeOf(id).facts});
  std::sort(relations.begin(), relations.end(), [&](const RelationOf& a, const RelationOf& b) {
    return a.facts != b.facts ? a.facts > b.facts : snapshot.Compare(a.id, b.id) < 0;
  });
  return relations;
}

// The first fact of a relation in the canonical order: of each layer the first subject that still
// has one, of these the first.
std::string ExampleOf(const Snapshot& snapshot, TermId relation) {
  const TermView name = snapshot.Name(relation);
  std::optional<Fact> best;
  std::vector<TermId> objects;
  const auto before = [&](TermId a, TermId b) { return snapshot.Compare(a, b) < 0; };
  for (uint32_t k = 0; k < snapshot.layers().size(); ++k) {
    const Image& layer = *snapshot.layers()[k];
    const auto symbol = layer.Find(name);
    const auto dense = symbol ? layer.FindRelation(*symbol) : std::nullopt;
    if (!dense) continue;
    const Range entries = layer.RelationSubjects(*dense);
    for (uint32_t i = entries.begin; i < entries.end; ++i) {
      const TermId subject = snapshot.IdOf(k, layer.SubjectOfRelation(i));
      if (best && !before(subject, best->subject)) break;
      objects.clear();
      snapshot.Objects(subject, relation, &objects);
      if (objects.empty()) continue;
      best = {subject, relation, *std::min_element(objects.begin(), objects.end(), before)};
      break;
    }
  }
  return best ? query::FactNotation(snapshot, *best) : std::string();
}

Page ListSources(const Snapshot& snapshot, uint64_t room, size_t* total) {
  const std::map<TermId, uint64_t> counts = CountSources(snapshot);
  std::vector<std::pair<TermId, uint64_t>> sources(counts.begin(), counts.end());
  std::sort(sources.begin(), sources.end(), [&](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : snapshot.Compare(a.first, b.first) < 0;
  });
  *total = sources.size();
  Page page(kFrame + room);
  for (const auto& [id, statements] : sources) {
    if (page.size() == kMostSources) break;
    const std::string name = Cut(ToNotation(snapshot.Name(id)), kMostExample);
    if (!page.Add({fmt::format("  {}\t{}\n", name, Plural(statements, "statement")),
                   {{"source", name}, {"statements", statements}}})) {
      break;
    }
  }
  return page;
}

Page ShowRelations(const Snapshot& snapshot, const std::vector<RelationOf>& relations,
                   uint64_t offset, uint64_t limit, uint64_t room) {
  Page page(kFrame + room);
  const uint64_t end = std::min<uint64_t>(relations.size(), offset + limit);
  for (uint64_t i = offset; i < end; ++i) {
    const std::string name = ToNotation(snapshot.Name(relations[i].id));
    const std::string example = Cut(ExampleOf(snapshot, relations[i].id), kMostExample);
    const auto render = [&](size_t most) {
      const std::string shown = Cut(name, most);
      return PageItem{
          fmt::format("  {}\t{}\t{}\n", shown, relations[i].facts, Cut(example, most)),
          {{"relation", shown}, {"facts", relations[i].facts}, {"example", Cut(example, most)}}};
    };
    if (!page.AddFitting(render, {{"relation", ""}, {"facts", relations[i].facts}})) break;
  }
  return page;
}

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(const auto snapshot, context.store->Read());
  LOCI_ASSIGN(const StoreStats stats, context.store->Stats());
  const uint64_t max_bytes = MaxBytesOf(arguments, context);
  const uint64_t offset = CountOf(arguments, "offset", 0);
  const Counts counts = CountMemory(*snapshot);
  const std::vector<RelationOf> relations = ListRelations(*snapshot);

  Json base = {
      {"statements", counts.statements},     {"facts", counts.facts},
      {"symbols", counts.symbols},           {"texts", counts.texts},
      {"numbers", counts.numbers},           {"dates", counts.dates},
      {"relations_total", relations.size()}, {"sources_total", counts.sources},
      {"digest", snapshot->digest().Hex()},  {"bytes", stats.LayerBytes() + stats.tail_bytes},
      {"settings", Json::object()}};
  std::string settings;
  for (const auto& [key, value] : stats.settings) {
    const std::string shown = Cut(value, 40);
    base["settings"][key] = shown;
    settings += (settings.empty() ? "" : ", ") + key + ' ' + shown;
  }
  if (!context.notes.empty()) base["notes"] = Cut(context.notes, max_bytes / 8);
  ToolResult result;
  result.text = fmt::format(
      "{} of {} by {}; {}, {}, {}, {}; {} in files\ndigest {}\nsettings: {}\n",
      Plural(counts.statements, "statement"), Plural(counts.facts, "fact"),
      Plural(counts.sources, "source"), Plural(counts.symbols, "name"),
      Plural(counts.texts, "text"), Plural(counts.numbers, "number"), Plural(counts.dates, "date"),
      Plural(base["bytes"].get<uint64_t>(), "byte"), base["digest"].get<std::string>(), settings);
  if (base.contains("notes")) result.text += base["notes"].get<std::string>() + '\n';

  const uint64_t used = std::max<uint64_t>(ToText(base).size(), result.text.size()) + kMargin;
  uint64_t room = max_bytes > used ? max_bytes - used : 0;
  size_t all_sources = 0;
  Page sources = ListSources(*snapshot, offset == 0 ? room / 4 : 0, &all_sources);
  room -= offset == 0 ? room / 4 : 0;
  Page shown =
      ShowRelations(*snapshot, relations, offset, CountOf(arguments, "limit", kDefaultLimit), room);
  LOCI_TRY(snapshot->damage());
  if (sources.size() > 0) {
    result.text += fmt::format("sources ({} of {}, the largest first):\n{}", sources.size(),
                               all_sources, sources.text());
  }
  if (shown.size() > 0) {
    result.text +=
        fmt::format("relations: facts{}, an example ({}):\n{}",
                    snapshot->layers().size() > 1 ? " (at most)" : "", kDataNotice, shown.text());
  }
  const uint64_t next = offset + shown.size();
  result.structured = std::move(base);
  result.structured["offset"] = offset;
  if (next < relations.size()) {
    result.structured["next"] = next;
    result.left_out = fmt::format("relations {} to {} of {}; stats with offset={} goes on",
                                  offset + 1, next, relations.size(), next);
  }
  result.structured["sources"] = sources.TakeItems();
  result.structured["relations"] = shown.TakeItems();
  return result;
}

}  // namespace

Tool StatsTool() {
  Tool tool;
  tool.name = "stats";
  tool.title = "Statistics";
  tool.description = kDescription;
  tool.input_schema =
      ObjectSchema({{"limit", CountSchema(1, kMostLimit, "Default 100")},
                    {"offset", CountSchema(0, 1'000'000'000, "Skip so many relations")},
                    {"max_bytes", MaxBytesSchema()}});
  tool.output_schema = ItemSchema({"statements", "facts", "symbols", "texts", "numbers", "dates",
                                   "relations_total", "sources_total", "digest", "bytes",
                                   "settings", "notes", "offset", "next", "sources", "relations"});
  tool.read_only = true;
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
