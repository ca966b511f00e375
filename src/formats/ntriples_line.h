// SPDX-License-Identifier: Apache-2.0
//
// One line of N-Triples or N-Quads (W3C Recommendations of 25 February 2014), by their grammars:
// a statement, perhaps with a graph, or nothing but white space and a comment.
//
// Terms come out as ours (rdf.h). Those of plain ASCII without escapes, nearly all of them, are
// views into the line.
#pragma once

#include <string>
#include <string_view>

#include "formats/reading.h"
#include "image/term.h"

namespace loci {

class NtriplesLine {
 public:
  // Blank nodes become _:label@document: their labels mean nothing beyond the document that they
  // are in. It is a symbol's name; it must outlive this.
  explicit NtriplesLine(std::string_view document) : document_(document) {}

  enum class Found { kNothing, kStatement, kFault };
  // The line has no line breaks.
  Found Parse(std::string_view line, bool graphs);

  // The terms of a kStatement, until the next Parse.
  TermView subject() const { return terms_[0]; }
  TermView predicate() const { return terms_[1]; }
  TermView object() const { return terms_[2]; }
  TermView graph() const { return terms_[3]; }
  bool has_graph() const { return has_graph_; }
  const LineFault& fault() const { return fault_; }

 private:
  bool Fail(size_t offset, std::string reason);
  // Found none of what may stand at at_.
  bool Unexpected(std::string_view expected);
  bool Made(size_t offset, Result<Term> made, int slot);

  void SkipSpace();
  bool Statement(bool graphs);
  bool Node(int slot, std::string_view expected);
  bool Iri(std::string_view* iri);
  bool IriTerm(int slot);
  bool BlankNode(int slot);
  bool Literal(int slot);
  bool Tagged(size_t start, std::string_view text, int slot);
  bool Quoted(std::string_view* text, bool* plain);
  // Appends what an escape at at_ stands for; characters: of ECHAR too, not of UCHAR alone.
  bool Escape(bool characters, std::string* out);

  std::string_view document_;
  std::string_view line_;
  size_t at_ = 0;
  bool has_graph_ = false;
  TermView terms_[4];
  Term owned_[4];
  std::string iri_, text_;  // unescaped
  LineFault fault_;
};

}  // namespace loci
