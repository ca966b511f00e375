// SPDX-License-Identifier: Apache-2.0
//
// Damaged bytes: each file of a memory cut, flipped, overwritten, extended, swapped and removed, at
// every place of its structure and at random ones. Whatever is then read is what was acknowledged
// or a clear error; what has no checksum per read (the contents of an image) may answer wrongly,
// but then Check fails and consolidation refuses to carry it forward.
#include <gtest/gtest.h>

#include <functional>

#include "image/layout.h"
#include "recording_files.h"
#include "scenario.h"

namespace loci::faults {
namespace {

// A memory with an image, a run, a log of several frames and a published length.
struct Sample {
  Disk disk;
  Double truth;
  std::string image, run, log;
};

const Sample& TheSample() {
  static const Sample sample = [] {
    Sample made;
    auto files = std::make_shared<RecordingFiles>();
    std::unique_ptr<Store> store = Store::Open(files, {.create = true}).take();
    std::mt19937_64 random(23);
    const auto apply = [&](const Changes& changes) {
      made.truth.Apply(changes);
      EXPECT_TRUE(store->Apply(ToBatch(changes)).ok());
    };
    Changes first;
    for (int i = 0; i < 80; ++i) first.push_back({RandomStatement(random), false});
    apply(first);
    EXPECT_TRUE(store->Consolidate(nullptr).ok());
    // The consolidator's lock, held here, keeps the writer from folding the run at once.
    const auto unfolded = files->Lock("lock", 1, true);
    // Texts learned and forgotten again fill the log until it is sealed, and leave a small run.
    Changes some = LargeTexts(2, false);
    for (int i = 0; i < 40; ++i) some.push_back({RandomStatement(random), i % 8 == 0});
    some.push_back({first[10].statement, true});
    apply(some);
    apply(LargeTexts(2, true));
    for (size_t i = 0; i < 4; ++i) {
      apply({{RandomStatement(random), false}, {first[i].statement, true}});
    }
    const StoreStats stats = store->Stats().take();
    for (const StoreStats::File& layer : stats.layers) {
      (layer.name.starts_with("image") ? made.image : made.run) = layer.name;
    }
    made.disk = files->Now();
    for (const auto& [name, bytes] : made.disk) {
      if (name.starts_with("log-")) made.log = name;
    }
    return made;
  }();
  return sample;
}

bool IsClear(const Error& error) {
  const bool kind = error.kind == ErrorKind::kDamaged || error.kind == ErrorKind::kUnsupported ||
                    error.kind == ErrorKind::kNotFound || error.kind == ErrorKind::kNoMemory;
  return kind && !error.message.empty();
}

class DamageTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const Sample& sample = TheSample();
    ASSERT_FALSE(sample.image.empty());
    ASSERT_FALSE(sample.run.empty()) << "the scenario makes no run";
    ASSERT_GT(sample.disk.at(sample.log).size(), 300u) << "the log is empty";
    ASSERT_EQ(Judge(sample.disk, "nothing", true), "");
  }
  void TearDown() override {
    std::printf("%d damaged memories: %d refused, %d whole, %d wrong and known by Check\n", cases_,
                refused_, whole_, caught_);
  }

  // Empty, or what is wrong with how the memory behaves. `checksummed`: what was damaged is
  // verified whenever it is read.
  std::string Judge(const Disk& disk, const std::string& damage, bool checksummed) {
    ++cases_;
    const std::string fault = "[" + damage + "] ";
    const Double& truth = TheSample().truth;
    const auto files = std::make_shared<RecordingFiles>(disk);
    auto opened = Store::Open(files, {.read_only = true});
    if (!opened.ok()) {
      ++refused_;
      return IsClear(opened.error()) ? "" : fault + "unclear: " + opened.error().message;
    }
    std::optional<std::string> differences;
    std::optional<Error> error;
    const auto snapshot = (*opened)->Read();
    if (!snapshot.ok()) {
      error = snapshot.error();
    } else if (auto compared = Differences(**snapshot, truth); compared.ok()) {
      differences = *compared;
    } else {
      error = compared.error();
    }
    if (error && !IsClear(*error)) return fault + "unclear: " + error->message;
    const bool right = differences && differences->empty();
    const bool wrong = differences && !differences->empty();
    const Result<void> checked = (*opened)->Check(nullptr);
    if (!checked.ok() && !IsClear(checked.error())) {
      return fault + "Check is unclear: " + checked.error().message;
    }
    if (checked.ok() && !right) {
      return fault + "Check finds nothing, but reading: " + (error ? error->message : *differences);
    }
    if (wrong && checksummed) return fault + "silently wrong: " + *differences;
    ++(right ? whole_ : error ? refused_ : caught_);
    if (cases_ % 3 == 0) return JudgeConsolidation(disk, fault);
    return "";
  }

