// SPDX-License-Identifier: Apache-2.0
//
// Directories as wholes: one that is filled under another name and then put in its place at once is
// there complete or not at all, whatever happens on the way.
#pragma once

#include <string>

#include "loci/result.h"

namespace loci {

// "a/b" of "a/b//"; "/" stays.
std::string WithoutTrailingSlashes(std::string path);

// The directory that holds the entry of this one: "." where the path has no other part.
std::string ParentDirectory(const std::string& path);

// Whether anything at all has this name, a dangling link included.
bool PathExists(const std::string& path);

// Makes an entry in the directory durable. One that may be written and searched but not read cannot
// be synced: what is in it is then as durable as it can be.
Result<void> SyncDirectoryAt(const std::string& path);

// Mode 0700; kUsage where something of that name is there.
Result<void> MakeNewDirectory(const std::string& path);

// Gives the directory its new name, durably; kUsage where something of that name is there.
Result<void> PutInPlace(const std::string& from, const std::string& to);

// Removes the regular files in a directory, and the directory.
Result<void> RemoveFlatDirectory(const std::string& path);

}  // namespace loci
