// SPDX-License-Identifier: Apache-2.0
//
// What was forgotten is gone from every byte of every file after the next consolidation: names,
// texts, sources, and their hashes. The directory is searched as a person with a hex editor would.
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/hash.h"
#include "processes.h"
#include "recording_files.h"
#include "scenario.h"

namespace loci::faults {
namespace {

constexpr int kSecrets = 40;

std::string Secret(const char* what, int i) {
  return std::string("zqx-") + what + "-" + std::to_string(i * 7919 + 100000) + "-jkv";
}

// Statements whose every part but the relation is secret, mixed with ones to keep.
Changes Secrets(int from, int to) {
  Changes changes;
  for (int i = from; i < to; ++i) {
    changes.push_back({{Symbol(Secret("subject", i)), Symbol("knows"),
                        i % 2 == 0 ? Text(Secret("text", i) + " " + Secret("more", i))
                                   : Symbol(Secret("object", i)),
                        Symbol(Secret("source", i % 5))},
                       false});
  }
  return changes;
}

Changes Kept(int count) {
  std::mt19937_64 random(37);
  Changes changes;
  for (int i = 0; i < count; ++i) changes.push_back({RandomStatement(random), false});
  return changes;
}

Changes Reversed(Changes changes) {
  for (Change& change : changes) change.removed = true;
  return changes;
}

// What the directory still says of any secret; empty where nothing.
std::string Traces(const std::string& path) {
  std::string traces;
  for (const auto& [name, bytes] : DiskOf(path)) {
    if (bytes.find("zqx-") != std::string::npos || bytes.find("-jkv") != std::string::npos) {
      traces += name + " holds a secret; ";
    }
    for (int i = 0; i < kSecrets; ++i) {
      const Changes secret = Secrets(i, i + 1);
      const Statement& s = secret[0].statement;
      for (const Term* term : {&s.subject, &s.object, &s.source}) {
        const Hash128 id = NameId(*term);
        if (bytes.find(id.view().substr(0, 8)) != std::string::npos) {
          traces += name + " holds the address of a secret; ";
        }
      }
      const Hash256 hash = StatementHash(s.view());
      if (bytes.find(std::string_view(reinterpret_cast<const char*>(hash.data()), 8)) !=
          std::string::npos) {
        traces += name + " holds the hash of a forgotten statement; ";
      }
    }
  }
  return traces;
}

class ErasureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto opened = Store::Open(path_, {.create = true});
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    store_ = opened.take();
  }
  void Apply(const Changes& changes) {
    known_.Apply(changes);
    const auto done = store_->Apply(ToBatch(changes));
    ASSERT_TRUE(done.ok()) << done.error().message;
    ASSERT_EQ(done->digest_after.Hex(), known_.Digest()) << "forgetting is not exact at once";
  }
  void Consolidate() {
    const auto done = store_->Consolidate(nullptr);
    ASSERT_TRUE(done.ok()) << done.error().message;
  }
  void ExpectKnown() {
    const auto snapshot = store_->Read();
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
    EXPECT_EQ(Differences(**snapshot, known_).take(), "");
  }
  // Large texts, so that the tail is sealed into a run with what precedes them.
  void Seal() { Apply(LargeTexts(3, false)); }
  void Unseal() { Apply(LargeTexts(3, true)); }

  TemporaryDirectory directory_;
  const std::string path_ = directory_.path() + "/memory";
  std::unique_ptr<Store> store_;
  Double known_;
};

TEST_F(ErasureTest, OfTheTail) {
  Apply(Kept(50));
  Apply(Secrets(0, kSecrets));
  ASSERT_NE(Traces(path_), "") << "the search finds nothing where there is something";
  Apply(Reversed(Secrets(0, kSecrets)));
  Consolidate();
  EXPECT_EQ(Traces(path_), "");
  ExpectKnown();
}

TEST_F(ErasureTest, OfImageRunsAndTail) {
  Apply(Kept(50));
  Apply(Secrets(0, 10));
  Consolidate();
  Apply(Secrets(10, 20));
  Seal();
  Apply(Secrets(20, 30));
  Apply(Reversed(Secrets(0, 5)));
  Unseal();
  Apply(Secrets(30, kSecrets));
  Apply(Reversed(Secrets(5, kSecrets)));
  Consolidate();
  EXPECT_EQ(Traces(path_), "");
  ExpectKnown();
}

// A name leaves with its last fact, a source with its last statement, and not before.
TEST_F(ErasureTest, KeepsWhatAnotherStatementSays) {
  Statement shared = Secrets(0, 1)[0].statement;
  Apply({{shared, false}});
  Statement other = shared;
  other.source = Symbol("kept");
  Apply({{other, false}});
  Apply({{shared, true}});
  Consolidate();
  const std::string traces = Traces(path_);
  EXPECT_NE(traces, "") << "the name is still stated";
  EXPECT_EQ(traces.find("hash"), std::string::npos);
  for (const auto& [name, bytes] : DiskOf(path_)) {
    EXPECT_EQ(bytes.find("zqx-source"), std::string::npos) << name;
  }
  ExpectKnown();
}

TEST_F(ErasureTest, WithAnIdleProcessThatHasTheMemoryOpen) {
  Apply(Kept(50));
  Apply(Secrets(0, 20));
  Consolidate();
  Apply(Secrets(20, kSecrets));
  Worker idle({"hold", path_});
  std::string line;
  ASSERT_TRUE(idle.Next(&line) && idle.Next(&line));
  ASSERT_EQ(line, "done " + std::to_string(known_.statements().size()));
  Apply(Reversed(Secrets(0, kSecrets)));
  Consolidate();
  EXPECT_EQ(Traces(path_), "");
  ExpectKnown();
}

TEST_F(ErasureTest, AfterConsolidationsThatWereKilled) {
  std::mt19937_64 random(41);
  const int kills = Scaled(25);
  Apply(Kept(50));
  Seal();
  for (int i = 0; i < kills; ++i) {
    Apply(Secrets(0, kSecrets / 2));
    if (i % 3 == 0) Consolidate();
    Apply(Secrets(kSecrets / 2, kSecrets));
    Apply(Reversed(Secrets(0, kSecrets)));
    {
      Worker folder({"fold", path_, "3"});
      std::string line;
      folder.Next(&line);  // it has started
      ::usleep(static_cast<useconds_t>(random() % 8000));
      folder.Kill();
    }
    Consolidate();
    ASSERT_EQ(Traces(path_), "") << "round " << i;
  }
  ExpectKnown();
  std::printf("%d consolidations killed\n", kills);
}

}  // namespace
}  // namespace loci::faults
