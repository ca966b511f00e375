// SPDX-License-Identifier: Apache-2.0
#include "query/tell_recall.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/fields.h"

namespace loci::query {
namespace {

using recall::Link;

class Telling {
 public:
  Telling(const Graph& graph, const Hits& hits) : graph_(graph), hits_(hits) {}

  Result<RecallTold> Run(uint32_t place) {
    const TermId item = hits_.ranking.hits()[place].item;
    recall::Explanation why = hits_.ranking.Explain(place);
    for (size_t i = 0; i < why.path.size(); ++i) {
      const TermId to = i + 1 < why.path.size() ? why.path[i + 1].from : item;
      LOCI_TRY(AddDocument(why.path[i].from));
      LOCI_TRY(AddLink(why.path[i], to));
    }
    LOCI_TRY(AddWords(item, why.words));
    told_.words = std::move(why.words);
    return std::move(told_);
  }

 private:
  std::string Name(TermId id) const { return ToNotation(graph_.Name(id)); }

  Result<void> AddLink(const Link& link, TermId to) {
    const std::string a = Name(link.from), b = Name(to);
    const std::string words = ToNotation(TermView{Kind::kText, link.words});
    switch (link.kind) {
      case Link::Kind::kMention:
        told_.links.push_back(fmt::format("{} names {}: {}", a, b, words));
        return {};
      case Link::Kind::kMentionedBy:
        told_.links.push_back(fmt::format("{} names {}: {}", b, a, words));
        return {};
      case Link::Kind::kPhrase:
        told_.links.push_back(fmt::format("{} and {} both have {}", a, b, words));
        return {};
      case Link::Kind::kFact:
        told_.links.push_back(fmt::format("a fact joins {} and {}", a, b));
        return AddFactsBetween(link, to);
      case Link::Kind::kNeighbour:
        told_.links.push_back(fmt::format("{} is next to {}", b, a));
        return {};
    }
    return {};
  }

  Result<void> AddFactsBetween(const Link& link, TermId to) {
    const TermView name{Kind::kSymbol, link.words};
    TermId relation = kNoTerm;
    LOCI_TRY(graph_.Find({&name, 1}, &relation));
    for (const Fact& fact : {Fact{link.from, relation, to}, Fact{to, relation, link.from}}) {
      Marks marks;
      if (relation != kNoTerm) LOCI_TRY(graph_.Has({&fact, 1}, &marks));
      if (!marks.holds.empty() && marks.holds[0]) Add(fact);
    }
    return {};
  }

  // A document on the way, by the words that it was found by itself.
  Result<void> AddDocument(TermId item) {
    const auto at = hits_.Find(item);
    if (!at) return AddWords(item, {});
    return AddWords(item, hits_.ranking.Explain(hits_.places[*at]).words);
  }

  // The facts of a document that have one of the words; where none has, its first text, or fact.
  Result<void> AddWords(TermId item, const std::vector<recall::MatchedWord>& words) {
    const std::vector<std::string> stems = StemsOf(words);
    Lists lists;
    std::vector<Fact> facts;
    LOCI_TRY(graph_.ExpandAll({&item, 1}, Way::kForward, &lists));
    for (size_t i = 0; i < lists.others.size(); ++i) {
      facts.push_back({item, lists.relations[i], lists.others[i]});
    }
    if (facts.empty()) {  // known by its name alone
      LOCI_TRY(graph_.ExpandAll({&item, 1}, Way::kInverse, &lists));
      for (size_t i = 0; i < lists.others.size(); ++i) {
        facts.push_back({lists.others[i], lists.relations[i], item});
      }
    }
    std::sort(facts.begin(), facts.end(), [this](const Fact& a, const Fact& b) {
      if (a.relation != b.relation) return graph_.Compare(a.relation, b.relation) < 0;
      if (a.object != b.object) return graph_.Compare(a.object, b.object) < 0;
      return graph_.Compare(a.subject, b.subject) < 0;
    });
    const Fact* instead = nullptr;
    bool is_text = false, any = false;
    for (const Fact& fact : facts) {
      const TermView object = graph_.Name(fact.object);
      const Field field = FieldOf(graph_.Name(fact.relation).bytes);
      if (instead == nullptr || (!is_text && object.kind == Kind::kText)) {
        instead = &fact;
        is_text = object.kind == Kind::kText;
      }
      if (field == Field::kPartOf || field == Field::kNone || stems.empty()) continue;
      LOCI_ASSIGN(const auto found, graph_.FindWords(ToPlain(object), stems));
      if (found.empty()) continue;
      Add(fact);
      any = true;
    }
    if (!any && instead != nullptr) Add(*instead);
    return {};
  }

  void Add(const Fact& fact) {
    if (std::find(told_.facts.begin(), told_.facts.end(), fact) == told_.facts.end()) {
      told_.facts.push_back(fact);
    }
  }

  const Graph& graph_;
  const Hits& hits_;
  RecallTold told_;
};

}  // namespace

std::vector<std::string> StemsOf(const std::vector<recall::MatchedWord>& words) {
  const bool any_own = std::any_of(words.begin(), words.end(),
                                   [](const recall::MatchedWord& word) { return !word.added; });
  std::vector<std::string> stems;
  for (const recall::MatchedWord& word : words) {
    if (!any_own || !word.added) stems.push_back(word.stem);
  }
  return stems;
}

Result<RecallTold> TellRecall(const Graph& graph, const Hits& hits, uint32_t place) {
  return Telling(graph, hits).Run(place);
}

}  // namespace loci::query
