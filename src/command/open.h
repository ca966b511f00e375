// SPDX-License-Identifier: Apache-2.0
//
// MEMORY, the argument that every verb takes: a path, later also a URL.
#pragma once

#include <memory>
#include <string>

#include "loci/result.h"
#include "store/store.h"

namespace loci {

// The memory that a command line names. Where there is none and options.create is off, the error
// says how to make one.
Result<std::unique_ptr<Store>> OpenMemory(const std::string& name, const StoreOptions& options);

Result<std::unique_ptr<Store>> OpenToRead(const std::string& name);

// Whether it can be the name of a memory at all, there or not.
Result<void> CheckMemoryName(const std::string& name);

}  // namespace loci
