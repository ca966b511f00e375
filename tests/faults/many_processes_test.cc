// SPDX-License-Identifier: Apache-2.0
//
// Several processes, and several threads, read and write one memory at once and lose nothing; the
// same for processes whose ids are equal, as those of two containers on one volume are.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "processes.h"
#include "recording_files.h"
#include "scenario.h"

namespace loci::faults {
namespace {

constexpr unsigned kSteps = 60;

// What `writers` lives of kSteps steps leave; they do not meet, so their order does not matter.
Double Expected(unsigned writers) {
  Double known;
  for (unsigned w = 0; w < writers; ++w) {
    for (unsigned n = 0; n <= kSteps; ++n) {
      known.Apply(LifeStep("writer" + std::to_string(w), w, n).changes);
    }
  }
  return known;
}

std::vector<std::string> Arguments(const std::string& path, unsigned w) {
  return {
      "live", path, "writer" + std::to_string(w), std::to_string(w), "0", std::to_string(kSteps)};
}

void ExpectKnows(const std::string& path, const Double& known) {
  auto files = OpenDirectory(path, false);
  ASSERT_TRUE(files.ok()) << files.error().message;
  const auto opened = OpenIn(files.take(), {}, {known}, 0, 0);
  ASSERT_TRUE(opened.ok()) << opened.error().message;
}

TEST(ManyProcessesTest, KeepEveryWrite) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  constexpr unsigned kWriters = 4;
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned w = 0; w < kWriters; ++w) {
    workers.push_back(std::make_unique<Worker>(Arguments(path, w)));
  }
  for (auto& worker : workers) EXPECT_EQ(worker->Wait(), 0);
  ExpectKnows(path, Expected(kWriters));
}

TEST(ManyProcessesTest, OfEqualProcessIds) {
  if (!CanSeparatePids()) GTEST_SKIP() << "not permitted to make process-id namespaces";
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned w = 0; w < 3; ++w) {
    workers.push_back(std::make_unique<Worker>(Arguments(path, w), true));
  }
  for (auto& worker : workers) {
    std::string line;
    ASSERT_TRUE(worker->Next(&line));
    EXPECT_EQ(line, "pid 1");
    EXPECT_EQ(worker->Wait(), 0);
  }
  ExpectKnows(path, Expected(3));
}

// Each thread has its own store, or all share one; a reader beside them never sees a part of a
// batch, and never less than before.
void WithThreads(bool shared_store) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  constexpr unsigned kWriters = 3;
  std::shared_ptr<Store> shared = Store::Open(path, {.create = true}).take();
  std::atomic<unsigned> running{kWriters};
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] {
      std::shared_ptr<Store> own = shared_store ? shared : Store::Open(path, {}).take();
      for (unsigned n = 0; n <= kSteps; ++n) {
        const Step step = LifeStep("writer" + std::to_string(w), w, n);
        if (step.kind == Step::kConsolidate) {
          const auto done = own->Consolidate(nullptr);
          EXPECT_TRUE(done.ok()) << done.error().message;
        } else {
          const auto done = own->Apply(ToBatch(step.changes));
          EXPECT_TRUE(done.ok()) << done.error().message;
        }
      }
      --running;
    });
  }
  threads.emplace_back([&] {
    while (running > 0) {
      const auto snapshot = shared->Read();
      ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
      Double seen;
      const auto all = StatementsOf(**snapshot);
      ASSERT_TRUE(all.ok()) << all.error().message;
      for (const Statement& s : *all) seen.Apply({{s, false}});
      ASSERT_EQ((*snapshot)->digest().Hex(), seen.Digest());
    }
  });
  for (std::thread& thread : threads) thread.join();
  ExpectKnows(path, Expected(kWriters));
}

TEST(ManyThreadsTest, WithAStoreEach) {
  WithThreads(false);
}
TEST(ManyThreadsTest, WithOneStore) {
  WithThreads(true);
}

// Consolidation changes nothing that can be asked: beside a process that folds again and again a
// reader sees one constant memory, through a snapshot that it keeps as through a new one each time.
TEST(ManyProcessesTest, ReadersSeeAConstantMemoryDuringConsolidation) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  const std::shared_ptr<FileSystem> files = OpenDirectory(path, true).take();
  auto store = Store::Open(files, {.create = true}).take();
  Double known;
  for (unsigned n = 0; n < 40; ++n) {
    const Step step = LifeStep("writer", 3, n);
    if (step.kind != Step::kApply) continue;
    known.Apply(step.changes);
    ASSERT_TRUE(store->Apply(ToBatch(step.changes)).ok());
  }
  const auto kept = store->Read().take();
  auto reader = Store::Open(files, {.read_only = true}).take();
  Worker folder({"fold", path, "30"});
  std::string line;
  for (int looks = 0, folds = 0; folds < 30; ++looks) {
    while (folder.Ready(0) && folder.Next(&line)) folds += line.starts_with("done ");
    for (Store* s : {store.get(), reader.get()}) {
      const auto state = StateOf(s, {known}, 0, 0);
      ASSERT_TRUE(state.ok()) << state.error().message;
    }
    ASSERT_EQ(Differences(*kept, known).take(), "");
    ASSERT_LT(looks, 10000) << "the folding process is stuck";
  }
  EXPECT_EQ(folder.Wait(), 0);
}

}  // namespace
}  // namespace loci::faults
