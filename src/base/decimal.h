// SPDX-License-Identifier: Apache-2.0
//
// Exact decimal numbers of at most 34 significant digits (the precision of IEEE 754 decimal128) and
// exponents of the leading digit from -6143 to 6144, as bytes that compare as their values do. No
// lexical form is kept: 1, 1.0, 01 and 10e-1 are one number. NaN and infinities are refused, as is
// a number that would have to be rounded.
//
// Layout: zero is the single byte 0x80. Another number is
//   byte 0       0x81 positive, 0x7F negative
//   bytes 1-2    exponent of the leading digit, plus 0x8000, big-endian
//   bytes 3..    pairs of digits without trailing zeros, first digit not 0, each pair 10*a+b+1
//                (1 to 100; a missing last digit counts as 0), then the byte 0x00
// All bytes after byte 0 are complemented where the number is negative.
#pragma once

#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci {

// Accepts [+-]digits[.digits][(e|E)[+-]digits], also .5 and 5. ; nothing around it.
Result<std::string> DecimalFromText(std::string_view text);

// The number in digits: "-12.5", "100000", "1.5e300". Without exponent from 0.0000001 to below
// 10^34, else with one. DecimalFromText gives the same bytes back. Empty for what is not a number.
std::string DecimalToText(std::string_view bytes);

// Whether the bytes are a number as DecimalFromText makes them: for reading from outside.
bool IsDecimal(std::string_view bytes);

// Digits of a fraction as the layout above packs them, here and in base/date.h: digits holds
// characters '0' to '9'. Unpacking stops at the byte 0x00, drops a trailing zero and advances
// *packed past the 0x00; false where bytes are not as packing makes them.
void PackDigits(std::string_view digits, std::string* out);
bool UnpackDigits(std::string_view* packed, std::string* digits);

}  // namespace loci
