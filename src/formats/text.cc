// SPDX-License-Identifier: Apache-2.0
//
// Plain text: passages (passages.h) are the paragraphs between blank lines, their lines as
// given.
#include "formats/passages.h"
#include "formats/readers.h"

namespace loci {

Result<void> ReadText(LineReader* lines, Reading* reading) {
  Passages passages(reading);
  for (std::string_view line; lines->Next(&line);) {
    line = WithoutCr(line);
    if (line.find_first_not_of(" \t\f\v") == std::string_view::npos) {
      LOCI_TRY(passages.Close({}));
    } else {
      passages.AddLine(line, lines->number());
    }
  }
  LOCI_TRY(lines->status());
  return passages.Close({});
}

}  // namespace loci
