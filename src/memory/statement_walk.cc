// SPDX-License-Identifier: Apache-2.0
#include "memory/statement_walk.h"

#include <algorithm>

namespace loci {

StatementWalk::StatementWalk(const Snapshot& snapshot) : snapshot_(snapshot) {
  snapshot_.Subjects(&subjects_);
  std::sort(subjects_.begin(), subjects_.end(),
            [this](TermId a, TermId b) { return snapshot_.Compare(a, b) < 0; });
}

bool StatementWalk::Next() {
  while (next_edge_ == edges_.size()) {
    if (next_subject_ == subjects_.size()) return false;
    fact_.subject = subjects_[next_subject_++];
    edges_.clear();
    next_edge_ = 0;
    snapshot_.EdgesFrom(fact_.subject, &edges_);
    std::sort(edges_.begin(), edges_.end(), [this](const Edge& a, const Edge& b) {
      if (const int order = snapshot_.Compare(a.relation, b.relation)) return order < 0;
      return snapshot_.Compare(a.other, b.other) < 0;
    });
  }
  const Edge& edge = edges_[next_edge_++];
  fact_.relation = edge.relation;
  fact_.object = edge.other;
  sources_ = snapshot_.Sources(fact_);
  return true;
}

}  // namespace loci
