// SPDX-License-Identifier: Apache-2.0
#include "query/token.h"

#include <fmt/format.h>

#include "base/unicode.h"
#include "image/term.h"

namespace loci::query {
namespace {

bool IsSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

bool MayEndOperand(TokenKind kind) {
  switch (kind) {
    case TokenKind::kVariable:
    case TokenKind::kAnonymous:
    case TokenKind::kName:
    case TokenKind::kText:
    case TokenKind::kNumber:
    case TokenKind::kClose:
    case TokenKind::kPlus:
    case TokenKind::kStar:
    case TokenKind::kQuestion:
      return true;
    default:
      return false;
  }
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view text) : text_(text) {}

  Tokens Run() {
    do {
      SkipBlank();
      One();
    } while (out_.all.back().kind != TokenKind::kEnd && out_.all.back().kind != TokenKind::kFault);
    Match();
    return std::move(out_);
  }

 private:
  char At(size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  void SkipBlank() {
    while (at_ < text_.size()) {
      if (IsSpace(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  void Push(TokenKind kind, size_t length) {
    out_.all.push_back({kind, static_cast<uint32_t>(at_), static_cast<uint32_t>(at_ + length)});
    at_ += length;
  }

  void Fault(std::string why) {
    Push(TokenKind::kFault, 0);
    out_.fault = std::move(why);
  }

  void One() {
    if (at_ == text_.size()) return Push(TokenKind::kEnd, 0);
    const char c = text_[at_], next = At(at_ + 1);
    const bool after_operand = !out_.all.empty() && MayEndOperand(out_.all.back().kind);
    switch (c) {
      case '(':
        return Push(TokenKind::kOpen, 1);
      case ')':
        return Push(TokenKind::kClose, 1);
      case ',':
        return Push(TokenKind::kComma, 1);
      case '|':
        return Push(TokenKind::kPipe, 1);
      case '/':
        return Push(TokenKind::kSlash, 1);
      case '^':
        return Push(TokenKind::kCaret, 1);
      case '*':
        return Push(TokenKind::kStar, 1);
      case ';':
        return Push(TokenKind::kSemicolon, 1);
      case '=':
        return Push(TokenKind::kEqual, 1);
      case '"':
        return Text();
      case '<':
        return after_operand ? Less() : Angle();
      case '>':
        return next == '=' ? Push(TokenKind::kGreaterEqual, 2) : Push(TokenKind::kGreater, 1);
      case '!':
        if (next == '=') return Push(TokenKind::kNotEqual, 2);
        return Fault("found \"!\", expected \"!=\"; negation is written: not clause");
      case '?':
        return Question();
      case '+':
        if (after_operand) return Push(TokenKind::kPlus, 1);
        return Number();
      default:
        break;
    }
    if (IsDigit(c) || c == '-' || c == '.') return Number();
    Name();
  }

  // The length of what may follow the first character of a name, from the offset on.
  size_t WordEnd(size_t from, bool or_plus) const {
    size_t end = from;
    while (end < text_.size()) {
      const CodePoint c = FirstCodePoint(text_.substr(end, 4));
      const bool inside =
          c.value < 0x80 &&
          std::string_view(".:-_@#").find(static_cast<char>(c.value)) != std::string_view::npos;
      if (!inside && !IsLetterDigitOrMark(c.value) && !(or_plus && c.value == '+')) break;
      end += c.length;
    }
    return end;
  }

  void Question() {
    const size_t first = at_ + 1;
    if (first >= text_.size() || !IsLetter(FirstCodePoint(text_.substr(first, 4)).value)) {
      return Push(TokenKind::kQuestion, 1);
    }
    size_t end = first;
    while (end < text_.size()) {
      const CodePoint c = FirstCodePoint(text_.substr(end, 4));
      if (c.value != '_' && !IsLetterDigitOrMark(c.value)) break;
      end += c.length;
    }
    Push(TokenKind::kVariable, end - at_);
  }

  void Name() {
    const CodePoint first = FirstCodePoint(text_.substr(at_, 4));
    if (first.value != '_' && !IsLetter(first.value)) {
      return Fault(fmt::format("found \"{}\", expected a clause such as relation(subject, ?x)",
                               Excerpt(text_.substr(at_, first.length))));
    }
    size_t end = WordEnd(at_ + first.length, false);
    // The last character is a letter, digit or mark: "dog." is a name and a stray point.
    while (end > at_ + 1 &&
           std::string_view(".:-@#").find(text_[end - 1]) != std::string_view::npos)
      --end;
    const std::string_view name = text_.substr(at_, end - at_);
    if (name == "_") return Push(TokenKind::kAnonymous, 1);
    Push(IsBareName(name) ? TokenKind::kName : TokenKind::kWord, name.size());
  }

  void Number() {
    const size_t end = WordEnd(at_ + 1, true);
    for (size_t i = at_; i < end && i < at_ + 2; ++i) {
      if (IsDigit(text_[i])) return Push(TokenKind::kNumber, end - at_);
    }
    if (At(at_ + 1) == '.' && IsDigit(At(at_ + 2))) return Push(TokenKind::kNumber, end - at_);
    Fault(fmt::format("found \"{}\", expected a clause, a term or a number",
                      Excerpt(text_.substr(at_, 1))));
  }

  // The end of a delimited term that begins at `from`, behind the closing character; 0 where open.
  size_t Closed(size_t from, char close) const {
    for (size_t i = from + 1; i < text_.size(); ++i) {
      if (text_[i] == close) return i + 1;
      if (close == '>' && text_[i] == '\n') return 0;
      if (text_[i] == '\\') ++i;
    }
    return 0;
  }

  void Less() {
    const char next = At(at_ + 1);
    if (next == '-' && out_.all.back().kind == TokenKind::kClose) return Push(TokenKind::kArrow, 2);
    if (next == '=') return Push(TokenKind::kLessEqual, 2);
    if (next == '\0' || IsSpace(next)) return Push(TokenKind::kLess, 1);
    Angle();
  }

  void Angle() {
    const size_t end = Closed(at_, '>');
    if (end != 0) return Push(TokenKind::kName, end - at_);
    Fault(
        fmt::format("found \"{}\", expected \">\" at the end of the name; as a comparison, \"<\" "
                    "needs a space behind it",
                    Excerpt(text_.substr(at_, 20))));
  }

  void Text() {
    size_t end = Closed(at_, '"');
    if (end == 0) {
      return Fault(fmt::format("found {}, expected '\"' at the end of the text",
                               Excerpt(text_.substr(at_, 20))));
    }
    if (At(end) == '@') {
      do {
        ++end;
      } while (IsDigit(At(end)) || At(end) == '-' ||
               static_cast<unsigned char>((At(end) | 0x20) - 'a') < 26);
    } else if (text_.substr(end, 2) == "^^") {
      end += 2;
      if (At(end) == '<') {
        const size_t closed = Closed(end, '>');
        if (closed == 0) {
          at_ = end;
          return Angle();
        }
        end = closed;
      } else {
        end = WordEnd(end, false);
      }
    }
    Push(TokenKind::kText, end - at_);
  }

  void Match() {
    std::vector<uint32_t> open;
    for (uint32_t i = 0; i < out_.all.size(); ++i) {
      if (out_.all[i].kind == TokenKind::kOpen) open.push_back(i);
      if (out_.all[i].kind != TokenKind::kClose || open.empty()) continue;
      out_.all[open.back()].match = i;
      open.pop_back();
    }
  }

  std::string_view text_;
  size_t at_ = 0;
  Tokens out_;
};

}  // namespace

Tokens Tokenize(std::string_view text) {
  return Tokenizer(text).Run();
}

}  // namespace loci::query
