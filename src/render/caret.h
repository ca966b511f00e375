// SPDX-License-Identifier: Apache-2.0
//
// The line below a query's error that points at the fault.
#pragma once

#include <string_view>

#include "loci/result.h"

namespace loci {

// Errors about a text given on the command line begin with "column N: " (from 1, in characters).
// N; 0 where the error is of another kind.
size_t FaultColumn(std::string_view message);

// Adds the part of the text around that column and a caret below it; leaves other errors alone.
Error WithCaret(const Error& error, std::string_view text);

}  // namespace loci
