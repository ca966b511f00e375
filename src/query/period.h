// SPDX-License-Identifier: Apache-2.0
//
// A partial date as a stretch of time: 2024-05 is all of May.
#pragma once

#include <optional>

#include "image/term.h"

namespace loci::query {

// The first date of the same precision that is no more of it: of 2024-05 2024-06. Nothing where the
// date has a time, or there is no later one.
std::optional<Term> EndOfPeriod(TermView date);

}  // namespace loci::query
