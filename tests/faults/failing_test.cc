// SPDX-License-Identifier: Apache-2.0
//
// Every call to the file system fails, in turn: the error gives the system's reason, nothing
// acknowledged is lost, a batch refused for want of space is not there, and after a failed sync the
// store refuses to write until it is opened again.
#include <gtest/gtest.h>

#include "power_loss.h"
#include "scenario.h"

namespace loci::faults {
namespace {

struct Fault {
  const char* name;
  bool (*filter)(Call);
  ErrorKind kind;
  bool lasting;
};

// For the names of tests, which would show its address otherwise.
void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

bool IsSync(Call call) {
  return call == Call::kSync || call == Call::kSyncDirectory;
}
bool IsWrite(Call call) {
  return call == Call::kWrite || call == Call::kMapShared;
}
bool IsName(Call call) {
  return call == Call::kRename || call == Call::kRemove;
}
bool IsAny(Call) {
  return true;
}

constexpr Fault kFaults[] = {
    {"FullDisk", IsWrite, ErrorKind::kNoSpace, true},
    {"ShortWrite", IsWrite, ErrorKind::kNoSpace, false},
    {"FailedSync", IsSync, ErrorKind::kIo, false},
    {"FailingSyncs", IsSync, ErrorKind::kIo, true},
    {"RenameOrRemove", IsName, ErrorKind::kIo, false},
    {"AnyCall", IsAny, ErrorKind::kIo, false},
};

// One life of a memory in which call number k fails.
class Life {
 public:
  Life(const Fault& fault, uint64_t k) : fault_(fault) {
    files_->FailCall(k, fault.filter, {fault.kind, "injected reason"}, fault.lasting);
  }

  // False where the life had fewer calls, so that nothing failed.
  bool Live() {
    if (!Open({.create = true})) return true;
    for (const Step& step : SmallScenario()) {
      if (step.kind == Step::kReopen ? !Reopen() : !Take(step)) return true;
    }
    const bool failed = files_->Failed().has_value();
    files_->FailNothing();
    if (!Reopen()) return true;
    const Result<void> folded = store_->Consolidate(nullptr);
    EXPECT_TRUE(folded.ok()) << "does not recover: " << folded.error().message;
    Holds();
    return failed;
  }

  size_t cases() const { return cases_; }

 private:
  bool Open(const StoreOptions& options) {
    auto opened = Store::Open(files_, options);
    if (!opened.ok()) {
      EXPECT_TRUE(Told(opened.error()));
      files_->FailNothing();
      opened = Store::Open(files_, options);
      EXPECT_TRUE(opened.ok()) << "cannot be opened again: " << opened.error().message;
      if (!opened.ok()) return false;
    }
    store_ = opened.take();
    return true;
  }

  // The fault, if it has come, is over: space was freed, the disk replaced.
  bool Reopen() {
    store_.reset();
    if (files_->Failed()) files_->FailNothing();
    if (!Open({})) return false;
    sync_failed_ = false;
    return Holds();
  }

  bool Take(const Step& step) {
    const std::optional<Call> before = files_->Failed();
    const Result<void> done = Do(step, files_, &store_);
    const std::optional<Call> failed = before ? std::nullopt : files_->Failed();
    const bool applied = step.kind == Step::kApply;
    if (!done.ok()) {
      EXPECT_TRUE(sync_failed_ || Told(done.error()));
      EXPECT_TRUE(!before || fault_.lasting || IsSync(*before))
          << "does not go on though the fault is over: " << done.error().message;
      if (applied && failed && fault_.kind != ErrorKind::kNoSpace) {
        states_.push_back(states_[0]);
        states_[1].Apply(step.changes);
      }
      if (applied && failed && IsSync(*failed)) sync_failed_ = unsettled_ = true;
    } else if (applied) {
      EXPECT_FALSE(sync_failed_) << "a batch was acknowledged after a failed sync";
      for (Double& state : states_) state.Apply(step.changes);
      unsettled_ = false;
    }
    return !files_->Failed() || Holds();
  }

  ::testing::AssertionResult Told(const Error& error) const {
    if (files_->Failed() && error.kind == fault_.kind &&
        error.message.find("injected reason") != std::string::npos) {
      return ::testing::AssertionSuccess();
    }
    return ::testing::AssertionFailure() << "not the system's reason: " << error.message;
  }

