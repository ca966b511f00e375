// SPDX-License-Identifier: Apache-2.0
//
// Documents that a well-kept program turns into text: it is started without a shell, as
// filter_process.h says, and gets the document on its standard input; what it writes is read as our
// own formats are.
//
//   HTML  html2markdown (Debian's python3-html2text), then Markdown: headings become titles; links,
//         pictures, emphasis, scripts and styles fall away. Of pandoc, w3m and html2text, which
//         were tried on the same pages, the first writes pictures as pages of base64 and needs 170
//         MB of packages, the others lose what is a heading
//   PDF   pdftotext (Debian's poppler-utils), which puts columns in order and joins what hyphens
//         part; passages are its paragraphs, each with the page(passage, 3) that it begins on
#pragma once

#include <memory>

#include "formats/byte_source.h"
#include "formats/reading.h"
#include "loci/result.h"

namespace loci {

// Each reads the input to its end. Where the program fails, that is a bad record, and what it wrote
// before has been handed on.
Result<void> ReadHtml(std::unique_ptr<ByteSource> input, Reading* reading);
Result<void> ReadPdf(std::unique_ptr<ByteSource> input, Reading* reading);

// The encoding that a page says it has, in small letters, "utf-8" where it says none: <meta
// charset="..."> or <meta ... content="text/html; charset=...">.
std::string HtmlEncoding(std::string_view beginning);

}  // namespace loci
