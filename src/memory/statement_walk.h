// SPDX-License-Identifier: Apache-2.0
//
// Every statement of a snapshot in the canonical order (by subject, relation, object, source), fact
// by fact. Holds the facts of one subject at a time, besides the subjects: eight bytes for each.
#pragma once

#include <vector>

#include "memory/snapshot.h"

namespace loci {

class StatementWalk {
 public:
  explicit StatementWalk(const Snapshot& snapshot);  // which outlives it

  // Goes to the next fact; false at the end. What a damaged image makes of it is for
  // Snapshot::damage to say, before what was read is believed.
  bool Next();

  const Fact& fact() const { return fact_; }
  const std::vector<TermId>& sources() const { return sources_; }

 private:
  const Snapshot& snapshot_;
  std::vector<TermId> subjects_;
  std::vector<Edge> edges_;  // of the subject at hand
  size_t next_subject_ = 0, next_edge_ = 0;
  Fact fact_ = {};
  std::vector<TermId> sources_;
};

}  // namespace loci
