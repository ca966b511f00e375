// SPDX-License-Identifier: Apache-2.0
//
// Context: one run of one query against one graph. It knows the constants' ids, those of terms that
// the graph does not know included: such a term still can be an answer (`r*(x, ?y)` begins with x)
// and be compared.
#pragma once

#include <string>
#include <vector>

#include "query/graph.h"
#include "query/meter.h"
#include "query/program.h"

namespace loci::query {

class Context {
 public:
  // All outlive the context.
  Context(const Graph* graph, const Program* program, Meter* meter)
      : graph_(*graph), program_(*program), meter_(*meter) {}

  // Finds the constants, and beside them the extra terms, whose ids go to extra_ids.
  Result<void> Resolve(std::span<const TermView> extra, std::vector<TermId>* extra_ids);

  const Graph& graph() const { return graph_; }
  const Program& program() const { return program_; }
  Meter& meter() const { return meter_; }
  TermId constant(uint32_t index) const { return constants_[index]; }

  TermView Name(TermId id) const {
    return id < kOwnTerms ? graph_.Name(id) : TermView(own_[id - kOwnTerms]);
  }
  int Compare(TermId a, TermId b) const {
    if (a == b) return 0;
    if ((a | b) < kOwnTerms) return graph_.Compare(a, b);
    return CompareTerms(Name(a), Name(b));
  }
  std::vector<Term> TakeOwnTerms() { return std::move(own_); }

 private:
  const Graph& graph_;
  const Program& program_;
  Meter& meter_;
  std::vector<TermId> constants_;
  std::vector<Term> own_;  // that of kOwnTerms + i is own_[i]; each once
};

}  // namespace loci::query
