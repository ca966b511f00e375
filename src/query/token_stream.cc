// SPDX-License-Identifier: Apache-2.0
#include "query/token_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/unicode.h"
#include "query/query.h"

namespace loci::query {

Error ErrorAt(std::string_view text, size_t offset, std::string_view message, bool lines) {
  const std::string_view before = text.substr(0, offset);
  const size_t line_at = lines ? before.rfind('\n') + 1 : 0;  // npos + 1 is 0
  const size_t column = CountCodePoints(before.substr(line_at)) + 1;
  if (!lines) return {ErrorKind::kUsage, fmt::format("column {}: {}", column, message)};
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  return {ErrorKind::kUsage, fmt::format("line {}, column {}: {}", line, column, message)};
}

Result<TokenStream> TokenStream::Open(std::string_view text, bool lines) {
  if (text.size() > kMaxQueryBytes) {
    return Error{ErrorKind::kLimit,
                 fmt::format("the text of {} bytes is longer than {}; split it into several",
                             text.size(), kMaxQueryBytes)};
  }
  if (const auto fault = FindInvalidUtf8(text)) {
    return ErrorAt(text, *fault, "not UTF-8 here; convert the text, e.g. with iconv", lines);
  }
  TokenStream stream(text, lines);
  stream.tokens_ = Tokenize(text);
  return stream;
}

bool TokenStream::TakeIf(TokenKind kind) {
  if (this->kind() != kind) return false;
  ++at_;
  return true;
}

bool TokenStream::IsWord(std::string_view word) const {
  return kind() == TokenKind::kWord && Slice(Peek()) == word;
}

bool TokenStream::TakeIfWord(std::string_view word) {
  if (!IsWord(word)) return false;
  ++at_;
  return true;
}

Error TokenStream::Unexpected(std::string_view expected) const {
  const Token& token = Peek();
  if (token.kind == TokenKind::kFault) return ErrorAtOffset(token.begin, tokens_.fault);
  const std::string_view slice = Slice(token);
  std::string found = token.kind == TokenKind::kEnd ? "the end of the text"
                                                    : fmt::format("\"{}\"", Excerpt(slice, 30));
  return ErrorAtOffset(token.begin, fmt::format("found {}, expected {}", found, expected));
}

Error TokenStream::UnexpectedName(std::string_view expected) const {
  const std::string_view slice = Slice(Peek());
  if (kind() == TokenKind::kWord) {
    return Unexpected(
        fmt::format("{}; \"{}\" is a word of the language, as a name it is written "
                    "<{}>",
                    expected, slice, slice));
  }
  if (kind() == TokenKind::kNumber) {
    return Unexpected(
        fmt::format("{}; a name of digits is written <{}>", expected, Excerpt(slice, 30)));
  }
  return Unexpected(expected);
}

Result<void> TokenStream::Expect(TokenKind kind, std::string_view expected) {
  if (!TakeIf(kind)) return Unexpected(expected);
  return {};
}

uint32_t TokenStream::InternVariable(std::string_view name) {
  const auto [at, is_new] =
      variables_.try_emplace(std::string(name), static_cast<uint32_t>(names_.variables.size()));
  if (is_new) names_.variables.emplace_back(name);
  return at->second;
}

uint32_t TokenStream::InternConstant(Term term) {
  std::string key(1, static_cast<char>(term.kind));
  key += term.bytes;
  const auto [at, is_new] =
      constants_.try_emplace(std::move(key), static_cast<uint32_t>(names_.constants.size()));
  if (is_new) names_.constants.push_back(std::move(term));
  return at->second;
}

Result<uint32_t> TokenStream::TakeConstant() {
  const Token& token = Peek();
  size_t fault = 0;
  auto term = ParseNotation(Slice(token), false, &fault);
  if (!term.ok()) return ErrorAtOffset(token.begin + fault, term.error().message);
  ++at_;
  return InternConstant(term.take());
}

Result<Operand> TokenStream::TakeOperand(std::string_view expected) {
  Operand operand;
  operand.at = offset();
  switch (kind()) {
    case TokenKind::kVariable:
      return TakeVariable(expected);
    case TokenKind::kAnonymous:
      Take();
      return operand;
    case TokenKind::kName:
    case TokenKind::kText:
    case TokenKind::kNumber: {
      operand.kind = Operand::Kind::kConstant;
      LOCI_ASSIGN(operand.index, TakeConstant());
      return operand;
    }
    default:
      return UnexpectedName(expected);
  }
}

Result<Operand> TokenStream::TakeVariable(std::string_view expected) {
  if (kind() != TokenKind::kVariable) return Unexpected(expected);
  Operand operand;
  operand.kind = Operand::Kind::kVariable;
  operand.at = offset();
  operand.index = InternVariable(Slice(Take()).substr(1));
  return operand;
}

Result<uint32_t> TokenStream::TakeName(std::string_view expected) {
  if (kind() != TokenKind::kName) return UnexpectedName(expected);
  return TakeConstant();
}

Result<uint64_t> TokenStream::TakeCount(std::string_view expected) {
  uint64_t value = 0;
  const std::string_view slice = Slice(Peek());
  if (kind() != TokenKind::kNumber) return Unexpected(expected);
  const auto [end, error] = std::from_chars(slice.data(), slice.data() + slice.size(), value);
  if (error != std::errc() || end != slice.data() + slice.size()) return Unexpected(expected);
  Take();
  return value;
}

Names TokenStream::TakeNames() {
  variables_.clear();
  constants_.clear();
  return std::exchange(names_, {});
}

Result<void> TokenStream::CheckDepth() const {
  if (depth_ <= kMaxQueryDepth) return {};
  Error error = ErrorAtOffset(offset(), fmt::format("nested deeper than {} levels; name parts of "
                                                    "it by rules, or split the query",
                                                    kMaxQueryDepth));
  error.kind = ErrorKind::kLimit;
  return error;
}

}  // namespace loci::query
