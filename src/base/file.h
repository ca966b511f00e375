// SPDX-License-Identifier: Apache-2.0
//
// The one door to the file system. Everything that a memory does to a disk goes through this
// interface, so that tests can record it, make it fail and replay a power loss at each write.
//
// Names are relative to the directory that the FileSystem was opened on. Errors name the path and
// the system's reason; a full disk or quota is kNoSpace, all else kIo, a missing file kNotFound.
// Thread-safe unless a class says otherwise.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "loci/result.h"

namespace loci {

// A file open for writing. Not thread-safe.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Result<void> WriteAt(uint64_t offset, std::string_view bytes) = 0;
  virtual Result<void> Truncate(uint64_t length) = 0;
  virtual Result<void> Sync() = 0;  // fdatasync
  virtual Result<uint64_t> Size() = 0;
};

// The bytes of a file, mapped read-only for as long as this lives, unlinked or not.
class MappedFile {
 public:
  virtual ~MappedFile() = default;
  virtual Bytes bytes() const = 0;
};

// One page shared by all processes that map the file; its words are read and written atomically.
class SharedPage {
 public:
  virtual ~SharedPage() = default;
  virtual uint64_t Load(int word) const = 0;
  // What follows has no effect where the page was mapped for reading only.
  virtual void Store(int word, uint64_t value) = 0;
  virtual void Add(int word, uint64_t n) = 0;  // modulo 2^64
  // Whether the word was `expected` and is now `desired`.
  virtual bool CompareExchange(int word, uint64_t expected, uint64_t desired) = 0;
};

// Holds a lock until destroyed.
class FileLock {
 public:
  virtual ~FileLock() = default;
};

class FileSystem {
 public:
  // kCount: of a file that is there, for writing where that is allowed, else for reading.
  enum class Mode { kRead, kCount, kWrite };

  virtual ~FileSystem() = default;

  virtual const std::string& root() const = 0;
  // A number that changes with each start of the machine, when what was not synced may be lost and
  // a shared page may show its past. Zero where the system does not tell.
  virtual uint64_t BootId() const = 0;
  // Where create says so, makes a missing file. Bytes that are there stay: Truncate(0) starts anew.
  virtual Result<std::unique_ptr<WritableFile>> OpenForWriting(const std::string& name,
                                                               bool create) = 0;
  virtual Result<std::unique_ptr<MappedFile>> Map(const std::string& name) = 0;
  // The bytes from offset to the end, copied.
  virtual Result<std::string> Read(const std::string& name, uint64_t offset = 0) = 0;
  // A number that no other file has that is there at the same time (its inode): a name that has
  // another number than before names another file.
  virtual Result<uint64_t> Identity(const std::string& name) = 0;
  virtual Result<void> Rename(const std::string& from, const std::string& to) = 0;
  virtual Result<void> Remove(const std::string& name) = 0;
  virtual Result<void> SyncDirectory() = 0;
  virtual Result<std::vector<std::string>> List() = 0;  // regular files, sorted
  // For writing: makes the file and grows it to one page. Words beyond its end read as zero.
  virtual Result<std::unique_ptr<SharedPage>> MapShared(const std::string& name, Mode mode) = 0;
  // Open-file-description lock on one byte of the file: between threads of a process as between
  // processes, and gone with the process that held it. Makes a missing file. Null where
  // wait is false and another holds it.
  virtual Result<std::unique_ptr<FileLock>> Lock(const std::string& name, int byte, bool wait) = 0;
};

// The directory on the machine's own disk. Creates it (mode 0700) and its parents' last part only
// where create says so; files are of mode 0600.
Result<std::unique_ptr<FileSystem>> OpenDirectory(const std::string& path, bool create);

}  // namespace loci
