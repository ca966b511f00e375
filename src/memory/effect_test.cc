// SPDX-License-Identifier: Apache-2.0
#include "memory/effect.h"

#include <gtest/gtest.h>

#include "memory/testing.h"

namespace loci {
namespace {

using test::Statement;

Statement StatementOf(const Batch& batch, size_t i) {
  const auto term = [&](Batch::Ref ref) {
    return Term{batch.Name(ref).kind, std::string(batch.Name(ref).bytes)};
  };
  const Batch::Row& row = batch.rows()[i];
  return {term(row.subject), term(row.relation), term(row.object), term(row.source)};
}

// Any batch on any memory: what is left of it changes exactly what the batch would change.
TEST(EffectTest, IsWhatChangesTheSet) {
  test::Random random(1);
  const test::Vocabulary v{6, 2, 4, 2};
  for (int round = 0; round < 200; ++round) {
    test::Knowledge knowledge;
    std::vector<size_t> cuts;
    const auto words = knowledge.Steps(random, random() % 200, v);
    const Snapshot snapshot(test::CutIntoLayers(words, random, 80, &cuts));
    std::vector<test::Word> batch;
    for (uint64_t n = random() % 100; n > 0; --n) {
      batch.push_back({test::RandomStatement(random, v), random() % 2 == 0});
    }
    const Effect effect = EffectOf(test::BatchOf(batch), snapshot);

    std::set<Statement> after = knowledge.live();
    for (const test::Word& word : batch) {
      word.removed ? void(after.erase(word.statement)) : void(after.insert(word.statement));
    }
    std::set<Statement> result = knowledge.live();
    uint64_t learned = 0, forgotten = 0;
    for (size_t i = 0; i < effect.batch.size(); ++i) {
      const Statement s = StatementOf(effect.batch, i);
      const bool removed = effect.batch.removed(i);
      ASSERT_EQ(removed ? result.erase(s) : result.insert(s).second, 1u);
      ++(removed ? forgotten : learned);
    }
    ASSERT_EQ(result, after);
    ASSERT_EQ(effect.learned, learned);
    ASSERT_EQ(effect.forgotten, forgotten);
    ASSERT_EQ(effect.learned + effect.known + effect.forgotten + effect.absent, batch.size());
    // No term comes along that no row names.
    std::set<Batch::Ref> used;
    for (const Batch::Row& row : effect.batch.rows()) {
      used.insert({row.subject, row.relation, row.object, row.source});
    }
    ASSERT_EQ(effect.batch.terms(), used.size());
  }
}

TEST(EffectTest, CountsEachKind) {
  const auto statement = [](const char* subject) {
    return Statement{test::Symbol(subject), test::Symbol("r"), test::Symbol("o"),
                     test::Symbol("x")};
  };
  const std::vector<test::Word> before{{statement("a"), false}, {statement("b"), false}};
  const Snapshot snapshot({test::LayerOf(before)});
  const Effect effect = EffectOf(test::BatchOf(std::vector<test::Word>{{statement("a"), false},
                                                                       {statement("b"), true},
                                                                       {statement("c"), false},
                                                                       {statement("c"), false},
                                                                       {statement("d"), true}}),
                                 snapshot);
  EXPECT_EQ(effect.known, 2u);  // a, and c the second time
  EXPECT_EQ(effect.forgotten, 1u);
  EXPECT_EQ(effect.learned, 1u);
  EXPECT_EQ(effect.absent, 1u);
}

}  // namespace
}  // namespace loci
