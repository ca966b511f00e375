// SPDX-License-Identifier: Apache-2.0
//
// Rules as text: canonical form, what is refused and how. And what rules may cost: chains, cycles
// and rule sets that are meant to hurt.
#include "query/rule.h"

#include <gtest/gtest.h>

#include "base/fixed.h"
#include "query/parser.h"
#include "query/query.h"
#include "query/testing.h"

namespace loci::query::testing {
namespace {

std::vector<std::string> Canonical(const std::string& text) {
  const auto rules = ReadRules(text);
  if (!rules.ok()) return {rules.error().message};
  std::vector<std::string> out;
  for (const NewRule& rule : *rules) out.emplace_back(SplitText(rule.text.bytes).text);
  return out;
}

TEST(RuleTest, TextIsCanonical) {
  const struct {
    const char *written, *kept;
  } cases[] = {
      {"r(?x,?y)<-s(?x,?y);", "r(?x, ?y) <- s(?x, ?y)"},
      {"r(?a, ?b) <- ^s(?a, ?b) conf 1.0;", "r(?a, ?b) <- s(?b, ?a)"},
      {"r(?x, ?y) <- ((s(?x, ?y), (t(?y, _)))) conf 0.50;",
       "r(?x, ?y) <- s(?x, ?y), t(?y, _) conf 0.5"},
      {"r(?x, ?y) <- (s|t)+/^(u/v)*(?x, ?y) from <a b>;",
       "r(?x, ?y) <- (s|t)+/^(u/v)*(?x, ?y) from <a b>"},
      {"r(?x, ?y) <- s(?x, ?y), (not (t(?x, ?z), ?z < 5) or not not u(?x, \"a\"@en));",
       "r(?x, ?y) <- s(?x, ?y), (not (t(?x, ?z), ?z < 5) or not not u(?x, \"a\"@en))"},
      {"r(?x, ?y) <- ?p(?x, ?y), ?p != <near> or <near>(?x, ?y); # all",
       "r(?x, ?y) <- ?p(?x, ?y), ?p != <near> or <near>(?x, ?y)"},
      {"r(?x, ?x) <- s?(?x, 2024-05-01), ^(s+)?(_, ?x);",
       "r(?x, ?x) <- s?(?x, 2024-05-01), ^(s+)?(_, ?x)"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Canonical(c.written), std::vector<std::string>{c.kept});
    EXPECT_EQ(Canonical(c.kept + std::string(";")), std::vector<std::string>{c.kept});
  }
}

TEST(RuleTest, WhatIsRefused) {
  const struct {
    const char *text, *message;
  } cases[] = {
      {"r(?x, ?y) <- s(?x, ?x);\n", "line 1, column 7: found ?y, expected a variable of the body"},
      {"r(?x, ?y) <- s(?x, ?y);\nr(?x, ?y) <- s(?x, _) or t(?x, ?y);",
       "line 2, column 32: ?y is not bound in every branch of \"or\""},
      {"r(?x, ?y) <- s(?x, ?y), ?z > 1;", "line 1, column 25: ?z is compared"},
      {"rule(?x, ?y) <- s(?x, ?y);", "line 1, column 1: found \"rule\""},
      {"<r>(?x, ?y) <- s(?x, ?y);", "line 1, column 1: found \"<r>\""},
      {"r(a, ?y) <- s(a, ?y);", "line 1, column 3: found \"a\""},
      {"r(?x, ?y) <- s(?x, ?y)", "line 1, column 23"},
      {"r(?x, ?y) <- s(?x, ?y) conf 0;", "line 1, column 29: found \"0\""},
      {"r(?x, ?y) <- near(?x, ?y);", "line 1, column 14: \"near\" is not yet in this version"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Canonical(c.text)[0].substr(0, std::string_view(c.message).size()), c.message);
  }
  std::string many = "r(?x, ?y) <- s(?x, ?y)";
  for (int i = 0; i < 10; ++i) many += ", (a(?x, ?y) or b(?x, ?y))";
  EXPECT_NE(Canonical(many + ";")[0].find("more than 1000 alternatives"), std::string::npos);
}

TEST(RuleTest, EveryWordOfTheLanguageIsBracketed) {
  for (const Operator op :
       {Operator::kLike, Operator::kNear, Operator::kNext, Operator::kPhrase, Operator::kAnalogy}) {
    const std::string name(OperatorName(op));
    EXPECT_EQ(ToNotation(TermView{Kind::kSymbol, name}), "<" + name + ">");
    const auto query = Query::Parse(ToNotation(TermView{Kind::kSymbol, name}) + "(?x, ?y)");
    EXPECT_TRUE(query.ok()) << query.error().message;
  }
  for (const char* word : {"not", "or", "from", "with", "infer", "order", "by", "limit", "offset",
                           "asc", "desc", "score", "conf"}) {
    const Tokens tokens = Tokenize(word);
    EXPECT_EQ(tokens.all[0].kind, TokenKind::kWord) << word;
    EXPECT_EQ(ToNotation(TermView{Kind::kSymbol, word}), "<" + std::string(word) + ">");
  }
}

// A memory of statements given as TSV-like triples, and of rules.
class RuledMemory {
 public:
  void Add(const std::string& subject, const std::string& relation, const std::string& object) {
    const auto intern = [this](const std::string& name) {
      return batch_.Intern({Kind::kSymbol, name});
    };
    batch_.Add(Batch::Row{intern(subject), intern(relation), intern(object), intern("test")},
               false);
  }
  void AddRules(const std::string& text) {
    const auto rules = ReadRules(text);
    ASSERT_TRUE(rules.ok()) << rules.error().message;
    for (const NewRule& rule : *rules) {
      batch_.Add(
          StatementView{
              rule.relation, {Kind::kSymbol, kRuleWord}, rule.text, {Kind::kSymbol, "rules"}},
          false);
    }
  }
  Result<Answers> Ask(const std::string& text, const QueryOptions& options = {}) {
    if (!snapshot_) {
      auto image = BuildImage(batch_, Words::kLastCounts, "");
      EXPECT_TRUE(image.ok());
      snapshot_ = std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
    }
    LOCI_ASSIGN(const Query query, Query::Parse(text));
    return query.Run(snapshot_, options);
  }
  size_t Count(const std::string& text) {
    const auto answers = Ask(text);
    EXPECT_TRUE(answers.ok()) << answers.error().message;
    return answers.ok() ? answers->rows.size() : SIZE_MAX;
  }

