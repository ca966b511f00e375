// SPDX-License-Identifier: Apache-2.0
//
// Recall: what a cue (a question, some words, a name) brings to mind. Docs: docs/manual.md, recall.
//
//   auto recalled = memory.Recall("who hunts in packs", {.limit = 3});
//   if (recalled.ok()) for (const auto& one : recalled->memories) std::puts(one.text.c_str());
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "loci/answers.h"
#include "loci/cancellation.h"
#include "loci/export.h"

namespace loci {

// Filters only choose; scores and order are the recall's. Names are plain: no notation.
struct LOCI_API RecallOptions {
  std::uint64_t limit = 10, offset = 0;
  std::string where = {};   // clauses of a query over ?x, which stands for what is recalled
  std::string source = {};  // only what this source states something of
  std::string within = {};  // only this and its parts, by the relation part_of
  // Only what is of that time, by the relation time of it or of what it is part of. ISO 8601; both
  // are included, of a partial date all that completes it.
  std::string since = {}, until = {};
  std::string unlike = {};  // nothing that has one of these words
  bool associate = true;    // by what the cue's words lead to as well, not by them alone
  bool evidence = false;    // cite the facts behind each
  std::uint64_t max_work = 1'000'000'000;  // as AskOptions has it
  Cancellation cancellation = {};
};

struct LOCI_API Recalled {
  // A part of the text, in bytes.
  struct Span {
    std::size_t begin = 0, end = 0;
  };
  std::string name = {};
  double score = 0;                         // in (0, 1], a multiple of 2^-32
  std::string title = {};                   // or empty
  std::string text = {};                    // whole; empty where it has none
  std::vector<Span> spans = {};             // where the text has words of the cue
  std::vector<MatchedWord> words = {};      // by descending weight
  std::vector<std::string> links = {};      // that led there from other memories, in words
  std::vector<std::string> sources = {};    // who states the text; sorted
  std::vector<std::string> addresses = {};  // of these statements, one per source
  std::vector<Evidence> evidence = {};      // where it was asked for
};

// The best first, and so that the first do not say the same. The same on every run and machine.
struct LOCI_API Recollection {
  std::vector<Recalled> memories = {};
  std::uint64_t found = 0;  // all that pass the filters

  bool empty() const { return memories.empty(); }
};

}  // namespace loci
