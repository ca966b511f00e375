// SPDX-License-Identifier: Apache-2.0
//
// Tokens: a text as the words by which it is recalled. docs/recall.md tells the rules; in short
//
//   letters, marks and digits      make words: "don't" dont, "dog's" dog, 1,000 and 3.14 one each
//   case, accents, width           are folded away (Unicode NFKD, case folding, no marks)
//   scripts without spaces         give their characters in overlapping pairs
//   + and # behind a letter        belong to it: c++, c#, f#
//   pictographs                    are words by themselves
//
// A word's place is the number of words before it. What stands between two words is kept as far as
// association needs it: whether punctuation does, whether a sentence ends.
//
// A pure function of the text and of the version of utf8proc, which a memory's settings name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

// Longer words are cut there: no word's cost grows without bound, and digests still fit.
inline constexpr size_t kMaxWordBytes = 128;

struct Token {
  uint64_t begin = 0, end = 0;                 // bytes of the text, where the word stands in it
  uint32_t folded_begin = 0, folded_size = 0;  // in Tokens
  uint32_t sentence = 0;                       // from 0
  bool capital = false;                        // begins with a capital letter
  bool apart = false;  // punctuation, more than space, stands between it and the word before
};

// The words of one text. Reused from text to text, it allocates seldom.
class Tokens {
 public:
  const std::vector<Token>& list() const { return list_; }
  std::string_view Folded(const Token& token) const {
    return std::string_view(folded_).substr(token.folded_begin, token.folded_size);
  }

 private:
  friend class Tokenizer;
  std::vector<Token> list_;
  std::string folded_;
};

// The text is valid UTF-8, as those of a memory and of a query are.
void Tokenize(std::string_view text, Tokens* out);

}  // namespace loci