  // It fails, or makes an image of the truth.
  std::string JudgeConsolidation(const Disk& disk, const std::string& fault) {
    const auto files = std::make_shared<RecordingFiles>(disk);
    auto opened = Store::Open(files, {});
    if (!opened.ok()) return IsClear(opened.error()) ? "" : fault + opened.error().message;
    const Result<void> folded = (*opened)->Consolidate(nullptr);
    if (!folded.ok()) {
      return IsClear(folded.error()) ? ""
                                     : fault + "consolidation unclear: " + folded.error().message;
    }
    const auto snapshot = (*opened)->Read();
    if (!snapshot.ok()) return fault + "lost by consolidation: " + snapshot.error().message;
    const auto differences = Differences(**snapshot, TheSample().truth);
    if (!differences.ok()) return fault + "after consolidation: " + differences.error().message;
    return differences->empty() ? "" : fault + "damage carried forward: " + *differences;
  }

  void Expect(const std::string& name, const std::string& damage, bool checksummed,
              const std::function<void(std::string*)>& change) {
    Disk disk = TheSample().disk;
    change(&disk[name]);
    if (disk[name] == TheSample().disk.at(name)) return;
    const std::string fault = Judge(disk, name + " " + damage, checksummed);
    if (!fault.empty() && ++failures_ <= 10) ADD_FAILURE() << fault;
  }

  void Truncate(const std::string& name, size_t length) {
    Expect(name, "cut to " + std::to_string(length), true,
           [&](std::string* bytes) { bytes->resize(std::min(length, bytes->size())); });
  }
  void Flip(const std::string& name, size_t at, unsigned bit, bool checksummed) {
    Expect(name, "flipped at byte " + std::to_string(at) + " bit " + std::to_string(bit),
           checksummed, [&](std::string* bytes) { (*bytes)[at] ^= static_cast<char>(1u << bit); });
  }

  std::mt19937_64 random_{29};
  int cases_ = 0, refused_ = 0, whole_ = 0, caught_ = 0, failures_ = 0;
};

// Offsets worth a try: both ends, the header, and around each section.
std::vector<size_t> PlacesOf(const std::string& image) {
  std::vector<size_t> places = {0, 1, 7, 8, 64, 127, 128, image.size() - 1};
  const auto* table = image.data() + sizeof(ImageHeader);
  for (uint32_t i = 0; i < kSections; ++i) {
    const auto entry = loci::Load<SectionEntry>(table + i * sizeof(SectionEntry));
    for (const uint64_t edge : {entry.offset, entry.offset + entry.length}) {
      for (const uint64_t at : {edge - 1, edge, edge + 1}) {
        if (at < image.size()) places.push_back(at);
      }
    }
  }
  return places;
}

TEST_F(DamageTest, OfCurrent) {
  const std::string& bytes = TheSample().disk.at("CURRENT");
  for (size_t at = 0; at < bytes.size(); ++at) {
    Truncate("CURRENT", at);
    Flip("CURRENT", at, random_() % 8, true);
  }
  for (const char* more : {"\n", "run run-1\n", "x"}) {
    Expect("CURRENT", "extended", true, [&](std::string* text) { *text += more; });
  }
}

TEST_F(DamageTest, OfTheLog) {
  const std::string& log = TheSample().log;
  const std::string& bytes = TheSample().disk.at(log);
  for (size_t at = 0; at < bytes.size(); at += 1 + random_() % 3) Truncate(log, at);
  for (size_t at = 0; at < bytes.size(); at += 1 + random_() % 2)
    Flip(log, at, random_() % 8, true);
  for (int i = 0; i < Scaled(100); ++i) {
    const size_t at = random_() % bytes.size(), size = 1 + random_() % 64;
    Expect(log, "zeroed at " + std::to_string(at), true, [&](std::string* b) {
      for (size_t j = at; j < std::min(at + size, b->size()); ++j) (*b)[j] = 0;
    });
    // Beyond what was published anything may stand: a torn write. Then all is there.
    Disk torn = TheSample().disk;
    for (size_t j = 0; j < size; ++j) torn[log].push_back(static_cast<char>(i < 5 ? 0 : random_()));
    const std::string fault = Judge(torn, "log extended", true);
    if (!fault.empty() && ++failures_ <= 10) ADD_FAILURE() << fault;
  }
}

TEST_F(DamageTest, OfTheLockPageLosesNothing) {
  const size_t size = TheSample().disk.at("lock").size();
  for (const size_t length : {size_t{0}, size_t{1}, size_t{7}, size_t{8}, size_t{9}, size / 2}) {
    Truncate("lock", length);
  }
  for (size_t at = 0; at < 64; ++at) Flip("lock", at, random_() % 8, true);
  for (int i = 0; i < Scaled(100); ++i) Flip("lock", random_() % size, random_() % 8, true);
  for (int i = 0; i < Scaled(50); ++i) {
    Expect("lock", "overwritten", true, [&](std::string* b) {
      for (char& byte : *b) byte = static_cast<char>(random_());
    });
  }
  EXPECT_EQ(refused_, 0) << "the page is a cache: the truth is the last whole frame";
}

