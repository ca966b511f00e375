// SPDX-License-Identifier: Apache-2.0
//
// The store on a real directory: what one process tells another, where a batch goes, when a tail, a
// run and an image are made, and what opening cleans up. Crashes, power loss, damage and erasure
// are tested in tests/faults.
#include "store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "memory/testing.h"
#include "store/current.h"
#include "store/testing.h"

namespace loci {
namespace {

using test::Random;
using test::Word;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class StoreTest : public ::testing::Test {
 protected:
  std::unique_ptr<Store> Open(bool create = true) {
    auto store = Store::Open(directory_.path(), {.create = create});
    EXPECT_TRUE(store.ok()) << store.error().message;
    return store.ok() ? store.take() : nullptr;
  }
  Receipt Apply(Store* store, std::span<const Word> words) {
    const auto receipt = store->Apply(test::BatchOf(words));
    EXPECT_TRUE(receipt.ok()) << receipt.error().message;
    return receipt.ok() ? *receipt : Receipt();
  }
  StoreStats Stats(Store* store) {
    const auto stats = store->Stats();
    EXPECT_TRUE(stats.ok());
    return stats.ok() ? *stats : StoreStats();
  }
  // By count and digest, which no other set of statements has.
  void ExpectKnows(Store* store, const test::Knowledge& knowledge) {
    const auto snapshot = store->Read();
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
    Sum256 digest;
    for (const test::Statement& s : knowledge.live()) digest.Add(StatementHash(s.view()));
    ASSERT_EQ((*snapshot)->statements(), knowledge.live().size());
    ASSERT_EQ((*snapshot)->digest(), digest);
    const Result<void> checked = store->Check({});
    ASSERT_TRUE(checked.ok()) << checked.error().message;
  }
  // A consolidated memory is one image, that of what it knows.
  void ExpectCanonical(Store* store, const test::Knowledge& knowledge) {
    const StoreStats stats = Stats(store);
    ASSERT_EQ(stats.layers.size(), 1u);
    ASSERT_EQ(stats.tail_statements, 0u);
    ASSERT_THAT(stats.layers[0].name, StartsWith("image-"));
    std::ifstream file(directory_.path() + "/" + stats.layers[0].name, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    Current current;
    current.settings = stats.settings;
    ASSERT_TRUE(bytes == test::WriteSlowly(knowledge.said(), current.ImageSettings()));
  }
  std::vector<std::string> Files() { return *directory_.files()->List(); }

  // Learns and forgets a long text, with a few words that stay: a log over its bound, which seals a
  // small tail.
  void MakeSmallRun(Store* store, test::Knowledge* knowledge, size_t words_of_it) {
    std::vector<Word> words = knowledge->Steps(random_, words_of_it);
    Word passes = words[0];
    passes.removed = false;
    passes.statement.object = {Kind::kText, std::string(600 << 10, 'x')};
    Apply(store, {{passes}});
    passes.removed = true;
    words.push_back(passes);
    Apply(store, words);
  }

  test::TemporaryDirectory directory_;
  Random random_{1};
};

TEST_F(StoreTest, TwoStoresSeeEachOther) {
  const auto a = Open(), b = Open(false);
  test::Knowledge knowledge;
  for (int i = 0; i < 120; ++i) {
    Store* const writer = random_() % 2 ? a.get() : b.get();
    Store* const reader = writer == a.get() ? b.get() : a.get();
    const std::vector<Word> words = knowledge.Steps(random_, 1 + random_() % 5);
    const Receipt receipt = Apply(writer, words);
    ASSERT_EQ(receipt.digest_after, (*reader->Read())->digest());
    ASSERT_EQ((*reader->Read())->statements(), knowledge.live().size());
    ASSERT_TRUE(i % 40 != 39 || reader->Consolidate({}).ok());
  }
  ExpectKnows(a.get(), knowledge);
  ExpectKnows(b.get(), knowledge);
  ExpectKnows(Open(false).get(), knowledge);
}

TEST_F(StoreTest, ReceiptsSayWhatChanged) {
  const auto store = Open();
  const Word learn{test::RandomStatement(random_), false};
  Word forget = learn;
  forget.removed = true;
  Receipt receipt = Apply(store.get(), {{learn, learn}});
  EXPECT_EQ(receipt.learned, 1u);
  EXPECT_EQ(receipt.known, 1u);
  Sum256 digest;
  digest.Add(StatementHash(learn.statement.view()));
  EXPECT_EQ(receipt.digest_after, digest);
  receipt = Apply(store.get(), {{forget}});
  EXPECT_EQ(receipt.forgotten, 1u);
  EXPECT_EQ(receipt.digest_after, Sum256());
  receipt = Apply(store.get(), {{forget}});
  EXPECT_EQ(receipt.absent, 1u);
}

TEST_F(StoreTest, ABatchWithoutEffectWritesNothing) {
  const auto store = Open();
  const Word word{test::RandomStatement(random_), false};
  Apply(store.get(), {{word}});
  const StoreStats before = Stats(store.get());
  EXPECT_EQ(Apply(store.get(), {{word}}).known, 1u);
  Apply(store.get(), {});
  EXPECT_EQ(Stats(store.get()).tail_bytes, before.tail_bytes);
  EXPECT_EQ(Stats(store.get()).generation, before.generation);
}

TEST_F(StoreTest, ALargeBatchPassesTheLogBy) {
  const auto store = Open();
  test::Knowledge knowledge;
  const auto learn = [&](size_t count, unsigned names) {
    return knowledge.Learn(random_, count, {names, 5, names, 3});
  };
  Apply(store.get(), learn(4097 * 4, 5000));
  StoreStats stats = Stats(store.get());
  ASSERT_EQ(stats.layers.size(), 1u);
  EXPECT_THAT(stats.layers[0].name, StartsWith("image-"));
  EXPECT_EQ(stats.layers[0].statements, knowledge.live().size());
  EXPECT_EQ(stats.tail_bytes, 0u);
  ExpectCanonical(store.get(), knowledge);

  Apply(store.get(), learn(3, 100));     // a tail, which the next one must not overtake
  Apply(store.get(), learn(4097, 100));  // few names: a run of less than a quarter
  stats = Stats(store.get());
  ASSERT_EQ(stats.layers.size(), 3u);
  EXPECT_EQ(stats.layers[1].statements, 3u);
  EXPECT_EQ(stats.layers[2].statements, 4097u);
  EXPECT_THAT(stats.layers[2].name, StartsWith("run-"));
  EXPECT_EQ(stats.tail_bytes, 0u);
  ExpectKnows(store.get(), knowledge);
}

TEST_F(StoreTest, TheTailIsSealedBeyondItsStatements) {
  const auto store = Open();
  test::Knowledge knowledge;
  const test::Vocabulary v{3000, 5, 3000, 3};
  Apply(store.get(), knowledge.Steps(random_, 4000, v));
  Apply(store.get(), knowledge.Steps(random_, 96, v));
  EXPECT_EQ(Stats(store.get()).tail_statements, 4096u);
  EXPECT_TRUE(Stats(store.get()).layers.empty());
  Apply(store.get(), knowledge.Steps(random_, 1, v));
  const StoreStats stats = Stats(store.get());
  EXPECT_EQ(stats.tail_statements, 0u);
  EXPECT_EQ(stats.tail_bytes, 0u);
  ExpectCanonical(store.get(), knowledge);  // the first layer of a memory is its image
}

TEST_F(StoreTest, TheTailIsSealedBeyondItsBytes) {
  const auto store = Open();
  test::Knowledge knowledge;
  MakeSmallRun(store.get(), &knowledge, 1);
  EXPECT_EQ(Stats(store.get()).tail_bytes, 0u);
  ExpectCanonical(store.get(), knowledge);
}

TEST_F(StoreTest, RunsMergeAndAreFolded) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 3000, {800, 5, 800, 3}));
  ASSERT_TRUE(store->Consolidate({}).ok());
  const std::string image = Stats(store.get()).layers[0].name;
  size_t most = 0, merges = 0, last = 0;
  bool folded = false;
  for (int i = 0; i < 60 && !folded; ++i) {
    MakeSmallRun(store.get(), &knowledge, merges == 0 ? 1 : 100);
    const StoreStats stats = Stats(store.get());
    folded = stats.layers[0].name != image;
    if (folded) break;
    const size_t runs = stats.layers.size() - 1;
    merges += runs <= last;
    last = runs;
    most = std::max(most, runs);
    uint64_t bytes = 0;
    for (size_t k = 1; k <= runs; ++k) bytes += stats.layers[k].bytes;
    ASSERT_LE(bytes, stats.layers[0].bytes / 4);
  }
  EXPECT_EQ(most, 12u);
  EXPECT_EQ(merges, 1u);
  ASSERT_TRUE(folded);
  ExpectCanonical(store.get(), knowledge);
  EXPECT_THAT(Files(), ElementsAre("CURRENT", StartsWith("image-"), "lock", StartsWith("log-")));
  ExpectKnows(Open(false).get(), knowledge);
}

