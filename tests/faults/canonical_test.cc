// SPDX-License-Identifier: Apache-2.0
//
// Canonical: however a memory came to know what it knows (order, batches, reopenings, foldings,
// threads, processes, through tail, runs and image), its image has the same bytes, those of the
// surviving statements learned at once. The digest is followed step by step.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <thread>

#include "processes.h"
#include "recording_files.h"
#include "scenario.h"

namespace loci::faults {
namespace {

// A long history over a pool of statements: each is learned and forgotten several times.
Changes History(unsigned seed, int length, int pool_size) {
  std::mt19937_64 random(seed);
  std::set<Statement> drawn;
  while (drawn.size() < static_cast<size_t>(pool_size)) drawn.insert(RandomStatement(random));
  const std::vector<Statement> pool(drawn.begin(), drawn.end());
  Changes history;
  for (int i = 0; i < length; ++i) {
    history.push_back({pool[random() % pool.size()], random() % 3 == 0});
  }
  return history;
}

// Another order with the same outcome: what is said of one statement keeps its order.
Changes Shuffled(const Changes& history, std::mt19937_64& random) {
  std::vector<size_t> places(history.size());
  for (size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::shuffle(places.begin(), places.end(), random);
  std::map<Statement, std::vector<size_t>> of;
  for (size_t i = 0; i < history.size(); ++i) of[history[i].statement].push_back(places[i]);
  for (auto& [statement, list] : of) std::sort(list.rbegin(), list.rend());
  Changes shuffled(history.size());
  for (const Change& change : history) {
    std::vector<size_t>& list = of[change.statement];
    shuffled[list.back()] = change;
    list.pop_back();
  }
  return shuffled;
}

Double Outcome(const Changes& history) {
  Double known;
  known.Apply(history);
  return known;
}

size_t SomeSize(std::mt19937_64& random) {
  constexpr size_t kSizes[] = {1, 3, 20, 150, 1000, 5000};
  return 1 + random() % kSizes[random() % std::size(kSizes)];
}

Result<std::string> ConsolidatedImage(const std::shared_ptr<FileSystem>& files, Store* store) {
  LOCI_TRY(store->Consolidate(nullptr));
  LOCI_TRY(store->Check(nullptr));
  LOCI_ASSIGN(const StoreStats stats, store->Stats());
  if (stats.layers.empty()) return std::string();
  if (stats.layers.size() != 1) return Error{ErrorKind::kDamaged, "not one layer"};
  return files->Read(stats.layers[0].name);
}

// One life in random batches, in lockstep with the double; what it left is its image.
void LiveAlone(const Changes& history, std::mt19937_64& random, std::string* image) {
  const std::shared_ptr<FileSystem> files = std::make_shared<RecordingFiles>();
  auto store = Store::Open(files, {.create = true}).take();
  Double known;
  for (size_t at = 0; at < history.size();) {
    const size_t size = std::min(SomeSize(random), history.size() - at);
    const Changes batch(history.begin() + at, history.begin() + at + size);
    at += size;
    const size_t before = known.statements().size();
    known.Apply(batch);
    const auto receipt = store->Apply(ToBatch(batch));
    ASSERT_TRUE(receipt.ok()) << receipt.error().message;
    ASSERT_EQ(receipt->digest_after.Hex(), known.Digest());
    ASSERT_EQ(before + receipt->learned - receipt->forgotten, known.statements().size());
    if (random() % 6 == 0) {
      const auto snapshot = store->Read();
      ASSERT_TRUE(snapshot.ok()) << snapshot.error().message;
      ASSERT_EQ(Differences(**snapshot, known).take(), "");
    }
    if (random() % 12 == 0) {
      store.reset();
      store = Store::Open(files, {}).take();
    }
    if (random() % 20 == 0) {
      ASSERT_TRUE(store->Consolidate(nullptr).ok());
    }
  }
  auto made = ConsolidatedImage(files, store.get());
  ASSERT_TRUE(made.ok()) << made.error().message;
  *image = made.take();
}

TEST(CanonicalTest, WhateverTheOrderAndTheBatches) {
  std::mt19937_64 random(43);
  const int rounds = Scaled(3);
  int lives = 0;
  for (int round = 0; round < rounds; ++round) {
    const Changes history = History(round, 16000, 3000);
    const std::string expected = ImageOf(Outcome(history)).take();
    for (int i = 0; i < 4; ++i, ++lives) {
      std::string image;
      LiveAlone(i == 0 ? history : Shuffled(history, random), random, &image);
      if (::testing::Test::HasFatalFailure()) return;
      ASSERT_TRUE(image == expected) << "history " << round << ", order " << i;
    }
  }
  std::printf("%d lives of 16000 changes\n", lives);
}

TEST(CanonicalTest, OfWhatWasAllForgottenLeavesNoImage) {
  Changes history = History(99, 3000, 500);
  const Double known = Outcome(history);
  for (const Statement& s : known.statements()) history.push_back({s, true});
  std::mt19937_64 random(47);
  std::string image;
  LiveAlone(history, random, &image);
  EXPECT_TRUE(image == ImageOf(Double()).take());
}

// The share of a writer: all that is said of one statement is said by one writer.
Changes ShareOf(const Changes& history, unsigned writer, unsigned writers) {
  Changes share;
  for (const Change& change : history) {
    const size_t hash =
        std::hash<std::string>()(change.statement.subject.bytes + change.statement.object.bytes);
    if (hash % writers == writer) share.push_back(change);
  }
  return share;
}

bool Failed(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return false;
}

bool Write(const std::string& path, const Changes& share, unsigned seed) {
  std::mt19937_64 random(seed);
  auto store = Store::Open(path, {.create = true});
  if (!store.ok()) return Failed(store.error());
  for (size_t at = 0; at < share.size();) {
    const size_t size = std::min(SomeSize(random), share.size() - at);
    const auto receipt = (*store)->Apply(ToBatch({share.begin() + at, share.begin() + at + size}));
    if (!receipt.ok()) return Failed(receipt.error());
    at += size;
    if (random() % 15 != 0) continue;
    if (const auto done = (*store)->Consolidate(nullptr); !done.ok()) return Failed(done.error());
  }
  return true;
}

void ExpectImage(const std::string& path, const Changes& history) {
  const std::shared_ptr<FileSystem> files = OpenDirectory(path, false).take();
  auto store = Store::Open(files, {}).take();
  const auto image = ConsolidatedImage(files, store.get());
  ASSERT_TRUE(image.ok()) << image.error().message;
  EXPECT_TRUE(*image == ImageOf(Outcome(history)).take());
}

constexpr unsigned kWriters = 4;

TEST(CanonicalTest, WithSeveralThreads) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  const Changes history = History(101, 12000, 2500);
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < kWriters; ++w) {
    threads.emplace_back([&, w] { EXPECT_TRUE(Write(path, ShareOf(history, w, kWriters), w)); });
  }
  for (std::thread& thread : threads) thread.join();
  ExpectImage(path, history);
}

TEST(CanonicalTest, WithSeveralProcesses) {
  TemporaryDirectory directory;
  const std::string path = directory.path() + "/memory";
  const Changes history = History(103, 12000, 2500);
  std::vector<pid_t> children;
  for (unsigned w = 0; w < kWriters; ++w) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(Write(path, ShareOf(history, w, kWriters), w) ? 0 : 1);
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  ExpectImage(path, history);
}

}  // namespace
}  // namespace loci::faults
