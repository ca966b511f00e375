// SPDX-License-Identifier: Apache-2.0
#include "mcp/learn_items.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/unicode.h"
#include "mcp/arguments.h"
#include "mcp/memory_tools.h"

namespace loci::mcp {
namespace {

constexpr uint64_t kMostNumber = 1'000'000'000;

// "2023-05-08 13:56" is how many write ISO 8601's 2023-05-08T13:56.
Result<Term> DateFrom(std::string text) {
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  return MakeDate(text);
}

Result<Term> ObjectOf(const Json& item) {
  constexpr std::array<const char*, 4> kForms = {"object", "text", "number", "date"};
  const char* form = nullptr;
  for (const char* each : kForms) {
    if (!item.contains(each) || (item[each].is_string() && item[each] == "")) continue;
    if (form != nullptr) {
      return Error{ErrorKind::kUsage,
                   fmt::format("has both {} and {}; give one, or write two facts", form, each)};
    }
    form = each;
  }
  if (form == nullptr) {
    return Error{ErrorKind::kUsage,
                 "needs one of object (a name), text (words), number, date (2024-05-17)"};
  }
  const std::string language = TextOf(item, "language");
  if (!language.empty() && form != kForms[1]) {
    return Error{ErrorKind::kUsage, fmt::format("has a language, which only a text can have")};
  }
  if (form == kForms[0]) return NameFrom(TextOf(item, form), form);
  if (form == kForms[2]) return MakeNumber(ToText(item[form]));
  const std::string text = TextOf(item, form);
  if (form == kForms[3]) return DateFrom(text);
  return language.empty() ? MakeText(text) : MakeTaggedText(text, '@', language);
}

Result<LearnItems::Fact> ReadFact(const Json& item) {
  LearnItems::Fact fact;
  LOCI_ASSIGN(fact.subject, NameFrom(TextOf(item, "subject"), "subject"));
  LOCI_ASSIGN(fact.relation, NameFrom(TextOf(item, "relation"), "relation"));
  LOCI_ASSIGN(fact.object, ObjectOf(item));
  return fact;
}

Result<LearnItems::Text> ReadText(const Json& item, const Term& source) {
  LearnItems::Text text;
  text.base = source;
  const auto say = [&text](const char* relation, Result<Term> object) -> Result<void> {
    if (!object.ok()) {
      return Error{object.error().kind, fmt::format("{}: {}", relation, object.error().message)};
    }
    text.facts.emplace_back(Term{Kind::kSymbol, relation}, object.take());
    return {};
  };
  LOCI_TRY(say("text", MakeText(TextOf(item, "text"))));
  if (const std::string title = TextOf(item, "title"); !title.empty()) {
    LOCI_TRY(say("title", MakeText(title)));
  }
  if (const std::string time = TextOf(item, "time"); !time.empty()) {
    LOCI_TRY(say("time", DateFrom(time)));
  }
  if (const std::string speaker = TextOf(item, "speaker"); !speaker.empty()) {
    LOCI_TRY(say("speaker", NameFrom(speaker, "a name")));
  }
  const std::string part_of = TextOf(item, "part_of"), id = TextOf(item, "id");
  if (!part_of.empty()) {
    LOCI_ASSIGN(text.base, NameFrom(part_of, "part_of"));
  }
  if (!id.empty()) {
    LOCI_ASSIGN(text.name, NameFrom(id, "id"));
  }
  if (!part_of.empty() || id.empty()) LOCI_TRY(say("part_of", text.base));
  return text;
}

// Reads each item of a list; the error names the one that is bad.
template <class T, class Read>
Result<std::vector<T>> ReadAll(const Json& arguments, const char* name, const Read& read) {
  std::vector<T> all;
  const auto list = arguments.find(name);
  if (list == arguments.end()) return all;
  for (size_t i = 0; i < list->size(); ++i) {
    auto one = read((*list)[i]);
    if (!one.ok()) {
      return Error{one.error().kind,
                   fmt::format("{}[{}]: {}; nothing was written", name, i, one.error().message)};
    }
    all.push_back(one.take());
  }
  return all;
}

// Chooses names for texts: within one batch no name is chosen twice.
class Namer {
 public:
  Namer(const Snapshot& snapshot, const Batch& batch) : snapshot_(snapshot) {
    for (Batch::Ref ref = 0; ref < batch.terms(); ++ref) {
      const TermView term = batch.Name(ref);
      if (term.kind == Kind::kSymbol) taken_.emplace(term.bytes);
    }
  }

  Result<Term> NameOf(const LearnItems::Text& text) {
    if (const auto known = FindKnown(text)) return *known;
    std::string key = text.base.bytes;
    for (const auto& [relation, object] : text.facts) {
      key += '\0' + ToNotation(relation) + '\0' + ToNotation(object);
    }
    if (const auto found = named_.find(key); found != named_.end()) return found->second;
    LOCI_ASSIGN(Term name, NextFree(text.base.bytes));
    named_.emplace(std::move(key), name);
    return name;
  }

