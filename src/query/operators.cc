// SPDX-License-Identifier: Apache-2.0
#include "query/operators.h"

#include <algorithm>
#include <numeric>

#include "query/like.h"

namespace loci::query {
namespace {

class LookupSource : public Source {
 public:
  LookupSource(const Stage& stage, Context* context)
      : stage_(stage), lookup_(&*stage.generate, context) {}

  Result<void> Open(RowBatch rows) override {
    rows_ = std::move(rows);
    more_ = true;
    return lookup_.Open(&rows_);
  }

  Result<bool> Next(RowBatch* out) override {
    while (more_) {
      LOCI_ASSIGN(more_, lookup_.Next(&matches_));
      if (matches_.rows.empty()) continue;
      Gather(out);
      return true;
    }
    return false;
  }

 private:
  void Gather(RowBatch* out) {
    out->rows = matches_.rows.size();
    out->columns.clear();
    for (uint32_t from : stage_.carried) {
      const std::vector<TermId>& column = rows_.columns[from];
      std::vector<TermId>& to = out->columns.emplace_back();
      to.reserve(out->rows);
      for (uint32_t row : matches_.rows) to.push_back(column[row]);
    }
    out->columns.resize(stage_.carried.size() + stage_.added);
    const Operation& operation = *stage_.generate;
    Put(operation.start, &matches_.starts, out);
    Put(operation.end, &matches_.ends, out);
    Put(operation.relation, &matches_.relations, out);
    out->proofs.clear();
    if (!rows_.proofs.empty()) {
      for (uint32_t row : matches_.rows) out->proofs.push_back(rows_.proofs[row]);
    }
    out->AddProofs(matches_.proofs);
  }

  // A variable that stands at two ends has one column; the ends are equal in every match.
  static void Put(const End& end, std::vector<TermId>* values, RowBatch* out) {
    if (end.role == End::Role::kNew) out->columns[end.column] = std::exchange(*values, {});
  }

  const Stage& stage_;
  Lookup lookup_;
  RowBatch rows_;
  Matches matches_;
  bool more_ = false;
};

RowBatch SeedOf(const Operation& operation, const RowBatch& rows) {
  RowBatch seed;
  seed.rows = rows.rows;
  for (uint32_t column : operation.seed) seed.columns.push_back(rows.columns[column]);
  return seed;
}

// One branch after the other. Rows take their proofs through.
class OrSource : public Source {
 public:
  OrSource(const Stage& stage, Context* context) : operation_(*stage.generate) {
    for (const Plan& plan : operation_.branches) branches_.emplace_back(&plan, context);
  }

  Result<void> Open(RowBatch rows) override {
    rows_ = std::move(rows);
    branch_ = 0;
    OpenBranch();
    return {};
  }

  Result<bool> Next(RowBatch* out) override {
    while (branch_ < branches_.size()) {
      LOCI_ASSIGN(const bool more, branches_[branch_].Next(out));
      if (more) return true;
      if (++branch_ < branches_.size()) OpenBranch();
    }
    return false;
  }

 private:
  void OpenBranch() {
    RowBatch seed = SeedOf(operation_, rows_);
    seed.proofs = rows_.proofs;
    branches_[branch_].Open(std::move(seed));
  }

  const Operation& operation_;
  std::vector<Pipeline> branches_;
  RowBatch rows_;
  size_t branch_ = 0;
};

class LookupFilter : public Filter {
 public:
  LookupFilter(const Operation& operation, Context* context) : lookup_(&operation, context) {}

  Result<void> Test(const RowBatch& rows, Marks* marks) override {
    return lookup_.Test(rows, marks);
  }

 private:
  Lookup lookup_;
};

class CompareFilter : public Filter {
 public:
  CompareFilter(const Operation& operation, Context* context)
      : operation_(operation), context_(*context) {}

