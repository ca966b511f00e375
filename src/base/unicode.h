// SPDX-License-Identifier: Apache-2.0
//
// The little of Unicode that names and texts need: validity and the normal form NFC (Unicode
// Standard Annex 15), by utf8proc. Names of ASCII characters, nearly all of them, take a fast path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci {

// The offset of the first byte that is not valid UTF-8 (RFC 3629: no surrogates, no overlong
// forms, nothing above U+10FFFF), or nothing.
std::optional<size_t> FindInvalidUtf8(std::string_view bytes);

bool IsAscii(std::string_view bytes);

// NFC of valid UTF-8. Fails only where utf8proc does: the input is not UTF-8, or memory is out.
Result<std::string> ToNfc(std::string_view utf8);

// Appends a code point as UTF-8; false for surrogates and what is above U+10FFFF.
bool AppendUtf8(std::string* out, uint32_t code_point);

// The code point at the head of valid, non-empty UTF-8, and its length in bytes.
struct CodePoint {
  uint32_t value;
  uint32_t length;
};
CodePoint FirstCodePoint(std::string_view utf8);

// May stand inside a BARE name of the query language: letters, digits and marks of any script.
bool IsLetter(uint32_t code_point);
bool IsLetterDigitOrMark(uint32_t code_point);

// Short, printable and safe in a message: control characters and bad bytes escaped, long input cut.
std::string Excerpt(std::string_view bytes, size_t most = 60);

}  // namespace loci
