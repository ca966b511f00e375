// SPDX-License-Identifier: Apache-2.0
//
// Plan: an order for the goals of a conjunction, and where each finds its values. Rows move through
// stages. A stage may first make more rows of each (generate), then tests them (filter) in place,
// then drops the columns that nobody reads any more.
//
//   likes(?x, ?y), age(?y, ?a), ?a > 5      head (?x)
//   stage 0   the seed: one row of no columns
//   stage 1   generate likes: x y
//   stage 2   generate age: x a; filter a > 5; keep x
//
// Goals are taken greedily: whatever only tests at once, else the one that makes the fewest rows of
// one by the estimates. Since each stage but the first binds a variable, stages are few however
// many the clauses. Answers do not depend on the order.
#pragma once

#include <optional>
#include <vector>

#include "query/context.h"

namespace loci::query {

struct End {
  enum class Role : uint8_t {
    kNone,      // any value will do
    kConstant,  // value
    kBound,     // column of the rows that come in
    kNew,       // column of the rows that go out
  };
  Role role = Role::kNone;
  TermId value = kNoTerm;
  uint32_t column = 0;

  bool known() const { return role == Role::kConstant || role == Role::kBound; }
};

struct Plan;

struct Operation {
  const Goal* goal = nullptr;
  End start, end, relation;
  TermId source = kNoTerm;
  double forward_fan = 1, backward_fan = 1;  // of a path

  // Of kOr and kNot: what each branch is seeded with, as columns of the rows that come in. Where
  // the goal is a filter the seed's last column is the number of the row, and a branch returns
  // nothing else; where it generates, it returns the rows that go out.
  std::vector<Plan> branches;
  std::vector<uint32_t> seed;
};

struct Stage {
  std::optional<Operation> generate;  // none in the first
  std::vector<uint32_t> carried;      // columns of the rows that come in that go on, in order
  uint32_t added = 0;                 // columns that generate puts behind them
  std::vector<Operation> filters;
  std::vector<uint32_t> kept;  // the columns left at the end, in order
  bool distinct = false;       // rows that differed may have become equal
};

struct Plan {
  std::vector<Stage> stages;
};

// Rows come in with the columns of seed and go out with those of out.
Result<Plan> MakePlan(const Context& context, const Conjunction& conjunction,
                      const std::vector<Variable>& seed, const std::vector<Variable>& out);

}  // namespace loci::query
