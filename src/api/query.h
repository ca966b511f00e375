// SPDX-License-Identifier: Apache-2.0
//
// The inside of a prepared query, and its run on one snapshot.
#pragma once

#include <memory>
#include <span>

#include "loci/answers.h"
#include "query/query.h"

namespace loci {

struct Query::State {
  query::Query query;
};

Result<Answers> AskSnapshot(const query::Query& query, std::shared_ptr<const Snapshot> snapshot,
                            std::span<const Parameter> parameters, const AskOptions& options);

}  // namespace loci
