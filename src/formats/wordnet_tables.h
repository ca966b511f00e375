// SPDX-License-Identifier: Apache-2.0
//
// What the manuals of WordNet fix: parts of speech, pointer symbols (wninput(5WN)), lexicographer
// files (lexnames(5WN)), adjective markers, and the names that we give to them.
#pragma once

#include <string_view>

namespace loci {

enum class Part : unsigned char { kNoun, kVerb, kAdjective, kAdverb };
inline constexpr int kParts = 4;

struct PartInfo {
  char letter;                 // in pointers and synset names; satellites have 's' in the latter
  std::string_view extension;  // data.noun, index.noun, noun.exc
  std::string_view name;       // object of part_of_speech
  std::string_view base_form;  // relation of an inflected form to its base
};
const PartInfo& InfoOf(Part part);

// False for a letter that is none of n v a s r.
bool PartOfLetter(char letter, Part* part);

// The relation that a pointer symbol stands for in a part of speech; empty where there is none.
std::string_view PointerRelation(Part part, std::string_view symbol);

// "noun.animal" of 5; empty above 44.
std::string_view LexicalFile(unsigned number);

// "predicative" of "p"; empty for what is no marker.
std::string_view AdjectivePosition(std::string_view marker);

}  // namespace loci
