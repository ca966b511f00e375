// SPDX-License-Identifier: Apache-2.0
//
// Terms from any two lines: what is made is in normal form and is read back from each way of
// writing it; the order of terms is an order, and of numbers that of their values.
#include <cstdlib>
#include <vector>

#include "base/date.h"
#include "base/decimal.h"
#include "harness.h"
#include "image/term.h"

namespace loci {
namespace {

using fuzz::Require;
using fuzz::Value;

void CheckWritten(const Term& term, const std::string& written, bool bare_is_symbol) {
  for (size_t i = 0; i < written.size();) {
    const CodePoint c = FirstCodePoint(std::string_view(written).substr(i, 4));
    Require(!IsControl(c.value), "a term that is written holds no control character", written);
    i += c.length;
  }
  size_t column = 0;
  const Term again = Value(ParseNotation(written, bare_is_symbol, &column), "a term is read back");
  Require(again == term, "a term is read back as it was", written);
}

void CheckTerm(const Term& term) {
  CheckWritten(term, ToNotation(term), false);
  CheckWritten(term, ToField(term), true);
  const std::string plain = ToPlain(term);
  switch (term.kind) {
    case Kind::kNumber:
      Require(IsDecimal(term.bytes), "a number is one", plain);
      Require(Value(MakeNumber(plain), "a number is read back") == term, "same number", plain);
      break;
    case Kind::kDate:
      Require(IsDate(term.bytes), "a date is one", plain);
      Require(Value(MakeDate(plain), "a date is read back") == term, "same date", plain);
      break;
    case Kind::kText: {
      const TextParts parts = SplitText(term.bytes);
      const auto again = MakeTaggedText(parts.text, parts.tag_kind, parts.tag);
      Require(again.ok() && *again == term, "a text is the sum of its parts", plain);
      break;
    }
    case Kind::kSymbol:
      Require(Value(MakeSymbol(plain), "a name is read back") == term, "NFC twice is NFC", plain);
      Require(IsBareName(plain) == (ToNotation(term) == plain), "bare is written bare", plain);
      break;
  }
}

// Takes what is made, requires of an error that it is clear.
void Keep(Result<Term> made, std::vector<Term>* terms) {
  if (!made.ok()) return fuzz::RequireClear(made.error(), {ErrorKind::kBadInput});
  CheckTerm(*made);
  terms->push_back(made.take());
}

void MakeAll(std::string_view line, std::vector<Term>* terms) {
  for (const bool bare_is_symbol : {false, true}) {
    size_t column = 0;
    auto term = ParseNotation(line, bare_is_symbol, &column);
    Require(column <= line.size(), "a fault lies within the field", line);
    Keep(std::move(term), terms);
  }
  Keep(MakeSymbol(line), terms);
  Keep(MakeText(line), terms);
  Keep(MakeTaggedText("text", '@', line), terms);
  Keep(MakeTaggedText("text", '^', line), terms);
  Keep(MakeTaggedText(line, '^', "number"), terms);
  Keep(MakeTaggedText(line, '^', "date"), terms);
}

void CheckOrder(const Term& a, const Term& b) {
  const int order = CompareTerms(a, b), back = CompareTerms(b, a);
  const bool holds =
      (order == 0) == (a == b) && (order < 0) == (back > 0) && (order > 0) == (back < 0);
  if (!holds) Require(false, "terms have an order", ToNotation(a) + " " + ToNotation(b));
  if (a.kind != Kind::kNumber || b.kind != Kind::kNumber || order == 0) return;
  // Rounding to the nearest never turns an order around.
  const std::string x = ToPlain(a), y = ToPlain(b);
  const long double u = std::strtold(x.c_str(), nullptr), v = std::strtold(y.c_str(), nullptr);
  Require(u == v || (u < v) == (order < 0), "numbers are in the order of their values",
          x + " " + y);
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = loci::AsChars({data, size});
  const size_t newline = std::min(text.find('\n'), text.size());
  std::vector<loci::Term> terms;
  loci::MakeAll(text.substr(0, newline), &terms);
  if (newline < text.size()) loci::MakeAll(text.substr(newline + 1), &terms);
  for (const loci::Term& a : terms) {
    for (const loci::Term& b : terms) loci::CheckOrder(a, b);
  }
  return 0;
}
