// SPDX-License-Identifier: Apache-2.0
//
// The memory that a server is to serve, where what its user has is the reference server's file:
// MEMORY_FILE_PATH=/home/ada/memory.jsonl stays as it is, and the memory memory.loci is made beside
// it, once, from what the file holds. The file is never written.
//
// The memory is filled under another name and then put in its place, so that it is there with all
// that was imported or not at all: of two servers that start at once one imports, and what a client
// deletes later is not imported again. (A server killed in between leaves memory.loci.part-PID.)
#pragma once

#include <string>
#include <vector>

#include "loci/result.h"

namespace loci::mcp {

struct FirstStart {
  std::string memory;  // the path to open
  // What was done, for stderr and `stats`: "imported 120 statements from memory.jsonl", and lines
  // that could not be read; empty where the memory was there already.
  std::vector<std::string> notes;
};

// name: a memory's, or a memory.jsonl's (a file, or a name in .json or .jsonl), there or not.
Result<FirstStart> PrepareMemory(const std::string& name);

}  // namespace loci::mcp
