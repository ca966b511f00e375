// SPDX-License-Identifier: Apache-2.0
//
// Turtle and RDF/XML, through rapper of the Raptor RDF library (Debian's raptor2-utils), which
// turns them into N-Triples. It is started without a shell, reads from a pipe and gets neither file
// nor network: what the document refers to stays unread.
//
// Blank nodes without a label are called genid1, genid2, ... by rapper, in the order of the
// document. Relative IRIs are taken to be beside file:///NAME, whatever folder the file is in.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "formats/byte_source.h"
#include "formats/reading.h"
#include "loci/result.h"

namespace loci {

// Reads the input, of the syntax "turtle" or "rdfxml", to its end. Where it breaks off is a bad
// record, and what was before it has been handed on.
Result<void> ReadByRapper(std::unique_ptr<ByteSource> input, std::string_view syntax,
                          Reading* reading);

// What rapper says of an error, as it says it: "rapper: Error - URI file:///x:3 column 5 - why".
struct RapperFault {
  uint64_t line = 0, column = 0;  // from 1; 0 where not said
  std::string reason;
};
std::optional<RapperFault> ParseRapperFault(std::string_view output);

}  // namespace loci
