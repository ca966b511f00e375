// SPDX-License-Identifier: Apache-2.0
//
// Copies of memories in every state: what they know, hold and leave behind.
#include "store/copy.h"

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
using ::testing::HasSubstr;

class CopyTest : public ::testing::Test {
 protected:
  std::string Path(const std::string& name) const { return directory_.path() + "/" + name; }
  std::unique_ptr<Store> Open(const std::string& name, bool create = true) {
    auto store = Store::Open(Path(name), {.create = create});
    EXPECT_TRUE(store.ok()) << store.error().message;
    return store.ok() ? store.take() : nullptr;
  }
  std::string Bytes(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  size_t Entries() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(directory_.path()),
                                             std::filesystem::directory_iterator()));
  }

  test::TemporaryDirectory directory_;
  Random random_{7};
};

// Whatever layers the original has, the copy is the one image of what it knows, by the slow way.
TEST_F(CopyTest, IsTheCanonicalImage) {
  const auto store = Open("m");
  ASSERT_TRUE(store->Configure("slow_query_ms", "7").ok());
  test::Knowledge knowledge;
  for (int i = 0; i < 12; ++i) {
    if (i > 0) {
      const auto words = knowledge.Steps(random_, i % 4 == 1 ? 5000 : 40, {400, 5, 300, 3});
      ASSERT_TRUE(store->Apply(test::BatchOf(words)).ok());
    }
    if (i == 6) {
      ASSERT_TRUE(store->Consolidate({}).ok());
    }
    const std::string name = "copy" + std::to_string(i);
    const Result<void> copied = store->Copy(Path(name) + (i % 2 == 0 ? "/" : ""), {});
    ASSERT_TRUE(copied.ok()) << copied.error().message;
    Current current;
    current.settings = store->Stats()->settings;
    if (!knowledge.live().empty()) {
      ASSERT_TRUE(Bytes(name + "/image-1") ==
                  test::WriteSlowly(knowledge.said(), current.ImageSettings()));
    }
    const auto copy = Open(name, false);
    ASSERT_EQ((*copy->Read())->digest(), (*store->Read())->digest());
    ASSERT_TRUE(copy->Check({}).ok());
    ASSERT_EQ(copy->Stats()->settings, store->Stats()->settings);
    // It is a memory like any other, and not the original.
    test::Knowledge other = knowledge;
    ASSERT_EQ(copy->Apply(test::BatchOf(other.Learn(random_, 1, {})))->learned, 1u);
    ASSERT_NE((*copy->Read())->digest(), (*store->Read())->digest());
  }
}

TEST_F(CopyTest, HoldsNothingThatWasForgotten) {
  const auto store = Open("m");
  test::Statement secret{test::Symbol("zqx-subject"), test::Symbol("knows"),
                         test::Symbol("zqx-object"), test::Symbol("zqx-source")};
  const test::Statement kept{test::Symbol("a"), test::Symbol("r"), test::Symbol("b"),
                             test::Symbol("s")};
  ASSERT_TRUE(store->Apply(test::BatchOf({{{secret, false}, {kept, false}}})).ok());
  ASSERT_TRUE(store->Consolidate({}).ok());
  ASSERT_TRUE(store->Apply(test::BatchOf({{{secret, true}}})).ok());
  ASSERT_TRUE(store->Copy(Path("copy"), {}).ok());
  for (const auto& entry : std::filesystem::directory_iterator(Path("copy"))) {
    EXPECT_EQ(Bytes("copy/" + entry.path().filename().string()).find("zqx-"), std::string::npos);
  }
  EXPECT_EQ((*Open("copy", false)->Read())->statements(), 1u);
}

