// SPDX-License-Identifier: Apache-2.0
#include "base/unicode.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>

#include "base/bytes.h"

namespace loci {
namespace {

constexpr uint64_t kHighBits = 0x8080808080808080;

size_t AsciiPrefix(std::string_view bytes) {
  size_t i = 0;
  while (i + 8 <= bytes.size() && (Load<uint64_t>(bytes.data() + i) & kHighBits) == 0) i += 8;
  while (i < bytes.size() && static_cast<uint8_t>(bytes[i]) < 0x80) ++i;
  return i;
}

// The length of the well-formed sequence at the head of bytes, 0 if there is none: table 3-7 of the
// Unicode Standard, in which only the second byte's range depends on the first.
size_t SequenceLength(std::string_view bytes) {
  const auto at = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const uint8_t lead = at(0);
  if (lead < 0x80) return 1;
  if (lead < 0xC2 || lead > 0xF4) return 0;
  const size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes.size() < length) return 0;
  const uint8_t low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const uint8_t high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  if (at(1) < low || at(1) > high) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((at(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

std::optional<size_t> FindInvalidUtf8(std::string_view bytes) {
  for (size_t i = AsciiPrefix(bytes); i < bytes.size();) {
    const size_t length = SequenceLength(bytes.substr(i));
    if (length == 0) return i;
    i += length;
    i += AsciiPrefix(bytes.substr(i));
  }
  return std::nullopt;
}

bool IsAscii(std::string_view bytes) {
  return AsciiPrefix(bytes) == bytes.size();
}

bool IsPlainlyNfc(std::string_view utf8) {
  // U+0300, the first character that NFC may change, starts with 0xCC.
  return std::ranges::all_of(utf8.substr(AsciiPrefix(utf8)),
                             [](char c) { return static_cast<uint8_t>(c) < 0xCC; });
}

Result<std::string> ToNfc(std::string_view utf8) {
  if (IsPlainlyNfc(utf8)) return std::string(utf8);
  utf8proc_uint8_t* mapped = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(utf8.data()),
                   static_cast<utf8proc_ssize_t>(utf8.size()), &mapped,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (length < 0) {
    return Error{length == UTF8PROC_ERROR_NOMEM ? ErrorKind::kNoMemory : ErrorKind::kBadInput,
                 fmt::format("cannot normalise \"{}\": {}; give valid UTF-8", Excerpt(utf8),
                             utf8proc_errmsg(length))};
  }
  std::string nfc(reinterpret_cast<const char*>(mapped), static_cast<size_t>(length));
  std::free(mapped);
  return nfc;
}

bool AppendUtf8(std::string* out, uint32_t code_point) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) return false;
  utf8proc_uint8_t raw[4];
  const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), raw);
  out->append(reinterpret_cast<const char*>(raw), static_cast<size_t>(length));
  return true;
}

CodePoint FirstCodePoint(std::string_view utf8) {
  const auto lead = static_cast<uint8_t>(utf8[0]);
  const uint32_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length == 1 || utf8.size() < length) return {lead, 1};
  uint32_t value = lead & (0x7Fu >> length);
  for (uint32_t i = 1; i < length; ++i)
    value = value << 6 | (static_cast<uint8_t>(utf8[i]) & 0x3Fu);
  return {value, length};
}

size_t CountCodePoints(std::string_view utf8) {
  size_t count = 0;
  for (size_t i = 0; i < utf8.size(); ++count) {
    i += std::max<size_t>(SequenceLength(utf8.substr(i, 4)), 1);
  }
  return count;
}

uint32_t ToLower(uint32_t code_point) {
  constexpr uint32_t kSigma = 0x3C3, kFinalSigma = 0x3C2;
  if (code_point < 0x80) {
    return code_point >= 'A' && code_point <= 'Z' ? code_point + ('a' - 'A') : code_point;
  }
  if (code_point == kFinalSigma) return kSigma;
  return static_cast<uint32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code_point)));
}

std::string ToLower(std::string_view utf8) {
  std::string out;
  out.reserve(utf8.size());
  while (!utf8.empty()) {
    const size_t ascii = AsciiPrefix(utf8);
    for (const char c : utf8.substr(0, ascii)) {
      out += static_cast<char>(ToLower(static_cast<uint8_t>(c)));
    }
    utf8.remove_prefix(ascii);
    if (utf8.empty()) break;
    const size_t length = SequenceLength(utf8);
    if (length == 0 || !AppendUtf8(&out, ToLower(FirstCodePoint(utf8).value))) {
      out += utf8.front();
      utf8.remove_prefix(1);
    } else {
      utf8.remove_prefix(length);
    }
  }
  return out;
}

bool IsLetter(uint32_t code_point) {
  if (code_point < 0x80) {
    const uint32_t lower = code_point | 0x20;
    return lower >= 'a' && lower <= 'z';
  }
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
      return true;
    default:
      return false;
  }
}

bool IsLetterDigitOrMark(uint32_t code_point) {
  if (code_point < 0x80) return IsLetter(code_point) || (code_point >= '0' && code_point <= '9');
  switch (utf8proc_category(static_cast<utf8proc_int32_t>(code_point))) {
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
      return true;
    default:
      return IsLetter(code_point);
  }
}

bool IsControl(uint32_t code_point) {
  return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0) || code_point == 0x2028 ||
         code_point == 0x2029 || code_point == 0xFEFF;
}

std::string Excerpt(std::string_view bytes, size_t most) {
  std::string out;
  for (size_t i = 0; i < bytes.size();) {
    if (out.size() >= most) return out + "...";
    const size_t length = SequenceLength(bytes.substr(i, 4));
    if (length == 0) {
      out += fmt::format("\\x{:02X}", static_cast<uint8_t>(bytes[i++]));
      continue;
    }
    const std::string_view character = bytes.substr(i, length);
    const uint32_t code_point = FirstCodePoint(character).value;
    if (code_point == '\n') {
      out += "\\n";
    } else if (code_point == '\t') {
      out += "\\t";
    } else if (code_point == '\r') {
      out += "\\r";
    } else if (IsControl(code_point)) {
      out += fmt::format("\\u{:04X}", code_point);
    } else {
      out += character;
    }
    i += length;
  }
  return out;
}

}  // namespace loci
