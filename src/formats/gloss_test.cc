// SPDX-License-Identifier: Apache-2.0
#include "formats/gloss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(Gloss, GlossesOfWordNet) {
  const struct {
    std::string_view gloss, definition;
    Lines examples;
  } cases[] = {
      {"expel air; \"Exhale when you lift the weight\"  ",
       "expel air",
       {"Exhale when you lift the weight"}},
      {"something determined in relation to something that includes it",
       "something determined in relation to something that includes it",
       {}},
      {"roused to anger; \"stayed huffy a good while\"- Mark Twain; \"sore over a remark\"  ",
       "roused to anger",
       {"stayed huffy a good while - Mark Twain", "sore over a remark"}},
      {"a projection out from one end; \"the head of the nail\", \"a pinhead is the head of a "
       "pin\"",
       "a projection out from one end",
       {"the head of the nail", "a pinhead is the head of a pin"}},
      {"normal or necessary:\"long on brains\"; \"in long supply\"",
       "normal or necessary",
       {"long on brains", "in long supply"}},
      {"killed; `slain' is formal or literary as in \"slain warriors\"; \"a picture of the slain "
       "dragon\"",
       "killed; `slain' is formal or literary as in \"slain warriors\"",
       {"a picture of the slain dragon"}},
      {"progress (especially in the phrase \"make strides\"); \"they made big strides\"",
       "progress (especially in the phrase \"make strides\")",
       {"they made big strides"}},
      {"exposure; \"to the weather\" or \"they died from exposure\"",
       "exposure",
       {"to the weather", "they died from exposure"}},
      {"disposed to avoid; \"they weren't bashful\"; (`blate' is a Scottish term for bashful)",
       "disposed to avoid; (`blate' is a Scottish term for bashful)",
       {"they weren't bashful"}},
      {"off the list; \"an ex-directory number\" (British usage)",
       "off the list",
       {"an ex-directory number (British usage)"}},
      {"faulty; \"an incorrect transcription\"; the wrong side of the road\"",
       "faulty; the wrong side of the road\"",
       {"an incorrect transcription"}},
      {"(of a ball) \"out of play is dead\"", "(of a ball)", {"out of play is dead"}},
      {"\"only an example\"", "", {"only an example"}},
      {"open; \"never closed", "open", {"never closed"}},
      {"\"\"", "", {}},
      {"", "", {}},
  };
  for (const auto& c : cases) {
    const Gloss gloss = ParseGloss(c.gloss);
    EXPECT_EQ(gloss.definition, c.definition) << c.gloss;
    EXPECT_EQ(gloss.examples, c.examples) << c.gloss;
  }
}

// Whatever the gloss: every letter and digit of it is in the definition or an example.
TEST(Gloss, NoWordIsLost) {
  std::mt19937 random(16);
  for (int round = 0; round < 50'000; ++round) {
    std::string gloss(random() % 24, ' ');
    for (char& c : gloss) c = "ab \"\"();,-:"[random() % 11];
    const Gloss parsed = ParseGloss(gloss);
    std::string all = parsed.definition;
    for (const std::string& example : parsed.examples) all += example;
    for (char c : {'a', 'b'}) {
      ASSERT_EQ(std::ranges::count(all, c), std::ranges::count(gloss, c)) << gloss;
    }
  }
}

}  // namespace
}  // namespace loci
