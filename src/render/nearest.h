// SPDX-License-Identifier: Apache-2.0
//
// What a person who mistyped a word probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
size_t EditDistance(std::string_view a, std::string_view b);

// The candidate nearest to the word (the first of several), or nothing where even that one is
// further away than a third of the word's length, at least 1 and at most 3 edits.
std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace loci