 private:
  // The name of which all that is known already.
  std::optional<Term> FindKnown(const LearnItems::Text& text) const {
    std::vector<std::pair<TermId, TermId>> facts;
    for (const auto& [relation, object] : text.facts) {
      const auto r = snapshot_.Find(relation), o = snapshot_.Find(object);
      if (!r || !o) return std::nullopt;
      facts.emplace_back(*r, *o);
    }
    std::vector<TermId> subjects;
    snapshot_.Subjects(facts[0].first, facts[0].second, &subjects);
    std::sort(subjects.begin(), subjects.end(),
              [&](TermId a, TermId b) { return snapshot_.Compare(a, b) < 0; });
    for (const TermId subject : subjects) {
      const bool all = std::all_of(facts.begin(), facts.end(), [&](const auto& fact) {
        return snapshot_.Has({subject, fact.first, fact.second});
      });
      if (!all) continue;
      const TermView name = snapshot_.Name(subject);
      return Term{name.kind, std::string(name.bytes)};
    }
    return std::nullopt;
  }

  bool IsTaken(const std::string& name) const {
    if (taken_.contains(name)) return true;
    const auto id = snapshot_.Find({Kind::kSymbol, name});
    return id && (snapshot_.IsSubject(*id) || snapshot_.IsObject(*id) || snapshot_.IsRelation(*id));
  }

  // A number that is free behind one that is taken: doubling, then halving, not one by one.
  Result<Term> NextFree(const std::string& base) {
    const auto name = [&](uint64_t number) { return fmt::format("{}#{:06}", base, number); };
    uint64_t& last = last_[base];  // taken, or 0
    uint64_t step = 1;
    while (last + step <= kMostNumber && IsTaken(name(last + step))) step *= 2;
    uint64_t taken = last + step / 2, free = last + step;
    while (taken + 1 < free) {
      const uint64_t middle = taken + (free - taken) / 2;
      IsTaken(name(middle)) ? void(taken = middle) : void(free = middle);
    }
    last = free;
    taken_.insert(name(free));
    return MakeSymbol(name(free));
  }

  const Snapshot& snapshot_;
  std::set<std::string> taken_;           // by this batch
  std::map<std::string, uint64_t> last_;  // by base
  std::map<std::string, Term> named_;     // texts of this batch
};

}  // namespace

Result<LearnItems> ReadLearnItems(const Json& arguments, const std::string& source) {
  LearnItems items;
  const std::string given = TextOf(arguments, "source");
  LOCI_ASSIGN(items.source, NameFrom(given.empty() ? source : given, "source"));
  LOCI_ASSIGN(items.facts, ReadAll<LearnItems::Fact>(arguments, "facts", ReadFact));
  LOCI_ASSIGN(items.texts, ReadAll<LearnItems::Text>(arguments, "texts", [&](const Json& item) {
                return ReadText(item, items.source);
              }));
  if (const std::string rules = TextOf(arguments, "rules"); !rules.empty()) {
    auto read = query::ReadRules(rules);
    if (!read.ok()) {
      return Error{read.error().kind,
                   fmt::format("rules: {}; nothing was written", read.error().message)};
    }
    items.rules = read.take();
  }
  if (items.facts.empty() && items.texts.empty() && items.rules.empty()) {
    return Error{ErrorKind::kUsage, "learn: give facts, texts or rules"};
  }
  return items;
}

Result<void> AddLearnItems(const LearnItems& items, const Snapshot& snapshot, Batch* batch,
                           std::vector<std::string>* names) {
  const auto add = [&](const Term& subject, const Term& relation, const Term& object) {
    batch->Add({subject, relation, object, items.source}, false);
  };
  for (const LearnItems::Fact& fact : items.facts) add(fact.subject, fact.relation, fact.object);
  for (const LearnItems::Text& text : items.texts) {
    for (const auto& [relation, object] : text.facts) {
      if (!text.name.bytes.empty()) add(text.name, relation, object);
    }
  }
  names->assign(items.texts.size(), "");
  Namer namer(snapshot, *batch);
  for (size_t i = 0; i < items.texts.size(); ++i) {
    const LearnItems::Text& text = items.texts[i];
    if (!text.name.bytes.empty()) continue;
    auto name = namer.NameOf(text);
    if (!name.ok()) {
      return Error{name.error().kind,
                   fmt::format("texts[{}]: {}; give it an id", i, name.error().message)};
    }
    for (const auto& [relation, object] : text.facts) add(*name, relation, object);
    (*names)[i] = name->bytes;
  }
  if (!items.rules.empty()) LOCI_TRY(query::AddRules(snapshot, items.rules, items.source, batch));
  return {};
}

}  // namespace loci::mcp
