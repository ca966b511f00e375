// SPDX-License-Identifier: Apache-2.0
#include "text/tokens.h"

#include <algorithm>
#include <array>

#include "base/unicode.h"
#include "text/script.h"

namespace loci {
namespace {

constexpr bool IsAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool IsAsciiDigit(char c) {
  return c >= '0' && c <= '9';
}

// By far most characters are of ASCII: their signs in a table.
constexpr std::array<Sign, 128> kAsciiSigns = [] {
  std::array<Sign, 128> signs{};
  for (size_t i = 0; i < signs.size(); ++i) {
    const char c = static_cast<char>(i);
    signs[i] = IsAsciiLetter(c) || IsAsciiDigit(c)    ? Sign::kLetter
               : c == ' ' || (c >= '\t' && c <= '\r') ? Sign::kSpace
                                                      : Sign::kPunctuation;
  }
  return signs;
}();

// The letters and digits of ASCII without case; 0: any other byte.
constexpr std::array<char, 256> kFolded = [] {
  std::array<char, 256> folded{};
  for (size_t i = 0; i < 128; ++i) {
    const char c = static_cast<char>(i);
    if (kAsciiSigns[i] == Sign::kLetter) {
      folded[i] = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
  }
  return folded;
}();

struct Character {
  uint32_t value = 0;
  uint32_t size = 0;  // bytes; 0 at the end
  Sign sign = Sign::kPunctuation;
};

}  // namespace

class Tokenizer {
 public:
  Tokenizer(std::string_view text, Tokens* out) : text_(text), out_(*out) {
    out_.list_.clear();
    out_.folded_.clear();
  }

  void Run() {
    while (at_ < text_.size()) {
      const Character c = Look(at_);
      switch (c.sign) {
        case Sign::kLetter:
          Word();
          break;
        case Sign::kUnspaced:
          Unspaced();
          break;
        case Sign::kPictograph:
          Begin(at_);
          AppendFolded(c.value, &out_.folded_);
          at_ += c.size;
          SkipMarks();
          End();
          break;
        case Sign::kPunctuation:
          apart_ = true;
          at_ += c.size;
          if (EndsSentence(c.value)) EndSentence();
          break;
        case Sign::kSpace:
          if (c.value == '\n' && at_ > 0 && text_[at_ - 1] == '\n') EndSentence();
          at_ += c.size;
          break;
        case Sign::kMark:
        case Sign::kIgnored:
          at_ += c.size;
          break;
      }
    }
  }

 private:
  Character Look(size_t at) const {
    if (at >= text_.size()) return {};
    const auto byte = static_cast<unsigned char>(text_[at]);
    if (byte < 128) return {byte, 1, kAsciiSigns[byte]};
    const CodePoint c = FirstCodePoint(text_.substr(at));
    return {c.value, c.length, SignOf(c.value)};
  }

  void Begin(size_t at) {
    Token& token = out_.list_.emplace_back();
    token.begin = at;
    token.folded_begin = static_cast<uint32_t>(out_.folded_.size());
    token.sentence = sentence_;
    token.apart = apart_;
    apart_ = false;
  }

  // The word ends here; one that folded to nothing is none.
  void End() {
    Token& token = out_.list_.back();
    token.end = at_;
    token.folded_size = static_cast<uint32_t>(out_.folded_.size()) - token.folded_begin;
    if (token.folded_size == 0) out_.list_.pop_back();
  }

  bool Full() const {
    return out_.folded_.size() - out_.list_.back().folded_begin + 4 > kMaxWordBytes;
  }

  void Append(const Character& c) {
    if (c.value < 128) {
      const char byte = static_cast<char>(c.value);
      out_.folded_ += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
    } else {
      AppendFolded(c.value, &out_.folded_);
    }
  }

  // The letters and digits of ASCII at hand, as far as a word goes: nearly all of most texts.
  size_t AppendAsciiRun() {
    const size_t room = kMaxWordBytes - 3 - (out_.folded_.size() - out_.list_.back().folded_begin);
    const size_t limit = std::min(text_.size(), at_ + room);
    size_t end = at_;
    while (end < limit && kFolded[static_cast<unsigned char>(text_[end])] != 0) ++end;
    const size_t run = end - at_;
    if (run == 0) return 0;
    const size_t begin = out_.folded_.size();
    out_.folded_.resize(begin + run);
    for (size_t i = 0; i < run; ++i) {
      out_.folded_[begin + i] = kFolded[static_cast<unsigned char>(text_[at_ + i])];
    }
    last_ = static_cast<unsigned char>(text_[end - 1]);
    at_ = end;
    return run;
  }

