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

// The ids of a program's constants in a graph.
struct Constants {
  std::vector<TermId> ids;  // as Program::constants
  std::vector<Term> own;    // that of id kOwnTerms + i is own[i]; each once
};

Result<Constants> FindConstants(const Graph& graph, const Program& program);

class Context {
 public:
  // All outlive the context.
  Context(const Graph* graph, const Program* program, const Constants* constants, Meter* meter)
      : graph_(*graph), program_(*program), constants_(*constants), meter_(*meter) {}

  // The ids of further terms; those that the graph does not know become the query's own.
  Result<void> Find(std::span<const TermView> terms, TermId* out);

  const Graph& graph() const { return graph_; }
  const Program& program() const { return program_; }
  Meter& meter() const { return meter_; }
  TermId constant(uint32_t index) const { return constants_.ids[index]; }

  TermView Name(TermId id) const { return id < kOwnTerms ? graph_.Name(id) : OwnName(id); }
  int Compare(TermId a, TermId b) const {
    if (a == b) return 0;
    if ((a | b) < kOwnTerms) return graph_.Compare(a, b);
    return CompareTerms(Name(a), Name(b));
  }
  std::vector<Term> OwnTerms() const;

 private:
  TermView OwnName(TermId id) const;

  const Graph& graph_;
  const Program& program_;
  const Constants& constants_;
  Meter& meter_;
  std::vector<Term> more_own_;  // behind those of the constants
};

}  // namespace loci::query
