// SPDX-License-Identifier: Apache-2.0
#include "query/pipeline.h"

#include <utility>

#include "query/operators.h"

namespace loci::query {

Pipeline::Pipeline(const Plan* plan, Context* context) : plan_(*plan), context_(*context) {
  for (const Stage& stage : plan_.stages) {
    Running& running = stages_.emplace_back();
    if (stage.generate) running.source = MakeSource(stage, context);
    for (const Operation& filter : stage.filters) {
      running.filters.push_back(MakeFilter(filter, context));
    }
  }
}

Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;

void Pipeline::Open(RowBatch seed) {
  seed_ = std::move(seed);
  seeded_ = true;
  for (Running& stage : stages_) stage.done = false;
  level_ = 1;
}

Result<bool> Pipeline::Next(RowBatch* out) {
  while (level_ > 0) {
    const size_t level = level_ - 1;
    RowBatch rows;
    LOCI_ASSIGN(const bool more, FromStage(level, &rows));
    if (!more) {
      // What said yes would only say it again, whatever rows come before it.
      level_ = stages_[level].done ? 0 : level_ - 1;
      continue;
    }
    LOCI_TRY(Test(level, &rows));
    if (rows.rows == 0) continue;
    Project(level, &rows);
    if (level_ == stages_.size()) {
      *out = std::move(rows);
      return true;
    }
    LOCI_TRY(stages_[level_].source->Open(std::move(rows)));
    ++level_;
  }
  return false;
}

Result<bool> Pipeline::FromStage(size_t level, RowBatch* rows) {
  if (level == 0) {
    if (!std::exchange(seeded_, false)) return false;
    *rows = std::move(seed_);
    return rows->rows > 0;
  }
  if (stages_[level].done) return false;
  return stages_[level].source->Next(rows);
}

Result<void> Pipeline::Test(size_t level, RowBatch* rows) {
  Marks marks;
  for (const auto& filter : stages_[level].filters) {
    if (rows->rows == 0) return {};
    LOCI_TRY(context_.meter().Charge(1));
    LOCI_TRY(filter->Test(*rows, &marks));
    rows->AddProofs(marks.proofs);
    rows->Keep(marks.holds);
  }
  return {};
}

void Pipeline::Project(size_t level, RowBatch* rows) {
  const Stage& stage = plan_.stages[level];
  std::vector<std::vector<TermId>> kept;
  for (uint32_t column : stage.kept) kept.push_back(std::move(rows->columns[column]));
  rows->columns = std::move(kept);
  // Behind the last stage whoever asked makes rows distinct anyway.
  const bool last = level + 1 == stages_.size();
  if (stage.distinct && (!last || stage.kept.empty())) rows->Deduplicate();
  if (stage.kept.empty() && level > 0 && !context_.ranked()) stages_[level].done = true;
}

}  // namespace loci::query
