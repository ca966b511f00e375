// SPDX-License-Identifier: Apache-2.0
//
// Queries that are meant to hurt: huge, deep, with a million answers, around cycles, through a hub.
#include "bounds.h"
#include "query/parser.h"

namespace loci::hostile {
namespace {

class HostileText : public Bounded {
 protected:
  HostileText() : Bounded(400, 10) {}
};

// Refused by every parser, before a token is made of it.
void ExpectRefused(const std::string& text) {
  const auto query = query::Query::Parse(text);
  ASSERT_FALSE(query.ok());
  EXPECT_EQ(query.error().kind, ErrorKind::kLimit) << query.error().message;
  EXPECT_LT(query.error().message.size(), 500u);
  EXPECT_FALSE(query::ParseFact(text).ok());
  EXPECT_FALSE(query::ParseRules(text).ok());
}

TEST_F(HostileText, AQueryOf64Megabytes) {
  constexpr size_t kSize = 64 << 20;
  for (const std::string_view piece : {"(", "r(?x, ?y), ", "\"", "<", "^", "a|", "\xF0", "1"}) {
    ExpectRefused(Repeat(piece, kSize / piece.size()));
  }
}

TEST_F(HostileText, AQueryOfAMegabyteOfAnything) {
  for (const std::string_view piece : {"(",
                                       ")",
                                       "((r",
                                       "not ",
                                       "not (",
                                       "^(",
                                       "r/",
                                       "r|",
                                       "r+",
                                       "(r)*/",
                                       "r(?x,?y),",
                                       "r(?x,?y) or ",
                                       "?x=?y,",
                                       "\"",
                                       "\\",
                                       "<",
                                       "?x ",
                                       "?",
                                       ",",
                                       "1",
                                       "1.",
                                       "-",
                                       "\"a\"^^",
                                       "\"a\"@",
                                       "#\n",
                                       "e\xCC\x81",
                                       "r(?x,?y) <- ",
                                       "order by ?x,",
                                       "like(",
                                       "9e9 "}) {
    const std::string text = Repeat(piece, query::kMaxQueryBytes / piece.size());
    for (const std::string& whole :
         {text, "r(a, " + text.substr(8), "(?x) <- " + text.substr(16)}) {
      (void)query::Query::Parse(whole).ok();
      (void)query::ParseFact(whole).ok();
      (void)query::ParseRules(whole).ok();
    }
  }
}

TEST_F(HostileText, NestingIsRefusedWhereItIsTooDeep) {
  for (const size_t depth : {65, 1000, 100000}) {
    for (const std::string& text :
         {Repeat("(", depth) + "r(a, ?x)" + Repeat(")", depth), Repeat("not ", depth) + "r(a, b)",
          Repeat("(", depth) + "r" + Repeat(")", depth) + "(a, ?x)",
          Repeat("(", depth) + "r" + Repeat(")+", depth) + "(a, ?x)",
          Repeat("^(", depth) + "r" + Repeat(")", depth) + "(a, ?x)",
          "r(a, ?x), " + Repeat("not (", depth) + "r(?x, b)" + Repeat(")", depth)}) {
      const auto query = query::Query::Parse(text);
      ASSERT_FALSE(query.ok()) << text.substr(0, 40);
      EXPECT_EQ(query.error().kind, ErrorKind::kLimit) << query.error().message;
    }
  }
}

class HostileMemory : public Bounded {
 protected:
  HostileMemory() : Bounded(1500, 30) {}
};

TEST_F(HostileMemory, AMillionAnswers) {
  Builder builder;
  for (int i = 0; i < 1000; ++i) builder.Add("hub", "has", Builder::Node(i));
  const auto snapshot = builder.Build();
  const auto all = Ask(snapshot, "has(?h, ?x), has(?h, ?y)");
  ASSERT_TRUE(all.ok()) << all.error().message;
  EXPECT_EQ(all->rows.size(), 1000000u);
  const auto last =
      Ask(snapshot, "has(?h, ?x), has(?h, ?y) order by ?y desc, ?x limit 3 offset 999997");
  ASSERT_TRUE(last.ok()) << last.error().message;
  ASSERT_EQ(last->rows.size(), 3u);
  EXPECT_EQ(ToPlain(last->Name(last->rows[2].values[2])), "n0");
  const auto three = Ask(snapshot, "has(?h, ?x), has(?h, ?y), has(?h, ?z)", Work(3000000));
  ASSERT_FALSE(three.ok());
  EXPECT_EQ(three.error().kind, ErrorKind::kLimit);
}

void CountAround(uint64_t n) {
  Builder builder;
  builder.AddRing("next", n);
  const auto snapshot = builder.Build();
  const struct {
    const char* text;
    uint64_t rows;
  } cases[] = {
      {"next+(n0, ?x)", n},         {"next*(n0, ?x)", n},
      {"^next+(n0, ?x)", n},        {"^next*(n0, ?x)", n},
      {"next+(?x, n0)", n},         {"^(next+)(?x, n0)", n},
      {"(^next)*(?x, n0)", n},      {"(next|^next)+(n0, ?x)", n},
      {"((next+)*)+(n0, ?x)", n},   {"(next?)*(?x, n0)", n},
      {"(next/^next)+(n0, ?x)", 1}, {"(next/next)*(n0, ?x)", n % 2 == 0 ? n / 2 : n},
      {"next+(n0, n0)", 1},
  };
  for (const auto& c : cases) {
    const auto answers = Ask(snapshot, c.text, Work(500'000'000));
    ASSERT_TRUE(answers.ok()) << c.text << ": " << answers.error().message;
    EXPECT_EQ(answers->rows.size(), c.rows) << c.text << " around " << n;
  }
  const auto query = query::Query::Parse("next+(n0, n0)");
  const auto answers = query->Run(snapshot, {});
  ASSERT_TRUE(answers.ok());
  const auto evidence = query->Explain(*answers, 0, {});
  ASSERT_TRUE(evidence.ok()) << evidence.error().message;
  EXPECT_EQ(evidence->size(), n);
}

TEST_F(HostileMemory, ACycleOfLengthOne) {
  CountAround(1);
}
TEST_F(HostileMemory, ACycleOfLengthTenThousand) {
  CountAround(10000);
}

TEST_F(HostileMemory, EveryPairOfALongCycleIsOverTheBudget) {
  Builder builder;
  builder.AddRing("next", 10000);
  const auto snapshot = builder.Build();
  for (const char* text :
       {"next+(?x, ?y)", "next*(?x, ?y)", "^next+(?x, ?y)", "(next|^next)*(?x, ?y)"}) {
    const auto answers = Ask(snapshot, text, Work(20'000'000));
    ASSERT_FALSE(answers.ok()) << text;
    EXPECT_EQ(answers.error().kind, ErrorKind::kLimit) << answers.error().message;
    const auto bounded = Ask(snapshot, text, Memory(64 << 20));
    ASSERT_FALSE(bounded.ok()) << text;
    EXPECT_EQ(bounded.error().kind, ErrorKind::kNoMemory) << bounded.error().message;
  }
  const auto loops = Ask(snapshot, "next+(?x, ?x)", Work(20'000'000));
  ASSERT_FALSE(loops.ok());
  EXPECT_EQ(loops.error().kind, ErrorKind::kLimit) << loops.error().message;
}

TEST_F(HostileMemory, AHubWithAMillionFacts) {
  Builder builder;
  constexpr uint64_t kFacts = 1000000;
  for (uint64_t i = 0; i < kFacts; ++i)
    builder.Add("hub", i % 2 == 0 ? "even" : "odd", Builder::Node(i));
  for (uint64_t i = 0; i < 10; ++i) builder.Add(Builder::Node(i), "back", "hub");
  const auto snapshot = builder.Build();
  const auto count = [&](const char* text) -> uint64_t {
    const auto answers = Ask(snapshot, text);
    EXPECT_TRUE(answers.ok()) << text << ": " << answers.error().message;
    return answers.ok() ? answers->rows.size() : 0;
  };
  EXPECT_EQ(count("even(hub, ?x)"), kFacts / 2);
  EXPECT_EQ(count("?r(hub, ?x) limit 7"), 7u);
  EXPECT_EQ(count("?r(?x, n77)"), 1u);
  EXPECT_EQ(count("even(?h, ?x), back(?x, ?h)"), 5u);
  EXPECT_EQ(count("(?r) <- ?r(hub, ?x)"), 2u);
  EXPECT_EQ(count("(?y) <- back/even(n3, ?y)"), kFacts / 2);
  EXPECT_EQ(count("(back|odd)+(n3, n999999)"), 1u);
  const auto pairs = Ask(snapshot, "even(?h, ?x), odd(?h, ?y)", Work(10'000'000));
  ASSERT_FALSE(pairs.ok());
  EXPECT_EQ(pairs.error().kind, ErrorKind::kLimit);
}

}  // namespace
}  // namespace loci::hostile
