// SPDX-License-Identifier: Apache-2.0
//
// Layers merged in any grouping are the image of what their words amount to, byte for byte; what no
// history can have written is refused.
#include "memory/merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/snapshot.h"
#include "memory/testing.h"

namespace loci {
namespace {

using test::Random;
using test::Word;
using ::testing::HasSubstr;

using Layers = std::vector<std::shared_ptr<const Image>>;

Result<std::string> Merge(std::span<const std::shared_ptr<const Image>> layers, bool to_base) {
  StringSink sink;
  LOCI_TRY(
      MergeImages(layers, {.to_base = to_base, .settings = "k v\n", .on_progress = {}}, &sink));
  return sink.take();
}

// Merges random neighbours until one layer is left, each merge against the slow double.
TEST(MergeTest, AnyGroupingIsTheImageOfWhatRemains) {
  Random random(1);
  for (int round = 0; round < 25; ++round) {
    const test::Vocabulary v{static_cast<unsigned>(1 + random() % 15), 3, 6, 3};
    test::Knowledge knowledge;
    const std::vector<Word> words = knowledge.Steps(random, 1 + random() % 500, v);
    std::vector<size_t> cuts;
    Layers layers = test::CutIntoLayers(words, random, 1 + random() % 150, &cuts);
    while (layers.size() > 1) {
      const size_t begin = random() % (layers.size() - 1);
      const size_t count = 2 + random() % (layers.size() - begin - 1);
      const auto part = std::span(words).subspan(cuts[begin], cuts[begin + count] - cuts[begin]);
      const auto group = std::span(layers).subspan(begin, count);
      const auto merged = Merge(group, begin == 0);
      ASSERT_TRUE(merged.ok()) << merged.error().message;
      ASSERT_TRUE(*merged == test::WriteSlowly(test::Remaining(part), "k v\n")) << round;
      layers[begin] = test::Opened(*merged);
      layers.erase(layers.begin() + begin + 1, layers.begin() + begin + count);
      cuts.erase(cuts.begin() + begin + 1, cuts.begin() + begin + count);
    }
    const auto whole = Merge(layers, true);
    ASSERT_TRUE(whole.ok());
    ASSERT_TRUE(*whole == test::WriteSlowly(knowledge.said(), "k v\n")) << round;
    ASSERT_TRUE(test::Opened(*whole)->Verify().ok());
  }
}

TEST(MergeTest, OfNothing) {
  const std::string empty = test::WriteSlowly({}, "k v\n");
  EXPECT_TRUE(*Merge({}, true) == empty);
  EXPECT_TRUE(*Merge(Layers{test::Opened(empty), test::Opened(empty)}, true) == empty);
}

// Enough sets and terms for wide columns on one side and narrow ones on the other.
TEST(MergeTest, WidthsMayDiffer) {
  Random random(2);
  const test::Vocabulary wide{500, 300, 300, 8};
  test::Knowledge knowledge;
  std::vector<Word> words = knowledge.Steps(random, 3000, wide);
  const size_t first = words.size();
  for (const Word& word : knowledge.Steps(random, 20, wide)) words.push_back(word);
  const Layers layers{test::LayerOf(std::span(words).first(first)),
                      test::LayerOf(std::span(words).subspan(first))};
  EXPECT_TRUE(*Merge(layers, true) == test::WriteSlowly(knowledge.said(), "k v\n"));
}

Word Say(const char* subject, bool removed) {
  return {{test::Symbol(subject), test::Symbol("r"), test::Symbol("o"), test::Symbol("x")},
          removed};
}

TEST(MergeTest, RefusesAStatementSaidTwice) {
  for (const bool removed : {false, true}) {
    for (const bool to_base : {false, true}) {
      const auto merged =
          Merge(Layers{test::LayerOf({{Say("a", removed), Say("b", false)}}),
                       test::LayerOf({{Say("c", false)}}), test::LayerOf({{Say("a", removed)}})},
                to_base);
      ASSERT_FALSE(merged.ok());
      EXPECT_EQ(merged.error().kind, ErrorKind::kDamaged);
      EXPECT_THAT(merged.error().message, HasSubstr("said already"));
    }
  }
}

TEST(MergeTest, RefusesARemovalOfWhatWasNeverLearned) {
  const Layers layers{test::LayerOf({{Say("a", false)}}), test::LayerOf({{Say("b", true)}})};
  EXPECT_TRUE(Merge(layers, false).ok());  // an older layer may know b
  const auto merged = Merge(layers, true);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().kind, ErrorKind::kDamaged);
  EXPECT_THAT(merged.error().message, HasSubstr("that no layer below it has learned"));
}

TEST(MergeTest, TellsProgressAndStops) {
  Random random(3);
  test::Knowledge knowledge;
  const std::vector<Word> words = knowledge.Steps(random, 2000, {.subjects = 6000});
  const Layers layers{test::LayerOf(std::span(words).first(1000)),
                      test::LayerOf(std::span(words).subspan(1000))};
  StringSink sink;
  uint64_t last = 0, calls = 0;
  const auto count = [&](uint64_t done, uint64_t total) {
    EXPECT_LE(last, done);
    EXPECT_LE(done, total);
    EXPECT_EQ(total, uint64_t{layers[0]->facts()} + layers[1]->facts());
    last = done;
    ++calls;
    return true;
  };
  ASSERT_TRUE(
      MergeImages(layers, {.to_base = true, .settings = {}, .on_progress = count}, &sink).ok());
  EXPECT_GE(calls, 1u);
  const auto stop = [](uint64_t, uint64_t) { return false; };
  const Result<void> stopped =
      MergeImages(layers, {.to_base = true, .settings = {}, .on_progress = stop}, &sink);
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kCancelled);
}

// Contents other than what was written, under checksums that hold: most are noticed, and none leads
// to a read outside (under the address sanitizer).
TEST(MergeTest, StaysInsideOfDamagedLayers) {
  Random random(4);
  test::Knowledge knowledge;
  const std::vector<Word> words = knowledge.Steps(random, 200);
  StringSink sink;
  ASSERT_TRUE(
      BuildImage(test::BatchOf(std::span(words).first(120)), Words::kAlternate, "", &sink).ok());
  const std::string good = sink.take();
  const auto above = test::LayerOf(std::span(words).subspan(120));
  int refused = 0;
  for (int round = 0; round < 600; ++round) {
    std::string bytes = good;
    const SectionEntry entry =
        test::EntryOf(bytes, kNameBytes + static_cast<uint32_t>(random() % (kSections - 1)));
    for (uint64_t n = 1 + random() % 4; n > 0; --n) {
      bytes[entry.offset + random() % entry.length] = static_cast<char>(random());
    }
    const auto damaged = test::OpenExactly(test::Resealed(bytes));
    ASSERT_TRUE(damaged.ok()) << damaged.error().message;
    const auto merged = Merge(Layers{*damaged, above}, round % 2 == 0);
    refused += !merged.ok();
    ASSERT_TRUE(merged.ok() || merged.error().kind == ErrorKind::kDamaged);
  }
  EXPECT_GT(refused, 150);
}

}  // namespace
}  // namespace loci
