// SPDX-License-Identifier: Apache-2.0
//
// RDF: how the terms of RDF 1.1 correspond to ours, in both directions. docs/formats.md has the
// tables; what is written by one half of this is read back by the other as the same term.
//
//   an absolute IRI                     the symbol of its characters
//   <urn:loci:name:New%20York>          the symbol New York: any name that is no IRI
//   "a"   "a"@en   "a"^^<iri>           a text, with its tag; xsd:string is no tag
//   "5"^^xsd:integer, xsd:decimal       a number, where ours can hold it and the type's range does;
//     and what derives from xsd:integer   else a text with that datatype
//   xsd:gYear gYearMonth date dateTime  a date likewise
//   "1.5e300"^^<urn:loci:number>        a number, and a date, that these types cannot say
//   "2024-05-17T08:30"^^<urn:loci:date>
//   "5"^^<urn:loci:text:DATATYPE>       a text with a datatype that RDF would make more of
//   "a"^^<urn:loci:lang:x1>             a text with a language that is no language tag to RDF
//
// After urn:loci:name: and text: every byte but A-Z a-z 0-9 - . _ ~ is %XX.
#pragma once

#include <string>
#include <string_view>

#include "image/term.h"
#include "loci/result.h"

namespace loci::rdf {

// A well-formed absolute IRI's term; its characters are unescaped. Errors are about its content.
Result<Term> SymbolOfIri(std::string_view iri);

// True where the symbol of an IRI is the IRI itself, and nothing has to be taken apart.
inline bool IsPlainIri(std::string_view iri) {
  return !iri.starts_with("urn:loci:");
}

// tag_kind as in TextParts; the tag is a language or the IRI of a datatype.
Result<Term> TermOfLiteral(std::string_view text, char tag_kind, std::string_view tag);

// Appends <iri> for a symbol, a literal for another kind: ASCII where the term is.
void Append(TermView term, std::string* out);

// RFC 3987: an absolute IRI of which nobody could complain. Strict where the grammar of the RFC is
// intricate: names in square brackets (IPv6) are not taken for IRIs.
bool IsIri(std::string_view name);

}  // namespace loci::rdf
