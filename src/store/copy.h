// SPDX-License-Identifier: Apache-2.0
//
// Copy: a snapshot as a memory of its own, at a new path.
#pragma once

#include <string>

#include "memory/snapshot.h"
#include "store/settings.h"
#include "store/store.h"

namespace loci {

// One canonical image with the settings given: it knows what the snapshot knows, and holds nothing
// that was forgotten before. Filled beside its place under the name PATH.part, synced, compared
// with the snapshot's digest, and then put in its place at once: at `path` there is all of it or
// nothing. Failed or cancelled, it leaves nothing; killed, PATH.part. Refuses a path that exists.
Result<void> CopySnapshot(const Snapshot& snapshot, const Settings& settings,
                          const std::string& path, const ProgressFn& progress);

}  // namespace loci
