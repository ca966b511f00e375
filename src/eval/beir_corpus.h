// SPDX-License-Identifier: Apache-2.0
//
// The corpus of a BEIR directory as statements, until src/formats reads it.
#pragma once

#include <string>

#include "formats/format.h"

namespace loci::eval {

// {"_id","title","text","metadata"}: title and text are texts of the symbol _id; of the metadata
// speaker and part_of are symbols, time is a date where it is one.
Result<void> ReadCorpus(const std::string& path, StatementSink* sink);

}  // namespace loci::eval
