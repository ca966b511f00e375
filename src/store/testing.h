// SPDX-License-Identifier: Apache-2.0
//
// For tests of the store: a directory that goes when the test ends.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/file.h"

namespace loci::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = std::filesystem::temp_directory_path() / "loci-store-XXXXXX";
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::shared_ptr<FileSystem> files() const {
    auto files = OpenDirectory(path_, true);
    return files.ok() ? std::shared_ptr<FileSystem>(files.take()) : nullptr;
  }

 private:
  std::string path_;
};

}  // namespace loci::test
