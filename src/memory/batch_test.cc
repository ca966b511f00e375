// SPDX-License-Identifier: Apache-2.0
#include "memory/batch.h"

#include <gtest/gtest.h>

#include <map>

#include "image/testing.h"

namespace loci {
namespace {

TEST(BatchTest, HoldsEachTermOnce) {
  test::Random random(1);
  Batch batch;
  std::map<std::pair<Kind, std::string>, Batch::Ref> expected;
  std::vector<const char*> places;
  size_t bytes = 0;
  for (int i = 0; i < 20000; ++i) {
    const Kind kind = random() % 2 ? Kind::kText : Kind::kSymbol;
    // Now and then longer than the blocks that hold the bytes.
    std::string name = std::to_string(random() % 4000);
    if (random() % 500 == 0) name.append(300000, 'x');
    const auto [it, added] =
        expected.emplace(std::pair(kind, name), static_cast<Batch::Ref>(expected.size()));
    ASSERT_EQ(batch.Intern({kind, name}), it->second);
    ASSERT_EQ(batch.terms(), expected.size());
    if (!added) continue;
    bytes += name.size();
    places.push_back(batch.Name(it->second).bytes.data());
  }
  EXPECT_EQ(batch.name_bytes(), bytes);
  for (const auto& [term, ref] : expected) {
    ASSERT_EQ(batch.Name(ref), (TermView{term.first, term.second}));
    ASSERT_EQ(batch.Name(ref).bytes.data(), places[ref]);  // views stay good while it grows
  }
}

TEST(BatchTest, KeepsRowsInOrderWithWhatWasRemoved) {
  test::Random random(2);
  for (const bool any : {false, true}) {
    Batch batch;
    std::vector<std::pair<test::Statement, bool>> said;
    for (int i = 0; i < 500; ++i) {
      said.emplace_back(test::RandomStatement(random), any && random() % 3 == 0);
      batch.Add(said.back().first.view(), said.back().second);
    }
    EXPECT_EQ(batch.any_removed(), any);
    ASSERT_EQ(batch.size(), said.size());
    for (size_t i = 0; i < said.size(); ++i) {
      const Batch::Row& row = batch.rows()[i];
      ASSERT_EQ(batch.Name(row.subject), said[i].first.subject.view());
      ASSERT_EQ(batch.Name(row.relation), said[i].first.relation.view());
      ASSERT_EQ(batch.Name(row.object), said[i].first.object.view());
      ASSERT_EQ(batch.Name(row.source), said[i].first.source.view());
      ASSERT_EQ(batch.removed(i), said[i].second);
    }
  }
}

TEST(BatchTest, ClearedIsAsNew) {
  Batch batch;
  test::Random random(3);
  for (int i = 0; i < 100; ++i) batch.Add(test::RandomStatement(random).view(), true);
  batch.Clear();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.terms(), 0u);
  EXPECT_EQ(batch.name_bytes(), 0u);
  EXPECT_FALSE(batch.any_removed());
  EXPECT_EQ(batch.Intern(test::Symbol("dog")), 0u);
  EXPECT_EQ(batch.Intern({Kind::kText, ""}), 1u);
  EXPECT_EQ(batch.Intern({Kind::kSymbol, ""}), 2u);
}

}  // namespace
}  // namespace loci
