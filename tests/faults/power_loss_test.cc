// SPDX-License-Identifier: Apache-2.0
//
// A power loss, or a kill, after every single operation of a scenario, with every kind of loss: the
// memory that is found has all that was acknowledged, each batch whole or not at all, passes Check,
// and can be written and lost again.
#include "power_loss.h"

#include <gtest/gtest.h>

#include "scenario.h"

namespace loci::faults {
namespace {

// The record of a scenario, and how much of it each step needed to be acknowledged.
struct Recording {
  std::deque<Operation> journal;
  size_t created = 0;                // operations after which the empty memory exists
  std::vector<Double> states;        // [0] empty, then after each batch
  std::vector<size_t> acknowledged;  // of the batch that leads to states[i + 1]
};

Recording RecordingOf(const std::vector<Step>& steps) {
  Recording run;
  auto files = std::make_shared<RecordingFiles>();
  auto opened = Store::Open(files, {.create = true});
  EXPECT_TRUE(opened.ok()) << opened.error().message;
  if (!opened.ok()) return run;
  std::unique_ptr<Store> store = opened.take();
  run.created = files->operations();
  run.states.emplace_back();
  for (const Step& step : steps) {
    const Result<void> done = Do(step, files, &store);
    EXPECT_TRUE(done.ok()) << done.error().message;
    if (step.kind != Step::kApply) continue;
    run.states.push_back(run.states.back());
    run.states.back().Apply(step.changes);
    run.acknowledged.push_back(files->operations());
  }
  auto at_end = StateOf(store.get(), run.states, run.states.size() - 1, run.states.size() - 1);
  EXPECT_TRUE(at_end.ok()) << at_end.error().message;
  run.journal = files->journal();
  return run;
}

class PowerLossTest : public ::testing::Test {
 protected:
  // One memory as a crash left it. Returns what is wrong with it, or success.
  Result<void> Survives(const Recording& run, const Disk& disk, size_t at, uint64_t boot,
                        bool thorough) {
    size_t first = 0;
    while (first < run.acknowledged.size() && run.acknowledged[first] <= at) ++first;
    const size_t last = std::min(first + 1, run.states.size() - 1);
    const bool created = at >= run.created;

    size_t state = 0;
    if (created) {
      auto files = std::make_shared<RecordingFiles>(disk, boot);
      LOCI_ASSIGN(const Opened reader, OpenIn(files, {.read_only = true}, run.states, first, last));
      if (files->operations() != 0) return Wrong("a read-only store has changed the disk");
      state = reader.state;
    }
    auto files = std::make_shared<RecordingFiles>(disk, boot);
    LOCI_ASSIGN(Opened writer, OpenIn(files, {.create = !created}, run.states, first, last));
    if (created && writer.state != state) return Wrong("reader and writer see different states");

    // Goes on, and loses the power again. A whole batch that its writer did not live to acknowledge
    // may come to light with the next write, not later.
    const Changes more = {
        {{Symbol("life"), Symbol("goes"), Symbol("on"), Symbol("scenario")}, false}};
    std::vector<Double> next(run.states.begin() + writer.state, run.states.begin() + last + 1);
    for (Double& known : next) known.Apply(more);
    LOCI_TRY(writer.store->Apply(ToBatch(more)));
    LOCI_ASSIGN(const size_t shown, StateOf(writer.store.get(), next, 0, next.size() - 1));
    const Double& expected = next[shown];
    LOCI_TRY(SurvivesAll(*files, disk, boot + 1, expected));
    if (!thorough) return {};
    LOCI_TRY(writer.store->Consolidate(nullptr));
    LOCI_TRY(SurvivesAll(*files, disk, boot + 1, expected));
    LOCI_ASSIGN(const std::string image, ImageOf(expected));
    LOCI_ASSIGN(const StoreStats stats, writer.store->Stats());
    LOCI_ASSIGN(const std::string found, files->Read(stats.layers.at(0).name, 0));
    if (found != image) return Wrong("the image depends on the memory's history");
    for (const auto& [name, bytes] : files->Now()) {
      const bool known = name == "CURRENT" || name == "lock" || name == stats.layers[0].name ||
                         name.starts_with("log-");
      if (!known) return Wrong("an orphan is left after consolidation: " + name);
    }
    return {};
  }

