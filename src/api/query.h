// SPDX-License-Identifier: Apache-2.0
//
// The inside of a prepared query, its run on one snapshot, and what answers are made of.
#pragma once

#include <memory>
#include <span>

#include "loci/answers.h"
#include "query/query.h"

namespace loci {

struct Query::State {
  query::Query query;
};

double ToScore(uint64_t fixed);
Evidence ToEvidence(const Snapshot& snapshot, const query::Evidence& cited);

Result<Answers> AskSnapshot(const query::Query& query, std::shared_ptr<const Snapshot> snapshot,
                            std::span<const Parameter> parameters, const AskOptions& options);

// The derivation of a fact, or of the statement with an address.
Result<std::vector<Step>> WhyInSnapshot(std::string_view fact,
                                        std::shared_ptr<const Snapshot> snapshot,
                                        const AskOptions& options);

}  // namespace loci
