// SPDX-License-Identifier: Apache-2.0
//
// A walk over random stacks of layers tells what a sorted set of statements holds, in its order.
#include "memory/statement_walk.h"

#include <gtest/gtest.h>

#include "memory/testing.h"

namespace loci {
namespace {

using test::Statement;

std::vector<Statement> Walked(const Snapshot& snapshot) {
  const auto own = [&snapshot](TermId id) {
    const TermView view = snapshot.Name(id);
    return Term{view.kind, std::string(view.bytes)};
  };
  std::vector<Statement> out;
  StatementWalk walk(snapshot);
  while (walk.Next()) {
    EXPECT_FALSE(walk.sources().empty());
    const auto& [subject, relation, object] = walk.fact();
    for (const TermId source : walk.sources()) {
      out.push_back({own(subject), own(relation), own(object), own(source)});
    }
  }
  EXPECT_FALSE(walk.Next());  // and stays at the end
  EXPECT_TRUE(snapshot.damage().ok());
  return out;
}

TEST(StatementWalkTest, TellsWhatASortedSetHolds) {
  EXPECT_TRUE(Walked(Snapshot({})).empty());
  for (uint64_t seed = 0; seed < 20; ++seed) {
    test::Random random(seed);
    test::Knowledge knowledge;
    const auto words = knowledge.Steps(random, 1 + random() % 400);
    std::vector<size_t> cuts;
    const Snapshot snapshot(test::CutIntoLayers(words, random, 150, &cuts));
    ASSERT_EQ(Walked(snapshot),
              std::vector<Statement>(knowledge.live().begin(), knowledge.live().end()))
        << "seed " << seed;
  }
}

}  // namespace
}  // namespace loci
