// SPDX-License-Identifier: Apache-2.0
//
// Merge: several layers into one. Words on one statement alternate from layer to layer, as each
// changed something when it was said: a learned and a removed cancel, and an odd one is the last.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "image/image.h"
#include "image/writer.h"

namespace loci {

struct MergeOptions {
  // Nothing lies below: the result is the canonical image. What is removed must have been learned
  // in these layers, else they are damaged.
  bool to_base = false;
  std::string_view settings;
  uint32_t version = kImageVersion;
  // Called now and then with the facts merged and their number; false cancels (kCancelled).
  std::function<bool(uint64_t done, uint64_t total)> on_progress;
};

// Layers oldest first.
Result<void> MergeImages(std::span<const std::shared_ptr<const Image>> layers,
                         const MergeOptions& options, ImageSink* sink);

}  // namespace loci
