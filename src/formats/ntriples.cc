// SPDX-License-Identifier: Apache-2.0
//
// N-Triples and N-Quads: a statement a line (ntriples_line.h). The graph of a quad is the
// statement's source; a triple, and a quad of the default graph, has that of the input. A line may
// end in CR alone.
#include <cstring>

#include "formats/ntriples_line.h"
#include "formats/readers.h"

namespace loci {
namespace {

Result<void> ReadRdfLines(LineReader* lines, Reading* reading, bool graphs) {
  const std::string document(reading->source().bytes);
  NtriplesLine parser(document);
  for (std::string_view line; lines->Next(&line);) {
    for (size_t start = 0; start < line.size();) {
      const void* cr = std::memchr(line.data() + start, '\r', line.size() - start);
      const size_t stop = cr == nullptr
                              ? line.size()
                              : static_cast<size_t>(static_cast<const char*>(cr) - line.data());
      switch (parser.Parse(line.substr(start, stop - start), graphs)) {
        case NtriplesLine::Found::kNothing:
          break;
        case NtriplesLine::Found::kStatement:
          LOCI_TRY(reading->Add(parser.subject(), parser.predicate(), parser.object(),
                                parser.has_graph() ? parser.graph() : reading->source()));
          break;
        case NtriplesLine::Found::kFault:
          LOCI_TRY(reading->BadAt(lines->number(), line, start + *parser.fault().offset,
                                  parser.fault().reason));
      }
      start = stop + 1;
    }
  }
  return lines->status();
}

}  // namespace

Result<void> ReadNtriples(LineReader* lines, Reading* reading) {
  return ReadRdfLines(lines, reading, false);
}

Result<void> ReadNquads(LineReader* lines, Reading* reading) {
  return ReadRdfLines(lines, reading, true);
}

}  // namespace loci
