// SPDX-License-Identifier: Apache-2.0
//
// Upgrade: what changes when a memory comes from another version of Unicode. A name is kept in
// normal form C; a newer Unicode may have a decomposition for characters that an older one did not
// know, so that a name with such characters is written otherwise now, and two names may have become
// one. That is rare: from Unicode 14 to 15 it is the names with one of 20 new characters.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "loci/result.h"
#include "memory/batch.h"
#include "memory/snapshot.h"
#include "store/settings.h"
#include "store/store.h"

namespace loci {

// The version by which this program normalizes, "15.0.0".
std::string ProgramUnicode();

// kUnsupported where the settings name another Unicode than the program's: what must be done before
// the memory can be written. A memory that names none is taken to be of the program's.
Result<void> CheckUnicode(const Settings& settings, const std::string& root);

// The same for `upgrade`: only a newer one is refused.
Result<void> CheckUpgradable(const Settings& settings, const std::string& root);

// Whether some name in some layer is written otherwise by this program's Unicode.
Result<bool> AnyNameChanges(const Snapshot& snapshot, const ProgressFn& progress);

// Everything that the snapshot knows with all names in this program's normal form, and the names
// that changed, old and new, in canonical order. Holds it all in memory: as rare as it is.
Result<Batch> Renormalize(const Snapshot& snapshot, const ProgressFn& progress,
                          std::vector<std::pair<Term, Term>>* renamed);

}  // namespace loci