  // After a second loss of all that was not synced, and of some of it.
  Result<void> SurvivesAll(const RecordingFiles& files, const Disk& before, uint64_t boot,
                           const Double& expected) {
    const std::deque<Operation>& journal = files.journal();
    PowerLoss second(before, journal);
    second.AdvanceTo(journal.size());
    for (const Loss loss : {Loss::kUnsynced, Loss::kAnySubset}) {
      auto after = std::make_shared<RecordingFiles>(second.After(loss, random_), boot);
      LOCI_TRY(OpenIn(after, {}, {expected}, 0, 0));
      ++cases_;
    }
    return {};
  }

  static Error Wrong(std::string what) { return {ErrorKind::kDamaged, std::move(what)}; }

  void TestEvery(const Recording& run, size_t stride) {
    PowerLoss crash({}, run.journal);
    int failures = 0;
    for (size_t at = 0; at <= run.journal.size() && failures < 10; ++at) {
      crash.AdvanceTo(at);
      if (at % stride != 0) continue;
      for (const Loss loss : kLosses) {
        if (!crash.Applies(loss)) continue;
        const bool random = loss != Loss::kNothing && loss != Loss::kUnsynced;
        for (int round = 0; round < (random ? Scaled(2) : 1); ++round) {
          const Result<void> survived = Survives(run, crash.After(loss, random_), at,
                                                 loss == Loss::kNothing ? 1 : 2, cases_ % 8 == 0);
          ++cases_;
          if (survived.ok()) continue;
          ADD_FAILURE() << "after operation " << at << " of " << run.journal.size() << ", "
                        << NameOf(loss) << ": " << survived.error().message;
          ++failures;
        }
      }
    }
    RecordProperty("cases", static_cast<int>(cases_));
    std::printf("%zu operations, %zu directories reopened\n", run.journal.size(), cases_);
  }

  std::mt19937_64 random_{11};
  size_t cases_ = 0;
};

TEST_F(PowerLossTest, AtEveryOperationOfASmallScenario) {
  TestEvery(RecordingOf(SmallScenario()), 1);
}

TEST_F(PowerLossTest, AroundATailSealedByItsCount) {
  const Recording run = RecordingOf(ManyStatements());
  TestEvery(run, std::max<size_t>(1, 4 / Scaled(1)));
}

// The model of the disk itself: were a loss not lossy, the tests above would prove nothing.
TEST_F(PowerLossTest, TheModelLosesWhatWasNotSynced) {
  RecordingFiles files;
  auto file = files.OpenForWriting("a", true).take();
  ASSERT_TRUE(file->WriteAt(0, "synced").ok());
  ASSERT_TRUE(file->Sync().ok());
  ASSERT_TRUE(files.SyncDirectory().ok());
  ASSERT_TRUE(file->WriteAt(6, "-not").ok());
  ASSERT_TRUE(files.Rename("a", "b").ok());
  const std::deque<Operation>& journal = files.journal();
  PowerLoss crash({}, journal);
  crash.AdvanceTo(2);
  EXPECT_EQ(crash.After(Loss::kUnsynced, random_), Disk());
  EXPECT_EQ(crash.After(Loss::kNamesOnly, random_), (Disk{{"a", ""}}));
  crash.AdvanceTo(5);
  EXPECT_EQ(crash.After(Loss::kUnsynced, random_), (Disk{{"a", "synced"}}));
  const Disk torn = crash.After(Loss::kTornShort, random_);
  EXPECT_LT(torn.at("a").size(), 10u);
  EXPECT_TRUE(torn.at("a").starts_with("synced"));
  crash.AdvanceTo(6);
  EXPECT_EQ(crash.After(Loss::kNothing, random_), (Disk{{"b", "synced-not"}}));
  EXPECT_EQ(crash.After(Loss::kUnsynced, random_), (Disk{{"a", "synced"}}));
  EXPECT_EQ(crash.After(Loss::kNamesOnly, random_), (Disk{{"b", "synced"}}));
  EXPECT_EQ(crash.After(Loss::kBytesOnly, random_), (Disk{{"a", "synced-not"}}));
}

}  // namespace
}  // namespace loci::faults
