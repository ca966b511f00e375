// SPDX-License-Identifier: Apache-2.0
//
// Terms: what the fields of a statement hold. A term is a kind and its normal bytes; two terms are
// the same when both are equal. Normal bytes, by kind:
//
//   number  base/decimal.h: exact, at most 34 digits; bytes compare as values do
//   date    base/date.h: ISO 8601, partial dates allowed; bytes compare as points in time do
//   text    the text as given (valid UTF-8), then, if it has one, 0xFF '@' language or
//           0xFF '^' datatype. 0xFF occurs in no UTF-8, so the two parts never run together
//   symbol  the name, NFC, valid UTF-8, not empty, no longer than kMaxNameBytes
//
// N(x) is the first 16 bytes of SHA-256(kind byte, normal bytes); the address of x is the first 8
// of them. Both are the same on every machine.
//
// The canonical order of terms is by kind as numbered below, then by value, then by bytes; the
// terms of an image are numbered in it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "loci/result.h"

namespace loci {

enum class Kind : uint8_t { kNumber = 1, kDate = 2, kText = 3, kSymbol = 4 };
inline constexpr int kKinds = 4;

inline constexpr size_t kMaxNameBytes = 64 << 10;  // a symbol; texts have no limit of their own
inline constexpr size_t kMaxTextBytes = size_t{2} << 30;

// A term whose bytes live elsewhere (a mapped file, a batch).
struct TermView {
  Kind kind = Kind::kSymbol;
  std::string_view bytes;

  friend bool operator==(const TermView&, const TermView&) = default;
};

// A term that owns its bytes.
struct Term {
  Kind kind = Kind::kSymbol;
  std::string bytes;

  TermView view() const { return {kind, bytes}; }
  operator TermView() const { return view(); }  // NOLINT
  friend bool operator==(const Term&, const Term&) = default;
};

// (subject, relation, object, source). Subjects, relations and sources are symbols.
struct StatementView {
  TermView subject, relation, object, source;
};

// A text taken apart into what was said and how it was tagged.
struct TextParts {
  std::string_view text;
  char tag_kind = 0;  // '@' language, '^' datatype, 0 none
  std::string_view tag;
};

// Negative, zero or positive as a comes before, is, or comes after b in the canonical order.
int CompareTerms(TermView a, TermView b);

Hash128 NameId(TermView term);
Hash256 StatementHash(const Hash128& subject, const Hash128& relation, const Hash128& object,
                      const Hash128& source);
Hash256 StatementHash(const StatementView& statement);

// Makers: each brings its argument to normal form or says, naming it, why it is not a term.
Result<Term> MakeSymbol(std::string_view name);
Result<Term> MakeText(std::string_view text);
Result<Term> MakeTaggedText(std::string_view text, char tag_kind, std::string_view tag);
Result<Term> MakeNumber(std::string_view decimal);
Result<Term> MakeDate(std::string_view iso8601);

TextParts SplitText(std::string_view normal_bytes);

// Notation: the one way in which terms are written in queries, TSV, CSV and output.
//   symbol  BARE, or <any name> with \> \\ \uXXXX \UXXXXXXXX, when BARE cannot say it; <like> and
//           the other operators of the language, which a relation's name could be taken for
//   text    "..." with \" \\ \n \r \t \uXXXX \UXXXXXXXX, then @lang or ^^datatype
//   number  digits as in -12.5e3 (base/decimal.h says when with an exponent)
//   date    2024, 2024-05, 2024-05-17 or 2024-05-17T08:30:00Z; as a query would confuse the first
//           two with numbers and subtraction, they are written "2024"^^date
// "5"^^number and "2024-05"^^date are the number and the date: those two datatypes are kinds, and
// MakeTaggedText makes them so. Controls, line separators and the byte order mark are escaped, so
// that a term never spans lines.
std::string ToNotation(TermView term);

// As ToNotation, for the fields of a file, where bare characters are a symbol as they stand: `1998`
// and `New York` need no brackets, while a number is written "5"^^number and a date "2024"^^date.
std::string ToField(TermView term);

// The plain characters of a term, without quotes or tag: what a person reads.
std::string ToPlain(TermView term);

// One whole field in the notation. Outside of queries (bare_is_symbol) anything that starts with
// neither '<' nor '"' is a symbol as it stands, spaces and digits included; in a query bare digits
// are a number and dates are dates. On failure *column (may be null) is the offset in bytes of the
// fault.
Result<Term> ParseNotation(std::string_view field, bool bare_is_symbol, size_t* column);

// True where a query can say the name without angle brackets: BARE is a letter or '_', then
// letters, digits, marks (of any script) and . : - _ @ # inside, that is, not at the end: dog.n.01,
// doc#000017 and _:b1@file are bare; "dog." , "dog%1:05:00::" and the wildcard "_" are not. Nor are
// the words of the language: not or from with infer order by limit offset asc desc score conf.
// Operators are: where a term stands, a query can say them.
bool IsBareName(std::string_view name);

}  // namespace loci
