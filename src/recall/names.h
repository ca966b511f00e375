// SPDX-License-Identifier: Apache-2.0
//
// Names: the documents whose name, an alias of theirs (text/document.h), stands in a text or in
// another document. Of several names that begin at a word the longest counts. A single word is a
// name only with a capital that is not owed to the beginning of a sentence.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "recall/collection.h"

namespace loci::recall {

// Names shared by more documents ("Introduction") lead nowhere.
inline constexpr size_t kMostOfOneName = 128;
// Nor do phrases of more documents, or of one.
inline constexpr uint64_t kMostOfPhrase = 200;

// Words of a document beyond are not looked at for links: time must not grow with a document.
inline constexpr size_t kMostWordsRead = 4096;

struct NameWord {
  std::string stem;
  bool capital, stop;
};

// The documents that a cue names, each once.
std::vector<DocumentId> FindNamed(const Collection& collection, const std::vector<NameWord>& words);

// The longest name that begins at a word of a document of that part.
struct Mention {
  uint32_t size = 0;  // words; 0: none
  std::vector<DocumentId> documents;
};
void FindMention(const Collection& collection, size_t part, const Document& document, uint32_t at,
                 Mention* mention);

// Words of a document as its texts have them: "Marie Curie". Empty where they are not found.
std::string WordsAt(const Snapshot& snapshot, const Collection& collection, DocumentId document,
                    uint32_t begin, uint32_t size);

// The documents of a name, alive; empty where they are more than kMostOfOneName. goes_on: longer
// names begin so.
void DocumentsOfName(const Collection& collection, uint64_t alias_hash,
                     std::vector<DocumentId>* documents, bool* goes_on);

}  // namespace loci::recall
