// SPDX-License-Identifier: Apache-2.0
//
// Every selector against a std::set of statements, on random memories of several layers; and what
// a user may write as FACT and NAME.
#include "query/selection.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/build.h"
#include "query/facts.h"

namespace loci::query {
namespace {

using ::testing::HasSubstr;
using Words = std::array<std::string, 4>;  // subject, relation, object, source; all symbols

TermView Symbol(const std::string& name) {
  return {Kind::kSymbol, name};
}
StatementView View(const Words& w) {
  return {Symbol(w[0]), Symbol(w[1]), Symbol(w[2]), Symbol(w[3])};
}

std::shared_ptr<const Image> Layer(const std::vector<std::pair<Words, bool>>& rows) {
  Batch batch;
  for (const auto& [words, removed] : rows) batch.Add(View(words), removed);
  auto image = BuildImage(batch, loci::Words::kLastCounts, {});
  EXPECT_TRUE(image.ok());
  return image.take();
}

// A random memory: a layer that learns, then one that forgets some and learns some more.
struct Memory {
  std::set<Words> statements;
  std::unique_ptr<Snapshot> snapshot;

  explicit Memory(uint32_t seed) {
    std::mt19937 random(seed);
    // Few names, used in every place, so that subjects are relations, objects and sources too.
    const auto name = [&] { return std::string(1, static_cast<char>('a' + random() % 5)); };
    std::vector<std::pair<Words, bool>> first, second;
    while (statements.size() < 40) {
      const Words words{name(), name(), name(), name()};
      if (statements.insert(words).second) first.emplace_back(words, false);
    }
    for (size_t i = 0; i < 15; ++i) {
      statements.erase(first[i].first);
      second.emplace_back(first[i].first, true);
    }
    while (statements.size() < 35) {
      const Words words{name(), name(), name(), name()};
      const bool forgotten = std::any_of(first.begin(), first.begin() + 15,
                                         [&](const auto& row) { return row.first == words; });
      if (!forgotten && statements.insert(words).second) second.emplace_back(words, false);
    }
    snapshot = std::make_unique<Snapshot>(
        std::vector<std::shared_ptr<const Image>>{Layer(first), Layer(second)});
  }
};

Words WordsOf(const Snapshot& snapshot, const Fact& fact, TermId source) {
  return {std::string(snapshot.Name(fact.subject).bytes),
          std::string(snapshot.Name(fact.relation).bytes),
          std::string(snapshot.Name(fact.object).bytes), std::string(snapshot.Name(source).bytes)};
}

// What Select finds, compared with the statements for which `meant` holds.
template <class Meant>
Selection Compare(const Memory& memory, const Selector& selector, const Meant& meant) {
  auto selection = Select(*memory.snapshot, selector, {});
  EXPECT_TRUE(selection.ok()) << selection.error().message;
  std::set<Words> found, expected;
  for (const auto& [fact, source] : selection->statements) {
    EXPECT_TRUE(found.insert(WordsOf(*memory.snapshot, fact, source)).second) << "twice";
  }
  for (const Words& words : memory.statements) {
    if (meant(words)) expected.insert(words);
  }
  EXPECT_EQ(found, expected);

  const auto facts_of = [](const std::set<Words>& statements) {
    std::set<Words> facts;
    for (const Words& w : statements) facts.insert({w[0], w[1], w[2], ""});
    return facts;
  };
  std::set<Words> left;
  std::set_difference(memory.statements.begin(), memory.statements.end(), expected.begin(),
                      expected.end(), std::inserter(left, left.end()));
  const std::set<Words> touched = facts_of(expected), still = facts_of(left);
  const auto kept = static_cast<uint64_t>(std::count_if(
      touched.begin(), touched.end(), [&](const Words& f) { return still.count(f) != 0; }));
  EXPECT_EQ(selection->facts_kept, kept);
  EXPECT_EQ(selection->facts_gone, touched.size() - kept);
  return selection.take();
}

Selector ByName(Selector::By by, const std::string& name) {
  auto selector = SelectorFromName(by, name);
  EXPECT_TRUE(selector.ok());
  return selector.take();
}

TEST(Select, EqualsTheSlowDouble) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const Memory memory(seed);
    for (const std::string name : {"a", "b", "c", "d", "e", "absent"}) {
      const Selection subject = Compare(memory, ByName(Selector::By::kSubject, name),
                                        [&](const Words& w) { return w[0] == name; });
      std::set<Words> named;
      uint64_t as_source = 0;
      for (const Words& w : memory.statements) {
        if (w[0] == name) continue;
        if (w[1] == name || w[2] == name) named.insert({w[0], w[1], w[2], ""});
        as_source += w[3] == name;
      }
      EXPECT_EQ(subject.still_named, named.size());
      EXPECT_EQ(subject.still_source, as_source);
      Compare(memory, ByName(Selector::By::kSource, name),
              [&](const Words& w) { return w[3] == name; });
      Compare(memory, ByName(Selector::By::kNaming, name),
              [&](const Words& w) { return std::count(w.begin(), w.end(), name) > 0; });
    }
    for (const Words& one : memory.statements) {
      Selector selector;
      selector.fact.subject = Term{Kind::kSymbol, one[0]};
      selector.fact.relation = Term{Kind::kSymbol, one[1]};
      selector.fact.object = Term{Kind::kSymbol, one[2]};
      Compare(memory, selector,
              [&](const Words& w) { return w[0] == one[0] && w[1] == one[1] && w[2] == one[2]; });
      selector.fact.has_source = true;
      selector.fact.source = Term{Kind::kSymbol, one[3]};
      Compare(memory, selector, [&](const Words& w) { return w == one; });
    }
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(Select, FindsStatementsByAddress) {
  const Memory memory(7);
  for (const Words& one : memory.statements) {
    const Hash256 hash = StatementHash(View(one));
    const std::string hex = Hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
    for (size_t digits : {kAddressDigits, size_t{64}}) {
      auto selector = SelectorFromFact(hex.substr(0, digits));
      ASSERT_TRUE(selector.ok());
      Compare(memory, *selector, [&](const Words& w) { return w == one; });
    }
  }
}

TEST(Select, AmbiguousAddressListsCandidates) {
  const Memory memory(7);
  Selector selector;
  selector.by = Selector::By::kAddress;  // as short as no user may write it, to be ambiguous
  std::set<char> seen;
  for (const Words& w : memory.statements) {
    const Hash256 hash = StatementHash(View(w));
    const std::string hex = Hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
    if (!seen.insert(hex[0]).second) selector.address = hex.substr(0, 1);
  }
  const auto selection = Select(*memory.snapshot, selector, {});
  ASSERT_FALSE(selection.ok());
  EXPECT_EQ(selection.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(selection.error().message, HasSubstr("give more digits:\n  " + selector.address));
}

TEST(Select, StopsWhenCancelled) {
  std::vector<std::pair<Words, bool>> rows;
  for (int i = 0; i < 10000; ++i) rows.push_back({{std::to_string(i), "r", "o", "x"}, false});
  const Snapshot snapshot({Layer(rows)});
  const auto selection = Select(snapshot, ByName(Selector::By::kSource, "x"), [] { return true; });
  ASSERT_FALSE(selection.ok());
  EXPECT_EQ(selection.error().kind, ErrorKind::kCancelled);
}

TEST(Select, DescribesInCanonicalOrder) {
  const Memory memory(3);
  auto selection = Select(*memory.snapshot, ByName(Selector::By::kNaming, "a"), {});
  ASSERT_TRUE(selection.ok());
  Sort(*memory.snapshot, &*selection);
  std::vector<std::string> expected;
  for (const Words& w : memory.statements) {
    if (std::count(w.begin(), w.end(), "a") == 0) continue;
    expected.push_back(w[1] + "(" + w[0] + ", " + w[2] + ") from " + w[3]);
  }
  EXPECT_EQ(Describe(*memory.snapshot, *selection), expected);
}

TEST(Selector, TakesNamesAsTheyStandOrInNotation) {
  EXPECT_EQ(ByName(Selector::By::kSubject, "New York").name.bytes, "New York");
  EXPECT_EQ(ByName(Selector::By::kSubject, "<New York>").name.bytes, "New York");
  EXPECT_EQ(ByName(Selector::By::kNaming, "\"a text\"").name.kind, Kind::kText);
  EXPECT_FALSE(SelectorFromName(Selector::By::kSubject, "\"a text\"").ok());
  EXPECT_FALSE(SelectorFromName(Selector::By::kSource, "").ok());
  EXPECT_FALSE(SelectorFromName(Selector::By::kSource, "<open").ok());
}

TEST(Selector, KnowsAnAddressWhenItSeesOne) {
  EXPECT_EQ(SelectorFromFact("0123456789ABCDEF")->address, "0123456789abcdef");
  EXPECT_FALSE(SelectorFromFact("abc").ok());
  EXPECT_FALSE(SelectorFromFact(std::string(65, 'a')).ok());
}

}  // namespace
}  // namespace loci::query
