// SPDX-License-Identifier: Apache-2.0
//
// The promises of query.h, one by one, on a memory small enough to check by eye.
#include "query/query.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "query/testing.h"

namespace loci::query::testing {
namespace {

using Lines = std::vector<std::string>;

class QueryTest : public ::testing::Test {
 protected:
  void Learn(const std::vector<Statement>& statements) {
    std::vector<std::pair<Statement, bool>> words;
    for (const Statement& s : statements) words.emplace_back(s, false);
    layers_.Add(words, &world_);
  }
  void Forget(const std::vector<Statement>& statements) {
    std::vector<std::pair<Statement, bool>> words;
    for (const Statement& s : statements) words.emplace_back(s, true);
    layers_.Add(words, &world_);
  }

  Result<Answers> Run(const std::string& text) const {
    LOCI_ASSIGN(const Query query, Query::Parse(text));
    return query.Run(layers_.Read(), {});
  }

  // Each answer as "a b", or the error.
  Lines Ask(const std::string& text) const {
    const auto answers = Run(text);
    if (!answers.ok()) return {answers.error().message};
    return ToLines(*answers);
  }

  static Lines ToLines(const Answers& answers) {
    Lines lines;
    for (const Answer& answer : answers.rows) {
      std::string line;
      for (TermId id : answer.values) {
        line += (line.empty() ? "" : " ") + ToNotation(answers.Name(id));
      }
      lines.push_back(line);
    }
    return lines;
  }

  // The evidence of an answer, each as "r(s, o) from a b".
  Lines Why(const std::string& text, size_t row = 0) const {
    const auto query = Query::Parse(text);
    if (!query.ok()) return {query.error().message};
    const auto answers = query->Run(layers_.Read(), {});
    if (!answers.ok()) return {answers.error().message};
    const auto evidence = query->Explain(*answers, row, {});
    if (!evidence.ok()) return {evidence.error().message};
    Lines lines;
    for (const Evidence& one : *evidence) {
      const auto name = [&](TermId id) { return ToNotation(answers->snapshot->Name(id)); };
      std::string line = name(one.fact.relation) + "(" + name(one.fact.subject) + ", " +
                         name(one.fact.object) + ") from";
      for (TermId source : one.sources) line += " " + name(source);
      lines.push_back(line);
    }
    return lines;
  }