TEST_F(StoreTest, SelectsUnderTheLock) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 100));
  const auto forget_all = [](const Snapshot& snapshot, Batch* batch) -> Result<void> {
    std::vector<TermId> subjects;
    snapshot.Subjects(&subjects);
    for (TermId s : subjects) {
      std::vector<Edge> edges;
      snapshot.EdgesFrom(s, &edges);
      for (const Edge& e : edges) {
        for (TermId source : snapshot.Sources({s, e.relation, e.other})) {
          batch->Add({snapshot.Name(s), snapshot.Name(e.relation), snapshot.Name(e.other),
                      snapshot.Name(source)},
                     true);
        }
      }
    }
    return {};
  };
  const auto fails = [&](const Snapshot& snapshot, Batch* batch) -> Result<void> {
    LOCI_TRY(forget_all(snapshot, batch));
    return Error{ErrorKind::kUsage, "no"};
  };
  EXPECT_EQ(store->Apply(Store::SelectFn(fails)).error().message, "no");
  ExpectKnows(store.get(), knowledge);
  const auto receipt = store->Apply(Store::SelectFn(forget_all));
  ASSERT_TRUE(receipt.ok());
  EXPECT_EQ(receipt->forgotten, knowledge.live().size());
  EXPECT_EQ(receipt->digest_after, Sum256());
  ASSERT_TRUE(store->Consolidate({}).ok());
  EXPECT_TRUE(Stats(store.get()).layers.empty());
  EXPECT_THAT(Files(), ElementsAre("CURRENT", "lock", StartsWith("log-")));
}

