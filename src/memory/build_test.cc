// SPDX-License-Identifier: Apache-2.0
//
// A batch becomes the image that the slow way makes of the statements that it amounts to.
#include "memory/build.h"

#include <gtest/gtest.h>

#include <array>

#include "memory/testing.h"

namespace loci {
namespace {

using test::Random;
using test::Said;
using test::Word;

std::string Build(const Batch& batch, Words words) {
  StringSink sink;
  EXPECT_TRUE(BuildImage(batch, words, "k v\n", &sink).ok());
  return sink.take();
}

TEST(BuildTest, TheLastWordCounts) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Word> words;
    Said last;
    const test::Vocabulary v{static_cast<unsigned>(1 + random() % 20), 3, 10, 3};
    for (uint64_t n = random() % 400; n > 0; --n) {
      words.push_back({test::RandomStatement(random, v), round % 2 && random() % 3 == 0});
      last[words.back().statement] = words.back().removed;
    }
    Batch batch = test::BatchOf(words);
    batch.Intern(test::Symbol("no row names this"));
    ASSERT_TRUE(Build(batch, Words::kLastCounts) == test::WriteSlowly(last, "k v\n")) << round;
  }
}

TEST(BuildTest, PairsCancelWhereWordsAlternate) {
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    test::Knowledge knowledge;
    const test::Vocabulary v{static_cast<unsigned>(1 + random() % 6), 2, 4, 2};
    const std::vector<Word> words = knowledge.Steps(random, random() % 400, v);
    // From some step on, so that what is removed was learned before or not.
    const auto part = std::span(words).subspan(words.empty() ? 0 : random() % words.size());
    ASSERT_TRUE(Build(test::BatchOf(part), Words::kAlternate) ==
                test::WriteSlowly(test::Remaining(part), "k v\n"))
        << round;
  }
}

// They are sorted eight bytes at a time, and from some depth on as a whole.
TEST(BuildTest, TermsThatAgreeInTheirBeginnings) {
  Random random(4);
  std::vector<Word> words;
  Said said;
  constexpr std::array<size_t, 12> kLengths{0, 1, 7, 8, 9, 15, 16, 17, 63, 64, 65, 90};
  for (int i = 0; i < 3000; ++i) {
    std::string name(kLengths[random() % kLengths.size()], 'a');
    for (uint64_t n = random() % 4; n > 0; --n)
      name += std::array{'\0', '\1', 'a', 'b'}[random() % 4];
    const std::array tags{"en", "e", "fr"};
    Term object =
        random() % 3 == 0 ? test::Symbol("s" + name)
        : random() % 2 == 0
            ? test::Made(MakeText(name))
            : test::Made(MakeTaggedText(name, random() % 2 ? '@' : '^', tags[random() % 3]));
    words.push_back(
        {{test::Symbol("s"), test::Symbol("r"), object, test::Symbol("source")}, false});
    said[words.back().statement] = false;
  }
  ASSERT_GT(said.size(), 1000u);
  EXPECT_TRUE(Build(test::BatchOf(words), Words::kLastCounts) == test::WriteSlowly(said, "k v\n"));
}

TEST(BuildTest, TheOrderDoesNotShow) {
  Random random(3);
  std::vector<Word> words;
  for (int i = 0; i < 1000; ++i) words.push_back({test::RandomStatement(random), false});
  const std::string expected = Build(test::BatchOf(words), Words::kLastCounts);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(words.begin(), words.end(), random);
    ASSERT_TRUE(Build(test::BatchOf(words), Words::kLastCounts) == expected);
  }
}

// Names that agree in the eight bytes that are compared first, in bytes above 0x7F, in a NUL.
TEST(BuildTest, SortsNamesWithCommonBeginnings) {
  Random random(4);
  Said said;
  Batch batch;
  const auto name = [&] {
    std::string text = random() % 2 ? "12345678" : "1234567";
    for (uint64_t n = random() % 4; n > 0; --n) text += std::string("\0a\x7F", 3)[random() % 3];
    if (random() % 3 == 0) text += "é";
    return text;
  };
  for (int i = 0; i < 600; ++i) {
    const Term object =
        random() % 2 ? test::Made(MakeText(name())) : test::Made(MakeTaggedText(name(), '@', "en"));
    const test::Statement s{test::Symbol(name()), test::Symbol("r"), object, test::Symbol("x")};
    said[s] = false;
    batch.Add(s.view(), false);
  }
  EXPECT_TRUE(Build(batch, Words::kLastCounts) == test::WriteSlowly(said, "k v\n"));
}

TEST(BuildTest, OfNothing) {
  const std::string empty = test::WriteSlowly({}, "k v\n");
  EXPECT_TRUE(Build(Batch(), Words::kLastCounts) == empty);
  EXPECT_TRUE(Build(Batch(), Words::kAlternate) == empty);
}

TEST(BuildTest, OpensWhatItBuilt) {
  Random random(5);
  test::Knowledge knowledge;
  const auto layer = test::LayerOf(knowledge.Steps(random, 300));
  ASSERT_NE(layer, nullptr);
  EXPECT_TRUE(layer->Verify().ok());
  EXPECT_EQ(layer->settings(), "k v\n");
  EXPECT_EQ(layer->header().learned_statements, knowledge.live().size());
  EXPECT_FALSE(OpenOwned("garbage", "name").ok());
}

}  // namespace
}  // namespace loci