 private:
  Batch batch_;
  std::shared_ptr<const Snapshot> snapshot_;
};

constexpr const char* kClosures =
    "right(?x, ?y) <- edge(?x, ?y);\n"
    "right(?x, ?z) <- edge(?x, ?y), right(?y, ?z);\n"
    "left(?x, ?y) <- edge(?x, ?y);\n"
    "left(?x, ?z) <- left(?x, ?y), edge(?y, ?z);\n"
    "both(?x, ?y) <- edge(?x, ?y);\n"
    "both(?x, ?z) <- both(?x, ?y), both(?y, ?z) conf 0.5;\n"
    "either(?x, ?y) <- (edge|^either)+(?x, ?y);\n";

TEST(RuleTest, CyclesEnd) {
  for (const int n : {1, 2, 10000}) {
    RuledMemory memory;
    for (int i = 0; i < n; ++i) {
      memory.Add("n" + std::to_string(i), "edge", "n" + std::to_string((i + 1) % n));
    }
    memory.AddRules(kClosures);
    for (const char* relation : {"right", "left", "either"}) {
      if (n > 2 && relation == std::string("either")) continue;  // all pairs
      EXPECT_EQ(memory.Count(relation + std::string("(n0, ?y)")), static_cast<size_t>(n));
      EXPECT_EQ(memory.Count(relation + std::string("(?x, n0)")), static_cast<size_t>(n));
    }
    if (n <= 2) {
      EXPECT_EQ(memory.Count("both(?x, ?y)"), static_cast<size_t>(n * n));
    }
  }
}

// A question costs what its answers rest on, and long chains neither the stack nor their square.
TEST(RuleTest, ChainsAreAsCheapAsTheyAreLong) {
  constexpr int kLength = 100000;
  RuledMemory memory;
  for (int i = 0; i < kLength; ++i) {
    memory.Add("n" + std::to_string(i), "edge", "n" + std::to_string(i + 1));
  }
  memory.AddRules(kClosures);
  QueryOptions options;
  options.max_work = 25 * kLength;
  for (const char* text :
       {"right(n0, ?y)", "left(n0, ?y)", "right(?x, n100000)", "left(?x, n100000)"}) {
    const auto answers = memory.Ask(text, options);
    ASSERT_TRUE(answers.ok()) << text << ": " << answers.error().message;
    EXPECT_EQ(answers->rows.size(), static_cast<size_t>(kLength)) << text;
  }
  options.max_work = 2000;
  for (const char* text : {"right(n99990, ?y)", "left(n99990, ?y)", "right(?x, n10)",
                           "left(?x, n10)", "right(n99990, n99999)"}) {
    const auto answers = memory.Ask(text, options);
    ASSERT_TRUE(answers.ok()) << text << ": " << answers.error().message;
  }
  options.max_work = 20000;
  EXPECT_TRUE(memory.Ask("both(n99990, ?y)", options).ok());
}

TEST(RuleTest, RulesThatExplodeEndByALimit) {
  RuledMemory memory;
  for (int i = 0; i < 3000; ++i) {
    memory.Add("n" + std::to_string(i), "edge", "n" + std::to_string(i * 7 % 3000));
  }
  std::string deep;
  for (int i = 0; i < 300; ++i) {
    deep += "level" + std::to_string(i) + "(?x, ?y) <- edge(?x, ?y), not level" +
            std::to_string(i + 1) + "(?y, ?x);\n";
  }
  memory.AddRules(
      "cross(?x, ?y) <- edge(?x, _), edge(?y, _);\n"
      "more(?x, ?y) <- cross(?x, ?z), more(?z, ?y) or cross(?x, ?y);\n" +
      deep);
  QueryOptions options;
  options.max_work = 1000000;
  EXPECT_EQ(memory.Ask("cross(?x, ?y)", options).error().kind, ErrorKind::kLimit);
  EXPECT_EQ(memory.Ask("more(n1, ?y)", options).error().kind, ErrorKind::kLimit);
  options = {};
  options.max_memory = 1 << 20;
  EXPECT_EQ(memory.Ask("more(n1, ?y)", options).error().kind, ErrorKind::kNoMemory);
  options = {};
  int looks = 0;
  options.cancelled = [&looks] { return ++looks > 3; };
  EXPECT_EQ(memory.Ask("more(n1, ?y)", options).error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(memory.Ask("level0(n1, ?y)").error().kind, ErrorKind::kLimit);
  EXPECT_TRUE(memory.Ask("level200(n1, ?y)").ok());
}

TEST(RuleTest, ScoresMultiplyAndTheBestCounts) {
  RuledMemory memory;
  memory.Add("a", "edge", "b");
  memory.Add("b", "edge", "c");
  memory.Add("a", "direct", "c");
  memory.AddRules(
      "way(?x, ?y) <- edge(?x, ?y) conf 0.5;\n"
      "way(?x, ?z) <- way(?x, ?y), way(?y, ?z);\n"
      "way(?x, ?y) <- direct(?x, ?y) conf 0.1;\n");
  const auto answers = memory.Ask("way(a, ?y)");
  ASSERT_TRUE(answers.ok());
  ASSERT_EQ(answers->rows.size(), 2u);
  EXPECT_EQ(answers->rows[0].score, kScoreOne / 2);
  EXPECT_EQ(answers->rows[1].score, kScoreOne / 4);
  EXPECT_EQ(memory.Ask("way/way(a, c)")->rows[0].score, kScoreOne / 4);
  EXPECT_EQ(memory.Ask("way(a, c) or direct(a, c)")->rows[0].score, kScoreOne);
  EXPECT_EQ(memory.Ask("way(a, c), not way(c, a)")->rows[0].score, kScoreOne / 4);
}

}  // namespace
}  // namespace loci::query::testing