TEST_F(CopyTest, RefusesWhatIsThere) {
  const auto store = Open("m");
  for (const char* there : {"m", "folder", "file", "link"}) {
    if (there == std::string("folder")) std::filesystem::create_directory(Path(there));
    if (there == std::string("file")) std::ofstream(Path(there)) << "x";
    if (there == std::string("link")) std::filesystem::create_symlink("nowhere", Path(there));
    const Result<void> copied = store->Copy(Path(there), {});
    ASSERT_FALSE(copied.ok());
    EXPECT_EQ(copied.error().kind, ErrorKind::kUsage);
    EXPECT_THAT(copied.error().message, HasSubstr("exists; choose a new name"));
  }
  const Result<void> nowhere = store->Copy(Path("missing/copy"), {});
  ASSERT_FALSE(nowhere.ok());
  EXPECT_EQ(nowhere.error().kind, ErrorKind::kNotFound);
  std::filesystem::create_directory(Path("copy.part"));
  const Result<void> in_the_way = store->Copy(Path("copy"), {});
  ASSERT_FALSE(in_the_way.ok());
  EXPECT_THAT(in_the_way.error().message, HasSubstr("copy.part' is in the way"));
  EXPECT_TRUE(std::filesystem::exists(Path("copy.part"))) << "it may be another's";
}

// At each call of progress in turn: until the copy is done there is nothing of it afterwards.
TEST_F(CopyTest, CancelledLeavesNothing) {
  const auto store = Open("m");
  test::Knowledge knowledge;
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random_, 9000, {3000, 5, 300, 3}))).ok());
  const size_t before = Entries();
  int cancelled = 0;
  for (int allowed = 0;; ++allowed) {
    int calls = 0;
    const Result<void> copied = store->Copy(
        Path("copy"), [&](const char*, uint64_t, uint64_t) { return calls++ < allowed; });
    if (copied.ok()) break;
    ++cancelled;
    EXPECT_EQ(copied.error().kind, ErrorKind::kCancelled);
    ASSERT_EQ(Entries(), before);
  }
  EXPECT_GE(cancelled, 1);
  EXPECT_EQ(Entries(), before + 1);
}

TEST_F(CopyTest, ADamagedLayerIsNotCopied) {
  const auto store = Open("m");
  test::Knowledge knowledge;
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random_, 500))).ok());
  ASSERT_TRUE(store->Consolidate({}).ok());
  const std::string name = store->Stats()->layers[0].name;
  std::string bytes = Bytes("m/" + name);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  std::ofstream(Path("m/" + name), std::ios::binary | std::ios::in) << bytes;
  const Result<void> copied = Open("m", false)->Copy(Path("copy"), {});
  ASSERT_FALSE(copied.ok());
  EXPECT_EQ(copied.error().kind, ErrorKind::kDamaged);
  EXPECT_EQ(Entries(), 1u);
}

// Each copy is the memory at one moment: batches of ten are there whole or not at all.
TEST_F(CopyTest, WhileOthersWriteAndFold) {
  Open("m");
  std::atomic<bool> stop = false;
  std::atomic<uint64_t> written = 0;
  std::thread writer([&] {
    const auto own = Open("m", false);
    for (int i = 0; !stop; ++i) {
      Batch batch;
      for (int j = 0; j < 10; ++j) {
        const Term subject = test::Symbol("s" + std::to_string(i) + "_" + std::to_string(j));
        batch.Add({subject, test::Symbol("r"), test::Symbol("o"), test::Symbol("src")}, false);
      }
      ASSERT_TRUE(own->Apply(batch).ok());
      written += 10;
      if (i % 50 == 49) {
        ASSERT_TRUE(own->Consolidate({}).ok());
      }
    }
  });
  const auto store = Open("m", false);
  for (int i = 0; i < 8; ++i) {
    const uint64_t least = written;
    const std::string name = "copy" + std::to_string(i);
    const Result<void> copied = store->Copy(Path(name), {});
    EXPECT_TRUE(copied.ok()) << copied.error().message;
    const auto copy = Open(name, false);
    const uint64_t statements = (*copy->Read())->statements();
    EXPECT_GE(statements, least);
    EXPECT_EQ(statements % 10, 0u);
    EXPECT_TRUE(copy->Check({}).ok());
  }
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace loci
