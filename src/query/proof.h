// SPDX-License-Identifier: Apache-2.0
//
// Proof: how good the best derivation of something is. Smaller is better; that of a stored fact is
// zero. What several clauses make true adds their proofs up, of several derivations the least
// counts. Sums are exact, and a sum is no less than its parts; so the least proofs of all facts are
// unique, and nothing depends on the order in which they are found.
#pragma once

#include <compare>
#include <cstdint>

namespace loci::query {

struct Proof {
  uint64_t weight = 0;  // -log2 of the score (base/fixed.h)
  // Applications of rules, in a derivation written out as a tree; counted only where derivations
  // are to be told (context.h). With it a fact's proof is greater than those it rests on, and so
  // no derivation told goes round in a circle.
  uint64_t size = 0;

  friend auto operator<=>(const Proof&, const Proof&) = default;
};

// Sums end at the largest number.
inline Proof operator+(const Proof& a, const Proof& b) {
  Proof sum;
  if (__builtin_add_overflow(a.weight, b.weight, &sum.weight)) sum.weight = UINT64_MAX;
  if (__builtin_add_overflow(a.size, b.size, &sum.size)) sum.size = UINT64_MAX;
  return sum;
}

}  // namespace loci::query
