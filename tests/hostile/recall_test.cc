// SPDX-License-Identifier: Apache-2.0
//
// Recall with what is meant to hurt: cues of anything, a passage of 100 MB, a million passages that
// are alike, a hub that every passage names. The last three are a tenth as large unless
// LOCI_HOSTILE_FULL is set.
#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/fixed.h"
#include "bounds.h"
#include "recall/recall.h"

namespace loci::hostile {
namespace {

uint64_t Full(uint64_t size) {
  return std::getenv("LOCI_HOSTILE_FULL") != nullptr ? size : size / 10;
}

class Documents {
 public:
  void Add(std::string_view name, std::string_view relation, std::string_view text) {
    batch_.Add({{Kind::kSymbol, name}, {Kind::kSymbol, relation}, {Kind::kText, text}, kSource},
               false);
  }
  void AddPart(std::string_view name, std::string_view whole) {
    constexpr TermView kPartOf{Kind::kSymbol, "part_of"};
    batch_.Add({{Kind::kSymbol, name}, kPartOf, {Kind::kSymbol, whole}, kSource}, false);
  }
  std::shared_ptr<const Snapshot> Build() {
    auto image = BuildImage(batch_, Words::kLastCounts, "");
    EXPECT_TRUE(image.ok()) << image.error().message;
    batch_.Clear();
    return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
  }

 private:
  static constexpr TermView kSource{Kind::kSymbol, "test"};
  Batch batch_;
};

using Names = std::vector<std::string>;

// What the cue recalls, by content and by association; both are sound.
Names Recalled(const std::shared_ptr<const Snapshot>& snapshot, std::string_view cue) {
  Names names;
  for (const bool associate : {false, true}) {
    recall::Options options;
    options.associate = associate;
    const auto ranking = recall::Recall(snapshot, cue, options);
    EXPECT_TRUE(ranking.ok()) << ranking.error().message;
    if (!ranking.ok()) return names;
    const auto& hits = ranking->hits();
    for (size_t i = 0; i < hits.size(); ++i) {
      EXPECT_TRUE(hits[i].score > 0 && hits[i].score <= kScoreOne) << hits[i].score;
      EXPECT_TRUE(i == 0 || hits[i].score <= hits[i - 1].score) << i;
    }
    for (size_t i = 0; i < std::min<size_t>(hits.size(), 20); ++i) {
      const auto why = ranking->Explain(i);
      EXPECT_TRUE(!why.words.empty() || !why.path.empty());
    }
    names.clear();
    for (const recall::Hit& hit : hits) names.emplace_back(snapshot->Name(hit.item).bytes);
  }
  EXPECT_TRUE(snapshot->damage().ok());
  return names;
}

double Seconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
}

class HostileCue : public Bounded {
 protected:
  HostileCue() : Bounded(400, 30) {
    Documents documents;
    documents.Add("oak", "title", "Oak");
    documents.Add("oak", "text", "The oak is a tree. Its fruit is the acorn \U0001F330.");
    documents.Add("cafe", "text", "Un caf\u00e9 cr\u00e8me in the old town");
    documents.Add("shalom", "text", "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd");
    documents.Add("kana", "text", "\u6a2b\u306e\u6728\u306f\u6728\u3067\u3059\u3002");
    documents.Add("controls", "text", "a\x01z\x7f b\u200dc \u202egnilaes");
    documents.Add("empty", "text", "");
    snapshot_ = documents.Build();
  }
  std::shared_ptr<const Snapshot> snapshot_;
};

TEST_F(HostileCue, OfNothing) {
  for (const std::string_view cue : {"", " ", "\n\t", ".", "?!...", "\"\"", "the of and is a",
                                     "\u200b\u200d", "\u0301\u0301", "\x01\x02\x1f", "\ufeff"}) {
    EXPECT_EQ(Recalled(snapshot_, cue), Names{}) << cue;
  }
}

TEST_F(HostileCue, OfOneLetterOrSign) {
  for (char c = ' '; c <= '~'; ++c) Recalled(snapshot_, std::string(1, c));
  for (const std::string_view cue : {"\u00e9", "\u05e9", "\u6728", "\u1100", "\U0001F600"}) {
    Recalled(snapshot_, cue);
  }
}

TEST_F(HostileCue, OfOtherScriptsFindsWhatIsWrittenInThem) {
  EXPECT_EQ(Recalled(snapshot_, "\U0001F330"), Names{"oak"});
  EXPECT_EQ(Recalled(snapshot_, "\u05e2\u05d5\u05dc\u05dd"), Names{"shalom"});
  EXPECT_EQ(Recalled(snapshot_, "\u202e\u05e2\u05d5\u05dc\u05dd\u202c"), Names{"shalom"});
  EXPECT_EQ(Recalled(snapshot_, "\u306e\u6728\u306f"), Names{"kana"});
  // An emoji of several code points, some of which no document has.
  Recalled(snapshot_, "\U0001F468\u200d\U0001F469\u200d\U0001F467 \U0001F1E9\U0001F1EA");
}

TEST_F(HostileCue, InAnyNormalFormIsTheSame) {
  const Names cafe{"cafe"};
  for (const std::string_view cue :
       {"caf\u00e9 cr\u00e8me", "cafe\u0301 cre\u0300me", "caf\u00e9 cre\u0300me", "CAFE CREME",
        "\uff43\uff41\uff46\uff45 creme", "cafe\u0301\u0301 creme"}) {
    EXPECT_EQ(Recalled(snapshot_, cue), cafe) << cue;
  }
}

TEST_F(HostileCue, OfAMegabyte) {
  constexpr size_t kSize = 1 << 20;
  for (const std::string_view piece :
       {"a", "oak ", "the ", "oaak ", "zzz ", "\u0301", "\u6728", "\U0001F330", "Oak Tree. ", "1 ",
        "-", "\n", "\u202e", "a\u200d"}) {
    Recalled(snapshot_, Repeat(piece, kSize / piece.size()));
  }
  std::string distinct;
  for (int i = 0; distinct.size() < kSize; ++i) distinct += "w" + std::to_string(i * 7919) + " ";
  Recalled(snapshot_, distinct);
}

TEST_F(HostileCue, CanBeCancelled) {
  recall::Options options;
  options.keep_going = [] { return false; };
  const auto ranking = recall::Recall(snapshot_, Repeat("oak acorn tree ", 50000), options);
  if (!ranking.ok()) {
    EXPECT_EQ(ranking.error().kind, ErrorKind::kCancelled);
  }
}

class HostilePassage : public Bounded {
 protected:
  HostilePassage() : Bounded(4000, 120) {}
};

TEST_F(HostilePassage, Of100Megabytes) {
  Documents documents;
  std::string text = "Needle Cottage stands here. ";
  const uint64_t size = Full(100 << 20);
  for (uint64_t i = 0; text.size() < size; ++i) {
    text += "Word" + std::to_string(i * 2654435761 % 50021) + (i % 9 == 8 ? ". " : " ");
  }
  documents.Add("long", "text", text);
  documents.Add("short", "text", "Needle Cottage is small.");
  const auto snapshot = documents.Build();
  const auto begin = std::chrono::steady_clock::now();
  Names names = Recalled(snapshot, "needle cottage");
  EXPECT_LT(Seconds(begin), 5);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (Names{"long", "short"}));
}