TEST_F(StoreTest, ReadingOnlyWritesNothing) {
  EXPECT_EQ(Store::Open(directory_.path(), {.create = true, .read_only = true}).error().kind,
            ErrorKind::kNotFound);
  EXPECT_TRUE(Files().empty());
  const auto writer = Open();
  std::ofstream(directory_.path() + "/run-99") << "left by a crash";
  const std::vector<std::string> before = Files();
  auto opened = Store::Open(directory_.path(), {.read_only = true});
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  const auto reader = opened.take();
  for (const Result<void>& refused :
       {reader->Consolidate({}), [&]() -> Result<void> {
          LOCI_TRY(reader->Apply(test::BatchOf({{{test::RandomStatement(random_), false}}})));
          return {};
        }()}) {
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(refused.error().message, HasSubstr("for reading only"));
  }
  EXPECT_EQ(Files(), before);
  test::Knowledge knowledge;
  Apply(writer.get(), knowledge.Steps(random_, 10));
  ExpectKnows(reader.get(), knowledge);
}

TEST_F(StoreTest, OpeningRemovesTheOrphansOfACrash) {
  test::Knowledge knowledge;
  Apply(Open().get(), knowledge.Steps(random_, 10));
  const std::vector<std::string> before = Files();
  const auto leave = [&] {
    for (const char* name : {"run-99", "image-98", "log-97", "CURRENT.tmp"}) {
      std::ofstream(directory_.path() + "/" + name) << "left by a crash";
    }
  };
  leave();
  std::ofstream(directory_.path() + "/notes.txt") << "not ours";
  {
    // Another process may be about to name them.
    const auto files = directory_.files();
    for (int byte : {0, 1}) {
      const auto lock = files->Lock("lock", byte, true);
      Open(false);
      EXPECT_THAT(Files(), Contains("run-99"));
    }
  }
  const auto store = Open(false);
  std::vector<std::string> after = before;
  after.push_back("notes.txt");
  EXPECT_EQ(Files(), after);
  ExpectKnows(store.get(), knowledge);
}

