// SPDX-License-Identifier: Apache-2.0
#include "recall/recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "recall/collection.h"
#include "recall/nearest.h"
#include "recall/neighbours.h"
#include "recall/testing.h"

namespace loci::recall {
namespace {

using test::Random;
using test::Statement;
using test::Symbol;
using test::Word;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kSettings[] = "k v\n";

std::shared_ptr<const Snapshot> SnapshotOf(std::vector<std::shared_ptr<const Image>> layers) {
  return std::make_shared<const Snapshot>(std::move(layers));
}

std::shared_ptr<const Snapshot> SnapshotOf(const std::set<Statement>& live) {
  Batch batch;
  for (const Statement& s : live) batch.Add(s.view(), false);
  if (batch.empty()) return SnapshotOf(std::vector<std::shared_ptr<const Image>>());
  return SnapshotOf({BuildImage(batch, Words::kLastCounts, kSettings).take()});
}

// Facts as "subject relation object", an object in quotes a text, one in digits a date.
std::shared_ptr<const Snapshot> Remember(std::initializer_list<std::array<const char*, 3>> facts) {
  std::set<Statement> live;
  for (const auto& [subject, relation, object] : facts) {
    const std::string_view text = object;
    Term term =
        text.starts_with('"') ? MakeText(text.substr(1, text.size() - 2)).take() : Symbol(text);
    live.insert({Symbol(subject), Symbol(relation), std::move(term), Symbol("s")});
  }
  return SnapshotOf(live);
}

struct Told {
  std::string item;
  uint64_t score;
  std::string why;
  friend bool operator==(const Told&, const Told&) = default;
};

std::ostream& operator<<(std::ostream& out, const Told& told) {
  return out << told.item << " " << told.score << " " << told.why;
}

std::vector<Told> Tell(const std::shared_ptr<const Snapshot>& snapshot, std::string_view cue,
                       const Options& options = {}) {
  std::vector<Told> told;
  const auto ranking = Recall(snapshot, cue, options);
  EXPECT_TRUE(ranking.ok()) << ranking.error().message;
  if (!ranking.ok()) return told;
  for (size_t i = 0; i < ranking->hits().size(); ++i) {
    const Hit& hit = ranking->hits()[i];
    std::string why;
    const Explanation explanation = ranking->Explain(i);
    for (const MatchedWord& word : explanation.words) {
      why += word.cue + "=" + word.stem + ":" + std::to_string(word.weight) + " ";
    }
    for (const Link& link : explanation.path) {
      why += "[" + std::to_string(static_cast<int>(link.kind)) + " " +
             std::string(snapshot->Name(link.from).bytes) + " " + link.words + "] ";
    }
    told.push_back({std::string(snapshot->Name(hit.item).bytes), hit.score, std::move(why)});
  }
  return told;
}

std::vector<std::string> Items(const std::shared_ptr<const Snapshot>& snapshot,
                               std::string_view cue) {
  std::vector<std::string> items;
  for (Told& told : Tell(snapshot, cue)) items.push_back(std::move(told.item));
  return items;
}

TEST(RecallTest, ScoresByContentAsTheDoubleDoes) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    std::set<Statement> live;
    test::RandomWords(random, 5 + random() % 60, &live);
    test::Double naive(live);
    const auto snapshot = SnapshotOf(live);
    for (int i = 0; i < 10; ++i) {
      const std::string cue = test::RandomText(random);
      std::map<std::string, uint64_t> scores;
      Options options;
      options.associate = false;
      for (const Told& told : Tell(snapshot, cue, options)) scores[told.item] = told.score;
      const auto expected = naive.Score(cue);
      if (!naive.KnowsAllOf(cue)) continue;
      ASSERT_EQ(scores, expected) << "round " << round << ": " << cue;
    }
  }
}

// Whatever the layers, and whatever was forgotten in them: hits, scores, reasons are those of a
// memory that never had more than what is left.
TEST(RecallTest, LayersAndForgottenStatementsDoNotShow) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    std::set<Statement> live;
    const auto words = test::RandomWords(random, 10 + random() % 80, &live);
    std::vector<size_t> cuts;
    const auto layers = loci::test::CutIntoLayers(words, random, 1 + random() % 40, &cuts);
    const auto layered = SnapshotOf(layers), whole = SnapshotOf(live);
    for (int i = 0; i < 12; ++i) {
      const std::string cue = test::RandomText(random);
      Options options;
      options.titles_link = random() % 4 != 0;
      ASSERT_EQ(Tell(layered, cue, options), Tell(whole, cue, options))
          << "round " << round << ", " << layers.size() << " layers: " << cue;
    }
  }
}