TEST_F(HostilePassage, OfOneWord) {
  Documents documents;
  documents.Add("long", "text", Repeat("x", Full(100 << 20)));
  documents.Add("often", "text", Repeat("oak ", Full(100 << 20) / 4));
  const auto snapshot = documents.Build();
  EXPECT_EQ(Recalled(snapshot, "oak"), Names{"often"});
  Recalled(snapshot, Repeat("x", 1 << 20));
}

class HostileCrowd : public Bounded {
 protected:
  HostileCrowd() : Bounded(6000, 240) {}
};

// Passages of one document, all alike: all are neighbours, and none is better than another.
TEST_F(HostileCrowd, OfAMillionPassagesThatAreAlike) {
  Documents documents;
  const uint64_t count = Full(1000000);
  for (uint64_t i = 0; i < count; ++i) {
    const std::string name = "crowd#" + std::to_string(1000000 + i);
    documents.Add(name, "text", "The Great Oak is a tree near Needle Cottage.");
    documents.AddPart(name, "crowd");
  }
  const auto snapshot = documents.Build();
  const auto begin = std::chrono::steady_clock::now();
  const Names names = Recalled(snapshot, "Which tree is near Needle Cottage?");
  EXPECT_LT(Seconds(begin), 20);
  EXPECT_LE(names.size(), count);
  EXPECT_FALSE(names.empty());
}

// All passages name the hub, and one names what the cue asks for.
TEST_F(HostileCrowd, AroundAHubThatEveryPassageNames) {
  Documents documents;
  const uint64_t count = Full(1000000);
  documents.Add("hub", "title", "Great Oak");
  documents.Add("hub", "text", "The Great Oak is an old tree.");
  for (uint64_t i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    documents.Add("p" + number, "title", "Village " + number);
    documents.Add("p" + number, "text", "From Village " + number + " one sees the Great Oak.");
  }
  const auto snapshot = documents.Build();
  const auto begin = std::chrono::steady_clock::now();
  Names names = Recalled(snapshot, "Who planted the Great Oak?");
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names[0], "hub");
  names = Recalled(snapshot, "What does one see from Village 777?");
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names[0], "p777");
  EXPECT_LT(Seconds(begin), 20);
}

}  // namespace
}  // namespace loci::hostile