  // What the open store shows, and, for some steps after the fault and at the end, what a kill
  // would leave and what a power loss would.
  bool Holds() {
    Result<size_t> shown = StateOf(store_.get(), states_, 0, 1);
    if (!shown.ok() && Told(shown.error())) shown = StateOf(store_.get(), states_, 0, 1);
    EXPECT_TRUE(shown.ok()) << shown.error().message;
    if (!shown.ok()) return false;
    if (!unsettled_) states_ = {states_[*shown]};

    if (++looks_ > 3 && files_->Failing()) return true;
    crash_.AdvanceTo(files_->operations());
    for (const Loss loss : {Loss::kNothing, Loss::kUnsynced, Loss::kAnySubset}) {
      auto after = std::make_shared<RecordingFiles>(crash_.After(loss, random_),
                                                    loss == Loss::kNothing ? 1 : 2);
      const auto found = OpenIn(after, {}, states_, 0, 1);
      ++cases_;
      EXPECT_TRUE(found.ok()) << NameOf(loss) << ": " << found.error().message;
      if (!found.ok()) return false;
    }
    return true;
  }

  const Fault& fault_;
  std::shared_ptr<RecordingFiles> files_ = std::make_shared<RecordingFiles>();
  PowerLoss crash_{{}, files_->journal()};
  std::unique_ptr<Store> store_;
  // What may be known: all that was acknowledged, and, after a failure that leaves it open, the
  // same with the one batch in question.
  std::vector<Double> states_{1};
  bool sync_failed_ = false;  // the open store must refuse to write
  bool unsettled_ = false;    // which state a power loss leaves, until the next acknowledged batch
  std::mt19937_64 random_{13};
  size_t cases_ = 0;
  int looks_ = 0;
};

class FailingTest : public ::testing::TestWithParam<Fault> {};

TEST_P(FailingTest, OfEveryCallInTurn) {
  size_t cases = 0;
  uint64_t k = 0;
  for (bool failed = true; failed; ++k) {
    SCOPED_TRACE("call " + std::to_string(k));
    Life life(GetParam(), k);
    failed = life.Live();
    cases += life.cases();
    if (HasFailure()) break;
  }
  EXPECT_GT(k, 1u) << "the fault never came";
  std::printf("%llu calls failed, %zu directories reopened\n",
              static_cast<unsigned long long>(k - 1), cases);
}

// A process dies in the middle of a step, at every call in turn, beside one that has the memory
// open and then goes on, reading and writing. Neither what the dead one had acknowledged nor what
// the living one acknowledges later is lost, though the page may not know what the dead one did
// last.
TEST(SurvivorTest, GoesOnWhereAnotherDied) {
  const std::vector<Step> steps = SmallScenario();
  const Changes more = {{{Symbol("the"), Symbol("living"), Symbol("goes on"), Symbol("s")}, false}};
  const Changes last = {{{Symbol("once"), Symbol("more"), Symbol("again"), Symbol("s")}, false}};
  size_t cases = 0;
  Double before;
  for (size_t n = 0; n < steps.size(); ++n) {
    for (uint64_t k = 0;; ++k) {
      auto files = std::make_shared<RecordingFiles>();
      auto dead = Store::Open(files, {.create = true}).take();
      for (size_t i = 0; i < n; ++i) ASSERT_TRUE(Do(steps[i], files, &dead).ok());
      auto living = Store::Open(files, {}).take();
      auto reader = Store::Open(files, {.read_only = true}).take();
      std::vector<Double> states = {before, before};
      states[1].Apply(steps[n].changes);
      ASSERT_TRUE(StateOf(living.get(), states, 0, 0).ok());

      files->FailCall(k, IsAny, {ErrorKind::kIo, "died"}, true);
      const bool done = Do(steps[n], files, &dead).ok();
      const bool died = files->Failed().has_value();
      files->FailNothing();
      if (done) states = {states[1]};
      SCOPED_TRACE("step " + std::to_string(n) + " call " + std::to_string(k));
      for (const Changes& batch : {more, last}) {
        for (Double& state : states) state.Apply(batch);
        const auto written = living->Apply(ToBatch(batch));
        ASSERT_TRUE(written.ok()) << written.error().message;
        const auto state = StateOf(living.get(), states, 0, 1);
        ASSERT_TRUE(state.ok()) << state.error().message;
        states = {states[*state]};
        const auto seen = StateOf(reader.get(), states, 0, 0);
        ASSERT_TRUE(seen.ok()) << "another reader: " << seen.error().message;
        PowerLoss crash({}, files->journal());
        crash.AdvanceTo(files->operations());
        std::mt19937_64 random(k);
        for (const Loss loss : {Loss::kNothing, Loss::kUnsynced}) {
          const auto found = OpenIn(std::make_shared<RecordingFiles>(
                                        crash.After(loss, random), loss == Loss::kNothing ? 1 : 2),
                                    {}, states, 0, 0);
          ASSERT_TRUE(found.ok()) << NameOf(loss) << ": " << found.error().message;
        }
        ++cases;
      }
      if (!died) break;
    }
    before.Apply(steps[n].changes);
  }
  std::printf("%zu deaths survived\n", cases / 2);
}

INSTANTIATE_TEST_SUITE_P(Faults, FailingTest, ::testing::ValuesIn(kFaults),
                         [](const auto& fault) { return fault.param.name; });

}  // namespace
}  // namespace loci::faults
