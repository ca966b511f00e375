// SPDX-License-Identifier: Apache-2.0
//
// `like` in queries that are meant to hurt: a cue for every row, cues of any size and content,
// likes of likes, limits of work and cancellation in their midst.
#include "bounds.h"
#include "query/recollect.h"

namespace loci::hostile {
namespace {

class HostileLike : public Bounded {
 protected:
  HostileLike() : Bounded(1500, 60) {}

  // n documents of a few words each, of which all have one.
  static std::shared_ptr<const Snapshot> Passages(int n) {
    Batch batch;
    const auto symbol = [&batch](const std::string& name) {
      return batch.Intern({Kind::kSymbol, name});
    };
    const Batch::Ref text = symbol("text"), source = symbol("test");
    for (int i = 0; i < n; ++i) {
      const std::string words = "common " + std::string(1, static_cast<char>('a' + i % 26)) +
                                "word" + std::to_string(i % 100);
      batch.Add(Batch::Row{symbol("p#" + std::to_string(i)), text,
                           batch.Intern({Kind::kText, words}), source},
                false);
    }
    auto image = BuildImage(batch, Words::kLastCounts, "");
    EXPECT_TRUE(image.ok());
    return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
  }
};

TEST_F(HostileLike, ManyCuesEndAtTheLimitOfWork) {
  const auto snapshot = Passages(2000);
  query::QueryOptions options;
  options.max_work = 3000;
  for (const char* text : {"text(?q, ?t), like(?x, ?t)", "like(?x, \"common\"), like(?y, ?x)"}) {
    const auto answers = Ask(snapshot, text, options);
    ASSERT_FALSE(answers.ok()) << text;
    EXPECT_EQ(answers.error().kind, ErrorKind::kLimit) << answers.error().message;
  }
}

TEST_F(HostileLike, StopsWhereItIsCancelled) {
  const auto snapshot = Passages(2000);
  query::QueryOptions options;
  int asked = 0;
  options.cancelled = [&asked] { return ++asked > 1; };
  const auto answers = Ask(snapshot, "text(?q, ?t), like(?x, ?t)", options);
  ASSERT_FALSE(answers.ok());
  EXPECT_EQ(answers.error().kind, ErrorKind::kCancelled) << answers.error().message;
}

TEST_F(HostileLike, CuesOfAnything) {
  const auto snapshot = Passages(200);
  for (const std::string& cue :
       {std::string(), std::string("a"), std::string("the of and"), Repeat("common ", 100000),
        Repeat("x", 600000), std::string("\xF0\x9F\x90\x95 \xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D"),
        std::string("e\xCC\x81 \xC3\xA9"), std::string("\x01\x02\x7F\n\t\"\\"),
        Repeat("\xE6\xBC\xA2", 100000)}) {
    query::RecollectOptions options;
    options.where = "text(?x, _)";
    const auto found = query::Recollect(snapshot, cue, options);
    ASSERT_TRUE(found.ok()) << found.error().message;
    options.where.clear();
    const auto again = query::Recollect(snapshot, cue, options);
    ASSERT_TRUE(again.ok()) << again.error().message;
    // All that is recalled here has a text; so the filter changes nothing.
    EXPECT_EQ(found->found, again->found);
    ASSERT_EQ(found->memories.size(), again->memories.size());
    for (size_t i = 0; i < found->memories.size(); ++i) {
      EXPECT_EQ(found->memories[i].item, again->memories[i].item);
    }
  }
}

// A filter that tries to leave its parentheses is a fault of it.
TEST_F(HostileLike, FiltersStayFilters) {
  const auto snapshot = Passages(20);
  for (const char* where :
       {"text(?x, _)) or (text(?x, _)", "text(?x, _) limit 1", "text(?x, _) # so", "#", "?x", ")",
        "(", "text(?x, _) order by ?x", "text(?x, \"", "\xFF", "not like(?x, ?y)"}) {
    query::RecollectOptions options;
    options.where = where;
    const auto found = query::Recollect(snapshot, "common", options);
    if (found.ok()) continue;  // a comment, or well-formed after all: then it only chose
    EXPECT_EQ(found.error().kind, ErrorKind::kUsage) << where << ": " << found.error().message;
    EXPECT_LT(found.error().message.size(), 500u);
  }
}

TEST_F(HostileLike, AThousandLikesInOneQuery) {
  const auto snapshot = Passages(100);
  std::string text = "like(?x, \"common\")";
  for (int i = 0; i < 1000; ++i) text += ", like(?x, \"common aword" + std::to_string(i) + "\")";
  const auto answers = Ask(snapshot, text, {});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  for (const query::Answer& row : answers->rows) EXPECT_GE(row.score, 1u);  // never zero
}

}  // namespace
}  // namespace loci::hostile
