// SPDX-License-Identifier: Apache-2.0
//
// A snapshot of a random stack of layers answers every call as a set of statements does, after each
// layer that is put on the stack.
#include "memory/snapshot.h"

#include <gtest/gtest.h>

#include <thread>

#include "memory/counts.h"
#include "memory/merge.h"
#include "memory/testing.h"

namespace loci {
namespace {

using test::Random;
using test::Statement;
using test::TermLess;
using test::Word;
using Terms = std::set<Term, TermLess>;
using Layers = std::vector<std::shared_ptr<const Image>>;

struct PairLess {
  bool operator()(const std::pair<Term, Term>& a, const std::pair<Term, Term>& b) const {
    const int c = CompareTerms(a.first, b.first);
    return c != 0 ? c < 0 : CompareTerms(a.second, b.second) < 0;
  }
};
using Pairs = std::set<std::pair<Term, Term>, PairLess>;

// The double: every question is a walk over all statements.
class Known {
 public:
  explicit Known(const std::set<Statement>& statements) : statements_(statements) {}

  template <class Choose, class Collect>
  auto Select(Choose choose, Collect collect) const {
    std::set<decltype(collect(*statements_.begin())),
             std::conditional_t<std::is_same_v<decltype(collect(*statements_.begin())), Term>,
                                TermLess, PairLess>>
        out;
    for (const Statement& s : statements_) {
      if (choose(s)) out.insert(collect(s));
    }
    return out;
  }
  const std::set<Statement>& statements() const { return statements_; }

 private:
  const std::set<Statement>& statements_;
};

constexpr auto kAll = [](const Statement&) { return true; };
constexpr auto kSubject = [](const Statement& s) { return s.subject; };
constexpr auto kRelation = [](const Statement& s) { return s.relation; };
constexpr auto kObject = [](const Statement& s) { return s.object; };
constexpr auto kSource = [](const Statement& s) { return s.source; };

class Checker {
 public:
  Checker(const Snapshot& snapshot, const Known& known) : snapshot_(snapshot), known_(known) {}

  void Check(const Terms& vocabulary) {
    CheckTerms(vocabulary);
    CheckWhole();
    for (const Term& term : vocabulary) {
      const auto id = snapshot_.Find(term);
      if (!id) continue;
      CheckOne(term, *id);
      for (const Term& other : vocabulary) {
        const auto other_id = snapshot_.Find(other);
        if (other_id) CheckTwo(term, *id, other, *other_id);
        if (::testing::Test::HasFatalFailure()) return;
      }
    }
    CheckFacts();
    ASSERT_TRUE(snapshot_.damage().ok());
  }

 private:
  Term Own(TermId id) const {
    const TermView view = snapshot_.Name(id);
    return {view.kind, std::string(view.bytes)};
  }

  // What a listing gave, which must hold each item once.
  Terms Named(const std::vector<TermId>& ids) const {
    Terms out;
    for (TermId id : ids) EXPECT_TRUE(out.insert(Own(id)).second) << "listed twice";
    return out;
  }
  Pairs Named(const std::vector<Edge>& edges) const {
    Pairs out;
    for (const Edge& e : edges) {
      EXPECT_TRUE(out.insert({Own(e.relation), Own(e.other)}).second) << "listed twice";
    }
    return out;
  }
  template <class T, class List>
  auto Listed(List list) const {
    // What is in the vector already stays there.
    std::vector<T> out(3);
    list(&out);
    EXPECT_EQ(std::vector<T>(out.begin(), out.begin() + 3), std::vector<T>(3));
    return Named(std::vector<T>(out.begin() + 3, out.end()));
  }

  void CheckTerms(const Terms& vocabulary) {
    std::vector<std::pair<TermId, Term>> found;
    for (const Term& term : vocabulary) {
      const auto id = snapshot_.Find(term);
      const bool live = !known_
                             .Select(
                                 [&](const Statement& s) {
                                   return s.subject == term || s.relation == term ||
                                          s.object == term || s.source == term;
                                 },
                                 kSubject)
                             .empty();
      ASSERT_TRUE(id || !live) << ToNotation(term);
      if (!id) continue;
      ASSERT_EQ(Own(*id), term);
      ASSERT_EQ(snapshot_.KindOf(*id), term.kind);
      ASSERT_EQ(snapshot_.Id(*id), NameId(term));
      found.emplace_back(*id, term);
    }
    for (const auto& [a, term_a] : found) {
      for (const auto& [b, term_b] : found) {
        const int order = CompareTerms(term_a, term_b), given = snapshot_.Compare(a, b);
        ASSERT_EQ(given < 0, order < 0);
        ASSERT_EQ(given > 0, order > 0);
        ASSERT_EQ(a == b, order == 0);
        const bool of_layer_0 = (a | b) >> 32 == 0;
        ASSERT_TRUE(!of_layer_0 || (a < b) == (order < 0));
      }
    }
  }

