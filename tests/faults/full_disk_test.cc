// SPDX-License-Identifier: Apache-2.0
//
// A disk that is really full: a file system of 1 MB. What does not fit is refused as such and
// changes nothing; what was acknowledged stays, and more space makes everything work again.
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cerrno>
#include <cstring>

#include "processes.h"
#include "scenario.h"

namespace loci::faults {
namespace {

class FullDiskTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::mount("loci", directory_.path().c_str(), "tmpfs", 0, "size=1m,mode=0700") != 0) {
      GTEST_SKIP() << "not permitted to mount a small file system: " << std::strerror(errno);
    }
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount2(directory_.path().c_str(), MNT_DETACH);
  }
  void Grow() {
    ASSERT_EQ(::mount("loci", directory_.path().c_str(), "tmpfs", MS_REMOUNT, "size=32m"), 0);
  }
  void ExpectState(Store* store, const Double& known) {
    const auto state = StateOf(store, {known}, 0, 0);
    EXPECT_TRUE(state.ok()) << state.error().message;
  }

  TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/memory";
  bool mounted_ = false;
};

TEST_F(FullDiskTest, RefusesWhatDoesNotFitAndKeepsTheRest) {
  auto store = Store::Open(path_, {.create = true}).take();
  Double known;
  const Changes large = LargeTexts(3, false);
  const auto refused = store->Apply(ToBatch(large));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kNoSpace) << refused.error().message;
  EXPECT_NE(refused.error().message.find(path_), std::string::npos) << refused.error().message;
  ExpectState(store.get(), known);

  // Until it is full to the last block.
  int batches = 0;
  for (bool full = false; !full;) {
    const Changes batch = {{{Symbol("item " + std::to_string(batches)), Symbol("text"),
                             Text(std::string(30000, 'x') + std::to_string(batches)), Symbol("s")},
                            false}};
    const auto done = store->Apply(ToBatch(batch));
    full = !done.ok();
    if (full) {
      EXPECT_EQ(done.error().kind, ErrorKind::kNoSpace) << done.error().message;
    } else {
      known.Apply(batch);
    }
    ASSERT_LT(++batches, 100);
  }
  EXPECT_GT(batches, 10);
  ExpectState(store.get(), known);
  const auto folded = store->Consolidate(nullptr);
  ASSERT_FALSE(folded.ok()) << "the image cannot have fitted beside the log";
  EXPECT_EQ(folded.error().kind, ErrorKind::kNoSpace) << folded.error().message;
  ExpectState(store.get(), known);
  auto other = Store::Open(path_, {});
  ASSERT_TRUE(other.ok()) << "a full disk cannot be opened: " << other.error().message;
  ExpectState(other->get(), known);
  ASSERT_TRUE(Store::Open(path_, {.read_only = true}).ok());

  Grow();
  known.Apply(large);
  const auto done = store->Apply(ToBatch(large));
  ASSERT_TRUE(done.ok()) << "still refused with space: " << done.error().message;
  ASSERT_TRUE(store->Consolidate(nullptr).ok());
  ASSERT_TRUE(store->Check(nullptr).ok());
  ExpectState(store.get(), known);
}

}  // namespace
}  // namespace loci::faults
