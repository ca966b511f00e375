// SPDX-License-Identifier: Apache-2.0
//
// What a hostile or huge query may cost: bounded time and memory, an error that says which limit,
// and no recursion that grows with the text or the data.
#include <gtest/gtest.h>

#include <atomic>

#include "query/query.h"
#include "query/testing.h"

namespace loci::query::testing {
namespace {

std::string Repeat(std::string_view piece, size_t n) {
  std::string out;
  for (size_t i = 0; i < n; ++i) out += piece;
  return out;
}

Error ErrorOf(const std::string& text) {
  const auto query = Query::Parse(text);
  return query.ok() ? Error{ErrorKind::kIo, "parsed"} : query.error();
}

// node(0) .. node(n - 1) in a ring of `next`, and `all` from hub to each.
std::shared_ptr<const Snapshot> Ring(int n) {
  Batch batch;
  std::vector<Batch::Ref> nodes;
  const auto intern = [&batch](const std::string& name) {
    return batch.Intern({Kind::kSymbol, name});
  };
  for (int i = 0; i < n; ++i) nodes.push_back(intern("n" + std::to_string(i)));
  const Batch::Ref next = intern("next_to"), all = intern("all"), hub = intern("hub"),
                   source = intern("test");
  for (int i = 0; i < n; ++i) {
    batch.Add(Batch::Row{nodes[i], next, nodes[(i + 1) % n], source}, false);
    batch.Add(Batch::Row{hub, all, nodes[i], source}, false);
  }
  auto image = BuildImage(batch, Words::kLastCounts, "");
  EXPECT_TRUE(image.ok());
  return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
}

Result<Answers> Ask(const std::shared_ptr<const Snapshot>& snapshot, const std::string& text,
                    const QueryOptions& options = {}) {
  LOCI_ASSIGN(const Query query, Query::Parse(text));
  return query.Run(snapshot, options);
}

TEST(LimitsTest, NestingEndsAt64) {
  EXPECT_EQ(ErrorOf(Repeat("(", 64) + "r(a, b)" + Repeat(")", 64)).message, "parsed");
  EXPECT_EQ(ErrorOf(Repeat("not ", 64) + "r(a, b)").message, "parsed");
  EXPECT_EQ(ErrorOf(Repeat("(", 64) + "r" + Repeat(")", 64) + "(a, b)").message, "parsed");
  for (const std::string& text :
       {Repeat("(", 65) + "r(a, b)" + Repeat(")", 65), Repeat("not ", 65) + "r(a, b)",
        Repeat("(", 65) + "r" + Repeat(")", 65) + "(a, b)", Repeat("(", 1000000),
        Repeat("not ", 250000), Repeat("not (", 200000), "r(a, b), " + Repeat("(^(", 300000)}) {
    const Error error = ErrorOf(text);
    EXPECT_EQ(error.kind, ErrorKind::kLimit) << text.substr(0, 40);
    EXPECT_NE(error.message.find("nested deeper than 64 levels"), std::string::npos);
  }
  EXPECT_EQ(ErrorOf(Repeat("(", 65) + "r(a, b)" + Repeat(")", 65)).message.substr(0, 10),
            "column 65:");
}

TEST(LimitsTest, ATextOfMoreThanAMegabyteIsRefused) {
  const std::string text = "r(a, b)" + Repeat(" ", kMaxQueryBytes);
  EXPECT_EQ(ErrorOf(text).kind, ErrorKind::kLimit);
  EXPECT_EQ(ErrorOf(std::string(64 << 20, 'x')).kind, ErrorKind::kLimit);
}

TEST(LimitsTest, ManyClausesAreAnswered) {
  const auto snapshot = Ring(10);
  const struct {
    std::string text;
    size_t rows;
  } cases[] = {
      {"next_to(?x, n1)" + Repeat(", all(hub, ?x)", 70000), 1},
      {"all(hub, ?x)" + Repeat(" or all(hub, ?x)", 20000), 10},
      {"(?x) <- all(hub, ?x)" + Repeat(" or next_to(?x, ?y)", 20000), 10},
      {"all(hub, ?x)" + Repeat(", not next_to(?x, n3)", 20000), 9},
      {"all(hub, ?x)" + Repeat(", ?x != n3", 40000), 9},
      {"all(hub, _)" + Repeat(", next_to(_, _)", 20000), 1},
  };
  for (const auto& c : cases) {
    ASSERT_LE(c.text.size(), kMaxQueryBytes);
    const auto answers = Ask(snapshot, c.text);
    ASSERT_TRUE(answers.ok()) << answers.error().message;
    EXPECT_EQ(answers->rows.size(), c.rows) << c.text.substr(0, 60);
  }
}

TEST(LimitsTest, ManyVariables) {
  const auto chain = [](int n) {
    std::string text = "(?x0) <- next_to(?x0, ?x1)";
    for (int i = 1; i < n; ++i) {
      text += ", next_to(?x" + std::to_string(i) + ", ?x" + std::to_string(i + 1) + ")";
    }
    return text;
  };
  const auto answers = Ask(Ring(10), chain(999));
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_EQ(answers->rows.size(), 10u);
  const Error error = ErrorOf(chain(1000));
  EXPECT_EQ(error.kind, ErrorKind::kLimit);
  EXPECT_NE(error.message.find("more than 1000 variables"), std::string::npos) << error.message;
}

TEST(LimitsTest, LongPathsAreRefusedByTheirSteps) {
  EXPECT_EQ(ErrorOf("r" + Repeat("/r", 63) + "(a, ?x)").message, "parsed");
  EXPECT_EQ(ErrorOf("r" + Repeat("/r", 64) + "(a, ?x)").kind, ErrorKind::kLimit);
}

TEST(LimitsTest, CyclesEnd) {
  for (const int n : {1, 2, 10000}) {
    const auto snapshot = Ring(n);
    const auto count = [&](const std::string& text) {
      const auto answers = Ask(snapshot, text);
      EXPECT_TRUE(answers.ok()) << answers.error().message;
      return answers.ok() ? answers->rows.size() : 0;
    };
    EXPECT_EQ(count("next_to+(n0, ?x)"), static_cast<size_t>(n));
    EXPECT_EQ(count("next_to+(?x, n0)"), static_cast<size_t>(n));
    EXPECT_EQ(count("(next_to*)*(n0, ?x)"), static_cast<size_t>(n));
    EXPECT_EQ(count("next_to+(n0, n0)"), 1u);
    if (n > 100) continue;
    EXPECT_EQ(count("next_to+(?x, ?y)"), static_cast<size_t>(n * n));
  }
}

TEST(LimitsTest, TheWalkAroundALongCycleIsExplained) {
  const int n = 10000;
  const auto query = Query::Parse("next_to+(n0, n0)");
  const auto answers = query->Run(Ring(n), {});
  ASSERT_TRUE(answers.ok());
  const auto evidence = query->Explain(*answers, 0, {});
  ASSERT_TRUE(evidence.ok()) << evidence.error().message;
  EXPECT_EQ(evidence->size(), static_cast<size_t>(n));
  EXPECT_EQ(ToPlain(answers->Name((*evidence)[1].fact.subject)), "n1");
}

TEST(LimitsTest, AMillionAnswersAreDistinctAndInOrder) {
  const auto snapshot = Ring(1000);
  const auto answers = Ask(snapshot, "(?y, ?x) <- all(hub, ?x), all(hub, ?y)");
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  ASSERT_EQ(answers->rows.size(), 1000000u);
  for (size_t i = 1; i < answers->rows.size(); ++i) {
    ASSERT_LT(answers->rows[i - 1].values, answers->rows[i].values);
  }
  const auto some = Ask(snapshot, "all(hub, ?x), all(hub, ?y) order by ?y desc limit 2 offset 3");
  ASSERT_TRUE(some.ok());
  ASSERT_EQ(some->rows.size(), 2u);
  EXPECT_EQ(ToPlain(some->Name(some->rows[0].values[1])), "n999");
  EXPECT_EQ(ToPlain(some->Name(some->rows[0].values[0])), "n100");
}

// More rows than one batch holds, so that each branch is opened again and again.
TEST(LimitsTest, BranchesAreAskedAnewForEachBatch) {
  const int n = 40000;
  const auto answers = Ask(Ring(n),
                           "(?x, ?y) <- all(hub, ?x), (?x != n7, next_to(?l, ?m), "
                           "next_to(?m, n5), next_to(?x, ?y) or next_to(?y, ?x))");
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_EQ(answers->rows.size(), static_cast<size_t>(2 * n - 1));
}

TEST(LimitsTest, TheBudgetOfWorkIsAnErrorNotACut) {
  const auto snapshot = Ring(1000);
  QueryOptions options;
  options.max_work = 10000;
  for (const char* text :
       {"all(hub, ?x), all(hub, ?y)", "next_to+(?x, ?y)", "next_to*(?x, n5)", "next_to+(?x, ?x)"}) {
    const auto answers = Ask(snapshot, text, options);
    if (std::string_view(text) == "next_to*(?x, n5)") {
      EXPECT_TRUE(answers.ok());  // about 3,000 rows
      continue;
    }
    ASSERT_FALSE(answers.ok()) << text;
    EXPECT_EQ(answers.error().kind, ErrorKind::kLimit);
    EXPECT_NE(answers.error().message.find("10000 rows"), std::string::npos);
  }
}

TEST(LimitsTest, MemoryIsBounded) {
  QueryOptions options;
  options.max_memory = 1 << 20;
  const auto answers = Ask(Ring(1000), "all(hub, ?x), all(hub, ?y)", options);
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().kind, ErrorKind::kNoMemory);
  const auto few = Ask(Ring(1000), "all(hub, ?x), all(hub, ?y) limit 10", options);
  EXPECT_FALSE(few.ok());  // the buffer that is sorted now and then is larger than that
  options.max_memory = 8 << 20;
  EXPECT_TRUE(Ask(Ring(1000), "all(hub, ?x), all(hub, ?y) limit 10", options).ok());
}

TEST(LimitsTest, ARunCanBeCancelled) {
  std::atomic<int> asked = 0;
  QueryOptions options;
  options.cancelled = [&asked] { return ++asked > 10; };
  const auto answers = Ask(Ring(1000), "next_to+(?x, ?y)", options);
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(asked, 11);
}

}  // namespace
}  // namespace loci::query::testing
