// SPDX-License-Identifier: Apache-2.0
//
// Values: what programs put into a memory and get out of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "loci/export.h"
#include "loci/result.h"

namespace loci {

// One term: a name, a text, a number or a date. Two values mean the same term when the memory
// stores them as the same: names in Unicode NFC, numbers and dates in normal form (1.50 is 1.5).
// What comes out of a memory is normal; of such, == says whether they are the same term.
struct LOCI_API Value {
  enum class Kind : std::uint8_t { kNumber = 1, kDate = 2, kText = 3, kSymbol = 4 };

  Kind kind = Kind::kSymbol;
  std::string text = {};      // a name; a text; a number's digits, "-12.5"; a date, "2024-05-17"
  std::string language = {};  // of a text, or empty: "en"
  std::string datatype = {};  // of a text, or empty; a text has at most one of the two

  // None of these checks: a value that is no term (a number "12a", an empty name, text that is not
  // UTF-8) is refused, by name, where it is used.
  static Value Symbol(std::string_view name);
  static Value Text(std::string_view text);
  static Value TextIn(std::string_view language, std::string_view text);
  static Value TypedText(std::string_view datatype, std::string_view text);
  static Value Number(std::string_view decimal);  // exact, at most 34 digits
  static Value Number(std::int64_t integer);
  static Value Date(std::string_view iso8601);  // 2024, 2024-05, 2024-05-17, 2024-05-17T08:30:00Z

  // As queries write it: dog, <New York>, "a text"@en, 12.5. Fails where the value is no term.
  Result<std::string> Notation() const;
  static Result<Value> FromNotation(std::string_view notation);

  bool operator==(const Value&) const = default;
};

// Who said what: "source says that relation(subject, object)".
struct LOCI_API Statement {
  std::string subject = {}, relation = {};  // names
  Value object = {};
  std::string source = {};  // a name; empty: "api"

  bool operator==(const Statement&) const = default;
};

}  // namespace loci
