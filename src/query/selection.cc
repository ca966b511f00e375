// SPDX-License-Identifier: Apache-2.0
//
// A fact and a subject are looked up; an address, a source and a naming walk all facts, as nothing
// in a memory is indexed by them (measured on all of WordNet in docs/manual.md).
#include "query/selection.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/unicode.h"
#include "query/facts.h"

namespace loci::query {
namespace {

constexpr size_t kLeastAddressDigits = 8;
constexpr size_t kMostAddressDigits = 64;
constexpr size_t kCandidatesShown = 10;
constexpr uint64_t kCancelEvery = 4096;  // facts

class Selecting {
 public:
  Selecting(const Snapshot& snapshot, const Selector& selector,
            const std::function<bool()>& cancelled)
      : snapshot_(snapshot), selector_(selector), cancelled_(cancelled) {}

  Result<Selection> Run() {
    switch (selector_.by) {
      case Selector::By::kFact:
        LOCI_TRY(ByFact());
        break;
      case Selector::By::kAddress:
        LOCI_TRY(ByAddress());
        break;
      case Selector::By::kSubject:
        LOCI_TRY(BySubject());
        break;
      case Selector::By::kSource:
        LOCI_TRY(BySource());
        break;
      case Selector::By::kNaming:
        LOCI_TRY(ByNaming());
        break;
    }
    LOCI_TRY(snapshot_.damage());
    return std::move(selection_);
  }

 private:
  // Takes those statements of a fact that `wanted` says yes to.
  template <class Wanted>
  void Take(const Fact& fact, const Wanted& wanted) {
    uint64_t taken = 0, kept = 0;
    for (TermId source : snapshot_.Sources(fact)) {
      if (wanted(source)) {
        selection_.statements.emplace_back(fact, source);
        ++taken;
      } else {
        ++kept;
      }
    }
    if (taken > 0) ++(kept > 0 ? selection_.facts_kept : selection_.facts_gone);
  }
  void TakeAll(const Fact& fact) {
    Take(fact, [](TermId) { return true; });
  }

  // Calls visit for every fact, and stops when told to.
  template <class Visit>
  Result<void> Walk(const Visit& visit) {
    uint64_t seen = 0;
    bool stopped = false;
    ForEachFact(snapshot_, [&](const Fact& fact) {
      if (++seen % kCancelEvery == 0 && cancelled_ && cancelled_()) stopped = true;
      if (!stopped) visit(fact);
      return !stopped;
    });
    if (stopped) return Error{ErrorKind::kCancelled, "interrupted; nothing was forgotten"};
    return {};
  }

  Result<void> ByFact() {
    const FactPattern& pattern = selector_.fact;
    const auto subject = snapshot_.Find(pattern.subject);
    const auto relation = snapshot_.Find(pattern.relation);
    const auto object = snapshot_.Find(pattern.object);
    if (!subject || !relation || !object) return {};
    const Fact fact{*subject, *relation, *object};
    if (!pattern.has_source) {
      TakeAll(fact);
    } else if (const auto source = snapshot_.Find(pattern.source)) {
      Take(fact, [&](TermId id) { return id == *source; });
    }
    return {};
  }

  Result<void> ByAddress() {
    const std::string& address = selector_.address;
    LOCI_TRY(Walk([&](const Fact& fact) {
      Take(fact, [&](TermId source) {
        return StatementHashHex(snapshot_, fact, source).compare(0, address.size(), address) == 0;
      });
    }));
    if (selection_.statements.size() <= 1) return {};
    std::string message =
        fmt::format("address '{}' is that of {} statements; give more digits:", address,
                    selection_.statements.size());
    std::vector<std::string> lines;
    for (const auto& [fact, source] : selection_.statements) {
      lines.push_back(fmt::format("\n  {}  {} from {}", StatementHashHex(snapshot_, fact, source),
                                  FactNotation(snapshot_, fact),
                                  ToNotation(snapshot_.Name(source))));
    }
    std::sort(lines.begin(), lines.end());
    for (size_t i = 0; i < std::min(lines.size(), kCandidatesShown); ++i) message += lines[i];
    if (lines.size() > kCandidatesShown) message += "\n  ...";
    return Error{ErrorKind::kUsage, message};
  }

  Result<void> BySubject() {
    const auto name = snapshot_.Find(selector_.name);
    if (!name) return {};
    std::vector<Edge> edges;
    snapshot_.EdgesFrom(*name, &edges);
    for (const Edge& edge : edges) TakeAll({*name, edge.relation, edge.other});
    return CountMentions(*name);
  }

  Result<void> BySource() {
    const auto name = snapshot_.Find(selector_.name);
    if (!name) return {};
    return Walk([&](const Fact& fact) {
      if (snapshot_.HasSource(fact, *name)) Take(fact, [&](TermId id) { return id == *name; });
    });
  }

