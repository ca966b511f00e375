// SPDX-License-Identifier: Apache-2.0
//
// Any query on a small memory, with little work allowed. The memory is asked twice: as three
// layers, the newer of which override the older, and as one image of the same statements; and so
// is a memory that has rules besides. Layers and image give the same answers with the same scores;
// these are distinct and in the canonical order; a limit cuts that order; each answer is derived
// from facts that are there.
#include <memory>
#include <vector>

#include "harness.h"
#include "image/writer.h"
#include "memory/build.h"
#include "memory/merge.h"
#include "query/query.h"
#include "query/rule.h"

namespace loci {
namespace {

using fuzz::Require;
using fuzz::Value;

// Subject, relation, object, source; what begins with '-' is forgotten. Each string is one layer.
constexpr const char* kLayers[] = {
    R"(a r b s
b r c s
c r a s
c r d s
d q d s
a q a t
b q 1 s
b q 2 s
c q 10 t
a name "A" s
a name "A"@en s
a name "a"^^code t
a born 2024-05-17 s
b born "2024"^^date s
x r y gone
x q z gone
hub has a s
hub has b s
hub has c s)",
    R"(- x r y gone
- x q z gone
a r b t
d r e t
e r f t
f r d t
- c q 10 t
hub has d t
r kind relation t
d rank -1.5 t
<not> r <New York> t)",
    R"(c q 10 t
- a q a t
e q 1 s
f q "text" s
- hub has b s
y r x u)"};

// Recursive in every form, with scores, and with `not`.
constexpr const char* kRules = R"(
far(?x, ?y) <- r(?x, ?y);
far(?x, ?z) <- far(?x, ?y), far(?y, ?z) conf 0.5;
reach(?x, ?z) <- r(?x, ?z) or r(?x, ?y), reach(?y, ?z) conf 0.9;
e(?x, ?y) <- (e|^r)+(?x, ?y), ?x != ?y conf 0.25;
any(?x, ?y) <- ?p(?x, ?y), ?p != any conf 0.75;
apart(?x, ?y) <- q(?x, _), q(?y, _), not far(?x, ?y);
near2(?x, ?x) <- name?(?x, _), not apart(?x, _);
)";

std::shared_ptr<const Image> Layer(std::string_view lines, bool rules) {
  Batch batch;
  if (rules) {
    for (const query::NewRule& rule : Value(query::ReadRules(kRules), "the rules are right")) {
      batch.Add(StatementView{rule.relation,
                              {Kind::kSymbol, query::kRuleWord},
                              rule.text,
                              {Kind::kSymbol, "rules"}},
                false);
    }
  }
  while (!lines.empty()) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(lines.size(), line.size() + 1));
    const bool removed = line.starts_with("- ");
    if (removed) line.remove_prefix(2);
    Term terms[4];
    for (Term& term : terms) {
      const size_t end =
          line.starts_with('<') ? line.find('>') + 1 : std::min(line.find(' '), line.size());
      term = Value(ParseNotation(line.substr(0, end), false, nullptr), "the memory is well-formed");
      line.remove_prefix(std::min(line.size(), end + 1));
    }
    batch.Add(StatementView{terms[0], terms[1], terms[2], terms[3]}, removed);
  }
  return Value(BuildImage(batch, Words::kLastCounts, ""), "a layer is built");
}

struct Memory {
  std::shared_ptr<const Snapshot> layers, whole;
};

Memory MakeMemory(bool rules) {
  std::vector<std::shared_ptr<const Image>> layers;
  for (const char* lines : kLayers) layers.push_back(Layer(lines, rules && layers.size() == 1));
  StringSink sink;
  Require(MergeImages(layers, {.to_base = true, .settings = {}, .on_progress = {}}, &sink).ok(),
          "the layers merge");
  const auto whole = Value(OpenOwned(sink.take(), "whole"), "the merged image opens");
  using Images = std::vector<std::shared_ptr<const Image>>;
  return {std::make_shared<Snapshot>(layers), std::make_shared<Snapshot>(Images{whole})};
}

const Memory& TheMemory(bool rules) {
  static const Memory memories[] = {MakeMemory(false), MakeMemory(true)};
  return memories[rules];
}

constexpr uint64_t kWork = 20000, kMemory = 16 << 20;
const query::QueryOptions kOptions{.max_work = kWork, .max_memory = kMemory, .cancelled = {}};