TEST(RecallTest, ThreadsDoNotShow) {
  Random random(3);
  std::set<Statement> live;
  const auto words = test::RandomWords(random, 200, &live);
  std::vector<size_t> cuts;
  const auto snapshot = SnapshotOf(loci::test::CutIntoLayers(words, random, 60, &cuts));
  std::vector<std::string> cues;
  for (int i = 0; i < 40; ++i) cues.push_back(test::RandomText(random));
  std::vector<std::vector<Told>> expected;
  for (const auto& cue : cues) expected.push_back(Tell(SnapshotOf(live), cue));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < cues.size(); ++i) {
        const size_t k = (i * 7 + static_cast<size_t>(t) * 11) % cues.size();
        EXPECT_EQ(Tell(snapshot, cues[k]), expected[k]);
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

TEST(RecallTest, FewerHitsAreTheFirstOnes) {
  Random random(4);
  std::set<Statement> live;
  test::RandomWords(random, 300, &live);
  const auto snapshot = SnapshotOf(live);
  for (int i = 0; i < 30; ++i) {
    const std::string cue = test::RandomText(random);
    auto all = Tell(snapshot, cue);
    Options options;
    options.most = 1 + random() % 5;
    const auto few = Tell(snapshot, cue, options);
    all.resize(std::min(all.size(), options.most));
    ASSERT_EQ(few, all) << cue;
  }
}

TEST(RecallTest, FollowsANameFromOnePassageToAnother) {
  const auto snapshot = Remember({
      {"p1", "title", "\"Blue Harvest (film)\""},
      {"p1", "text", "\"Blue Harvest is a 1972 film directed by Maria Lind Olsen.\""},
      {"p2", "title", "\"Maria Lind Olsen\""},
      {"p2", "text", "\"Maria Lind Olsen was a Danish painter, born in Aarhus.\""},
      {"p3", "title", "\"Harvest\""},
      {"p3", "text", "\"Harvest is the season when a farmer gathers blue corn.\""},
      {"p4", "title", "\"Aarhus\""},
      {"p4", "text", "\"A city on the east coast of Jutland.\""},
  });
  const auto told = Tell(snapshot, "Where was the director of Blue Harvest born?");
  ASSERT_GE(told.size(), 2u);
  EXPECT_THAT((std::vector{told[0].item, told[1].item}),
              ::testing::UnorderedElementsAre("p1", "p2"));
  const Told& linked = told[told[0].item == "p2" ? 0 : 1];
  EXPECT_THAT(linked.why, HasSubstr("[0 p1 Maria Lind Olsen]"));
}

TEST(RecallTest, FollowsStoredFacts) {
  const auto snapshot = Remember({
      {"blue_harvest", "directed_by", "maria_olsen"},
      {"maria_olsen", "born_in", "aarhus"},
      {"erik_dahl", "born_in", "oslo"},
  });
  const auto items = Items(snapshot, "where was the director of Blue Harvest born");
  ASSERT_GE(items.size(), 3u);
  EXPECT_EQ(items[0], "blue_harvest");
  EXPECT_EQ(items[1], "maria_olsen");
  EXPECT_EQ(items[2], "aarhus");
}

TEST(RecallTest, HearsWhatStandsBeside) {
  const auto snapshot = Remember({
      {"talk#1", "part_of", "talk"},
      {"talk#1", "text", "\"Where did you buy the green kettle?\""},
      {"talk#2", "part_of", "talk"},
      {"talk#2", "text", "\"In a small shop at the harbour.\""},
      {"talk#3", "part_of", "talk"},
      {"talk#3", "text", "\"Nice weather again.\""},
      {"other#2", "part_of", "other"},
      {"other#2", "text", "\"Nothing of the kind was said.\""},
  });
  const auto told = Tell(snapshot, "green kettle");
  ASSERT_GE(told.size(), 2u);
  EXPECT_EQ(told[0].item, "talk#1");
  EXPECT_EQ(told[1].item, "talk#2");
  EXPECT_THAT(told[1].why, HasSubstr("[4 talk#1 ]"));
  for (const Told& t : told) EXPECT_NE(t.item, "other#2");
}

TEST(RecallTest, TakesAMistypedWordForOneNearToIt) {
  const auto snapshot = Remember(
      {{"p1", "text", "\"A harbour in the mist.\""}, {"p2", "text", "\"A relevant remark.\""}});
  for (const char* cue : {"harbuor", "harbur", "harrbour", "hatbour", "harb"}) {
    EXPECT_THAT(Items(snapshot, cue), ElementsAre("p1")) << cue;
  }
  EXPECT_THAT(Items(snapshot, "zebra"), ElementsAre());
  EXPECT_THAT(Tell(snapshot, "harbuor")[0].why, HasSubstr("harbuor=harbour:"));
}

TEST(RecallTest, OddCuesFindNothingAndHarmNothing) {
  const auto snapshot = Remember({{"p1", "text", "\"Some words of no matter.\""}});
  for (const std::string& cue :
       {std::string(), std::string("a"), std::string("the of and which"),
        std::string("\0\1\x7f", 3), std::string("\xF0\x9F\x98\x80\xF0\x9F\x98\x80"),
        std::string("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"), std::string(1 << 20, 'x'),
        std::string(1 << 20, ' ')}) {
    EXPECT_THAT(Items(snapshot, cue), ElementsAre()) << cue.substr(0, 20);
  }
  std::string long_cue;
  while (long_cue.size() < 1 << 20)
    long_cue += "matter of words " + std::to_string(long_cue.size()) + " ";
  EXPECT_THAT(Items(snapshot, long_cue), ElementsAre("p1"));
  EXPECT_THAT(Items(SnapshotOf(std::set<Statement>()), "words"), ElementsAre());
}

TEST(RecallTest, CanBeCancelled) {
  const auto snapshot = Remember({{"p1", "text", "\"Some words of no matter.\""}});
  Options options;
  options.keep_going = [] { return false; };
  const auto ranking = Recall(snapshot, "words", options);
  ASSERT_FALSE(ranking.ok());
  EXPECT_EQ(ranking.error().kind, ErrorKind::kCancelled);
}

TEST(RecallTest, LikeADocumentAreOthersWithItsWords) {
  const auto snapshot = Remember({{"p1", "text", "\"Copper kettles and pans.\""},
                                  {"p2", "text", "\"A kettle of copper.\""},
                                  {"p3", "text", "\"Wooden spoons.\""}});
  const auto ranking = RecallLike(snapshot, *snapshot->Find(Symbol("p1")));
  ASSERT_TRUE(ranking.ok());
  ASSERT_EQ(ranking->hits().size(), 1u);
  EXPECT_EQ(snapshot->Name(ranking->hits()[0].item).bytes, "p2");
}

TEST(RecallTest, ShowsDifferentThingsFirst) {
  const auto snapshot = Remember({{"p1", "text", "\"Copper kettle.\""},
                                  {"p2", "text", "\"Copper kettle!\""},
                                  {"p3", "text", "\"Silver spoon and silver fork\""}});
  const auto ranking = Recall(snapshot, "copper kettle silver");
  ASSERT_TRUE(ranking.ok());
  ASSERT_EQ(ranking->hits().size(), 3u);
  const std::vector<uint32_t> all{0, 1, 2};
  EXPECT_EQ(ranking->Diversify(all, 3).size(), 3u);
  EXPECT_EQ(ranking->Diversify(all, 1), std::vector<uint32_t>{0});
  EXPECT_TRUE(ranking->Diversify({}, 5).empty());
}

TEST(RecallTest, FindsWordsInATextByTheirStems) {
  const auto snapshot = Remember({{"p1", "text", "\"x\""}});
  const std::vector<std::string> stems{"kettl", "direct"};
  const auto spans = FindWords(*snapshot, "The director's kettles", stems);
  ASSERT_TRUE(spans.ok());
  ASSERT_EQ(spans->size(), 2u);
  EXPECT_EQ((*spans)[0].begin, 4u);
  EXPECT_EQ((*spans)[1].end, 22u);
}

TEST(NeighboursTest, CountNames) {
  EXPECT_EQ(NumberedName("talk#000017", 3), "talk#000020");
  EXPECT_EQ(NumberedName("talk#000017", -17), "talk#000000");
  EXPECT_EQ(NumberedName("D1:9", 1), "D1:10");
  EXPECT_EQ(NumberedName("D1:10", -1), "D1:9");
  EXPECT_EQ(NumberedName("D1:1", -2), "");
  EXPECT_EQ(NumberedName("talk", 1), "");
  EXPECT_EQ(NumberedName("x99999999999999999999", 1), "");
}

TEST(NearestTest, EditsAreThoseOfTheTable) {
  Random random(5);
  const auto slow = [](std::string_view a, std::string_view b) {
    std::vector<std::vector<uint32_t>> d(a.size() + 1, std::vector<uint32_t>(b.size() + 1));
    for (uint32_t i = 0; i <= a.size(); ++i) {
      for (uint32_t j = 0; j <= b.size(); ++j) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        d[i][j] =
            std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.size()][b.size()];
  };
  for (int i = 0; i < 20000; ++i) {
    std::string a, b;
    for (size_t n = random() % 9; n > 0; --n) a += static_cast<char>('a' + random() % 3);
    for (size_t n = random() % 9; n > 0; --n) b += static_cast<char>('a' + random() % 3);
    const uint32_t most = random() % 4;
    ASSERT_EQ(Edits(a, b, most), std::min(slow(a, b), most + 1)) << a << " " << b;
  }
}

}  // namespace
}  // namespace loci::recall
