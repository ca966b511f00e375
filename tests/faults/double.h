// SPDX-License-Identifier: Apache-2.0
//
// The slow, obvious double of a memory: a std::set of statements. Its digest is computed here from
// the definition (names to N(x) to statement hashes to a 256-bit sum), with nothing of the product
// but SHA-256 itself, so that a mistake in the product's own chain cannot hide.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "memory/batch.h"
#include "memory/snapshot.h"
#include "store/store.h"

namespace loci::faults {

struct Statement {
  Term subject, relation, object, source;

  StatementView view() const { return {subject, relation, object, source}; }
  auto Key() const {
    return std::tie(subject.kind, subject.bytes, relation.kind, relation.bytes, object.kind,
                    object.bytes, source.kind, source.bytes);
  }
  friend bool operator<(const Statement& a, const Statement& b) { return a.Key() < b.Key(); }
  friend bool operator==(const Statement& a, const Statement& b) { return a.Key() == b.Key(); }
};

// One line of a batch.
struct Change {
  Statement statement;
  bool removed = false;
};
using Changes = std::vector<Change>;

Batch ToBatch(const Changes& changes);

class Double {
 public:
  void Apply(const Changes& changes);
  const std::set<Statement>& statements() const { return statements_; }
  const std::string& Digest() const;
  friend bool operator==(const Double& a, const Double& b) {
    return a.statements_ == b.statements_;
  }

 private:
  std::set<Statement> statements_;
  mutable std::string digest_;  // empty: not computed since the last change
};

// Every statement of a snapshot, by asking it; the error is its damage.
Result<std::set<Statement>> StatementsOf(const Snapshot& snapshot);

// What distinguishes the snapshot from the double: its statements asked from either end, its
// counts and its digest. Empty where nothing does. The error is the snapshot's damage.
Result<std::string> Differences(const Snapshot& snapshot, const Double& expected);

// The image file of a consolidated memory that knows exactly this, learned at once; the empty
// memory has none.
Result<std::string> ImageOf(const Double& knowledge);

// A symbol or text that the test itself wrote and that cannot fail to be one.
Term Symbol(std::string_view name);
Term Text(std::string_view text);

// Statements over a small vocabulary, so that learning the known and forgetting the absent happen;
// every kind of object occurs.
Statement RandomStatement(std::mt19937_64& random);

// LOCI_TEST_SCALE times the count, at least one: how long the random tests go on.
int Scaled(int count);

}  // namespace loci::faults