  void Word() {
    Begin(at_);
    Token& token = out_.list_.back();
    const Character first = Look(at_);
    token.capital =
        first.value < 128 ? first.value >= 'A' && first.value <= 'Z' : IsCapital(first.value);
    uint32_t letters = 0;
    while (!Full()) {
      if (const size_t run = AppendAsciiRun(); run > 0) {
        letters += static_cast<uint32_t>(run);
        continue;
      }
      const Character c = Look(at_);
      if (c.size == 0) break;
      if (c.sign == Sign::kLetter) {
        Append(c);
        ++letters;
        last_ = c.value;
      } else if (c.sign == Sign::kPunctuation) {
        if (!Joins(c)) break;
      } else if (c.sign != Sign::kMark && c.sign != Sign::kIgnored) {
        break;
      }
      at_ += c.size;
    }
    DropPossessive();
    Suffix();
    initial_ = letters == 1;
    End();
  }

  // Whether the sign at hand stands inside a word: an apostrophe between letters, a point or comma
  // between digits. The point is kept: 3.14 is not 314.
  bool Joins(const Character& c) {
    const Character next = Look(at_ + c.size);
    if (next.sign != Sign::kLetter) return false;
    if (IsApostrophe(c.value)) {
      apostrophe_ = out_.folded_.size();
      return true;
    }
    const auto digit = [](uint32_t x) { return x >= '0' && x <= '9'; };
    if ((c.value != '.' && c.value != ',') || !digit(last_) || !digit(next.value)) return false;
    if (c.value == '.') out_.folded_ += '.';
    return true;
  }

  static bool IsApostrophe(uint32_t c) { return c == '\'' || c == 0x2019; }

  // dog's is dog; the s behind the last apostrophe goes.
  void DropPossessive() {
    std::string& folded = out_.folded_;
    if (apostrophe_ > out_.list_.back().folded_begin && apostrophe_ + 1 == folded.size() &&
        folded.back() == 's') {
      folded.pop_back();
    }
    apostrophe_ = 0;
  }

  // c++, c#: signs behind a letter and before none.
  void Suffix() {
    const char sign = at_ < text_.size() ? text_[at_] : '\0';
    if ((sign != '+' && sign != '#') || !(last_ < 128 && IsAsciiLetter(static_cast<char>(last_)))) {
      return;
    }
    size_t end = at_;
    while (end < text_.size() && text_[end] == sign && end - at_ < 2) ++end;
    const Sign next = Look(end).sign;
    if (end < text_.size() && (next == Sign::kLetter || text_[end] == sign)) return;
    out_.folded_.append(text_.substr(at_, end - at_));
    at_ = end;
  }

  // Pairs of characters with their marks; a lone one by itself.
  void Unspaced() {
    bool first = true;
    while (true) {
      const size_t begin = at_;
      const Character one = Look(at_);
      size_t next = AfterCharacter(at_);
      const Character two = Look(next);
      const bool pair = two.sign == Sign::kUnspaced;
      if (!pair && !first) {
        at_ = next;
        return;
      }
      Begin(begin);
      AppendFolded(one.value, &out_.folded_);
      if (pair) AppendFolded(two.value, &out_.folded_);
      const size_t end = pair ? AfterCharacter(next) : next;
      at_ = end;
      End();
      at_ = next;
      if (!pair) return;
      first = false;
    }
  }

  size_t AfterCharacter(size_t at) const {
    at += Look(at).size;
    for (Character c = Look(at); c.size > 0 && (c.sign == Sign::kMark || c.sign == Sign::kIgnored);
         c = Look(at)) {
      at += c.size;
    }
    return at;
  }
  void SkipMarks() {
    for (Character c = Look(at_); c.size > 0 && (c.sign == Sign::kMark || c.sign == Sign::kIgnored);
         c = Look(at_)) {
      at_ += c.size;
    }
  }

  // A point behind an initial ("J. Smith") or within a word ends nothing.
  bool EndsSentence(uint32_t c) const {
    if (c == 0x3002 || c == 0xFF01 || c == 0xFF1F || c == 0x0964) return true;
    if (c != '.' && c != '!' && c != '?') return false;
    if (c == '.' && initial_) return false;
    return Look(at_).sign == Sign::kSpace || at_ >= text_.size();
  }
  void EndSentence() {
    if (!out_.list_.empty() && out_.list_.back().sentence == sentence_) ++sentence_;
  }

  const std::string_view text_;
  Tokens& out_;
  size_t at_ = 0;
  uint32_t sentence_ = 0;
  bool apart_ = false;
  bool initial_ = false;   // the last word is a single letter
  uint32_t last_ = 0;      // the last letter of the word at hand
  size_t apostrophe_ = 0;  // where in the folded bytes the last one stood, 0 for none
};

void Tokenize(std::string_view text, Tokens* out) {
  Tokenizer(text, out).Run();
}

}  // namespace loci
