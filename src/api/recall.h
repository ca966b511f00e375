// SPDX-License-Identifier: Apache-2.0
//
// Memory::Recall over a snapshot.
#pragma once

#include <memory>
#include <string_view>

#include "loci/recall.h"
#include "loci/result.h"
#include "memory/snapshot.h"

namespace loci {

Result<Recollection> RecallFrom(const std::shared_ptr<const Snapshot>& snapshot,
                                std::string_view cue, const RecallOptions& options);

}  // namespace loci
