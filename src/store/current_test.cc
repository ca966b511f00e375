// SPDX-License-Identifier: Apache-2.0
#include "store/current.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/hash.h"
#include "store/testing.h"

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Current Sample() {
  Current current;
  current.generation = 17;
  current.image = "image-12";
  current.runs = {"run-15", "run-16"};
  current.folding = 1;
  current.log = "log-17";
  current.settings = {{"effort", "3"}, {"unicode", "15.0.0"}};
  return current;
}

// A text as the program would end it.
std::string Checked(const std::string& body) {
  return body + fmt::format("check {:016x}\n", Xxh3(body));
}

TEST(CurrentTest, IsTheTextThatItsHeaderShows) {
  EXPECT_EQ(FormatCurrent(Sample()),
            Checked("loci 1\ngeneration 17\nimage image-12\nrun run-15\nrun run-16\nfolding 1\n"
                    "log log-17\nsetting effort 3\nsetting unicode 15.0.0\n"));
}

TEST(CurrentTest, RoundTrips) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 500; ++i) {
    Current current;
    current.generation = 20 + random() % (i % 2 ? 10 : kMaxGeneration - 20);
    const auto number = [&] { return random() % (current.generation + 1); };
    if (random() % 2) current.image = fmt::format("image-{}", number());
    for (uint64_t n = random() % 13, run = 0; n > 0; --n)
      current.runs.push_back(fmt::format("run-{}", ++run));
    current.folding = random() % (current.runs.size() + 1);
    current.log = fmt::format("log-{}", number());
    for (uint64_t n = random() % 4; n > 0; --n) {
      current.settings[fmt::format("k{}", random() % 9)] = random() % 2 ? "" : "two words";
    }
    const auto parsed = ParseCurrent(FormatCurrent(current), "CURRENT");
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    ASSERT_EQ(parsed->generation, current.generation);
    ASSERT_EQ(parsed->image, current.image);
    ASSERT_EQ(parsed->runs, current.runs);
    ASSERT_EQ(parsed->folding, current.folding);
    ASSERT_EQ(parsed->log, current.log);
    ASSERT_EQ(parsed->settings, current.settings);
  }
}

TEST(CurrentTest, NamesItsFiles) {
  const Current current = Sample();
  EXPECT_THAT(current.layers(), ElementsAre("image-12", "run-15", "run-16"));
  EXPECT_EQ(current.ImageSettings(), "effort 3\nunicode 15.0.0\n");
  for (const char* name : {"image-12", "run-15", "run-16", "log-17"})
    EXPECT_TRUE(current.Names(name));
  for (const char* name : {"image-1", "run-17", "log-1", "lock", ""})
    EXPECT_FALSE(current.Names(name));
}

TEST(CurrentTest, RefusesEveryTruncationAndEveryFlip) {
  const std::string text = FormatCurrent(Sample());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto cut = ParseCurrent(text.substr(0, i), "m/CURRENT");
    ASSERT_FALSE(cut.ok()) << i;
    EXPECT_EQ(cut.error().kind, ErrorKind::kDamaged);
    EXPECT_THAT(cut.error().message, HasSubstr("m/CURRENT is damaged"));
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      ASSERT_FALSE(ParseCurrent(flipped, "m/CURRENT").ok()) << i;
    }
  }
  EXPECT_FALSE(ParseCurrent(text + "\n", "m/CURRENT").ok());
}

TEST(CurrentTest, RefusesOtherVersions) {
  const auto other = ParseCurrent("loci 2\nwhatever that one needs\n", "m/CURRENT");
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(other.error().message, HasSubstr("format version 2, this program reads version 1"));
  for (const char* text : {"", "loci", "loci ", "loci \n", "loci x\n", "loci 1x\n", "Loci 1\n"}) {
    const auto parsed = ParseCurrent(text, "m/CURRENT");
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kDamaged);
  }
}