  void CheckWhole() {
    ASSERT_EQ(snapshot_.statements(), known_.statements().size());
    Sum256 digest;
    for (const Statement& s : known_.statements()) digest.Add(StatementHash(s.view()));
    ASSERT_EQ(snapshot_.digest(), digest);
    ASSERT_EQ(Listed<TermId>([&](auto* out) { snapshot_.Relations(out); }),
              known_.Select(kAll, kRelation));
    ASSERT_EQ(Listed<TermId>([&](auto* out) { snapshot_.Subjects(out); }),
              known_.Select(kAll, kSubject));
  }

  void CheckOne(const Term& term, TermId id) {
    const auto as_subject = [&](const Statement& s) { return s.subject == term; };
    const auto as_relation = [&](const Statement& s) { return s.relation == term; };
    const auto as_object = [&](const Statement& s) { return s.object == term; };
    const Pairs from = known_.Select(
        as_subject, [](const Statement& s) { return std::pair(s.relation, s.object); });
    const Pairs to = known_.Select(
        as_object, [](const Statement& s) { return std::pair(s.relation, s.subject); });
    const Pairs facts = known_.Select(
        as_relation, [](const Statement& s) { return std::pair(s.subject, s.object); });
    const Terms subjects = known_.Select(as_relation, kSubject);
    ASSERT_EQ(Listed<Edge>([&](auto* out) { snapshot_.EdgesFrom(id, out); }), from);
    ASSERT_EQ(Listed<Edge>([&](auto* out) { snapshot_.EdgesTo(id, out); }), to);
    ASSERT_EQ(Listed<TermId>([&](auto* out) { snapshot_.SubjectsOf(id, out); }), subjects);
    ASSERT_EQ(snapshot_.IsSubject(id), !from.empty());
    ASSERT_EQ(snapshot_.IsObject(id), !to.empty());
    ASSERT_EQ(snapshot_.IsRelation(id), !facts.empty());

    const Snapshot::RelationSize size = snapshot_.SizeOf(id);
    const uint64_t objects = known_.Select(as_relation, kObject).size();
    const uint64_t estimates[] = {size.facts, size.subjects, size.objects, snapshot_.DegreeFrom(id),
                                  snapshot_.DegreeTo(id)};
    const uint64_t exact[] = {facts.size(), subjects.size(), objects, from.size(), to.size()};
    for (int i = 0; i < 5; ++i) {
      ASSERT_GE(estimates[i], exact[i]);
      ASSERT_TRUE(snapshot_.layers().size() > 1 || estimates[i] == exact[i]) << i;
    }
  }

  void CheckTwo(const Term& a, TermId id_a, const Term& b, TermId id_b) {
    if (b.kind == Kind::kSymbol && a.kind == Kind::kSymbol) {
      ASSERT_EQ(Listed<TermId>([&](auto* out) { snapshot_.Objects(id_a, id_b, out); }),
                known_.Select([&](const Statement& s) { return s.subject == a && s.relation == b; },
                              kObject));
    }
    if (a.kind == Kind::kSymbol) {
      ASSERT_EQ(Listed<TermId>([&](auto* out) { snapshot_.Subjects(id_a, id_b, out); }),
                known_.Select([&](const Statement& s) { return s.relation == a && s.object == b; },
                              kSubject));
    }
  }

  // The facts that are and, with their parts exchanged, facts that mostly are not.
  void CheckFacts() {
    Terms sources = known_.Select(kAll, kSource);
    sources.insert(test::Symbol("subject-1"));
    std::vector<Statement> asked(known_.statements().begin(), known_.statements().end());
    for (size_t i = 1; i < asked.size(); i += 2) std::swap(asked[i].object, asked[i - 1].object);
    asked.insert(asked.end(), known_.statements().begin(), known_.statements().end());
    for (const Statement& s : asked) {
      const auto subject = snapshot_.Find(s.subject), relation = snapshot_.Find(s.relation),
                 object = snapshot_.Find(s.object);
      ASSERT_TRUE(subject && relation && object);
      const Fact fact{*subject, *relation, *object};
      const Terms expected = known_.Select(
          [&](const Statement& t) {
            return t.subject == s.subject && t.relation == s.relation && t.object == s.object;
          },
          kSource);
      ASSERT_EQ(snapshot_.Has(fact), !expected.empty());
      std::vector<Term> listed;
      for (TermId source : snapshot_.Sources(fact)) listed.push_back(Own(source));
      ASSERT_EQ(listed, std::vector<Term>(expected.begin(), expected.end()));  // in this order
      for (const Term& source : sources) {
        const auto id = snapshot_.Find(source);
        ASSERT_EQ(id && snapshot_.HasSource(fact, *id), expected.contains(source));
      }
    }
  }

