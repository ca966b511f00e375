// SPDX-License-Identifier: Apache-2.0
//
// Scenarios: what is done to a memory, step by step, with the double beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "double.h"

namespace loci::faults {

struct Step {
  enum Kind { kApply, kConsolidate, kReopen };
  Kind kind = kApply;
  Changes changes;
};

// Texts of 400 kB. Three exceed what the tail may hold and become a run at once; two, learned and
// forgotten again, fill the log until it is sealed.
Changes LargeTexts(int count, bool removed);

// Create, learn, learn the known, forget, seal by size, write a run directly, fold, consolidate, go
// on, reopen: every way of writing that a store has, in few operations and few bytes.
std::vector<Step> SmallScenario();

// The same idea with a tail sealed by the number of its statements.
std::vector<Step> ManyStatements();

// Step n of an endless, deterministic life: mostly small batches learned, some forgotten, large
// texts that seal the tail, a consolidation now and then. Statements name `who`, so that several
// lives share a memory without meeting.
Step LifeStep(const std::string& who, unsigned seed, unsigned n);

// Does one step; *store is replaced by a reopening.
Result<void> Do(const Step& step, const std::shared_ptr<FileSystem>& files,
                std::unique_ptr<Store>* store);

// Opens a memory and compares it with the states allowed, numbered from `first`: the number of the
// one that it is in. Fails where it is in none, cannot be opened, or does not pass Check.
struct Opened {
  std::unique_ptr<Store> store;
  size_t state = 0;
};
Result<Opened> OpenIn(const std::shared_ptr<FileSystem>& files, const StoreOptions& options,
                      const std::vector<Double>& states, size_t first, size_t last);

// The same for a store that is open.
Result<size_t> StateOf(Store* store, const std::vector<Double>& states, size_t first, size_t last);

}  // namespace loci::faults
