// SPDX-License-Identifier: Apache-2.0
#include "query/cut_text.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace loci::query {
namespace {

constexpr size_t kBefore = 5;  // one part in so many stands before the first word

bool IsSpace(char c) {
  return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}
bool IsInside(char c) {
  return (static_cast<unsigned char>(c) & 0xC0) == 0x80;  // of a character of UTF-8
}

std::string Key(std::string_view text, const recall::Span& span) {
  std::string key(text.substr(span.begin, span.end - span.begin));
  for (char& c : key) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return key;
}

// Where the best part begins, and where the first of its spans does.
std::pair<size_t, size_t> BestBegin(std::string_view text, std::span<const recall::Span> spans,
                                    size_t most) {
  std::unordered_map<std::string, int> within;  // looked up, never listed
  size_t best_begin = 0, best_first = 0, entered = 0;
  for (const recall::Span& span : spans) {
    if (span.end <= most) ++within[Key(text, span)];
  }
  size_t best = within.size();  // from the beginning of the text
  within.clear();
  for (size_t first = 0; first < spans.size(); ++first) {
    const size_t begin = spans[first].begin - std::min(spans[first].begin, most / kBefore);
    while (entered < spans.size() && (entered <= first || spans[entered].end <= begin + most)) {
      ++within[Key(text, spans[entered++])];
    }
    if (within.size() > best) {
      best = within.size();
      best_begin = begin;
      best_first = spans[first].begin;
    }
    const auto leaves = within.find(Key(text, spans[first]));
    if (--leaves->second == 0) within.erase(leaves);
  }
  return {best_begin, best_first};
}

}  // namespace

recall::Span CutText(std::string_view text, std::span<const recall::Span> spans, size_t most) {
  if (text.size() <= most) return {0, text.size()};
  auto [begin, first] = BestBegin(text, spans, most);
  if (begin > 0) {
    size_t at = begin;
    while (at < first && !IsSpace(text[at - 1])) ++at;
    begin = at;
    while (begin < text.size() && IsInside(text[begin])) ++begin;
  }
  size_t end = std::min(text.size(), begin + most);
  if (end < text.size() && !IsSpace(text[end])) {
    size_t at = end;
    while (at > begin && !IsSpace(text[at - 1])) --at;
    // A word that fills it all, or has no spaces around it.
    if (at > begin + most / 2) {
      end = at;
    } else {
      while (end > begin && IsInside(text[end])) --end;
    }
  }
  while (end > begin && IsSpace(text[end - 1])) --end;
  return {begin, end};
}

}  // namespace loci::query
