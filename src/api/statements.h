// SPDX-License-Identifier: Apache-2.0
//
// The inside of Statements: a walk, and the snapshot that it is over.
#pragma once

#include <memory>
#include <utility>

#include "loci/statements.h"
#include "memory/statement_walk.h"

namespace loci {

struct Statements::State {
  explicit State(std::shared_ptr<const Snapshot> of) : snapshot(std::move(of)), walk(*snapshot) {}

  const std::shared_ptr<const Snapshot> snapshot;
  StatementWalk walk;
};

}  // namespace loci