  Layers layers_;
  World world_;
};

TEST_F(QueryTest, KindsAreOrderedNumberDateTextSymbol) {
  Learn({{"x", "is", "b", "s"},
         {"x", "is", "\"b\"", "s"},
         {"x", "is", "\"b\"@en", "s"},
         {"x", "is", "\"a\"", "s"},
         {"x", "is", "10", "s"},
         {"x", "is", "9", "s"},
         {"x", "is", "2024-05-01", "s"}});
  Learn({{"x", "is", "a", "s"}, {"x", "is", "9.5", "s"}});
  EXPECT_EQ(Ask("is(x, ?y)"),
            (Lines{"9", "9.5", "10", "2024-05-01", "\"a\"", "\"b\"", "\"b\"@en", "a", "b"}));
  EXPECT_EQ(Ask("is(x, ?y) order by ?y desc limit 2 offset 1"), (Lines{"a", "\"b\"@en"}));
  EXPECT_EQ(Ask("is(x, ?y), ?y < 10"), (Lines{"9", "9.5"}));
  EXPECT_EQ(Ask("is(x, ?y), ?y >= \"b\""), (Lines{"\"b\"", "\"b\"@en"}));
  EXPECT_EQ(Ask("is(x, ?y), ?y != b, ?y > a"), (Lines{}));
  EXPECT_EQ(Ask("is(x, ?y), ?y = \"b\"@en"), (Lines{"\"b\"@en"}));
  EXPECT_EQ(Ask("is(x, ?y), ?y > 2024-04-30"), (Lines{"2024-05-01"}));
  EXPECT_EQ(Ask("is(x, ?y), 9.0 = ?y"), (Lines{"9"}));
}

TEST_F(QueryTest, AQueryOfNoVariablesSaysYesByOneEmptyRow) {
  Learn({{"a", "r", "b", "s"}});
  EXPECT_EQ(Ask("r(a, b)"), (Lines{""}));
  EXPECT_EQ(Ask("r(b, a)"), (Lines{}));
  EXPECT_EQ(Ask("not r(b, a)"), (Lines{""}));
  EXPECT_EQ(Ask("not r(?x, a)"), (Lines{""}));
  EXPECT_EQ(Ask("r(_, _)"), (Lines{""}));
  EXPECT_EQ(Ask("r(_, _) limit 0"), (Lines{}));
  EXPECT_EQ(Ask("1 < 2"), (Lines{""}));
  EXPECT_EQ(Ask("2 < 1 or a = <a>"), (Lines{""}));
}

TEST_F(QueryTest, TheEmptyMemoryAnswers) {
  EXPECT_EQ(Ask("r(?x, ?y)"), (Lines{}));
  EXPECT_EQ(Ask("?r(?x, ?y)"), (Lines{}));
  EXPECT_EQ(Ask("r*(?x, ?y)"), (Lines{}));
  EXPECT_EQ(Ask("r*(a, ?y)"), (Lines{"a"}));
  EXPECT_EQ(Ask("not r(a, b)"), (Lines{""}));
}

TEST_F(QueryTest, TheWalkOfNoStepBeginsAtConstantsAndAtSubjectsAndObjects) {
  Learn({{"a", "r", "b", "s"}, {"c", "t", "5", "s"}});
  EXPECT_EQ(Ask("r?(a, ?x)"), (Lines{"a", "b"}));
  EXPECT_EQ(Ask("r*(nobody, ?x)"), (Lines{"nobody"}));
  EXPECT_EQ(Ask("r*(?x, \"no text\")"), (Lines{"\"no text\""}));
  EXPECT_EQ(Ask("r?(?x, ?y)"), (Lines{"5 5", "a a", "a b", "b b", "c c"}));
  // A relation is no node, nor is a term that only another clause names.
  EXPECT_EQ(Ask("?r(a, b), s*(?r, ?x)"), (Lines{}));
  EXPECT_EQ(Ask("r*(nobody, ?x), t*(?x, ?y)"), (Lines{}));
  EXPECT_EQ(Ask("(r/t?)?(nobody, nobody)"), (Lines{""}));
}

TEST_F(QueryTest, ForgettingIsSeenInEveryForm) {
  Learn({{"a", "r", "b", "s"}, {"a", "r", "b", "t"}, {"b", "r", "c", "s"}});
  Forget({{"a", "r", "b", "s"}, {"b", "r", "c", "s"}});
  EXPECT_EQ(Ask("r(?x, ?y)"), (Lines{"a b"}));
  EXPECT_EQ(Ask("r(?x, ?y) from s"), (Lines{}));
  EXPECT_EQ(Ask("r*(?x, ?y)"), (Lines{"a a", "a b", "b b"}));
  EXPECT_EQ(Ask("?r(_, ?x)"), (Lines{"r b"}));
  // Once a subject, r is no node any more.
  Learn({{"r", "t", "z", "s"}});
  EXPECT_EQ(Ask("?r(a, b), t?(?r, ?x)"), (Lines{"r r", "r z"}));
  Forget({{"r", "t", "z", "s"}});
  EXPECT_EQ(Ask("?r(a, b), t?(?r, ?x)"), (Lines{}));
  EXPECT_EQ(Why("r+(a, ?x)"), (Lines{"r(a, b) from t"}));
}

TEST_F(QueryTest, AFilterBySourceHoldsForEachFactOfAWalk) {
  Learn({{"a", "r", "b", "u"}, {"b", "r", "c", "u"}, {"c", "r", "d", "v"}, {"a", "r", "d", "v"}});
  EXPECT_EQ(Ask("r+(a, ?x) from u"), (Lines{"b", "c"}));
  EXPECT_EQ(Ask("r+(a, ?x) from v"), (Lines{"d"}));
  EXPECT_EQ(Ask("?r(a, ?x) from v"), (Lines{"r d"}));
  EXPECT_EQ(Ask("r+(a, ?x) from w"), (Lines{}));
  EXPECT_EQ(Ask("r(a, ?x) from v"), (Lines{"d"}));
  EXPECT_EQ(Ask("r(?x, _) from v"), (Lines{"a", "c"}));
  // The first fact of a is not the one from v.
  EXPECT_EQ(Ask("r(?x, b), r(?x, _) from v"), (Lines{"a"}));
  EXPECT_EQ(Why("r+(a, c) from u"), (Lines{"r(a, b) from u", "r(b, c) from u"}));
}

TEST_F(QueryTest, TheFirstDerivationIsCited) {
  Learn({{"dog", "is_a", "pet", "u"},
         {"dog", "is_a", "canine", "u"},
         {"dog", "is_a", "canine", "v"},
         {"pet", "is_a", "animal", "u"},
         {"canine", "is_a", "animal", "u"},
         {"animal", "is_a", "thing", "u"},
         {"cat", "is_a", "pet", "u"}});
  // Of two shortest walks the one whose first fact comes first.
  EXPECT_EQ(Why("is_a+(dog, animal)"),
            (Lines{"is_a(dog, canine) from u v", "is_a(canine, animal) from u"}));
  EXPECT_EQ(Why("is_a/^is_a(dog, cat)"), (Lines{"is_a(dog, pet) from u", "is_a(cat, pet) from u"}));
  EXPECT_EQ(Why("is_a*(dog, dog)"), (Lines{}));
  // A fact that two steps share leads on by either.
  Learn({{"a", "r", "b", "u"}, {"b", "t", "c", "u"}, {"b", "s", "c", "u"}, {"aa", "r", "b", "u"}});
  EXPECT_EQ(Why("((r/t)|(r/s))(a, c)"), (Lines{"r(a, b) from u", "s(b, c) from u"}));
  // "_" at both ends: the first start, the first end. Its layer is not the first.
  Learn({{"a", "r", "aaa", "u"}, {"A", "r", "b", "u"}});
  EXPECT_EQ(Why("r+(_, _)"), (Lines{"r(A, b) from u"}));
  EXPECT_EQ(Why("r+(a, _)"), (Lines{"r(a, aaa) from u"}));
  EXPECT_EQ(Why("r(_, _), r(_, aaa)"), (Lines{"r(A, b) from u", "r(a, aaa) from u"}));
  // ?y takes the first value, "_" the first fact; `not` and comparisons cite nothing.
  EXPECT_EQ(Why("(?x) <- is_a(?x, ?y), is_a(_, ?y), ?x = dog, not is_a(?x, thing)"),
            (Lines{"is_a(dog, canine) from u v"}));
  // The first branch that holds.
  EXPECT_EQ(Why("(?x) <- is_a(?x, thing), is_a(?x, pet) or is_a(?x, pet), not is_a(?x, canine) "
                "or is_a(?x, _)",
                2),
            (Lines{"is_a(cat, pet) from u"}));
  // A fact that two clauses cite is there once, with the sources of both.
  EXPECT_EQ(Why("is_a(dog, canine) from v, is_a(dog, canine) from u, is_a(dog, pet)"),
            (Lines{"is_a(dog, canine) from u v", "is_a(dog, pet) from u"}));
}

TEST_F(QueryTest, ExplainRefusesWhatIsNoAnswer) {
  Learn({{"a", "r", "b", "s"}, {"b", "t", "a", "s"}});
  const auto query = Query::Parse("r(?x, b)");
  auto answers = query->Run(layers_.Read(), {});
  ASSERT_TRUE(answers.ok());
  EXPECT_EQ(query->Explain(*answers, 1, {}).error().kind, ErrorKind::kNotFound);
  answers->rows[0].values[0] = *answers->snapshot->Find(TermView{Kind::kSymbol, "b"});
  EXPECT_EQ(query->Explain(*answers, 0, {}).error().kind, ErrorKind::kNotFound);
}

TEST_F(QueryTest, VariablesCanBeGivenValues) {
  Learn({{"a", "r", "b", "s"}, {"a", "r", "c", "s"}, {"c", "r", "d", "s"}});
  const auto snapshot = layers_.Read();
  const auto query = Query::Parse("(?y) <- r(?x, ?y)");
  ASSERT_TRUE(query.ok());
  const auto ask = [&](const char* variable, const char* value) {
    const Binding binding{variable, {Kind::kSymbol, value}};
    const auto answers = query->Run(snapshot, {}, {&binding, 1});
    return answers.ok() ? ToLines(*answers) : Lines{answers.error().message};
  };
  EXPECT_EQ(ask("x", "a"), (Lines{"b", "c"}));
  EXPECT_EQ(ask("x", "c"), (Lines{"d"}));
  EXPECT_EQ(ask("y", "c"), (Lines{"c"}));
  EXPECT_EQ(ask("x", "unknown"), (Lines{}));
  EXPECT_EQ(ask("z", "c")[0],
            "a value was given for ?z, but the query has no such variable outside "
            "of \"not\" and of branches of \"or\"");
  const Binding twice[] = {{"x", {Kind::kSymbol, "a"}}, {"x", {Kind::kSymbol, "c"}}};
  EXPECT_EQ(query->Run(snapshot, {}, twice).error().message,
            "two values were given for ?x, expected one");
}

// What was prepared for one snapshot and one set of given variables is not used for another.
TEST_F(QueryTest, OneQueryServesManySnapshotsAndThreads) {
  const auto query = Query::Parse("(?y) <- r(?x, ?y), not s(?y, end)");
  ASSERT_TRUE(query.ok());
  std::vector<std::shared_ptr<const Snapshot>> snapshots;
  for (int i = 0; i < 4; ++i) {
    // In each the same names have other numbers.
    Layers layers;
    World world;
    std::vector<std::pair<Statement, bool>> words;
    for (int j = 0; j <= i; ++j) {
      const Name name = "N" + std::to_string(j);
      words.push_back({{name, "r", "x" + name, "s"}, false});
      words.push_back({{"a", "r", "y" + name, "s"}, false});
    }
    layers.Add(words, &world);
    snapshots.push_back(layers.Read());
  }
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (unsigned t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::mt19937 random(t);
      const Binding a{"x", {Kind::kSymbol, "a"}};
      for (int i = 0; i < 300; ++i) {
        const size_t k = random() % 4;
        const bool bound = random() % 2 == 0;
        const auto answers =
            bound ? query->Run(snapshots[k], {}, {&a, 1}) : query->Run(snapshots[k], {});
        wrong += !answers.ok() || answers->rows.size() != (k + 1) * (bound ? 1 : 2);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// The shortcut for one pattern with one unknown gives what the pipeline gives.
TEST_F(QueryTest, OnePatternWithOneUnknown) {
  std::mt19937 random(5);
  const auto pick = [&random](const std::vector<Name>& from) {
    return from[random() % from.size()];
  };
  const std::vector<Name> names = {"a", "b", "c", "d", "e"}, sources = {"u", "v"};
  for (int layer = 0; layer < 3; ++layer) {
    std::vector<std::pair<Statement, bool>> words;
    std::set<Statement> said;
    for (int i = 0; i < 12; ++i) {
      const Statement s{pick(names), pick({"r", "s"}), pick({"a", "c", "e", "1", "\"t\""}),
                        pick(sources)};
      if (said.insert(s).second) words.emplace_back(s, world_.statements.contains(s));
    }
    layers_.Add(words, &world_);
    for (const std::string relation : {"r", "s", "^r", "nowhere"}) {
      for (const Name name : {"a", "b", "c", "d", "e", "f"}) {
        for (const std::string& ends : {std::string("(") + name + ", ?x)", "(?x, " + name + ")"}) {
          for (const std::string tail : {"", " limit 2", " limit 1 offset 1", " offset 9"}) {
            // A comparison that always holds keeps the second query out of the shortcut.
            EXPECT_EQ(Ask(relation + ends + tail), Ask(relation + ends + ", 1 < 2" + tail))
                << relation << ends << tail;
          }
        }
      }
    }
  }
}

TEST(ListNamesTest, TellsWhatStandsForARelationFromTheEndsEachOnce) {
  const auto query = Query::Parse(
      "(?x) <- r(?x, a), (s/^t+)(b, ?x), not (u(?x, _), ?q(c, ?x)), like(?x, \"d\"), r(?x, 1) or "
      "^v(a, ?x), w(?x, \"a\"), ?x != e");
  ASSERT_TRUE(query.ok()) << query.error().message;
  const auto plain = [](const std::vector<Term>& terms) {
    std::string out;
    for (const Term& term : terms) out += ToNotation(term) + ' ';
    return out;
  };
  const Query::Names names = query->ListNames();
  EXPECT_EQ(plain(names.relations), "r s t u v w ");
  EXPECT_EQ(plain(names.ends), "a b c 1 \"a\" ");
}

}  // namespace
}  // namespace loci::query::testing
