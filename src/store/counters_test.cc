// SPDX-License-Identifier: Apache-2.0
#include "store/counters.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "memory/testing.h"
#include "store/store.h"
#include "store/testing.h"

namespace loci {
namespace {

class CountersTest : public ::testing::Test {
 protected:
  std::shared_ptr<SharedPage> Page(FileSystem::Mode mode = FileSystem::Mode::kWrite) {
    auto page = directory_.files()->MapShared("lock", mode);
    return page.ok() ? std::shared_ptr<SharedPage>(page.take()) : nullptr;
  }
  test::TemporaryDirectory directory_;
};

TEST_F(CountersTest, AddUpAcrossMappings) {
  Counters one(Page(), 5), other(Page(), 5);
  one.Add(Counter::kOpens);
  other.Add(Counter::kOpens, 2);
  one.AddSync(std::chrono::nanoseconds(30));
  other.AddSync(std::chrono::nanoseconds(20));
  for (const Counters* counters : {&one, &other}) {
    EXPECT_EQ(counters->Get(Counter::kOpens), 3u);
    EXPECT_EQ(counters->Get(Counter::kSyncs), 2u);
    EXPECT_EQ(counters->Get(Counter::kSyncNanos), 50u);
    EXPECT_EQ(counters->Get(Counter::kLongestSync), 30u);
    EXPECT_EQ(counters->Get(Counter::kSlowQueries), 0u);
  }
}

TEST_F(CountersTest, ThoseOfAnotherBootAreGone) {
  Counters(Page(), 5).Add(Counter::kReads, 7);
  Counters after(Page(), 6);
  EXPECT_EQ(after.Get(Counter::kReads), 0u);
  after.Add(Counter::kWrites);
  EXPECT_EQ(after.Get(Counter::kReads), 0u);
  EXPECT_EQ(after.Get(Counter::kWrites), 1u);
}

TEST_F(CountersTest, LeaveTheViewsWordsAlone) {
  const auto page = Page();
  for (int word = 0; word < 8; ++word) page->Store(word, 100 + static_cast<uint64_t>(word));
  Counters counters(page, 5);
  for (int i = 0; i < kCounters; ++i) counters.Add(static_cast<Counter>(i));
  for (int word = 0; word < 8; ++word) {
    EXPECT_EQ(page->Load(word), 100 + static_cast<uint64_t>(word));
  }
}

TEST_F(CountersTest, WithoutAPageOrItsRightNothingIsCounted) {
  Counters none(nullptr, 5);
  none.AddSync(std::chrono::nanoseconds(1));
  EXPECT_EQ(none.Get(Counter::kSyncs), 0u);
  Page();
  Counters reader(Page(FileSystem::Mode::kRead), 5);
  reader.AddSync(std::chrono::nanoseconds(1));
  EXPECT_EQ(reader.Get(Counter::kSyncs), 0u);
}

TEST_F(CountersTest, ThreadsLoseNothing) {
  std::vector<std::thread> threads;
  for (uint64_t t = 1; t <= 4; ++t) {
    threads.emplace_back([this, t] {
      Counters counters(Page(), 5);
      for (uint64_t i = 0; i < 2000; ++i) {
        counters.Add(Counter::kReads);
        counters.Max(Counter::kLongestSync, t * 1000 + i);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Counters counters(Page(), 5);
  EXPECT_EQ(counters.Get(Counter::kReads), 8000u);
  EXPECT_EQ(counters.Get(Counter::kLongestSync), 5999u);
}

TEST_F(CountersTest, AStoreCountsWhatItDoes) {
  const auto store = Store::Open(directory_.path(), {.create = true}).take();
  test::Random random(1);
  test::Knowledge knowledge;
  // The first write of a boot syncs what it finds, too.
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random, 10))).ok());
  const StoreStats::Done before = store->Stats()->done;
  EXPECT_EQ(before.opens, 1u);
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random, 10))).ok());
  ASSERT_TRUE(store->Apply(test::BatchOf({})).ok());  // changes nothing
  ASSERT_TRUE(store->Read().ok());
  {
    const StoreStats::Done done = store->Stats()->done;
    EXPECT_EQ(done.writes, 2u);
    EXPECT_EQ(done.reads, 1u);
    EXPECT_EQ(done.syncs, before.syncs + 1) << "a small batch is one fdatasync";
    EXPECT_GE(done.sync_nanos, done.longest_sync);
    EXPECT_GT(done.longest_sync, 0u);
    EXPECT_EQ(done.folds, 0u);
  }
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random, 6000, {5000, 5, 99, 3}))).ok());
  ASSERT_TRUE(store->Consolidate({}).ok());
  EXPECT_GE(store->Stats()->done.folds, 1u);

  // A reader counts too, in the same page.
  const auto reader = Store::Open(directory_.path(), {.read_only = true}).take();
  ASSERT_TRUE(reader->Read().ok());
  EXPECT_EQ(store->Stats()->done.opens, 2u);
  EXPECT_EQ(store->Stats()->done.reads, 2u);
  reader->CountQuery(std::chrono::milliseconds(99));
  reader->CountQuery(std::chrono::milliseconds(100));
  ASSERT_TRUE(store->Configure("slow_query_ms", "50").ok());
  ASSERT_TRUE(reader->Read().ok());
  reader->CountQuery(std::chrono::milliseconds(99));
  EXPECT_EQ(store->Stats()->done.queries, 3u);
  EXPECT_EQ(store->Stats()->done.slow_queries, 2u);
}

}  // namespace
}  // namespace loci
