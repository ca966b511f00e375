// SPDX-License-Identifier: Apache-2.0
//
// What the tokenizer needs to know of a code point, by utf8proc's categories and a short table of
// the scripts that are written without spaces (UAX 14's classes ID and SA, in blocks).
#pragma once

#include <cstdint>
#include <string>

namespace loci {

enum class Sign : uint8_t {
  kSpace,        // white space and what is ignored on screen
  kPunctuation,  // all that is no part of a word
  kLetter,       // letters, digits, numbers
  kMark,         // belongs to the letter before
  kUnspaced,     // a letter of a script without spaces
  kPictograph,   // a word by itself
  kIgnored,      // joiners and soft hyphens: nothing, inside a word
};

Sign SignOf(uint32_t code_point);
bool IsCapital(uint32_t code_point);
// Appends the code point in NFKD, case folded, without marks: nothing, for a mark.
void AppendFolded(uint32_t code_point, std::string* out);

}  // namespace loci
