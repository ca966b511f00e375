// SPDX-License-Identifier: Apache-2.0
//
// The readers behind the table of formats (formats.cc). Each reads lines to their end and hands
// statements to the Reading; a bad record goes to Reading::Bad and, where that says so, is skipped.
#pragma once

#include <string>

#include "formats/line_reader.h"
#include "formats/reading.h"
#include "loci/result.h"

namespace loci {

Result<void> ReadTsv(LineReader* lines, Reading* reading);
Result<void> ReadCsv(LineReader* lines, Reading* reading);
Result<void> ReadMappedCsv(LineReader* lines, Reading* reading);  // by ReadOptions::map
Result<void> ReadJsonl(LineReader* lines, Reading* reading);
Result<void> ReadMcp(LineReader* lines, Reading* reading);
Result<void> ReadPassageRecords(LineReader* lines, Reading* reading);
Result<void> ReadNtriples(LineReader* lines, Reading* reading);
Result<void> ReadNquads(LineReader* lines, Reading* reading);
Result<void> ReadText(LineReader* lines, Reading* reading);
Result<void> ReadMarkdown(LineReader* lines, Reading* reading);

// A directory with the database files of wndb(5WN).
bool IsWordNet(const std::string& directory);
Result<void> ReadWordNet(const std::string& directory, Reading* reading);

}  // namespace loci
