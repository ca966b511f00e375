// SPDX-License-Identifier: Apache-2.0
#include "store/runs.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace loci {
namespace {

// What a store does after each write, on sizes alone; how many words it copied.
class Stack {
 public:
  void Add(uint64_t size) {
    sizes_.push_back(size);
    added_ += size;
    const size_t merge = RunsToMerge(sizes_);
    ASSERT_LE(merge, sizes_.size());
    ASSERT_NE(merge, 1u);
    if (merge > 0) {
      const uint64_t sum = std::accumulate(sizes_.end() - merge, sizes_.end(), uint64_t{0});
      copied_ += sum;
      sizes_.resize(sizes_.size() - merge);
      sizes_.push_back(sum);  // in the place of the newest: the order of age is kept
    }
    ASSERT_LE(sizes_.size(), kMaxRuns);
  }
  double CopiesOfEach() const { return static_cast<double>(copied_) / static_cast<double>(added_); }

 private:
  std::vector<uint64_t> sizes_;
  uint64_t added_ = 0, copied_ = 0;
};

TEST(RunsTest, UpToTwelveStay) {
  std::vector<uint64_t> sizes;
  for (; sizes.size() <= kMaxRuns; sizes.push_back(4096)) EXPECT_EQ(RunsToMerge(sizes), 0u);
  EXPECT_EQ(RunsToMerge(sizes), sizes.size());  // the thirteenth
}

TEST(RunsTest, LargerOnesStay) {
  // The two newest merge whatever their sizes; then only what is no larger than the sum.
  std::vector<uint64_t> sizes(11, 1 << 20);
  sizes.insert(sizes.end(), {100, 10});
  EXPECT_EQ(RunsToMerge(sizes), 2u);
  sizes = std::vector<uint64_t>(8, 1 << 20);
  sizes.insert(sizes.end(), {401, 200, 100, 50, 50});
  EXPECT_EQ(RunsToMerge(sizes), 4u);
  sizes[8] = 400;
  EXPECT_EQ(RunsToMerge(sizes), 5u);
  sizes = std::vector<uint64_t>(12, 10);
  sizes.push_back(1 << 20);
  EXPECT_EQ(RunsToMerge(sizes), 13u);
}

TEST(RunsTest, CopiesEachWordAFewTimes) {
  for (const char* name : {"equal", "random", "skewed", "tiny"}) {
    std::mt19937_64 random(1);
    Stack stack;
    for (int i = 0; i < 10000; ++i) {
      uint64_t size = 4097;
      if (*name == 'r') size = 1 + random() % 8192;
      if (*name == 's') size = uint64_t{1} << random() % 20;
      if (*name == 't') size = 1;
      stack.Add(size);
      if (HasFatalFailure()) FAIL() << name << ", addition " << i;
    }
    EXPECT_LT(stack.CopiesOfEach(), 6.0) << name;
    EXPECT_GT(stack.CopiesOfEach(), 3.0) << name << ": runs.h says 4 to 6";
  }
}

}  // namespace
}  // namespace loci
