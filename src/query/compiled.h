// SPDX-License-Identifier: Apache-2.0
//
// Compiled: a program with what was last prepared for it: the rules that it reaches in a snapshot,
// the ids of constants there, and the plan. A query that is asked again and again, of the same
// snapshot with other values, finds names and plans once. What is prepared depends on the snapshot
// and on which variables are bound, and on nothing that changes, so it never goes stale.
//
// Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "query/context.h"
#include "query/plan.h"
#include "query/recaller.h"
#include "query/rule_set.h"

namespace loci::query {

struct Prepared {
  // Not kept alive: whoever asks holds it, and the files of a memory that changed can go.
  std::weak_ptr<const Snapshot> snapshot;
  std::vector<Variable> bound;
  bool as_written = false;
  std::shared_ptr<const RuleSet> rules;  // none, where it reaches none
  Constants constants;
  Plan plan;

  bool IsFor(const std::shared_ptr<const Snapshot>& other) const {
    return !snapshot.owner_before(other) && !other.owner_before(snapshot);
  }
};

// A run of what was prepared, on the stored graph, or with rules on a graph with what they derive.
// All outlive it. Rows are ranked so where anything but stored facts can make an answer.
class Session {
 public:
  Session(const Graph& stored, const Program& program, const Prepared& prepared, Meter* meter,
          Ranking ranking);
  ~Session();
  const RunState& run() const { return run_; }

 private:
  std::vector<Term> more_own_;
  Recaller recaller_;
  RunState run_;
  std::unique_ptr<Graph> derived_;
};

class Compiled {
 public:
  explicit Compiled(Program program) : program_(std::move(program)) {}

  const Program& program() const { return program_; }
  Result<std::shared_ptr<const Prepared>> Prepare(const std::shared_ptr<const Snapshot>& snapshot,
                                                  const Graph& stored, Meter* meter,
                                                  const std::vector<Variable>& bound,
                                                  bool as_written) const;

 private:
  const Program program_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const Prepared> last_;
};

}  // namespace loci::query
