// SPDX-License-Identifier: Apache-2.0
//
// Taking over the reference server's file: once, with its bad lines left out, the file untouched.
#include "mcp/first_start.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "store/store.h"
#include "store/testing.h"

namespace loci::mcp {
namespace {

constexpr std::string_view kFile =
    R"({"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]})"
    "\nnot json\n"
    R"({"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"})";

uint64_t StatementsOf(const std::string& memory) {
  const auto store = Store::Open(memory, StoreOptions());
  if (!store.ok()) return 0;
  const auto snapshot = (*store)->Read();
  return snapshot.ok() ? (*snapshot)->statements() : 0;
}

TEST(FirstStartTest, TakesOverAFileOnce) {
  loci::test::TemporaryDirectory directory;
  const std::string file = directory.path() + "/memory.jsonl";
  std::ofstream(file) << kFile;
  const auto first = PrepareMemory(file);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first->memory, directory.path() + "/memory.loci");
  EXPECT_EQ(StatementsOf(first->memory), 3);
  ASSERT_EQ(first->notes.size(), 3);
  EXPECT_EQ(first->notes[0], "imported 3 statements from " + file);
  EXPECT_NE(first->notes[2].find(":2:"), std::string::npos) << first->notes[2];
  std::ofstream(file, std::ios::app)
      << "\n"
      << R"({"type":"relation","from":"Ada","to":"Acme","relationType":"owns"})";
  const auto second = PrepareMemory(file);
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->notes.empty());
  EXPECT_EQ(StatementsOf(second->memory), 3);
  size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory.path())) {
    entries += !entry.path().empty();
  }
  EXPECT_EQ(entries, 2);  // nothing half made is left
}

TEST(FirstStartTest, OtherNamesAreMemories) {
  loci::test::TemporaryDirectory directory;
  const auto plain = PrepareMemory(directory.path() + "/world.loci");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->memory, directory.path() + "/world.loci");
  const auto absent = PrepareMemory(directory.path() + "/notes.jsonl");
  ASSERT_TRUE(absent.ok());
  EXPECT_EQ(absent->memory, directory.path() + "/notes.loci");
  EXPECT_FALSE(std::filesystem::exists(absent->memory));
}

}  // namespace
}  // namespace loci::mcp