TEST_F(DamageTest, OfImagesAndRuns) {
  for (const std::string& name : {TheSample().image, TheSample().run}) {
    const std::string& bytes = TheSample().disk.at(name);
    for (const size_t at : PlacesOf(bytes)) {
      Truncate(name, at);
      for (unsigned bit : {0u, 7u}) Flip(name, at, bit, false);
    }
    const size_t head = sizeof(ImageHeader) + kSections * sizeof(SectionEntry);
    for (size_t at = 0; at < head; ++at) Flip(name, at, random_() % 8, true);
    for (int i = 0; i < Scaled(60); ++i) Truncate(name, random_() % bytes.size());
    const auto entries = bytes.data() + sizeof(ImageHeader);
    for (int i = 0; i < Scaled(1000); ++i) {
      // A section first, so that small sections are hit as often as long texts.
      const auto entry = loci::Load<SectionEntry>(entries + (random_() % kSections) * 32);
      if (entry.length == 0) continue;
      const size_t at = entry.offset + random_() % entry.length;
      if (i % 4 != 0) {
        Flip(name, at, random_() % 8, false);
        continue;
      }
      const char byte = static_cast<char>(i % 8 == 0 ? 0xFF : random_());
      const size_t size = 1 + random_() % 16;
      Expect(name, "overwritten at " + std::to_string(at), false, [&](std::string* b) {
        for (size_t j = at; j < std::min(at + size, b->size()); ++j) (*b)[j] = byte;
      });
    }
    Expect(name, "extended", true, [](std::string* b) { b->push_back('\0'); });
  }
  EXPECT_GT(caught_, 0) << "no damage reached the contents";
}

TEST_F(DamageTest, OfWholeFiles) {
  const Sample& sample = TheSample();
  std::vector<std::string> names;
  for (const auto& [name, bytes] : sample.disk) names.push_back(name);
  for (const std::string& name : names) {
    Disk disk = sample.disk;
    disk.erase(name);
    EXPECT_EQ(Judge(disk, name + " removed", true), "");
    disk[name] = "";
    EXPECT_EQ(Judge(disk, name + " emptied", true), "");
    for (const std::string& other : names) {
      if (name == "lock" || name == other) continue;
      disk[name] = sample.disk.at(other);
      const bool checksummed = name == "CURRENT" || name == sample.log;
      EXPECT_EQ(Judge(disk, name + " replaced by " + other, checksummed), "");
    }
  }
}

// The other half of a crash: the page lost with the last frame torn. Nobody was told of that frame,
// or the disk lies; either way the whole frames before it are kept.
TEST_F(DamageTest, ATornLastFrameLeavesTheAcknowledgedPrefix) {
  auto files = std::make_shared<RecordingFiles>();
  std::unique_ptr<Store> store = Store::Open(files, {.create = true}).take();
  std::vector<Double> states(1);
  std::vector<size_t> ends;
  std::string log;
  std::mt19937_64 random(31);
  for (int i = 0; i < 6; ++i) {
    const Changes changes = {{RandomStatement(random), false}, {RandomStatement(random), false}};
    ASSERT_TRUE(store->Apply(ToBatch(changes)).ok());
    states.push_back(states.back());
    states.back().Apply(changes);
    for (const auto& [name, bytes] : files->Now()) {
      if (name.starts_with("log-")) log = name;
    }
    ends.push_back(files->Now().at(log).size());
  }
  const Disk whole = files->Now();
  const size_t start = ends[ends.size() - 2];
  for (size_t length = start; length < ends.back(); ++length) {
    Disk disk = whole;
    disk.erase("lock");
    disk[log].resize(length);
    ++cases_;
    for (const bool read_only : {true, false}) {
      const auto opened =
          OpenIn(std::make_shared<RecordingFiles>(disk), {.read_only = read_only}, states, 5, 5);
      ASSERT_TRUE(opened.ok()) << "cut to " << length << ": " << opened.error().message;
    }
  }
}

// A directory that lost CURRENT must not be taken for a place to create an empty memory in: that
// would remove the rest as orphans.
TEST_F(DamageTest, CreatingRefusesToReplaceAMemoryWithoutCurrent) {
  Disk disk = TheSample().disk;
  disk.erase("CURRENT");
  auto files = std::make_shared<RecordingFiles>(disk);
  auto opened = Store::Open(files, {.create = true});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().kind, ErrorKind::kDamaged) << opened.error().message;
  EXPECT_EQ(files->Now().at(TheSample().image), disk.at(TheSample().image));
}

}  // namespace
}  // namespace loci::faults
