// SPDX-License-Identifier: Apache-2.0
//
// The gloss of a WordNet synset taken apart: a definition and the examples quoted after it.
//
//   sparing in use; "the pleasures of the table"- John Galsworthy; "a frugal meal"
//   -> definition  sparing in use
//      examples    the pleasures of the table - John Galsworthy, a frugal meal
//
// What follows an example up to the next semicolon stays with it (who said it, a remark), and what
// follows that unquoted is more of the definition. A quotation in parentheses or right after a word
// (as in "carrot and stick") is part of the definition. Quotes that are not closed end with the
// gloss.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace loci {

struct Gloss {
  std::string definition;
  std::vector<std::string> examples;
};

Gloss ParseGloss(std::string_view gloss);

}  // namespace loci
