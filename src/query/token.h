// SPDX-License-Identifier: Apache-2.0
//
// Tokens of the query language. The whole text is split at once, because what an opening
// parenthesis begins (a path, a body, the head) shows only behind the one that closes it; with the
// matching token known, the parser never goes back, and its time is linear in the text.
//
// A token is a slice of the text. `<` is a name where a term may begin and a comparison after one,
// and `+` a sign or a repetition likewise; so the token before decides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loci::query {

enum class TokenKind : uint8_t {
  kEnd,
  kFault,      // here the text is no token; Tokens::fault says why. Nothing follows
  kVariable,   // ?x
  kAnonymous,  // _
  kName,       // BARE or <any name>
  kText,       // "text", with its tag
  kNumber,     // a number or a date
  kWord,       // a reserved word
  kOpen,
  kClose,
  kComma,
  kPipe,
  kSlash,
  kCaret,
  kPlus,
  kStar,
  kQuestion,
  kSemicolon,
  kArrow,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
};

struct Token {
  TokenKind kind;
  uint32_t begin, end;  // offsets into the text
  uint32_t match = 0;   // of kOpen: the index of its kClose; 0 where there is none
};

struct Tokens {
  std::vector<Token> all;  // the last is kEnd or kFault
  std::string fault;       // why kFault
};

// The text is valid UTF-8.
Tokens Tokenize(std::string_view text);

}  // namespace loci::query
