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

// The offset at which the first ill-formed sequence starts (RFC 3629: no surrogates, no overlong
// forms, nothing above U+10FFFF), or nothing where all is valid UTF-8.
std::optional<size_t> FindInvalidUtf8(std::string_view bytes);

bool IsAscii(std::string_view bytes);

// NFC of valid UTF-8. Fails only where utf8proc does: the input is not UTF-8, or memory is out.
Result<std::string> ToNfc(std::string_view utf8);

// Whether the bytes are below U+0300, where every string is in NFC as it stands. Says nothing about
// validity; false negatives are many, false positives none.
bool IsPlainlyNfc(std::string_view utf8);

// Appends a code point as UTF-8; false for surrogates and what is above U+10FFFF.
bool AppendUtf8(std::string* out, uint32_t code_point);

// The code point at the head of valid, non-empty UTF-8, and its length in bytes. Of invalid bytes
// it makes one wrong code point, but never reads past the end nor returns length 0.
struct CodePoint {
  uint32_t value;
  uint32_t length;
};
CodePoint FirstCodePoint(std::string_view utf8);

// Code points in valid UTF-8, each counted as one column; an invalid byte counts as one too.
size_t CountCodePoints(std::string_view utf8);

// Lower case, code point by code point: the simple mappings of the Unicode Character Database; and
// the final sigma is a sigma. Invalid bytes stay.
uint32_t ToLower(uint32_t code_point);
std::string ToLower(std::string_view utf8);

// May stand inside a BARE name of the query language: letters, digits and marks of any script.
bool IsLetter(uint32_t code_point);
bool IsLetterDigitOrMark(uint32_t code_point);

// Controls, line and paragraph separators and the byte order mark: what a line of text on a
// terminal or in a file must not hold raw.
bool IsControl(uint32_t code_point);

// Short, printable and safe in a message: control characters and bad bytes escaped, long input cut
// after about `most` bytes with "..." in place of the rest.
std::string Excerpt(std::string_view bytes, size_t most = 60);

}  // namespace loci
