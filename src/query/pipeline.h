// SPDX-License-Identifier: Apache-2.0
//
// Pipeline: runs a plan over batches, depth first. Each stage holds one batch and hands out its
// rows in further batches, so that a query in the midst of a million answers holds some thousand
// rows per stage. A stage without columns says yes once: what is behind it is asked once (unless
// proofs count, when a later yes may be better).
//
// Pulled by whoever wants rows; only the nesting of branches recurses.
#pragma once

#include <memory>
#include <vector>

#include "query/batch.h"
#include "query/plan.h"

namespace loci::query {

// Makes more rows of each: the generate of a stage.
class Source;
// Tests rows in place.
class Filter;

class Pipeline {
 public:
  // Both outlive this.
  Pipeline(const Plan* plan, Context* context);
  ~Pipeline();
  Pipeline(Pipeline&&) noexcept;

  void Open(RowBatch seed);
  // The next rows, at least one; false when there are no more.
  Result<bool> Next(RowBatch* out);

 private:
  Result<bool> FromStage(size_t level, RowBatch* rows);
  Result<void> Test(size_t level, RowBatch* rows);
  void Project(size_t level, RowBatch* rows);

  const Plan& plan_;
  Context& context_;
  struct Running {
    std::unique_ptr<Source> source;
    std::vector<std::unique_ptr<Filter>> filters;
    bool done = false;  // said yes
  };
  std::vector<Running> stages_;
  RowBatch seed_;
  bool seeded_ = false;
  size_t level_ = 0;  // plus 1; 0 when exhausted
};

}  // namespace loci::query
