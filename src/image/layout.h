// SPDX-License-Identifier: Apache-2.0
//
// The layout of an image in numbers. docs/image-format.md is the specification: keep both in step
// and raise kImageVersion when the bytes change. All integers are little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace loci {

inline constexpr char kImageMagic[8] = {'l', 'o', 'c', 'i', '-', 'i', 'm', 'g'};
inline constexpr uint32_t kImageVersion = 2;
inline constexpr uint32_t kFirstImageVersion = 1;  // without the sections of text; still read

// The file's first 128 bytes.
struct ImageHeader {
  char magic[8];
  uint32_t version;
  uint32_t sections;  // entries of the section table, which follows the header
  uint64_t length;    // of the whole image
  uint32_t terms[4];  // numbers, dates, texts, symbols
  uint32_t facts;
  uint32_t relations;
  uint32_t sources;
  uint32_t source_sets;
  uint64_t learned_statements;
  uint64_t removed_statements;
  uint64_t digest[4];        // Sum256 of the learned less that of the removed
  uint64_t reserved;         // 0
  uint64_t table_checksum;   // XXH3-64 of the section table
  uint64_t header_checksum;  // XXH3-64 of the bytes before it
};
static_assert(sizeof(ImageHeader) == 128);

// Sections, in the order of the file; each starts at a multiple of 8, the gap filled with zeros.
enum Section : uint32_t {
  kSettings,          // "key value\n" lines
  kNameBytes,         // normal bytes of all terms, end to end
  kNameOffsets,       // u64 [terms + 1] into kNameBytes
  kNameIds,           // 16 bytes [terms]: N(x)
  kNameSlots,         // u32 [power of two]: term + 1, or 0; linear probing from XXH3-64
  kRowOffsets,        // [symbols + 1] into the three of a row
  kRowRelations,      // [facts]
  kRowObjects,        // [facts]
  kRowSets,           // [facts]
  kInverseOffsets,    // [terms + 1] into the two of the inverse
  kInverseRelations,  // [facts]
  kInverseSubjects,   // [facts]
  kRelationTable,     // RelationEntry [relations + 1]
  kRelationSubjects,  // [distinct (relation, subject)]
  kSourceTerms,       // [sources]
  kSetOffsets,        // [source sets + 1] into kSetMembers
  kSetMembers,        // source * 2 + removed

  // Of text: what recall finds documents by. A document is a symbol; a word a stem or a phrase.
  kWordBytes,        // the words, ascending, end to end
  kWordOffsets,      // [words + 1] into kWordBytes
  kWordSlots,        // u32 [power of two]: word + 1, or 0; linear probing from XXH3-64
  kWordDocuments,    // [words]: documents with the word
  kPostingOffsets,   // [words + 1] into kPostings
  kPostings,         // varints: documents and counts
  kDocumentLengths,  // a byte [symbols]: LengthCode (text/document.h), 128 more of an entry; 0:
                     // none
  kDocumentOffsets,  // [symbols + 1] into kDocuments
  kDocuments,        // varints: words in order, aliases, phrases
  kAliasHashes,      // u64 [aliases], ascending: AliasHash (text/document.h)
  kAliasDocuments,   // [aliases]: symbol, or the number of symbols: only the beginning of a name
  kSections
};

constexpr uint32_t SectionsOf(uint32_t version) {
  return version == kFirstImageVersion ? kWordBytes : kSections;
}

struct SectionEntry {
  uint32_t section;
  uint32_t width;  // bytes of one element
  uint64_t offset;
  uint64_t length;    // in bytes
  uint64_t checksum;  // XXH3-64
};
static_assert(sizeof(SectionEntry) == 32);

struct RelationEntry {
  uint32_t term;  // symbol; in the last entry 0
  uint32_t facts;
  uint32_t objects;        // distinct
  uint32_t first_subject;  // into kRelationSubjects
};
static_assert(sizeof(RelationEntry) == 16);

// For messages: "row objects".
const char* SectionName(uint32_t section);

inline constexpr uint64_t kMaxTerms = 0xFFFFFFFEull;
inline constexpr uint64_t kMaxFacts = 0xFFFFFFFEull;

}  // namespace loci