TEST_F(StoreTest, RefusesADirectoryOfOtherFiles) {
  std::ofstream(directory_.path() + "/notes.txt") << "mine";
  const auto store = Store::Open(directory_.path(), {.create = true});
  ASSERT_FALSE(store.ok());
  EXPECT_EQ(store.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(store.error().message, HasSubstr("notes.txt"));
  EXPECT_THAT(Files(), ElementsAre("notes.txt"));
}

TEST_F(StoreTest, SaysWhereThereIsNone) {
  for (const std::string& path : {directory_.path(), directory_.path() + "/none"}) {
    const auto store = Store::Open(path, {});
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().kind, ErrorKind::kNotFound);
    EXPECT_THAT(store.error().message, HasSubstr("loci learn " + path));
  }
  EXPECT_TRUE(Files().empty());
}

TEST_F(StoreTest, ConsolidatesWhileAnotherWrites) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 2000, {500, 5, 300, 3}));
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    const auto other = Open(false);
    Random random(2);
    while (!stop) Apply(other.get(), knowledge.Steps(random, 1 + random() % 300, {500, 5, 300, 3}));
  });
  for (int i = 0; i < 6; ++i) {
    const Result<void> consolidated = store->Consolidate({});
    EXPECT_TRUE(consolidated.ok()) << consolidated.error().message;
  }
  stop = true;
  writer.join();
  ExpectKnows(store.get(), knowledge);
  ASSERT_TRUE(store->Consolidate({}).ok());
  ExpectCanonical(store.get(), knowledge);
}

// In the middle of its merge a consolidation lets another store write, and gives up when told to.
TEST_F(StoreTest, ACancelledConsolidationLeavesTheSameMemory) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 500));
  ASSERT_TRUE(store->Consolidate({}).ok());
  Apply(store.get(), knowledge.Steps(random_, 50));
  const auto cancel = [](const char*, uint64_t, uint64_t) { return false; };
  std::vector<std::string> files;
  for (int i = 0; i < 3; ++i) {
    const Result<void> cancelled = store->Consolidate(cancel);
    ASSERT_FALSE(cancelled.ok());
    EXPECT_EQ(cancelled.error().kind, ErrorKind::kCancelled);
    ExpectKnows(store.get(), knowledge);
    ExpectKnows(Open(false).get(), knowledge);
    // The first one sealed the tail; from then on nothing changes.
    EXPECT_TRUE(i == 0 || Files() == files);
    files = Files();
    EXPECT_EQ(files.size(), 5u);  // CURRENT, lock, log, the image of before and one run
  }
  const auto other = Open(false);
  const auto write_and_cancel = [&](const char*, uint64_t, uint64_t) {
    Apply(other.get(), knowledge.Steps(random_, 5));
    return false;
  };
  EXPECT_FALSE(store->Consolidate(write_and_cancel).ok());
  ExpectKnows(store.get(), knowledge);
  Apply(store.get(), knowledge.Steps(random_, 5));
  ASSERT_TRUE(store->Consolidate({}).ok());
  ExpectCanonical(store.get(), knowledge);
}

// Consolidating holds neither the writer lock nor its own store's writers while it merges.
TEST_F(StoreTest, WritesThroughTheStoreThatConsolidates) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 500));
  ASSERT_TRUE(store->Consolidate({}).ok());
  Apply(store.get(), knowledge.Steps(random_, 50));
  bool wrote = false;
  const auto write_once = [&](const char*, uint64_t, uint64_t) {
    if (!wrote) Apply(store.get(), knowledge.Steps(random_, 5));
    return wrote = true;
  };
  ASSERT_TRUE(store->Consolidate(write_once).ok());
  EXPECT_TRUE(wrote);
  ExpectKnows(store.get(), knowledge);
  ASSERT_TRUE(store->Consolidate({}).ok());
  ExpectCanonical(store.get(), knowledge);
}

