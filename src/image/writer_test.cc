// SPDX-License-Identifier: Apache-2.0
//
// The writer's own promises: sinks that agree, sets of sources that are held once, an order of sets
// and bytes that do not depend on how the draft came about.
#include "image/writer.h"

#include <gtest/gtest.h>

#include "image/testing.h"

namespace loci {
namespace {

class MemoryFile : public WritableFile {
 public:
  explicit MemoryFile(std::string* bytes) : bytes_(bytes) {}
  Result<void> WriteAt(uint64_t offset, std::string_view bytes) override {
    if (fail_) return Error{ErrorKind::kNoSpace, "full"};
    bytes_->resize(std::max(bytes_->size(), offset + bytes.size()));
    bytes_->replace(offset, bytes.size(), bytes);
    return {};
  }
  Result<void> Truncate(uint64_t length) override { return bytes_->resize(length), Result<void>(); }
  Result<void> Sync() override { return {}; }
  Result<uint64_t> Size() override { return uint64_t{bytes_->size()}; }
  void Fail() { fail_ = true; }

 private:
  std::string* bytes_;
  bool fail_ = false;
};

TEST(WriterTest, SinksAgree) {
  test::Random random(1);
  // Appends of every size, a few beyond the file sink's buffer.
  std::string in_file;
  MemoryFile file(&in_file);
  FileSink to_file(&file);
  StringSink to_string;
  for (int i = 0; i < 300; ++i) {
    const std::string bytes(i % 50 == 49 ? 3 << 20 : random() % 5000, static_cast<char>(i));
    ASSERT_TRUE(to_file.Append(bytes).ok());
    ASSERT_TRUE(to_string.Append(bytes).ok());
  }
  const std::string head(700, 'h');
  ASSERT_TRUE(to_file.SetHead(head).ok());
  ASSERT_TRUE(to_string.SetHead(head).ok());
  EXPECT_TRUE(in_file == to_string.take());
}

TEST(WriterTest, AFailingFileFailsTheImage) {
  std::string bytes;
  MemoryFile file(&bytes);
  file.Fail();
  FileSink sink(&file);
  ImageDraft draft;
  draft.row_offsets.push_back(0);
  const Result<void> written = WriteImage(draft, &sink);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().kind, ErrorKind::kNoSpace);
}

TEST(WriterTest, SetsOfSourcesAreHeldOnce) {
  test::Random random(2);
  SourceSets sets;
  std::map<std::vector<uint64_t>, uint32_t> expected;
  for (int i = 0; i < 5000; ++i) {
    std::vector<uint64_t> members;
    for (uint64_t m = 0; m < 8; ++m) {
      if (random() % 3 == 0) members.push_back(m * 2 + random() % 2);
    }
    const auto [it, added] = expected.emplace(members, static_cast<uint32_t>(expected.size()));
    ASSERT_EQ(sets.Intern(members), it->second);
    ASSERT_EQ(sets.size(), expected.size());
  }
  sets.Renumber({7, 6, 5, 4, 3, 2, 1, 0});
  for (const auto& [members, number] : expected) {
    ASSERT_EQ(sets[number].size(), members.size());
    for (size_t i = 0; i < members.size(); ++i) {
      ASSERT_EQ(sets[number][i], (7 - members[i] / 2) * 2 + members[i] % 2);
    }
  }
}

// The same facts, whose sets arrived in opposite orders.
TEST(WriterTest, TheOrderOfArrivalOfSetsDoesNotShow) {
  const std::vector<Term> terms{test::Symbol("a"), test::Symbol("b"), test::Symbol("r")};
  const auto write = [&](bool reversed) {
    ImageDraft draft;
    draft.terms[3] = 3;
    draft.name = [&](LocalId t) { return terms[t].view(); };
    draft.id = [&](LocalId t) { return NameId(terms[t]); };
    draft.row_offsets = {0, 2, 2, 2};
    draft.relation = {2, 2};
    draft.object = {0, 1};
    const std::vector<uint64_t> small{0}, large{0, 2};
    if (reversed) draft.sets.Intern(small);
    draft.set = {draft.sets.Intern(large), draft.sets.Intern(small)};
    StringSink sink;
    EXPECT_TRUE(WriteImage(draft, &sink).ok());
    return sink.take();
  };
  EXPECT_TRUE(write(false) == write(true));
}

TEST(WriterTest, GapsBetweenSectionsAreZeros) {
  test::Random random(3);
  test::Said said;
  for (int i = 0; i < 33; ++i) said[test::RandomStatement(random)] = false;
  const std::string bytes = test::WriteSlowly(said, "k v\n");
  ASSERT_EQ(bytes.size() % 8, 0u);
  uint64_t end = sizeof(ImageHeader) + kSections * sizeof(SectionEntry);
  for (uint32_t s = 0; s < kSections; ++s) {
    const auto entry =
        Load<SectionEntry>(bytes.data() + sizeof(ImageHeader) + s * sizeof(SectionEntry));
    EXPECT_EQ(entry.offset, (end + 7) / 8 * 8) << SectionName(s);
    for (; end < entry.offset; ++end) EXPECT_EQ(bytes[end], 0);
    end = entry.offset + entry.length;
  }
  for (; end < bytes.size(); ++end) EXPECT_EQ(bytes[end], 0);
}

}  // namespace
}  // namespace loci
