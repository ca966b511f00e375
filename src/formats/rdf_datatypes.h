// SPDX-License-Identifier: Apache-2.0
//
// The datatypes of XML Schema that are kinds of ours: numbers, dates, and the plain string. A
// literal that its type does not allow ("300"^^xsd:byte), or that ours cannot hold (a number of
// more than 34 digits, a date with a zone), stays a text with its datatype.
#pragma once

#include <optional>
#include <string_view>

#include "image/term.h"

namespace loci::rdf {

inline constexpr std::string_view kXsdInteger = "http://www.w3.org/2001/XMLSchema#integer";
inline constexpr std::string_view kXsdDecimal = "http://www.w3.org/2001/XMLSchema#decimal";

// The number, date or plain text that the literal is, or nothing where it is a text with that
// datatype. An error only for text that could be no term at all.
std::optional<Result<Term>> TermOfDatatype(std::string_view text, std::string_view datatype);

// Whether a text with this datatype would come back as something else, or breaks RDF's rules.
bool MeansMoreThanText(std::string_view text, std::string_view datatype);

// The type that says this date, in its normal characters (base/date.h), or nothing.
std::optional<std::string_view> DatatypeOfDate(std::string_view date);

}  // namespace loci::rdf