// Each writer speaks of statements of its own; a reader looks on (under the thread sanitizer).
TEST_F(StoreTest, ThreadsShareOneStore) {
  const auto store = Open();
  std::atomic<int> writing = 2;
  std::vector<std::thread> threads;
  std::set<test::Statement> live[2];
  for (unsigned w = 0; w < 2; ++w) {
    threads.emplace_back([&, w] {
      Random random(w);
      test::Knowledge knowledge;
      for (int i = 0; i < 60; ++i) {
        std::vector<Word> words = knowledge.Steps(random, 1 + random() % 20);
        for (Word& word : words) {
          word.statement.source = test::Symbol(test::Numbered("writer-", w));
          word.removed ? void(live[w].erase(word.statement)) : void(live[w].insert(word.statement));
        }
        Apply(store.get(), words);
      }
      --writing;
    });
  }
  threads.emplace_back([&] {
    while (writing > 0) {
      const auto snapshot = store->Read();
      ASSERT_TRUE(snapshot.ok());
      std::vector<TermId> subjects;
      (*snapshot)->Subjects(&subjects);
      ASSERT_TRUE((*snapshot)->damage().ok());
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(store->Check({}).ok());
  Sum256 digest;
  for (const auto& of_writer : live) {
    for (const test::Statement& s : of_writer) digest.Add(StatementHash(s.view()));
  }
  EXPECT_EQ((*store->Read())->statements(), live[0].size() + live[1].size());
  EXPECT_EQ((*store->Read())->digest(), digest);
}

// A large first batch that is cancelled leaves nothing of the memory; a later one leaves it as it
// was.
TEST_F(StoreTest, ACancelledWriteLeavesNothing) {
  const auto cancel = [](const char* step, uint64_t, uint64_t) {
    return step != std::string_view("writing");
  };
  test::Knowledge knowledge;
  const auto words = knowledge.Steps(random_, 6000, {3000, 5, 300, 3});
  {
    const auto store = Open();
    const auto cancelled = store->Apply(test::BatchOf(words), cancel);
    ASSERT_FALSE(cancelled.ok());
    EXPECT_EQ(cancelled.error().kind, ErrorKind::kCancelled);
    store->RemoveUnwritten();
    EXPECT_FALSE(std::filesystem::exists(directory_.path()));
    EXPECT_FALSE(store->Apply(test::BatchOf(words)).ok()) << "what is gone takes no write";
  }
  const auto store = Open();
  Apply(store.get(), words);
  store->RemoveUnwritten();  // it was written to
  Open(false)->RemoveUnwritten();
  ExpectKnows(store.get(), knowledge);
  test::Knowledge after = knowledge;
  const auto more = after.Steps(random_, 6000, {3000, 5, 300, 3});
  EXPECT_FALSE(store->Apply(test::BatchOf(more), cancel).ok());
  ExpectKnows(store.get(), knowledge);
  Apply(store.get(), more);
  ExpectKnows(store.get(), after);
}

TEST_F(StoreTest, CheckTellsProgress) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 100));
  ASSERT_TRUE(store->Consolidate({}).ok());
  uint64_t last = 0, total = 0;
  const auto keep = [&](const char* step, uint64_t done, uint64_t all) {
    if (step != std::string_view("checking")) return true;
    EXPECT_GE(done, last);
    last = done;
    total = all;
    return true;
  };
  ASSERT_TRUE(store->Check(keep).ok());
  EXPECT_EQ(last, total);
  EXPECT_EQ(total, Stats(store.get()).layers[0].bytes);
}

// Whichever call of progress says so: within a layer as between layers.
TEST_F(StoreTest, CheckStopsWhereTold) {
  const auto store = Open();
  test::Knowledge knowledge;
  Apply(store.get(), knowledge.Steps(random_, 30000, {20000, 5, 9000, 3}));
  Apply(store.get(), knowledge.Steps(random_, 100));
  int cancelled = 0;
  for (int allowed = 0;; ++allowed, ++cancelled) {
    int calls = 0;
    const Result<void> checked =
        store->Check([&](const char*, uint64_t, uint64_t) { return calls++ < allowed; });
    if (checked.ok()) break;
    ASSERT_EQ(checked.error().kind, ErrorKind::kCancelled);
  }
  EXPECT_GT(cancelled, 8);
}

}  // namespace
}  // namespace loci
