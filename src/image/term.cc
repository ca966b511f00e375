// SPDX-License-Identifier: Apache-2.0
#include "image/term.h"

#include <algorithm>
#include <cstring>

namespace loci {
namespace {

// A text before its continuations, and an untagged or tagged text before any longer one: as if the
// separator 0xFF were smaller than every character.
int CompareTexts(std::string_view a, std::string_view b) {
  const size_t common = std::min(a.size(), b.size());
  const auto [at_a, at_b] = std::mismatch(a.begin(), a.begin() + common, b.begin());
  if (at_a == a.begin() + common) return a.size() < b.size() ? -1 : a.size() > b.size();
  const auto byte_a = static_cast<uint8_t>(*at_a), byte_b = static_cast<uint8_t>(*at_b);
  if (byte_a == 0xFF) return -1;
  if (byte_b == 0xFF) return 1;
  return byte_a < byte_b ? -1 : 1;
}

}  // namespace

int CompareTerms(TermView a, TermView b) {
  if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
  if (a.kind == Kind::kText) return CompareTexts(a.bytes, b.bytes);
  return a.bytes.compare(b.bytes);
}

Hash128 NameId(TermView term) {
  const char kind = static_cast<char>(term.kind);
  const Hash256 hash = Sha256({{&kind, 1}, term.bytes});
  Hash128 id;
  std::memcpy(id.bytes.data(), hash.data(), id.bytes.size());
  return id;
}

Hash256 StatementHash(const Hash128& subject, const Hash128& relation, const Hash128& object,
                      const Hash128& source) {
  // One buffer: a call for each part costs more than the copy.
  char bytes[5 + 4 * 16] = {'l', 'o', 'c', 'i', '1'};
  char* at = bytes + 5;
  for (const Hash128* id : {&subject, &relation, &object, &source}) {
    std::memcpy(at, id->bytes.data(), 16);
    at += 16;
  }
  return Sha256({{bytes, sizeof bytes}});
}

Hash256 StatementHash(const StatementView& s) {
  return StatementHash(NameId(s.subject), NameId(s.relation), NameId(s.object), NameId(s.source));
}

TextParts SplitText(std::string_view normal_bytes) {
  const size_t at = normal_bytes.find('\xFF');
  if (at == std::string_view::npos || at + 1 >= normal_bytes.size()) return {normal_bytes, 0, {}};
  return {normal_bytes.substr(0, at), normal_bytes[at + 1], normal_bytes.substr(at + 2)};
}

}  // namespace loci
