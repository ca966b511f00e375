// SPDX-License-Identifier: Apache-2.0
//
// Splitting: a long paragraph as several passages. Of a paragraph of 50 KB a cue of five words says
// little: every word is somewhere in it, and the place cannot be shown. Retrieval cuts such texts
// at 100 to 500 words; ours are of about 2,000 bytes, 330 words of English, and end where sentences
// do, so that what is shown is whole and no sentence belongs to two.
//
// The parts are of about the same size, for a short rest would be found too easily. What is cut
// away between two parts is white space. A pure function of the text.
#pragma once

#include <string_view>
#include <vector>

namespace loci {

inline constexpr size_t kPassageBytes = 2000;

// A text of at most kPassageBytes is its only part. No part is cut within a word: one that has
// neither white space nor the end of a sentence is as long as it is. The text is valid UTF-8.
std::vector<std::string_view> SplitPassage(std::string_view text);

}  // namespace loci
