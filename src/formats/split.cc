// SPDX-License-Identifier: Apache-2.0
#include "formats/split.h"

#include <algorithm>

#include "text/tokens.h"

namespace loci {
namespace {

constexpr std::string_view kSpace = " \t\n\r\f\v";

size_t Distance(size_t a, size_t b) {
  return a < b ? b - a : a - b;
}

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

// Of the places from `first` on where the text may be cut, that which is nearest to aim; 0: none.
class Nearest {
 public:
  Nearest(size_t first, size_t aim) : first_(first), aim_(aim) {}
  void Offer(size_t place) {
    if (place < first_) return;
    if (best_ == 0 || Distance(place, aim_) < Distance(best_, aim_)) best_ = place;
  }
  size_t best() const { return best_; }

 private:
  size_t first_, aim_, best_ = 0;
};

size_t SentenceEnd(std::string_view window, Nearest nearest, Tokens* tokens) {
  Tokenize(window, tokens);
  const auto& list = tokens->list();
  for (size_t i = 1; i < list.size(); ++i) {
    if (list[i].sentence == list[i - 1].sentence) continue;
    // Quotes that close go with what they close, quotes that open with what follows.
    const size_t space = window.find_first_of(kSpace, list[i - 1].end);
    nearest.Offer(std::min<size_t>(space, list[i].begin));
  }
  return nearest.best();
}

size_t AnyOf(std::string_view signs, std::string_view window, Nearest nearest) {
  for (size_t at = window.find_first_of(signs); at != std::string_view::npos;
       at = window.find_first_of(signs, at + 1)) {
    nearest.Offer(at);
  }
  return nearest.best();
}

// Where the first part of a text ends that should be of aim bytes: between half and half as much
// again, if there it may be cut at all.
size_t FirstCut(std::string_view text, size_t aim, Tokens* tokens) {
  size_t end = std::min(text.size(), aim + aim / 2);
  while (end < text.size() && (text[end] & 0xC0) == 0x80) --end;  // no character in two
  const std::string_view window = text.substr(0, end);
  const Nearest nearest(aim / 2, aim);
  if (const size_t cut = SentenceEnd(window, nearest, tokens); cut != 0) return cut;
  if (const size_t cut = AnyOf("\n", window, nearest); cut != 0) return cut;
  if (const size_t cut = AnyOf(kSpace, window, nearest); cut != 0) return cut;
  return std::min(text.find_first_of(kSpace, aim / 2), text.size());
}

}  // namespace

std::vector<std::string_view> SplitPassage(std::string_view text) {
  if (text.size() <= kPassageBytes) return {text};
  std::vector<std::string_view> parts;
  Tokens tokens;
  while (text.size() > kPassageBytes) {
    const size_t count = (text.size() + kPassageBytes - 1) / kPassageBytes;
    const size_t cut = FirstCut(text, text.size() / count, &tokens);
    const std::string_view part = Trimmed(text.substr(0, cut));
    if (!part.empty()) parts.push_back(part);
    text = Trimmed(text.substr(cut));
  }
  if (!text.empty()) parts.push_back(text);
  return parts;
}

}  // namespace loci
