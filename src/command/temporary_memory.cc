// SPDX-License-Identifier: Apache-2.0
#include "command/temporary_memory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

namespace loci {

Result<std::unique_ptr<TemporaryMemory>> TemporaryMemory::Make() {
  std::error_code error;
  const std::filesystem::path above = std::filesystem::temp_directory_path(error);
  std::string folder = (error ? std::filesystem::path("/tmp") : above) / "loci-XXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) {
    return Error{ErrorKind::kIo, fmt::format("cannot make a folder for a temporary memory, {}: {}; "
                                             "name another place by TMPDIR",
                                             folder, std::strerror(errno))};
  }
  std::unique_ptr<TemporaryMemory> memory(new TemporaryMemory(folder));
  StoreOptions options;
  options.create = true;
  LOCI_ASSIGN(memory->store_, Store::Open(folder + "/memory", options));
  return memory;
}

TemporaryMemory::~TemporaryMemory() {
  store_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

}  // namespace loci
