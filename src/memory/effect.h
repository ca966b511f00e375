// SPDX-License-Identifier: Apache-2.0
//
// Effect: what of a batch changes a memory. Layers rely on it: each word that they keep on a
// statement changed something when it was said, so sums over layers (digest, counts) are exact.
#pragma once

#include <memory>

#include "memory/batch.h"
#include "memory/snapshot.h"

namespace loci {

struct Effect {
  Batch batch;  // rows distinct, each with an effect
  uint64_t learned = 0, known = 0, forgotten = 0, absent = 0;
};

Effect EffectOf(const Batch& batch, const Snapshot& snapshot);

}  // namespace loci
