// SPDX-License-Identifier: Apache-2.0
//
// The query engine in lockstep with its double (testing.h) on random small memories of several
// layers and random queries of all constructs: the same answers in the same order, whatever the
// order of clauses; and evidence that suffices to derive each answer.
#include <gtest/gtest.h>

#include "query/query.h"
#include "query/random_testing.h"

namespace loci::query::testing {
namespace {

Rows ToRows(const Answers& answers) {
  Rows rows;
  for (const Answer& answer : answers.rows) {
    EXPECT_EQ(answer.score, uint64_t{1} << 32);
    std::vector<Name>& row = rows.emplace_back();
    for (TermId id : answer.values) row.push_back(ToNotation(answers.Name(id)));
  }
  return rows;
}

// The facts cited exist, with their sources, and they alone derive the answer again.
void CheckEvidence(const Case& c, const World& world, const Query& query, const Answers& answers,
                   size_t row, const std::string& text) {
  const auto evidence = query.Explain(answers, row, {});
  ASSERT_TRUE(evidence.ok()) << text << "\n" << evidence.error().message;
  World cited;
  cited.nodes = world.nodes;
  std::set<std::vector<Name>> facts;
  for (const Evidence& one : *evidence) {
    const auto name = [&](TermId id) { return ToNotation(answers.snapshot->Name(id)); };
    const std::vector<Name> fact = {name(one.fact.subject), name(one.fact.relation),
                                    name(one.fact.object)};
    ASSERT_TRUE(facts.insert(fact).second) << text;
    ASSERT_FALSE(one.sources.empty());
    for (TermId source : one.sources) {
      const Statement s{fact[0], fact[1], fact[2], name(source)};
      ASSERT_TRUE(world.statements.contains(s)) << text;
      cited.statements.insert(s);
    }
  }
  const Rows again = Project(Evaluator(&cited, true).Run(c.clauses, {}), c.head, {});
  std::vector<Name> values;
  for (TermId id : answers.rows[row].values) values.push_back(ToNotation(answers.Name(id)));
  ASSERT_TRUE(std::find(again.begin(), again.end(), values) != again.end())
      << text << "\nrow " << row << " is not derived by its " << facts.size() << " facts";
}

class LockstepTest : public ::testing::TestWithParam<int> {};

TEST_P(LockstepTest, AnswersAreThoseOfTheDoubleInAnyOrderOfClauses) {
  Random random(static_cast<unsigned>(GetParam()));
  for (int round = 0; round < 12; ++round) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    for (int i = 0; i < 12; ++i) {
      const Case c = RandomCase(&random);
      const Rows expected = Cut(
          Project(Evaluator(&world, false).Run(c.clauses, {}), c.head, c.order), c.offset, c.limit);
      for (int shuffle = 0; shuffle < 3; ++shuffle) {
        const std::string text = c.Text(shuffle == 0 ? nullptr : &random);
        const auto query = Query::Parse(text);
        ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
        const auto answers = query->Run(snapshot, {});
        ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
        ASSERT_EQ(ToRows(*answers), expected) << text;
        for (size_t row = 0; row < answers->rows.size() && row < 5; ++row) {
          CheckEvidence(c, world, *query, *answers, row, text);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(LockstepTest, GivenValuesSelectAnswers) {
  Random random(static_cast<unsigned>(1000 + GetParam()));
  for (int i = 0; i < 60; ++i) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    Case c = RandomCase(&random);
    c.tail.clear();
    if (c.head.empty()) continue;
    const size_t column = Pick(&random, c.head.size());
    const Name value = Pick(&random, 5) == 0 ? "unheard_of" : PickOf(&random, kSymbols);
    Rows expected = Project(Evaluator(&world, false).Run(c.clauses, {}), c.head, {});
    std::erase_if(expected, [&](const auto& row) { return row[column] != value; });
    const std::string text = c.Text(nullptr);
    const auto query = Query::Parse(text);
    ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
    const Term term = ToTerm(value);
    const Binding binding{std::string_view(c.head[column]).substr(1), term};
    const auto answers = query->Run(snapshot, {}, {&binding, 1});
    ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
    ASSERT_EQ(ToRows(*answers), expected) << text << " with " << c.head[column] << " = " << value;
  }
}

TEST_P(LockstepTest, WalksCitedAreShortest) {
  Random random(static_cast<unsigned>(2000 + GetParam()));
  for (int i = 0; i < 60; ++i) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    DoubleClause c;
    c.kind = DoubleClause::kPath;
    c.left = "?x";
    c.right = "?y";
    c.path = RandomPath(&random, 3);
    const std::string text = Print({c}, nullptr);
    const auto query = Query::Parse(text);
    ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
    const auto answers = query->Run(snapshot, {});
    ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
    for (size_t row = 0; row < answers->rows.size(); ++row) {
      const auto evidence = query->Explain(*answers, row, {});
      ASSERT_TRUE(evidence.ok()) << text << "\n" << evidence.error().message;
      World cited;
      cited.nodes = world.nodes;
      for (const Evidence& one : *evidence) {
        const auto name = [&](TermId id) { return ToNotation(snapshot->Name(id)); };
        cited.statements.insert({name(one.fact.subject), name(one.fact.relation),
                                 name(one.fact.object), name(one.sources[0])});
      }
      const Name a = ToNotation(answers->Name(answers->rows[row].values[0]));
      const Name b = answers->variables.size() == 1
                         ? a
                         : ToNotation(answers->Name(answers->rows[row].values[1]));
      const int least = Evaluator(&world, false).Length(c, a, b);
      EXPECT_EQ(Evaluator(&cited, false).Length(c, a, b), least) << text << " " << a << " " << b;
      EXPECT_LE(static_cast<int>(evidence->size()), least) << text << " " << a << " " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LockstepTest, ::testing::Range(0, 5));

}  // namespace
}  // namespace loci::query::testing
