// SPDX-License-Identifier: Apache-2.0
//
// CutText: the part of a text to show where there is room for so many bytes.
#pragma once

#include <span>
#include <string_view>

#include "recall/recall.h"

namespace loci::query {

// From the bounds of a word to those of another, at most `most` bytes: of all such parts the first
// that has the most different words of the spans, which ascend; with a little before these. A word
// longer than all is cut between characters.
recall::Span CutText(std::string_view text, std::span<const recall::Span> spans, size_t most);

}  // namespace loci::query
