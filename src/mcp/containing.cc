// SPDX-License-Identifier: Apache-2.0
#include "mcp/containing.h"

#include <cstdint>
#include <cstring>

#include "base/unicode.h"

namespace loci::mcp {
namespace {

using Block [[gnu::vector_size(16)]] = uint8_t;

Block Load(const char* from) {
  Block block;
  std::memcpy(&block, from, sizeof(block));
  return block;
}

bool Any(Block block) {
  uint64_t halves[2];
  std::memcpy(halves, &block, sizeof(halves));
  return (halves[0] | halves[1]) != 0;
}

char Low(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
}

// 0x20 for a letter, so that OR makes it small; 0 for a byte that is compared as it is. (Of the
// bytes that OR changes into a letter only the capital is taken by Same, which decides.)
uint8_t CaseBit(char small) {
  return small >= 'a' && small <= 'z' ? 0x20 : 0;
}

bool Same(const char* bytes, std::string_view run) {
  for (size_t i = 0; i < run.size(); ++i) {
    if (Low(bytes[i]) != run[i]) return false;
  }
  return true;
}

// Whether a code point of lowered text stands for itself alone in texts of any case: ASCII (whose
// capitals the search knows, but for i and k, which U+0130 and the Kelvin sign lower to) or a
// letter without case.
bool IsPlain(uint32_t c) {
  if (c < 0x80) return c != 'k' && c != 'i';
  if (c == 0x3C3) return false;
  // Nothing lowers to it but itself where it has no capital; scripts with case lie below U+3000
  // and above U+A640.
  return c >= 0x3000 && c < 0xA000;
}

}  // namespace

Containing::Containing(std::string_view query) : lowered_(ToLower(query)) {
  size_t begin = 0;
  for (size_t i = 0; i <= lowered_.size();) {
    const CodePoint point = i < lowered_.size()
                                ? FirstCodePoint(std::string_view(lowered_).substr(i))
                                : CodePoint{0, 1};
    if (i == lowered_.size() || !IsPlain(point.value)) {
      if (i - begin > run_.size()) run_ = lowered_.substr(begin, i - begin);
      begin = i + point.length;
    }
    i += point.length;
  }
  plain_ = run_.size() == lowered_.size();
}

bool Containing::In(std::string_view text) const {
  if (may_be_anywhere()) return ToLower(text).find(lowered_) != std::string::npos;
  if (Next(text, 0) == std::string_view::npos) return false;
  return plain_ || ToLower(text).find(lowered_) != std::string::npos;
}

size_t Containing::Next(std::string_view bytes, size_t from) const {
  if (run_.empty() || bytes.size() < run_.size()) return std::string_view::npos;
  const size_t last = run_.size() - 1;
  const size_t ends = bytes.size() - last;  // one past the last place where the run can begin
  const uint8_t first_bit = CaseBit(run_.front()), last_bit = CaseBit(run_[last]);
  const Block first = Block{} + static_cast<uint8_t>(run_.front()),
              final = Block{} + static_cast<uint8_t>(run_[last]);
  const Block first_case = Block{} + first_bit, last_case = Block{} + last_bit;
  size_t i = from;
  for (; i + sizeof(Block) <= ends; i += sizeof(Block)) {
    const Block heads = Load(bytes.data() + i) | first_case;
    const Block tails = Load(bytes.data() + i + last) | last_case;
    const Block hit = reinterpret_cast<Block>((heads == first) & (tails == final));
    if (!Any(hit)) continue;
    for (size_t k = i; k < i + sizeof(Block); ++k) {
      if (hit[k - i] != 0 && Same(bytes.data() + k, run_)) return k;
    }
  }
  for (; i < ends; ++i) {
    if (Same(bytes.data() + i, run_)) return i;
  }
  return std::string_view::npos;
}

}  // namespace loci::mcp
