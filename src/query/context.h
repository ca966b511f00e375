// SPDX-License-Identifier: Apache-2.0
//
// Context: a program in one run. The run knows the graph and the constants' ids, those of terms
// that the graph does not know included: such a term still can be an answer (`r*(x, ?y)` begins
// with x) and be compared. A query and the rules that it reaches are programs of one run and share
// its constants.
#pragma once

#include <string>
#include <vector>

#include "query/graph.h"
#include "query/meter.h"
#include "query/program.h"

namespace loci::query {

class Recaller;

// The ids of constants in a graph.
struct Constants {
  std::vector<TermId> ids;  // of all programs of a run, by index
  std::vector<Term> own;    // that of id kOwnTerms + i is own[i]; each once
};

// The terms are distinct.
Result<Constants> FindConstants(const Graph& graph, std::span<const Term> terms);

// What tells rows apart beyond their values.
enum class Ranking : uint8_t {
  kNone,     // nothing: only stored facts count, all proofs are zero
  kByScore,  // their scores
  kByProof,  // their whole proofs, sizes counted: to tell derivations
};

struct RunState {
  const Graph* graph;   // with derived facts
  const Graph* stored;  // without
  const Constants* constants;
  Meter* meter;
  Ranking ranking = Ranking::kNone;
  bool as_written = false;      // as in QueryOptions
  std::vector<Term>* more_own;  // behind those of the constants
  Recaller* recaller;
};

class Context {
 public:
  // Both outlive the context.
  Context(const RunState* run, const Program* program) : run_(*run), program_(*program) {}

  // The ids of further terms; those that the graph does not know become the query's own.
  Result<void> Find(std::span<const TermView> terms, TermId* out);

  const RunState& run() const { return run_; }
  const Graph& graph() const { return *run_.graph; }
  // Where the goal's facts are: what a source states is stored.
  const Graph& graph_of(const Goal& goal) const { return goal.source ? *run_.stored : *run_.graph; }
  const Program& program() const { return program_; }
  Meter& meter() const { return *run_.meter; }
  Ranking ranking() const { return run_.ranking; }
  bool ranked() const { return run_.ranking != Ranking::kNone; }
  TermId constant(uint32_t index) const { return run_.constants->ids[index]; }
  size_t constants() const { return run_.constants->ids.size(); }

  TermView Name(TermId id) const { return id < kOwnTerms ? graph().Name(id) : OwnName(id); }
  int Compare(TermId a, TermId b) const {
    if (a == b) return 0;
    if ((a | b) < kOwnTerms) return graph().Compare(a, b);
    return CompareTerms(Name(a), Name(b));
  }
  std::vector<Term> OwnTerms() const;

 private:
  TermView OwnName(TermId id) const;

  const RunState& run_;
  const Program& program_;
};

}  // namespace loci::query
