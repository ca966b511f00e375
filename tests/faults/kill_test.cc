// SPDX-License-Identifier: Apache-2.0
//
// kill -9 of real processes at random moments of learn, forget and consolidate. Each acknowledged
// batch is there, the one in flight is whole or absent, the memory passes Check, and in the end its
// image is that of what it knows.
#include <gtest/gtest.h>
#include <unistd.h>

#include <climits>

#include "processes.h"
#include "recording_files.h"
#include "scenario.h"

namespace loci::faults {
namespace {

struct Author {
  std::string who;
  unsigned seed;
  unsigned next = 0;  // the step not yet known to be done
  Double known;       // of its steps alone

  std::vector<std::string> Arguments(const std::string& path) const {
    return {"live", path, who, std::to_string(seed), std::to_string(next), "1000000"};
  }
  void Catch(unsigned done) {
    for (; next <= done; ++next) known.Apply(LifeStep(who, seed, next).changes);
  }
};

// The statements of one author, in a memory that several have written.
std::set<Statement> Part(const std::set<Statement>& all, const Author& author) {
  std::set<Statement> part;
  for (const Statement& s : all) {
    if (s.subject.bytes.starts_with(author.who + " ") ||
        s.subject.bytes.starts_with(author.who + "-")) {
      part.insert(s);
    }
  }
  return part;
}

// Reads what the worker reports until it has done so many steps, or has ended.
void ReadReports(Worker* worker, Author* author, unsigned most = UINT_MAX) {
  std::string line;
  for (unsigned n = 0; n < most && worker->Next(&line);) {
    if (!line.starts_with("done ")) continue;
    author->Catch(static_cast<unsigned>(std::stoul(line.substr(5))));
    ++n;
  }
}

class KillTest : public ::testing::Test {
 protected:
  // Settles whether the batch in flight arrived; fails where an author's part is in no state of it.
  void Verify(const std::string& path, std::vector<Author>* authors) {
    auto store = Store::Open(path, {.create = true});
    ASSERT_TRUE(store.ok()) << store.error().message;
    const Result<void> checked = (*store)->Check(nullptr);
    ASSERT_TRUE(checked.ok()) << checked.error().message;
    auto snapshot = (*store)->Read();
    ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
    const auto all = StatementsOf(**snapshot);
    ASSERT_TRUE(all.ok()) << all.error().message;
    Double whole;
    for (Author& author : *authors) {
      const std::set<Statement> part = Part(*all, author);
      if (part != author.known.statements()) {
        author.Catch(author.next);
        ASSERT_TRUE(part == author.known.statements())
            << author.who << " before step " << author.next << ": " << part.size()
            << " statements where " << author.known.statements().size() << " are expected";
      }
      Changes changes;
      for (const Statement& s : part) changes.push_back({s, false});
      whole.Apply(changes);
    }
    ASSERT_EQ((*snapshot)->digest().Hex(), whole.Digest());
  }

  void VerifyImage(const std::string& path) {
    auto store = Store::Open(path, {});
    ASSERT_TRUE(store.ok()) << store.error().message;
    ASSERT_TRUE((*store)->Consolidate(nullptr).ok());
    const auto all = StatementsOf(**(*store)->Read());
    ASSERT_TRUE(all.ok()) << all.error().message;
    Double known;
    for (const Statement& s : *all) known.Apply({{s, false}});
    const auto stats = (*store)->Stats();
    ASSERT_TRUE(stats.ok());
    ASSERT_EQ(stats->layers.size(), 1u);
    const Disk disk = DiskOf(path);
    EXPECT_TRUE(disk.at(stats->layers[0].name) == ImageOf(known).take());
    EXPECT_LE(disk.size(), 4u) << "orphans of the killed are left";
  }

  void KillMany(size_t workers, int kills) {
    TemporaryDirectory directory;
    const std::string path = directory.path() + "/memory";
    std::vector<Author> authors;
    for (size_t i = 0; i < workers; ++i) {
      authors.push_back({"author" + std::to_string(i), static_cast<unsigned>(i + 1), 0, {}});
    }
    std::mt19937_64 random(17 + workers);
    unsigned steps = 0;
    for (int i = 0; i < kills; i += static_cast<int>(workers)) {
      {
        std::vector<std::unique_ptr<Worker>> running;
        for (const Author& author : authors) {
          running.push_back(std::make_unique<Worker>(author.Arguments(path)));
        }
        // At a moment that is random in the work, however loaded the machine: after some steps of
        // the first, a third of them none, and a little later, so as to hit each part of a step.
        ReadReports(running[0].get(), &authors[0], random() % 3 == 0 ? 0 : random() % 8);
        ::usleep(static_cast<useconds_t>(random() % 6000));
        for (auto& worker : running) worker->Kill();
        for (size_t w = 0; w < workers; ++w) ReadReports(running[w].get(), &authors[w]);
      }
      Verify(path, &authors);
      if (HasFatalFailure()) return;
    }
    VerifyImage(path);
    for (const Author& author : authors) steps += author.next;
    EXPECT_GT(steps, static_cast<unsigned>(kills)) << "the workers hardly worked";
    std::printf("%d kills, %u steps acknowledged\n", kills, steps);
  }
};

TEST_F(KillTest, OneProcess) {
  KillMany(1, Scaled(240));
}

TEST_F(KillTest, ThreeProcessesOnOneMemory) {
  KillMany(3, Scaled(120));
}

TEST_F(KillTest, OfAConsolidatorWhileAnotherWrites) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  std::vector<Author> authors = {{"author", 5, 0, {}}};
  std::mt19937_64 random(19);
  Worker writer(authors[0].Arguments(path));
  const int kills = Scaled(60);
  for (int i = 0; i < kills; ++i) {
    Worker folder({"fold", path, "1000000"});
    std::string line;
    for (uint64_t reports = random() % 3; reports > 0 && folder.Next(&line); --reports) {
    }
    ::usleep(static_cast<useconds_t>(random() % 6000));
    folder.Kill();
  }
  writer.Kill();
  ReadReports(&writer, &authors[0]);
  Verify(path, &authors);
  VerifyImage(path);
  EXPECT_GT(authors[0].next, 50u) << "the writer was held up";
  std::printf("%d kills, %u steps acknowledged beside them\n", kills, authors[0].next);
}

}  // namespace
}  // namespace loci::faults
