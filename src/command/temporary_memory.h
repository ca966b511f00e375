// SPDX-License-Identifier: Apache-2.0
//
// A memory for the time of one command, in the system's temporary folder, gone with its end.
#pragma once

#include <memory>
#include <string>

#include "loci/result.h"
#include "store/store.h"

namespace loci {

class TemporaryMemory {
 public:
  // Empty, and open for writing.
  static Result<std::unique_ptr<TemporaryMemory>> Make();
  ~TemporaryMemory();
  TemporaryMemory(const TemporaryMemory&) = delete;
  TemporaryMemory& operator=(const TemporaryMemory&) = delete;

  Store* store() { return store_.get(); }

 private:
  explicit TemporaryMemory(std::string folder) : folder_(std::move(folder)) {}

  std::string folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace loci
