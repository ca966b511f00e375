// SPDX-License-Identifier: Apache-2.0
//
// recall: what a cue brings to mind. Where the budget is too small for all texts in full, all are
// cut to one length, the largest at which they fit: of a list to choose from, more is worth more
// than longer.
//
// A passage comes with who said it, when and where: "I went yesterday" answers no "when" without.
#include <algorithm>
#include <array>
#include <chrono>

#include <fmt/format.h>

#include "mcp/arguments.h"
#include "mcp/hints.h"
#include "mcp/memory_tools.h"
#include "mcp/page.h"
#include "query/cut_text.h"
#include "query/facts.h"
#include "query/recollect.h"
#include "render/memories.h"
#include "render/score.h"

namespace loci::mcp {
namespace {

using query::Recollected;

constexpr uint64_t kDefaultLimit = 10, kMostLimit = 200;
constexpr size_t kMostSources = 5;  // of one memory
constexpr std::array<size_t, 11> kTextSizes = {2000, 1400, 1000, 700, 500, 350,
                                               250,  180,  120,  80,  40};
constexpr size_t kMostTitle = 200;
constexpr std::array<const char*, 3> kCircumstances = {"speaker", "time", "part_of"};
constexpr size_t kMostCircumstance = 100;  // bytes of each

constexpr char kDescription[] =
    "Search the memory by content: words, a question or a name. Ranked matches with name, score (0 "
    "to 1), text, who said it and when, source and statement address. Use it first when you do not "
    "know exact names, then ask about the names found.";

Result<std::optional<Term>> OptionalName(const Json& arguments, const char* name) {
  const std::string text = TextOf(arguments, name);
  if (text.empty()) return std::optional<Term>();
  LOCI_ASSIGN(Term term, NameFrom(text, name));
  return std::optional<Term>(std::move(term));
}

Result<std::optional<Term>> OptionalDate(const Json& arguments, const char* name) {
  const std::string text = TextOf(arguments, name);
  if (text.empty()) return std::optional<Term>();
  auto date = MakeDate(text);
  if (date.ok()) return std::optional<Term>(date.take());
  return Error{ErrorKind::kUsage, fmt::format("{}: {}", name, date.error().message)};
}

Result<query::RecollectOptions> OptionsOf(const Json& arguments, const ToolContext& context) {
  query::RecollectOptions options;
  options.limit = CountOf(arguments, "limit", kDefaultLimit);
  options.offset = CountOf(arguments, "offset", 0);
  options.where = TextOf(arguments, "where");
  LOCI_ASSIGN(options.source, OptionalName(arguments, "source"));
  LOCI_ASSIGN(options.within, OptionalName(arguments, "within"));
  LOCI_ASSIGN(options.since, OptionalDate(arguments, "since"));
  LOCI_ASSIGN(options.until, OptionalDate(arguments, "until"));
  if (const std::string unlike = TextOf(arguments, "unlike"); !unlike.empty()) {
    LOCI_ASSIGN(options.unlike, MakeText(unlike));
  }
  options.engine.cancelled = [&context] { return !context.KeepGoing(); };
  return options;
}

// What the memory says of an item by that relation, in the canonical order; empty for nothing.
std::string Circumstance(const Snapshot& snapshot, TermId item, const char* relation) {
  const auto id = snapshot.Find({Kind::kSymbol, relation});
  std::vector<TermId> objects;
  if (id) snapshot.Objects(item, *id, &objects);
  std::sort(objects.begin(), objects.end(),
            [&](TermId a, TermId b) { return snapshot.Compare(a, b) < 0; });
  std::string out;
  for (const TermId object : objects) {
    out += (out.empty() ? "" : ", ") + ToNotation(snapshot.Name(object));
    if (out.size() > kMostCircumstance) break;
  }
  return Cut(out, kMostCircumstance);
}

// most: bytes of its text; names and titles are cut to what belongs to it.
PageItem Show(const query::Recollection& all, size_t place, bool why, size_t most) {
  const Snapshot& snapshot = *all.snapshot;
  query::Recollection one;
  one.snapshot = all.snapshot;
  Recollected memory = all.memories[place];
  const size_t sources = memory.shown.sources.size();
  memory.shown.sources.resize(std::min(sources, kMostSources));
  const std::string title = Cut(memory.title, kMostTitle);
  memory.title = title;

  Json json = {{"name", ToNotation(snapshot.Name(memory.item))},
               {"score", ScoreNumber(memory.score)}};
  if (!title.empty()) json["title"] = title;
  if (!memory.text.empty()) {
    const recall::Span part = query::CutText(memory.text, memory.spans, most);
    json["text"] = memory.text.substr(part.begin, part.end - part.begin);
    if (part.end - part.begin < memory.text.size()) json["text_bytes"] = memory.text.size();
  }
  std::string circumstances;
  for (const char* relation : kCircumstances) {
    std::string value = Circumstance(snapshot, memory.item, relation);
    if (value.empty()) continue;
    circumstances += fmt::format("{}{} {}", circumstances.empty() ? "  " : "; ", relation, value);
    json[relation] = std::move(value);
  }
  for (const Fact& fact : memory.facts)
    json["facts"].push_back(query::FactNotation(snapshot, fact));
  json["sources"] = Json::array();
  json["addresses"] = Json::array();
  for (const TermId source : memory.shown.sources) {
    json["sources"].push_back(ToNotation(snapshot.Name(source)));
    json["addresses"].push_back(query::StatementAddress(snapshot, memory.shown.fact, source));
  }
  if (why) {
    json["words"] = Json::array();
    for (const recall::MatchedWord& word : memory.words) {
      json["words"].push_back({{"word", word.cue}, {"weight", ScoreNumber(word.weight)}});
    }
    json["links"] = memory.links;
  }

  MemoryStyle style;
  style.why = why;
  style.most_text = most;
  one.memories.push_back(std::move(memory));
  PageItem item{RenderMemories(one, style).text, std::move(json)};
  if (!circumstances.empty()) item.text += circumstances + '\n';
  if (sources > kMostSources) {
    item.text += fmt::format("  and {} more sources\n", sources - kMostSources);
  }
  return item;
}

Page Fill(const query::Recollection& found, bool why, uint64_t max_bytes) {
  const size_t n = found.memories.size();
  for (const size_t most : kTextSizes) {
    Page page(max_bytes);
    while (page.size() < n && page.Add(Show(found, page.size(), why, most))) continue;
    if (page.size() == n || (most == kTextSizes.back() && page.size() > 0)) return page;
  }
  // One that is large without its text: a long name, long facts.
  Page page(max_bytes);
  const std::string name = ToNotation(found.snapshot->Name(found.memories[0].item));
  page.Add({Cut(Show(found, 0, why, kTextSizes.back()).text, page.room() / 2) + '\n',
            {{"name", Cut(name, page.room() / 4)},
             {"score", ScoreNumber(found.memories[0].score)},
             {"sources", Json::array()},
             {"addresses", Json::array()}}});
  return page;
}

Result<ToolResult> Run(const Json& arguments, const ToolContext& context) {
  LOCI_ASSIGN(query::RecollectOptions options, OptionsOf(arguments, context));
  LOCI_ASSIGN(const auto snapshot, context.store->Read());
  const auto start = std::chrono::steady_clock::now();
  auto found = query::Recollect(snapshot, TextOf(arguments, "cue"), options);
  context.store->CountQuery(std::chrono::steady_clock::now() - start);
  if (!found.ok()) {
    const Error error = InQuery(found.error(), options.where);
    const bool of_where = error.message.starts_with("column ");
    return Error{error.kind, (of_where ? "where: " : "") + error.message};
  }

  ToolResult result;
  if (found->memories.empty()) {
    result.text = found->found == 0 ? "nothing comes to mind\n"
                                    : fmt::format("no more: {} were found in all\n", found->found);
    if (found->found == 0) {
      for (const auto& name : {options.source, options.within}) {
        if (name && !snapshot->Find(*name)) {
          result.text += fmt::format("the memory knows no {}\n", Cut(ToNotation(*name), 100));
        }
      }
    }
    result.structured = {
        {"memories", Json::array()}, {"found", found->found}, {"offset", options.offset}};
    return result;
  }
  Page page = Fill(*found, IsSet(arguments, "why"), MaxBytesOf(arguments, context));
  LOCI_TRY(snapshot->damage());
  const uint64_t next = options.offset + page.size();
  const size_t shown = page.size();
  result.text =
      fmt::format("{} of {} memories ({}):\n{}", shown, found->found, kDataNotice, page.text());
  result.structured = {
      {"memories", page.TakeItems()}, {"found", found->found}, {"offset", options.offset}};
  if (next < found->found) {
    result.structured["next"] = next;
    result.left_out = fmt::format("shown {} to {} of {}; recall with offset={} goes on",
                                  options.offset + 1, next, found->found, next);
    if (shown < found->memories.size())
      result.left_out += ", a larger max_bytes shows more at once";
  }
  return result;
}

}  // namespace

Tool RecallTool() {
  Tool tool;
  tool.name = "recall";
  tool.title = "Recall by content";
  tool.description = kDescription;
  tool.input_schema = ObjectSchema(
      {{"cue", TextSchema("Words, a question or a name")},
       {"limit", CountSchema(1, kMostLimit, "Default 10")},
       {"offset", CountSchema(0, 1'000'000'000, "Skip so many")},
       {"source", TextSchema("Only what this source states")},
       {"within", TextSchema("Only this document and its parts")},
       {"since", TextSchema("Only from this date on: 2024, 2024-05-17, 2024-05-17T08:30:00Z")},
       {"until", TextSchema("Only up to this date, included")},
       {"unlike", TextSchema("Without these words")},
       {"where",
        TextSchema("Only those ?x of which these clauses (see ask) hold: author(?x, ann), not "
                   "draft(?x, yes)")},
       {"why", FlagSchema("With the words and links that found each")},
       {"max_bytes", MaxBytesSchema()}},
      {"cue"});
  const Json integer = TypeSchema("integer");
  tool.output_schema = ObjectSchema(
      {{"memories",
        ListSchema(ItemSchema({"name", "score", "title", "text", "text_bytes", "speaker", "time",
                               "part_of", "facts", "sources", "addresses", "words", "links"}))},
       {"found", integer},
       {"offset", integer},
       {"next", integer}},
      {"memories", "found", "offset"});
  tool.read_only = true;
  tool.idempotent = true;
  tool.run = Run;
  return tool;
}

}  // namespace loci::mcp