  Result<void> ByNaming() {
    const auto name = snapshot_.Find(selector_.name);
    if (!name) return {};
    return Walk([&](const Fact& fact) {
      if (fact.subject == *name || fact.relation == *name || fact.object == *name) {
        TakeAll(fact);
      } else if (snapshot_.HasSource(fact, *name)) {
        Take(fact, [&](TermId id) { return id == *name; });
      }
    });
  }

  // What will still name a subject after all of its own statements are gone.
  Result<void> CountMentions(TermId name) {
    std::vector<Edge> edges;
    snapshot_.EdgesTo(name, &edges);
    for (const Edge& edge : edges) selection_.still_named += edge.other != name;
    std::vector<TermId> subjects, objects;
    snapshot_.SubjectsOf(name, &subjects);
    for (TermId subject : subjects) {
      if (subject == name) continue;
      objects.clear();
      snapshot_.Objects(subject, name, &objects);
      // Those whose object it is as well are counted already.
      for (TermId object : objects) selection_.still_named += object != name;
    }
    if (!IsSource(name)) return {};
    return Walk([&](const Fact& fact) {
      selection_.still_source += fact.subject != name && snapshot_.HasSource(fact, name);
    });
  }

  // Cheaper than a walk over all facts: layers list their sources.
  bool IsSource(TermId name) const {
    const TermView term = snapshot_.Name(name);
    for (const auto& layer : snapshot_.layers()) {
      for (uint32_t i = 0; i < layer->sources(); ++i) {
        const LocalId id = layer->SourceTerm(i);
        if (layer->Name(id) == term) return true;
      }
    }
    return false;
  }

  const Snapshot& snapshot_;
  const Selector& selector_;
  const std::function<bool()>& cancelled_;
  Selection selection_;
};

}  // namespace

bool IsAddress(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

Result<Selector> SelectorFromFact(const std::string& text) {
  Selector selector;
  if (!IsAddress(text)) {
    LOCI_ASSIGN(selector.fact, ParseFact(text));
    return selector;
  }
  if (text.size() < kLeastAddressDigits || text.size() > kMostAddressDigits) {
    return Error{ErrorKind::kUsage,
                 fmt::format("'{}' is no address: that has 16 hex digits (at least {}, at most {})",
                             Excerpt(text), kLeastAddressDigits, kMostAddressDigits)};
  }
  selector.by = Selector::By::kAddress;
  for (char c : text) selector.address += static_cast<char>(c >= 'A' && c <= 'F' ? c + 32 : c);
  return selector;
}

Result<Selector> SelectorFromName(Selector::By by, const std::string& text) {
  size_t column = 0;
  auto name = ParseNotation(text, true, &column);
  if (!name.ok()) {
    return Error{ErrorKind::kUsage,
                 fmt::format("'{}' is not a name: {}", Excerpt(text), name.error().message)};
  }
  if (name->kind != Kind::kSymbol && by != Selector::By::kNaming) {
    return Error{
        ErrorKind::kUsage,
        fmt::format("'{}' is not a name: subjects and sources are symbols", Excerpt(text))};
  }
  Selector selector;
  selector.by = by;
  selector.name = name.take();
  return selector;
}

Result<Selection> Select(const Snapshot& snapshot, const Selector& selector,
                         const std::function<bool()>& cancelled) {
  return Selecting(snapshot, selector, cancelled).Run();
}

void Sort(const Snapshot& snapshot, Selection* selection) {
  auto& statements = selection->statements;
  std::sort(statements.begin(), statements.end(), [&](const auto& a, const auto& b) {
    for (const auto& [x, y] :
         {std::pair{a.first.subject, b.first.subject},
          std::pair{a.first.relation, b.first.relation}, std::pair{a.first.object, b.first.object},
          std::pair{a.second, b.second}}) {
      if (const int order = snapshot.Compare(x, y); order != 0) return order < 0;
    }
    return false;
  });
}

std::vector<std::string> Describe(const Snapshot& snapshot, const Selection& selection) {
  std::vector<std::string> lines;
  lines.reserve(selection.statements.size());
  for (const auto& [fact, source] : selection.statements) {
    lines.push_back(FactNotation(snapshot, fact) + " from " + ToNotation(snapshot.Name(source)));
  }
  return lines;
}

void Remove(const Snapshot& snapshot, const Selection& selection, Batch* batch) {
  for (const auto& [fact, source] : selection.statements) {
    batch->Add({snapshot.Name(fact.subject), snapshot.Name(fact.relation),
                snapshot.Name(fact.object), snapshot.Name(source)},
               true);
  }
}

}  // namespace loci::query
