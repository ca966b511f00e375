// SPDX-License-Identifier: Apache-2.0
//
// Document: the words of a title and a body in order, and what others can be linked by:
//
//   aliases   the names of the document: its title as far as " (" ; as far as ", " if that leaves
//   two
//             words or more; behind the last " > ". "Kent, Ohio (city)": kent ohio. At most
//             kMaxAliasWords, not of stop words alone; an identifier, a single word with a digit,
//             is none
//   phrases   the longest runs of capitalised words within a sentence, which punctuation breaks and
//             of, the, de, la, van, von, du, der, del may stand within; a capital that only begins
//             a sentence makes none
//
// A pure function of the texts and the language of the stemmer.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/lexicon.h"
#include "text/tokens.h"

namespace loci {

inline constexpr uint32_t kMaxAliasWords = 10;
inline constexpr uint32_t kMaxPhraseWords = 8;

// A word in its place: number << kWordFlagBits | flags.
inline constexpr int kWordFlagBits = 4;
enum WordFlag : uint32_t {
  kCapital = 1,   // begins with a capital letter
  kApart = 2,     // punctuation stands before it
  kSentence = 4,  // the first of its sentence
  kStop = 8,      // a stop word
};

struct Document {
  struct Alias {
    uint32_t begin, size;  // words
  };
  struct Phrase {
    uint32_t begin, size;
    uint32_t word;  // its number
  };

  std::vector<uint32_t> words;  // the title's first
  uint32_t title_words = 0;
  std::vector<Alias> aliases;
  std::vector<Phrase> phrases;  // ascending

  void Clear();
  uint32_t length() const { return static_cast<uint32_t>(words.size()) + title_words; }
  // As a dictionary has them: the title is one word, without a capital or a digit, and there is
  // a body.
  bool is_entry = false;
};

// Fills a document: titles first.
class DocumentBuilder {
 public:
  // Both outlive this.
  DocumentBuilder(Lexicon* lexicon, Document* document)
      : lexicon_(*lexicon), document_(*document) {}

  void AddTitle(std::string_view text);
  // A symbol's name as its title. numbered: words with digits count too; else they are left out, as
  // identifiers would fill the lexicon.
  void AddNameAsTitle(std::string_view name, bool numbered);
  void AddBody(std::string_view text);
  // A date as one says it: "8 may 2023" for 2023-05-08, of which as much as is given.
  void AddDate(std::string_view iso8601);
  // The name of a symbol that a fact leads to.
  void AddName(std::string_view name);
  void Finish();  // finds the phrases

 private:
  void AddWords(std::string_view text, bool numbered);
  void AddAlias(uint32_t begin, uint32_t end);
  uint32_t WordsBefore(uint32_t begin, size_t offset) const;
  bool JoinsNames(uint32_t word);

  Lexicon& lexicon_;
  Document& document_;
  Tokens tokens_;
  std::string name_;
  std::vector<uint32_t> joining_;  // the numbers of "of", "the"...
  std::vector<uint32_t> stems_;
};

// A name of a document as a number that every layer and machine computes alike: words are added one
// by one.
class AliasHash {
 public:
  void Add(std::string_view stem) {
    value_ = (value_ + Xxh3(stem)) * 0x9E3779B97F4A7C15u;
    value_ ^= value_ >> 29;
  }
  uint64_t value() const { return value_; }

 private:
  uint64_t value_ = 0;
};

// Lengths in three significant bits, rounded down: 0 to 7 as they are, then four steps to each
// doubling. (Lucene's norms are such; no figure of docs/evidence.md notices.) Codes are less than
// kLengthCodes.
inline constexpr uint8_t kLengthCodes = 128;
uint8_t LengthCode(uint32_t length);
uint32_t LengthOfCode(uint8_t code);

}  // namespace loci
