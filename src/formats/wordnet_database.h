// SPDX-License-Identifier: Apache-2.0
//
// The synsets of a WordNet directory, linked: every word knows its sense number, every synset can
// be found by part of speech and offset. Held in memory whole (about 60 MB for WordNet 3.0), since
// any line may point to any other.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/reading.h"
#include "formats/wordnet_lines.h"

namespace loci {

class WnDatabase {
 public:
  // Reads data.* and index.* of the directory. Bad lines go to the Reading.
  Result<void> Load(const std::string& directory, Reading* reading);

  // By offset, as in the data file.
  const std::vector<WnSynset>& synsets(Part part) const { return synsets_[static_cast<int>(part)]; }
  const WnSynset* Find(Part part, uint32_t offset) const;

  // "dog.n.01": the first word, the type's letter, the sense number of that word.
  static std::string Name(const WnSynset& synset, Part part);

  // "dog%1:05:00::" (senseidx(5WN)). Satellites name their head: the first synset that they are
  // similar to and that is no satellite; null where there is none.
  std::string SenseKey(const WnSynset& synset, Part part, const WnWord& word) const;
  const WnSynset* Head(const WnSynset& satellite) const;

 private:
  Result<void> LoadData(const std::string& path, Part part, Reading* reading);
  Result<void> LoadIndex(const std::string& path, Part part, Reading* reading);
  // Number the senses of the entry, or say which offset does not have the word.
  bool Link(const WnIndexEntry& entry, Part part, std::string* reason);

  std::array<std::vector<WnSynset>, kParts> synsets_;
};

// Calls back for each line, without its CR, of a file of the directory. errors of the Reading are
// about that file meanwhile.
Result<void> ForEachLine(
    const std::string& path, Reading* reading,
    const std::function<Result<void>(std::string_view line, uint64_t number)>& use);

}  // namespace loci
