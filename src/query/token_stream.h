// SPDX-License-Identifier: Apache-2.0
//
// TokenStream: what every parser of the language reads from: tokens one by one, terms made of them
// and interned, and errors that point at a column (from 1, in characters).
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "loci/result.h"
#include "query/token.h"
#include "query/tree.h"

namespace loci::query {

// An error of kUsage at an offset of the text: "column 3: message". Where the text is a file of
// rules (lines), "line 2, column 3: message".
Error ErrorAt(std::string_view text, size_t offset, std::string_view message, bool lines = false);

class TokenStream {
 public:
  // Refuses a text that is too long or not UTF-8.
  static Result<TokenStream> Open(std::string_view text, bool lines);

  const Token& Peek(uint32_t ahead = 0) const {
    const size_t i = std::min<size_t>(at_ + ahead, tokens_.all.size() - 1);
    return tokens_.all[i];
  }
  const Token& PeekAt(uint32_t index) const { return tokens_.all[index]; }
  TokenKind kind() const { return Peek().kind; }
  uint32_t offset() const { return Peek().begin; }
  const Token& Take() { return tokens_.all[at_++]; }  // never past kEnd or kFault
  bool TakeIf(TokenKind kind);
  bool TakeIfWord(std::string_view word);
  bool IsWord(std::string_view word) const;
  std::string_view Slice(const Token& token) const {
    return text_.substr(token.begin, token.end - token.begin);
  }

  // "column N: found X, expected ...", X the token at hand.
  Error Unexpected(std::string_view expected) const;
  // The same where a name could stand: says how what was found is written as one.
  Error UnexpectedName(std::string_view expected) const;
  Error ErrorAtOffset(size_t offset, std::string_view message) const {
    return ErrorAt(text_, offset, message, lines_);
  }
  Result<void> Expect(TokenKind kind, std::string_view expected);

  // A variable, a constant or "_"; expected names it in messages.
  Result<Operand> TakeOperand(std::string_view expected);
  Result<Operand> TakeVariable(std::string_view expected);
  // A name as a constant: the relation of a step, a source.
  Result<uint32_t> TakeName(std::string_view expected);
  Result<uint64_t> TakeCount(std::string_view expected);

  Names TakeNames();
  const Names& names() const { return names_; }

  // Counts a level of nesting for as long as it lives.
  class Level {
   public:
    explicit Level(int* depth) : depth_(depth) { ++*depth_; }
    ~Level() { --*depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    int* depth_;
  };
  int* depth() { return &depth_; }
  Result<void> CheckDepth() const;

 private:
  TokenStream(std::string_view text, bool lines) : text_(text), lines_(lines) {}
  Result<uint32_t> TakeConstant();
  uint32_t InternVariable(std::string_view name);
  uint32_t InternConstant(Term term);

  std::string_view text_;
  bool lines_;
  Tokens tokens_;
  size_t at_ = 0;
  int depth_ = 0;
  Names names_;
  std::unordered_map<std::string, uint32_t> variables_, constants_;  // looked up, never listed
};

}  // namespace loci::query