// Under a checksum that holds: what no writer of ours writes.
TEST(CurrentTest, RefusesMalformedLines) {
  const std::string good =
      "loci 1\ngeneration 3\nimage image-1\nrun run-2\nlog log-3\nsetting a b\n";
  ASSERT_TRUE(ParseCurrent(Checked(good), "m/CURRENT").ok());
  const std::pair<const char*, const char*> changes[] = {
      {"generation 3\n", ""},
      {"generation 3", "generation 0"},
      {"generation 3", "generation 03"},
      {"generation 3", "generation -3"},
      {"generation 3", "generation 3 "},
      {"generation 3", "generation"},
      {"generation 3", "generation 99999999999999999999"},
      {"generation 3", "generation 3\ngeneration 3"},
      {"image image-1", "image"},
      {"image image-1", "image image-"},
      {"image image-1", "image image-1x"},
      {"image image-1", "image ../image-1"},
      {"image image-1", "image run-1"},
      {"image image-1", "image image-1\nimage image-1"},
      {"run run-2", "run image-2"},
      {"run run-2", "run run-2/../../x"},
      {"log log-3\n", ""},
      {"log log-3", "log lock"},
      {"log log-3", "log log-3\nlog log-3"},
      {"log log-3", "log log-3\nfolding 1"},
      {"run run-2", "run run-2\nfolding 0"},
      {"run run-2", "run run-2\nfolding 2"},
      {"setting a b", "setting a"},
      {"setting a b", "setting b b\nsetting a b"},
      {"setting a b", "setting a b\nsetting a b"},
      {"setting a b", "future line"},
      {"setting a b", ""},
  };
  for (const auto& [from, to] : changes) {
    std::string body = good;
    body.replace(body.find(from), std::string_view(from).size(), to);
    const auto parsed = ParseCurrent(Checked(body), "m/CURRENT");
    ASSERT_FALSE(parsed.ok()) << body;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kDamaged);
    EXPECT_THAT(parsed.error().message, HasSubstr("m/CURRENT is damaged"));
  }
}

// Found by fuzz/memory_fuzz.cc: the next generation was 0, or wrote over a file that was in use,
// and the memory was lost.
TEST(CurrentTest, LeavesRoomForTheNextGeneration) {
  for (const char* body : {
           "loci 1\ngeneration 18446744073709551615\nlog log-3\n",
           "loci 1\ngeneration 18446744073709551614\nlog log-3\n",
           "loci 1\ngeneration 3\nlog log-4\n",
           "loci 1\ngeneration 3\nimage image-4\nlog log-3\n",
           "loci 1\ngeneration 3\nrun run-4\nlog log-3\n",
           "loci 1\ngeneration 3\nrun run-2\nrun run-2\nlog log-3\n",
           "loci 1\ngeneration 3\nrun run-2\nrun run-1\nlog log-3\n",
       }) {
    const auto parsed = ParseCurrent(Checked(body), "m/CURRENT");
    ASSERT_FALSE(parsed.ok()) << body;
    EXPECT_EQ(parsed.error().kind, ErrorKind::kDamaged);
  }
  Current current = Sample();
  current.generation = kMaxGeneration + 1;
  test::TemporaryDirectory directory;
  bool unknown = true;
  const auto replaced = ReplaceCurrent(current, directory.files().get(), &unknown);
  ASSERT_FALSE(replaced.ok());
  EXPECT_EQ(replaced.error().kind, ErrorKind::kLimit);
  EXPECT_FALSE(unknown);
}

TEST(CurrentTest, IsReplacedWhole) {
  test::TemporaryDirectory directory;
  const auto files = directory.files();
  EXPECT_EQ(ReadCurrent(files.get()).error().kind, ErrorKind::kNotFound);
  Current current = Sample();
  for (uint64_t generation : {17u, 18u}) {
    current.generation = generation;
    if (generation == 18) current.runs.clear(), current.folding = 0;  // a shorter text
    bool unknown = true;
    ASSERT_TRUE(ReplaceCurrent(current, files.get(), &unknown).ok());
    EXPECT_FALSE(unknown);
    const auto read = ReadCurrent(files.get());
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(FormatCurrent(*read), FormatCurrent(current));
    EXPECT_THAT(*files->List(), ElementsAre("CURRENT"));
  }
}

}  // namespace
}  // namespace loci
