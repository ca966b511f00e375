// SPDX-License-Identifier: Apache-2.0
//
// like(?x, cue) among the steps of a pipeline (operators.h): as a source where ?x is open, else as
// a test. Its scores come in as proofs, weights that add up with those of other clauses.
#pragma once

#include <memory>

#include "query/operators.h"

namespace loci::query {

std::unique_ptr<Source> MakeLikeSource(const Stage& stage, Context* context);
std::unique_ptr<Filter> MakeLikeFilter(const Operation& operation, Context* context);

}  // namespace loci::query
