// SPDX-License-Identifier: Apache-2.0
//
// Names of memories and what is wrong with them.
#include "command/open.h"

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci {

Result<void> CheckMemoryName(const std::string& name) {
  if (name.empty()) return Error{ErrorKind::kUsage, "MEMORY is empty; name a directory"};
  if (name.find("://") != std::string::npos) {
    return Error{ErrorKind::kUnsupported,
                 fmt::format("'{}': a memory at a URL is not yet in this version; name a directory",
                             Excerpt(name))};
  }
  return {};
}

Result<std::unique_ptr<Store>> OpenMemory(const std::string& name, const StoreOptions& options) {
  LOCI_TRY(CheckMemoryName(name));
  auto store = Store::Open(name, options);
  if (store.ok() || options.create || store.error().kind != ErrorKind::kNotFound) return store;
  return Error{ErrorKind::kNotFound,
               fmt::format("there is no memory at '{}'; 'loci learn {} FILE' makes one",
                           Excerpt(name), Excerpt(name))};
}

Result<std::unique_ptr<Store>> OpenToRead(const std::string& name) {
  StoreOptions options;
  options.read_only = true;
  return OpenMemory(name, options);
}

}  // namespace loci