struct Row {
  std::vector<Term> terms;
  uint64_t score;
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> Rows(const query::Answers& answers) {
  std::vector<Row> rows;
  for (const query::Answer& answer : answers.rows) {
    Row& row = rows.emplace_back();
    Require(answer.values.size() == answers.variables.size(), "a row has a value per variable");
    for (const TermId id : answer.values) {
      const TermView name = answers.Name(id);
      row.terms.push_back({name.kind, std::string(name.bytes)});
    }
    row.score = answer.score;
  }
  return rows;
}

// Negative where a comes before b in the canonical order.
int Compare(const Row& a, const Row& b) {
  if (a.score != b.score) return a.score > b.score ? -1 : 1;
  for (size_t i = 0; i < a.terms.size(); ++i) {
    if (const int order = CompareTerms(a.terms[i], b.terms[i]); order != 0) return order;
  }
  return 0;
}

bool Mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// Nothing where the budget does not suffice.
bool Ask(const query::Query& query, const std::shared_ptr<const Snapshot>& snapshot,
         const query::QueryOptions& options, std::span<const query::Binding> bindings,
         query::Answers* out) {
  auto answers = query.Run(snapshot, options, bindings);
  if (answers.ok()) return *out = answers.take(), true;
  fuzz::RequireClear(answers.error(), {ErrorKind::kLimit, ErrorKind::kNoMemory, ErrorKind::kUsage,
                                       ErrorKind::kUnsupported});
  return false;
}

// one_source: the query has a `from`, which cites its own source and no other.
void CheckEvidence(const query::Query& query, const query::Answers& answers, size_t row,
                   bool one_source) {
  const auto evidence = query.Explain(answers, row, kOptions);
  if (!evidence.ok())
    return fuzz::RequireClear(evidence.error(), {ErrorKind::kLimit, ErrorKind::kNoMemory});
  for (const query::Evidence& e : *evidence) {
    Require(answers.snapshot->Has(e.fact), "evidence is a fact");
    const std::vector<TermId> all = answers.snapshot->Sources(e.fact);
    const bool within = std::all_of(e.sources.begin(), e.sources.end(), [&](TermId source) {
      return std::find(all.begin(), all.end(), source) != all.end();
    });
    Require(!e.sources.empty() && within && (one_source || e.sources == all),
            "evidence has the sources of its fact");
  }
}

void Check(std::string_view text, bool rules) {
  const auto query = query::Query::Parse(text);
  if (!query.ok()) return;  // parse_fuzz.cc
  const Memory& memory = TheMemory(rules);
  query::Answers answers, others;
  const bool answered = Ask(*query, memory.layers, kOptions, {}, &answers);
  // The work that layers cost differs, so only one of the two may be over budget.
  const bool also = Ask(*query, memory.whole, kOptions, {}, &others);
  if (!answered) return;
  const std::vector<Row> rows = Rows(answers);
  if (also) Require(rows == Rows(others), "layers and one image answer the same", text);

  const bool ordered = Mentions(text, "order");
  std::vector<Row> sorted = rows;
  std::sort(sorted.begin(), sorted.end(),
            [](const Row& a, const Row& b) { return Compare(a, b) < 0; });
  if (!ordered) Require(sorted == rows, "answers are in the canonical order", text);
  Require(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end(), "answers are distinct",
          text);

  query::QueryOptions few = kOptions;
  few.limit = 3;
  query::Answers first;
  if (Ask(*query, memory.layers, few, {}, &first)) {
    const std::vector<Row> cut(rows.begin(),
                               rows.begin() + std::min<ptrdiff_t>(3, std::ssize(rows)));
    Require(Rows(first) == cut, "a limit cuts the order of answers", text);
  }
  for (size_t i = 0; i < std::min<size_t>(rows.size(), 3); ++i) {
    CheckEvidence(*query, answers, i, Mentions(text, "from"));
  }

  if (rows.empty() || answers.variables.empty() || Mentions(text, "limit") ||
      Mentions(text, "offset"))
    return;
  const query::Binding given{answers.variables[0], rows.back().terms[0]};
  query::Answers bound;
  if (!Ask(*query, memory.layers, kOptions, {&given, 1}, &bound)) return;
  std::vector<Row> expected;
  for (const Row& row : rows) {
    if (row.terms[0] == rows.back().terms[0]) expected.push_back(row);
  }
  Require(Rows(bound) == expected, "a given value selects among the answers", text);
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const bool rules : {false, true}) loci::Check(loci::AsChars({data, size}), rules);
  return 0;
}
