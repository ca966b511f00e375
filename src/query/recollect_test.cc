// SPDX-License-Identifier: Apache-2.0
#include "query/recollect.h"

#include <gtest/gtest.h>

#include <set>

#include "query/random_testing.h"
#include "query/snapshot_graph.h"

namespace loci::query::testing {
namespace {

std::vector<Name> NamesOf(const Recollection& recollection) {
  std::vector<Name> names;
  for (const Recollected& one : recollection.memories) {
    names.push_back(ToNotation(recollection.snapshot->Name(one.item)));
  }
  return names;
}

Recollection Recalled(const std::shared_ptr<const Snapshot>& snapshot, std::string_view cue,
                      const RecollectOptions& options) {
  auto found = Recollect(snapshot, cue, options);
  EXPECT_TRUE(found.ok()) << found.error().message;
  return found.ok() ? found.take() : Recollection();
}

// Of the ranking nothing is lost and nothing comes twice; pages are parts of one order; a filter
// chooses exactly what its clauses hold of; what is told of each is stated.
TEST(RecollectTest, ListsTheRankingInPagesAndFiltersIt) {
  Random random(3);
  const std::vector<Name> texts = {"\"a red car\"", "\"the blue boat\"", "\"old red boat\"",
                                   "\"cars and boats\""};
  size_t told = 0;
  for (int round = 0; round < 100; ++round) {
    World world;
    Layers layers;
    for (int layer = 0; layer < 2; ++layer) {
      std::vector<std::pair<Statement, bool>> words;
      std::set<Statement> said = world.statements;
      for (size_t i = 0; i < 8; ++i) {
        Statement s = RandomStatement(&random);
        if (Pick(&random, 2) == 0) s.object = PickOf(&random, texts);
        if (said.insert(s).second) words.emplace_back(s, false);
      }
      if (!words.empty()) layers.Add(words, &world);
    }
    const auto snapshot = layers.Read();
    const SnapshotGraph graph(snapshot.get());
    for (const char* cue : {"red", "boat car", "the old", ""}) {
      const auto ranking = graph.Recall(*MakeText(cue), false, nullptr);
      ASSERT_TRUE(ranking.ok());
      std::set<Name> hits, expected;
      for (const recall::Hit& hit : ranking->hits()) {
        hits.insert(ToNotation(snapshot->Name(hit.item)));
      }
      RecollectOptions options;
      options.limit = 100;
      options.evidence = true;
      const Recollection all = Recalled(snapshot, cue, options);
      const std::vector<Name> names = NamesOf(all);
      ASSERT_EQ(std::set<Name>(names.begin(), names.end()), hits);
      ASSERT_EQ(names.size(), hits.size());
      ASSERT_EQ(all.found, hits.size());
      for (const Recollected& one : all.memories) {
        ++told;
        for (const recall::Span& span : one.spans) ASSERT_LE(span.end, one.text.size());
        ASSERT_FALSE(one.shown.sources.empty());
        ASSERT_FALSE(one.evidence.empty());
        for (const Evidence& cited : one.evidence) {
          ASSERT_TRUE(snapshot->Has(cited.fact));
          ASSERT_EQ(cited.sources, snapshot->Sources(cited.fact));
        }
      }
      options.where = "r(?x, _) or not s(?x, _)";
      for (const Name& name : hits) {
        bool r = false, s = false;
        for (const Statement& statement : world.statements) {
          r = r || (statement.subject == name && statement.relation == "r");
          s = s || (statement.subject == name && statement.relation == "s");
        }
        if (r || !s) expected.insert(name);
      }
      const std::vector<Name> chosen = NamesOf(Recalled(snapshot, cue, options));
      ASSERT_EQ(std::set<Name>(chosen.begin(), chosen.end()), expected);
      options.limit = 1;
      std::vector<Name> paged;
      for (size_t i = 0; i <= chosen.size(); ++i) {
        options.offset = i;
        for (const Name& name : NamesOf(Recalled(snapshot, cue, options))) paged.push_back(name);
      }
      ASSERT_EQ(paged, chosen);
    }
  }
  EXPECT_GT(told, 500u);
}

TEST(RecollectTest, SaysWhereAFilterIsWrong) {
  World world;
  Layers layers;
  layers.Add({{{"a", "r", "\"red\"", "u"}, false}}, &world);
  const struct {
    const char *where, *message;
  } cases[] = {
      {"r(?x", "column 5: "},
      {"r(?x, _)) or (r(?x, _)", "column 9: "},
      {"r(?x, _) limit 3", "column 10: "},
      {"r(?y, _)", "column 1: expected clauses over ?x"},
      {"r(?x, _), ?z = 1", "column 11: ?z is compared"},
  };
  for (const auto& c : cases) {
    RecollectOptions options;
    options.where = c.where;
    const auto found = Recollect(layers.Read(), "red", options);
    ASSERT_FALSE(found.ok()) << c.where;
    EXPECT_EQ(found.error().message.substr(0, std::string_view(c.message).size()), c.message)
        << c.where;
  }
}

}  // namespace
}  // namespace loci::query::testing
