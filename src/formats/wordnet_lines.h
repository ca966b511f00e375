// SPDX-License-Identifier: Apache-2.0
//
// Lines of WordNet's database files (wndb(5WN)) taken apart. Nothing here knows of other lines:
// wordnet_database.h puts them together.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/wordnet_tables.h"

namespace loci {

struct WnWord {
  std::string form;           // as written, with case: New_York; without marker
  std::string lemma;          // lower case: new_york, as index files have it
  std::string_view position;  // of an adjective (AdjectivePosition), or empty
  uint8_t lex_id = 0;
  // Another spelling (Moon, moon) of a word before it in the synset: the same sense, as index.sense
  // has it, and its lex_id is that word's.
  bool respelled = false;
  uint32_t sense_number = 0;  // from the index; 0 until then
};

struct WnPointer {
  std::string_view relation;
  Part part{};
  uint32_t offset = 0;
  uint8_t source = 0, target = 0;  // words from 1, or 0 and 0: between the synsets
};

struct WnFrame {
  uint8_t frame = 0;
  uint8_t word = 0;  // from 1; 0: all words
};

struct WnSynset {
  uint32_t offset = 0;
  uint8_t lexical_file = 0;
  bool satellite = false;
  uint64_t line = 0;
  std::vector<WnWord> words;
  std::vector<WnPointer> pointers;
  std::vector<WnFrame> frames;
  std::string gloss;
};

struct WnIndexEntry {
  std::string_view lemma;
  std::vector<uint32_t> offsets;  // by sense number, from 1
};

struct WnFault {
  size_t offset = 0;  // in the line
  std::string reason;
};

// A line of data.noun and so on. False: *fault says why.
bool ParseDataLine(std::string_view line, Part part, WnSynset* synset, WnFault* fault);

// A line of index.noun and so on.
bool ParseIndexLine(std::string_view line, Part part, WnIndexEntry* entry, WnFault* fault);

// The lines of the license, which open each of these files.
inline bool IsLicenseLine(std::string_view line) {
  return line.starts_with("  ");
}

// Fields between single spaces, each taken with what it must be.
class WnFields {
 public:
  WnFields(std::string_view line, WnFault* fault) : line_(line), fault_(fault) {}

  bool AtEnd() const { return line_.find_first_not_of(' ', at_) == std::string_view::npos; }
  // The next field, not empty.
  bool Word(std::string_view what, std::string_view* field);
  bool Number(std::string_view what, int base, uint32_t least, uint32_t most, uint32_t* value);
  std::string_view Rest() const { return line_.substr(std::min(at_, line_.size())); }
  // The field last taken is at fault.
  bool Fail(std::string reason) {
    *fault_ = {start_, std::move(reason)};
    return false;
  }

 private:
  std::string_view line_;
  WnFault* fault_;
  size_t start_ = 0, at_ = 0;
};

}  // namespace loci
