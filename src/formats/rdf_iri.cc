// SPDX-License-Identifier: Apache-2.0
//
// What is an IRI to RFC 3987 (formats/rdf.h).
#include <algorithm>

#include "base/unicode.h"
#include "formats/rdf.h"

namespace loci::rdf {
namespace {

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}
bool IsAlpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool IsHex(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// What IRIs hold beyond ASCII (ucschar), less the marks of direction, which the RFC forbids in
// text, and what breaks lines. Private use is for queries alone.
bool IsUcsChar(uint32_t c) {
  if (IsControl(c) || c < 0xA0) return false;
  if (c <= 0xD7FF) return !(c >= 0x200E && c <= 0x200F) && !(c >= 0x202A && c <= 0x202E);
  if (c < 0xF900 || (c > 0xFDCF && c < 0xFDF0) || (c > 0xFFEF && c < 0x10000)) return false;
  if (c > 0xEFFFD || (c >= 0xE0000 && c < 0xE1000)) return false;
  return (c & 0xFFFF) <= 0xFFFD;
}

constexpr std::string_view kSubDelims = "!$&'()*+,;=";

// The length of one ipchar, or of '/' or '?', at the head of a string; 0 where there is none.
size_t CharacterLength(std::string_view s) {
  const char c = s[0];
  if (IsAlpha(c) || IsDigit(c) || std::string_view("-._~:@/?").find(c) != std::string_view::npos ||
      kSubDelims.find(c) != std::string_view::npos) {
    return 1;
  }
  if (c == '%') return s.size() >= 3 && IsHex(s[1]) && IsHex(s[2]) ? 3 : 0;
  if (static_cast<uint8_t>(c) < 0x80) return 0;
  const CodePoint code_point = FirstCodePoint(s.substr(0, 4));
  return IsUcsChar(code_point.value) ? code_point.length : 0;
}

// [ userinfo "@" ] host [ ":" port ]
bool IsAuthority(std::string_view s) {
  if (const size_t at = s.find('@'); at != std::string_view::npos) s.remove_prefix(at + 1);
  const size_t colon = s.find(':');
  if (s.find('@') != std::string_view::npos) return false;
  return colon == std::string_view::npos || std::ranges::all_of(s.substr(colon + 1), IsDigit);
}

}  // namespace

bool IsIri(std::string_view name) {
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos || colon == 0 || !IsAlpha(name[0])) return false;
  if (!std::ranges::all_of(name.substr(0, colon), [](char c) {
        return IsAlpha(c) || IsDigit(c) || c == '+' || c == '-' || c == '.';
      })) {
    return false;
  }
  const std::string_view rest = name.substr(colon + 1);
  bool in_fragment = false;
  for (size_t i = 0; i < rest.size();) {
    if (rest[i] == '#') {
      if (in_fragment) return false;
      in_fragment = true;
      ++i;
      continue;
    }
    const size_t length = CharacterLength(rest.substr(i));
    if (length == 0) return false;
    i += length;
  }
  if (!rest.starts_with("//")) return true;
  return IsAuthority(rest.substr(2, std::min(rest.find_first_of("/?#", 2), rest.size()) - 2));
}

}  // namespace loci::rdf
