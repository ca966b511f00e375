// SPDX-License-Identifier: Apache-2.0
//
// What the stages of a pipeline do: sources make more rows of each, filters test rows in place.
// Both add to the proofs of rows those of the facts that they find, or of the recall (like.h).
#pragma once

#include <memory>
#include <vector>

#include "query/lookup.h"
#include "query/pipeline.h"

namespace loci::query {

class Source {
 public:
  virtual ~Source() = default;
  virtual Result<void> Open(RowBatch rows) = 0;
  // The next rows, in the columns carried and then the new ones; false when there are no more.
  virtual Result<bool> Next(RowBatch* out) = 0;
};

class Filter {
 public:
  virtual ~Filter() = default;
  // Which rows stay, and what the test adds to their proofs.
  virtual Result<void> Test(const RowBatch& rows, Marks* marks) = 0;
};

// The stage and the operation outlive what is made of them.
std::unique_ptr<Source> MakeSource(const Stage& stage, Context* context);
std::unique_ptr<Filter> MakeFilter(const Operation& operation, Context* context);

}  // namespace loci::query
