// SPDX-License-Identifier: Apache-2.0
//
// Build: a layer from a batch. The bytes depend on the set of statements (and the settings) alone.
#pragma once

#include <memory>
#include <string_view>

#include "image/image.h"
#include "image/writer.h"
#include "memory/batch.h"

namespace loci {

// What several words of one batch on one statement amount to.
enum class Words {
  kLastCounts,  // as a user means them
  kAlternate,   // each word changed something when it was said: a pair of them cancels
};

// Writes the layer to the sink; kLimit where it would hold too many terms or facts.
Result<void> BuildImage(const Batch& batch, Words words, std::string_view settings,
                        ImageSink* sink);

// The same, in memory and opened.
Result<std::shared_ptr<const Image>> BuildImage(const Batch& batch, Words words,
                                                std::string_view settings);

// An image that owns its bytes.
Result<std::shared_ptr<const Image>> OpenOwned(std::string bytes, std::string name);

}  // namespace loci
