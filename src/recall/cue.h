// SPDX-License-Identifier: Apache-2.0
//
// Cue: a text as the words by which a collection is searched, and the documents that it names.
//
// A word that no document has stands for those near to it, each for a part of a word (nearest.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loci/result.h"
#include "recall/collection.h"

namespace loci::recall {

// Weights are in 2^-16.
inline constexpr int kUnitBits = 16;
inline constexpr uint32_t kUnit = 1u << kUnitBits;

struct CueWord {
  std::string form;             // as written; of an added word, its stem
  std::string stem;             // as the collection has it
  uint32_t weight = 0;          // how often the cue has it, or how much of a word it is
  uint32_t rarity = 0;          // Collection::Rarity
  uint64_t documents = 0;       // that have it
  std::vector<uint32_t> where;  // its number in each part
  bool added = false;           // by a second cue

  // What a document with the word gains, but for saturation.
  uint64_t value() const { return uint64_t{weight} * rarity >> kUnitBits; }
};

struct Cue {
  // The most telling first (value, then stem); at most kMaxCueWords, of which the first
  // `essential` alone bring documents: the others, together less than kFloor of all value, only add
  // to what these found.
  std::vector<CueWord> words;
  size_t essential = 0;
  // Words that no document has, as they are written: relations may.
  std::vector<CueWord> unknown;
  // It has a phrase of several words (text/document.h) that some documents share.
  bool has_phrase = false;
  // The documents whose name the cue has, distinct, in the order of their parts.
  std::vector<DocumentId> named;

  uint64_t value() const;  // of all words
  void Arrange();          // words were added or weighed anew
};

inline constexpr size_t kMaxCueWords = 256;
inline constexpr uint64_t kFloorPercent = 5;

// The word as the collection has it. weight: in 2^-16, of a word.
CueWord MakeCueWord(const Collection& collection, std::string form, std::string stem,
                    uint32_t weight);

// names: whether to look for the documents that it names.
Result<Cue> ParseCue(const Collection& collection, std::string_view text, bool names);

// The words of a document as a cue.
Cue CueOfDocument(const Collection& collection, DocumentId document);

}  // namespace loci::recall
