// SPDX-License-Identifier: Apache-2.0
//
// renameat2 with RENAME_NOREPLACE takes the look and the rename as one step, where the file system
// has it (all of Linux's own do). Elsewhere rename(2) itself refuses a directory that holds files,
// so that no memory is ever replaced.
#include "base/directory.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/posix.h"

namespace loci {
namespace {

Error Exists(const std::string& path) {
  return {ErrorKind::kUsage, "'" + path + "' exists; choose a new name"};
}

Result<void> RenameUnlessThere(const std::string& from, const std::string& to) {
#ifdef RENAME_NOREPLACE
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  if (errno != EINVAL && errno != ENOSYS) {
    return errno == EEXIST ? Exists(to) : SystemError("rename to '" + to + "'", from, errno);
  }
#endif
  if (PathExists(to)) return Exists(to);
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return errno == ENOTEMPTY || errno == EEXIST ? Exists(to)
                                               : SystemError("rename to '" + to + "'", from, errno);
}

}  // namespace

std::string WithoutTrailingSlashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

std::string ParentDirectory(const std::string& path) {
  const std::string plain = WithoutTrailingSlashes(path);
  const size_t slash = plain.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : plain.substr(0, slash);
}

bool PathExists(const std::string& path) {
  struct stat status;
  return ::lstat(path.c_str(), &status) == 0;
}

Result<void> SyncDirectoryAt(const std::string& path) {
  const Descriptor fd(
      Retry([&] { return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd.valid() && errno == EACCES) return {};
  if (!fd.valid() || Retry([&] { return ::fsync(fd.get()); }) != 0) {
    return SystemError("sync", path, errno);
  }
  return {};
}

Result<void> MakeNewDirectory(const std::string& path) {
  if (path.empty() || path.find('\0') != std::string::npos) {
    return Error{ErrorKind::kUsage, "an empty path, or one with a zero byte, names no directory"};
  }
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  const int code = errno;
  if (code == EEXIST) return Exists(path);
  if (code == ENOENT) {
    return Error{ErrorKind::kNotFound, "cannot create '" + path + "': the directory '" +
                                           ParentDirectory(path) +
                                           "' does not exist; create it first"};
  }
  return SystemError("create", path, code);
}

Result<void> PutInPlace(const std::string& from, const std::string& to) {
  LOCI_TRY(RenameUnlessThere(from, to));
  return SyncDirectoryAt(ParentDirectory(to));
}

Result<void> RemoveFlatDirectory(const std::string& path) {
  {
    LOCI_ASSIGN(const auto files, OpenDirectory(path, false));
    LOCI_ASSIGN(const std::vector<std::string> names, files->List());
    for (const std::string& name : names) LOCI_TRY(files->Remove(name));
  }
  if (::rmdir(path.c_str()) != 0) return SystemError("remove", path, errno);
  return {};
}

}  // namespace loci
