// SPDX-License-Identifier: Apache-2.0
//
// One statement as a record of a format, with the line break that ends it. Each is what the reader
// of that format reads as the same statement; N-Triples has no place for the source.
#pragma once

#include <string>

#include "image/term.h"

namespace loci {

void AppendTsv(const StatementView& statement, std::string* out);
void AppendJsonl(const StatementView& statement, std::string* out);
void AppendNquad(const StatementView& statement, std::string* out);
void AppendNtriple(const StatementView& statement, std::string* out);

}  // namespace loci