  const Snapshot& snapshot_;
  const Known& known_;
};

void CheckCounts(const Snapshot& snapshot, const std::set<Statement>& statements) {
  Terms terms, relations, sources;
  std::set<Statement> facts;
  for (Statement s : statements) {
    terms.insert({s.subject, s.relation, s.object, s.source});
    relations.insert(s.relation);
    sources.insert(s.source);
    s.source = {};
    facts.insert(s);
  }
  uint64_t by_kind[kKinds] = {};
  for (const Term& term : terms) ++by_kind[static_cast<int>(term.kind) - 1];
  const Counts counts = CountMemory(snapshot);
  ASSERT_EQ(counts.statements, statements.size());
  ASSERT_EQ(counts.facts, facts.size());
  ASSERT_EQ(counts.relations, relations.size());
  ASSERT_EQ(counts.sources, sources.size());
  ASSERT_EQ(counts.numbers, by_kind[0]);
  std::map<Term, uint64_t, TermLess> by_source, listed;
  for (const Statement& s : statements) ++by_source[s.source];
  for (const auto& [source, n] : CountSources(snapshot)) {
    const TermView name = snapshot.Name(source);
    listed[{name.kind, std::string(name.bytes)}] = n;
  }
  ASSERT_EQ(listed, by_source);
  ASSERT_EQ(counts.dates, by_kind[1]);
  ASSERT_EQ(counts.texts, by_kind[2]);
  ASSERT_EQ(counts.symbols, by_kind[3]);
}

void Add(const Word& word, Terms* vocabulary) {
  const Statement& s = word.statement;
  vocabulary->insert({s.subject, s.relation, s.object, s.source});
}

TEST(SnapshotTest, AnswersAsASetOfStatements) {
  Random random(1);
  for (int round = 0; round < 12; ++round) {
    const test::Vocabulary v{static_cast<unsigned>(1 + random() % 6), 3,
                             static_cast<unsigned>(1 + random() % 5), 2};
    test::Knowledge knowledge;
    Layers layers;
    Terms vocabulary{test::Symbol("never named")};
    for (int step = 0; step < 6; ++step) {
      const Snapshot snapshot(layers);
      const Known known(knowledge.live());
      Checker(snapshot, known).Check(vocabulary);
      if (!HasFatalFailure()) CheckCounts(snapshot, knowledge.live());
      if (HasFatalFailure()) FAIL() << "round " << round << ", " << layers.size() << " layers";
      const std::vector<Word> words = knowledge.Steps(random, 1 + random() % 60, v);
      for (const Word& word : words) Add(word, &vocabulary);
      layers.push_back(test::LayerOf(words));
      if (layers.back()->facts() == 0) layers.pop_back();
    }
  }
}

// Larger stacks, where counts and listings are compared and not every pair of terms.
TEST(SnapshotTest, CountsWhatASetCounts) {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    const test::Vocabulary v{static_cast<unsigned>(1 + random() % 12), 4, 8, 4};
    test::Knowledge knowledge;
    std::vector<size_t> cuts;
    const auto words = knowledge.Steps(random, random() % 500, v);
    const Snapshot snapshot(test::CutIntoLayers(words, random, 200, &cuts));
    CheckCounts(snapshot, knowledge.live());
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
}

// A relation about which something is said, and of which nothing newer speaks as a relation.
TEST(SnapshotTest, ARelationThatLosesAFactAboutItIsStillCounted) {
  const auto say = [](const char* s, const char* r, const char* o, bool removed) {
    return Word{{test::Symbol(s), test::Symbol(r), test::Symbol(o), test::Symbol("x")}, removed};
  };
  const Layers layers{test::LayerOf({{say("a", "r", "b", false), say("r", "label", "c", false)}}),
                      test::LayerOf({{say("r", "label", "c", true)}})};
  EXPECT_EQ(CountMemory(Snapshot(layers)).symbols, 4u);  // a, r, b and the source
}

TEST(SnapshotTest, OfNothing) {
  const Snapshot empty({});
  EXPECT_EQ(empty.Find(test::Symbol("dog")), std::nullopt);
  EXPECT_EQ(empty.statements(), 0u);
  EXPECT_EQ(empty.digest(), Sum256());
  std::vector<TermId> out;
  empty.Relations(&out);
  empty.Subjects(&out);
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(empty.damage().ok());
  EXPECT_EQ(CountMemory(empty).facts, 0u);
}

// Threads that resolve the same ids for the first time at once (under the thread sanitizer).
TEST(SnapshotTest, ThreadsReadOneSnapshot) {
  Random random(3);
  test::Knowledge knowledge;
  std::vector<size_t> cuts;
  const auto words = knowledge.Steps(random, 1500);
  const Layers layers = test::CutIntoLayers(words, random, 400, &cuts);
  const auto read = [](const Snapshot& snapshot) {
    std::vector<TermId> subjects;
    snapshot.Subjects(&subjects);
    uint64_t sum = 0;
    for (TermId s : subjects) {
      std::vector<Edge> edges;
      snapshot.EdgesFrom(s, &edges);
      for (const Edge& e : edges) {
        for (TermId source : snapshot.Sources({s, e.relation, e.other})) sum += source + e.other;
      }
    }
    return sum;
  };
  const uint64_t expected = read(Snapshot(layers));
  for (int round = 0; round < 3; ++round) {
    const Snapshot shared(layers);
    std::vector<std::thread> threads;
    std::vector<uint64_t> sums(4);
    for (uint64_t& sum : sums) threads.emplace_back([&] { sum = read(shared); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sums, std::vector<uint64_t>(4, expected));
  }
}

// One fact that many sources state, through an image and a newer layer.
TEST(SnapshotTest, AFactMayHaveManySources) {
  std::vector<Word> words;
  const auto say = [](int source, bool removed) {
    return Word{{test::Symbol("s"), test::Symbol("r"), test::Symbol("o"),
                 test::Symbol(test::Numbered("source-", source))},
                removed};
  };
  for (int i = 0; i < 20000; ++i) words.push_back(say(i, false));
  const Layers layers{test::LayerOf(words), test::LayerOf({{say(5, true), say(20000, false)}})};
  const Snapshot snapshot(layers);
  const Fact fact{*snapshot.Find(test::Symbol("s")), *snapshot.Find(test::Symbol("r")),
                  *snapshot.Find(test::Symbol("o"))};
  EXPECT_EQ(snapshot.Sources(fact).size(), 20000u);
  for (int i : {0, 5, 19999, 20000}) {
    const auto source = snapshot.Find(test::Symbol(test::Numbered("source-", i)));
    EXPECT_EQ(snapshot.HasSource(fact, *source), i != 5);
  }
}

// Contents other than what was written, under checksums that hold: reads stay inside (under the
// address sanitizer), and most are noted.
TEST(SnapshotTest, StaysInsideOfDamagedLayers) {
  Random random(4);
  test::Knowledge knowledge;
  const auto words = knowledge.Steps(random, 200);
  StringSink sink;
  ASSERT_TRUE(MergeImages(Layers{test::LayerOf(std::span(words).first(120))},
                          {.to_base = false, .settings = {}, .on_progress = {}}, &sink)
                  .ok());
  const std::string good = sink.take();
  const auto other = test::LayerOf(std::span(words).subspan(120));
  int noted = 0;
  for (int round = 0; round < 300; ++round) {
    std::string bytes = good;
    const SectionEntry entry =
        test::EntryOf(bytes, kNameBytes + static_cast<uint32_t>(random() % (kSections - 1)));
    for (uint64_t n = 1 + random() % 4; n > 0; --n) {
      bytes[entry.offset + random() % entry.length] = static_cast<char>(random());
    }
    const auto damaged = test::OpenExactly(test::Resealed(bytes));
    ASSERT_TRUE(damaged.ok()) << damaged.error().message;
    const Snapshot snapshot(round % 2 ? Layers{*damaged, other} : Layers{other, *damaged});
    std::vector<TermId> subjects, relations;
    snapshot.Subjects(&subjects);
    snapshot.Relations(&relations);
    for (TermId s : subjects) {
      std::vector<Edge> edges;
      snapshot.EdgesFrom(s, &edges);
      snapshot.EdgesTo(s, &edges);
      std::vector<TermId> objects;
      for (TermId r : relations) snapshot.Objects(s, r, &objects);
      for (const Edge& e : edges) (void)snapshot.Sources({s, e.relation, e.other});
    }
    (void)CountMemory(snapshot);
    noted += !snapshot.damage().ok();
  }
  EXPECT_GT(noted, 80);
}

}  // namespace
}  // namespace loci