  Result<void> Test(const RowBatch& rows, Marks* marks) override {
    marks->proofs.clear();
    marks->holds.resize(rows.rows);
    for (size_t row = 0; row < rows.rows; ++row) {
      marks->holds[row] =
          Holds(ValueOf(operation_.start, rows, row), ValueOf(operation_.end, rows, row));
    }
    return context_.meter().Charge(rows.rows);
  }

 private:
  static TermId ValueOf(const End& end, const RowBatch& rows, size_t row) {
    return end.role == End::Role::kConstant ? end.value : rows.columns[end.column][row];
  }

  // Equal terms have equal ids. Within a kind the canonical order is the order of values.
  bool Holds(TermId a, TermId b) const {
    const Comparison comparison = operation_.goal->comparison;
    if (comparison == Comparison::kEqual) return a == b;
    if (comparison == Comparison::kNotEqual) return a != b;
    if (context_.Name(a).kind != context_.Name(b).kind) return false;
    const int order = context_.Compare(a, b);
    switch (comparison) {
      case Comparison::kLess:
        return order < 0;
      case Comparison::kLessEqual:
        return order <= 0;
      case Comparison::kGreater:
        return order > 0;
      default:
        return order >= 0;
    }
  }

  const Operation& operation_;
  Context& context_;
};

// Sends the rows, numbered, through each branch: those whose number comes back match.
class BranchFilter : public Filter {
 public:
  BranchFilter(const Operation& operation, Context* context)
      : operation_(operation),
        ranked_(context->ranked() && operation.goal->kind == Goal::Kind::kOr) {
    for (const Plan& plan : operation_.branches) branches_.emplace_back(&plan, context);
  }

  Result<void> Test(const RowBatch& rows, Marks* marks) override {
    const bool negated = operation_.goal->kind == Goal::Kind::kNot;
    marks->holds.assign(rows.rows, negated);
    marks->proofs.assign(ranked_ ? rows.rows : 0, Proof());
    for (Pipeline& branch : branches_) {
      RowBatch seed = SeedOf(operation_, rows);
      seed.columns.emplace_back(rows.rows);
      std::iota(seed.columns.back().begin(), seed.columns.back().end(), TermId{0});
      branch.Open(std::move(seed));
      RowBatch found;
      while (true) {
        LOCI_ASSIGN(const bool more, branch.Next(&found));
        if (!more) break;
        for (size_t i = 0; i < found.rows; ++i) Mark(found, i, !negated, marks);
      }
    }
    return {};
  }

 private:
  void Mark(const RowBatch& found, size_t i, bool holds, Marks* marks) const {
    const TermId row = found.columns[0][i];
    if (ranked_) {
      const Proof proof = found.proofs.empty() ? Proof() : found.proofs[i];
      Proof& best = marks->proofs[row];
      best = marks->holds[row] ? std::min(best, proof) : proof;
    }
    marks->holds[row] = holds;
  }

  const Operation& operation_;
  const bool ranked_;
  std::vector<Pipeline> branches_;
};

}  // namespace

std::unique_ptr<Source> MakeSource(const Stage& stage, Context* context) {
  if (stage.generate->goal->kind == Goal::Kind::kOr) {
    return std::make_unique<OrSource>(stage, context);
  }
  if (stage.generate->goal->kind == Goal::Kind::kLike) return MakeLikeSource(stage, context);
  return std::make_unique<LookupSource>(stage, context);
}

std::unique_ptr<Filter> MakeFilter(const Operation& operation, Context* context) {
  switch (operation.goal->kind) {
    case Goal::Kind::kFact:
    case Goal::Kind::kPath:
      return std::make_unique<LookupFilter>(operation, context);
    case Goal::Kind::kCompare:
      return std::make_unique<CompareFilter>(operation, context);
    case Goal::Kind::kLike:
      return MakeLikeFilter(operation, context);
    case Goal::Kind::kNot:
    case Goal::Kind::kOr:
      break;
  }
  return std::make_unique<BranchFilter>(operation, context);
}

}  // namespace loci::query
