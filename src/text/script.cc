// SPDX-License-Identifier: Apache-2.0
#include "text/script.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>

#include "base/unicode.h"

namespace loci {
namespace {

struct Range {
  uint32_t first, last;
};

// Thai to Tibetan and Myanmar and Khmer of Southeast Asia; kana, bopomofo and Han. Hangul has
// spaces.
constexpr std::array kUnspaced = {
    Range{0x0E01, 0x0EDF}, Range{0x1000, 0x109F},   Range{0x1780, 0x17FF},  Range{0x1950, 0x19DF},
    Range{0x1A20, 0x1AAF}, Range{0x2E80, 0x2FDF},   Range{0x3005, 0x3007},  Range{0x3021, 0x3029},
    Range{0x3041, 0x312F}, Range{0x31A0, 0x31BF},   Range{0x31F0, 0x31FF},  Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF}, Range{0xA9E0, 0xA9FF},   Range{0xAA60, 0xAADF},  Range{0xF900, 0xFAFF},
    Range{0xFF66, 0xFF9F}, Range{0x1B000, 0x1B16F}, Range{0x20000, 0x3FFFF}};

bool IsUnspaced(uint32_t c) {
  if (c < kUnspaced.front().first) return false;
  const auto after =
      std::upper_bound(kUnspaced.begin(), kUnspaced.end(), c,
                       [](uint32_t x, const Range& range) { return x < range.first; });
  return c <= (after - 1)->last;
}

}  // namespace

Sign SignOf(uint32_t c) {
  if (c == 0x0A || c == 0x0D || c == 0x09) return Sign::kSpace;
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(c))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
    case UTF8PROC_CATEGORY_CO:  // private use: whoever uses it means something
      return IsUnspaced(c) ? Sign::kUnspaced : Sign::kLetter;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return Sign::kMark;
    case UTF8PROC_CATEGORY_SO:
      return Sign::kPictograph;
    case UTF8PROC_CATEGORY_CF:
      return Sign::kIgnored;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
      return Sign::kSpace;
    default:
      return Sign::kPunctuation;
  }
}

bool IsCapital(uint32_t c) {
  const auto category = utf8proc_category(static_cast<utf8proc_int32_t>(c));
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

void AppendFolded(uint32_t c, std::string* out) {
  constexpr auto kOptions = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT |
                                                           UTF8PROC_CASEFOLD | UTF8PROC_STRIPMARK);
  std::array<utf8proc_int32_t, 32> parts;  // the longest decomposition has 18
  int boundary = 0;
  const utf8proc_ssize_t count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(),
                              static_cast<utf8proc_ssize_t>(parts.size()), kOptions, &boundary);
  if (count < 0 || static_cast<size_t>(count) > parts.size()) {
    AppendUtf8(out, c);
    return;
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<uint32_t>(parts[static_cast<size_t>(i)]);
    // A compatibility form may hold a space or a sign: the word does not.
    const Sign sign = SignOf(part);
    if (sign == Sign::kLetter || sign == Sign::kUnspaced || sign == Sign::kPictograph) {
      AppendUtf8(out, part);
    }
  }
}

}  // namespace loci
