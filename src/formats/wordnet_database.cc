// SPDX-License-Identifier: Apache-2.0
#include "formats/wordnet_database.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "formats/byte_source.h"
#include "formats/line_reader.h"

namespace loci {

Result<void> ForEachLine(
    const std::string& path, Reading* reading,
    const std::function<Result<void>(std::string_view line, uint64_t number)>& use) {
  LOCI_ASSIGN(const auto source, OpenFile(path, reading->options().on_progress));
  reading->SetFile(path);
  LineReader lines(source.get(), reading->options().block_bytes);
  for (std::string_view line; lines.Next(&line);) {
    line = WithoutCr(line);
    if (!line.empty()) LOCI_TRY(use(line, lines.number()));
  }
  return lines.status();
}

Result<void> WnDatabase::Load(const std::string& directory, Reading* reading) {
  for (int i = 0; i < kParts; ++i) {
    const Part part = static_cast<Part>(i);
    const std::string extension(InfoOf(part).extension);
    LOCI_TRY(LoadData(directory + "/data." + extension, part, reading));
    LOCI_TRY(LoadIndex(directory + "/index." + extension, part, reading));
  }
  return {};
}

Result<void> WnDatabase::LoadData(const std::string& path, Part part, Reading* reading) {
  std::vector<WnSynset>& synsets = synsets_[static_cast<int>(part)];
  LOCI_TRY(ForEachLine(path, reading, [&](std::string_view line, uint64_t number) -> Result<void> {
    if (IsLicenseLine(line)) return {};
    WnSynset synset;
    WnFault fault;
    if (!ParseDataLine(line, part, &synset, &fault)) {
      return reading->BadAt(number, line, fault.offset, std::move(fault.reason));
    }
    if (!synsets.empty() && synset.offset <= synsets.back().offset) {
      return reading->Bad(number, 1,
                          fmt::format("the synset offset {:08} is not after the one before "
                                      "it, {:08}",
                                      synset.offset, synsets.back().offset));
    }
    synset.line = number;
    synsets.push_back(std::move(synset));
    return {};
  }));
  return {};
}

Result<void> WnDatabase::LoadIndex(const std::string& path, Part part, Reading* reading) {
  WnIndexEntry entry;
  return ForEachLine(path, reading, [&](std::string_view line, uint64_t number) -> Result<void> {
    if (IsLicenseLine(line)) return {};
    WnFault fault;
    if (!ParseIndexLine(line, part, &entry, &fault)) {
      return reading->BadAt(number, line, fault.offset, std::move(fault.reason));
    }
    std::string reason;
    return Link(entry, part, &reason) ? Result<void>() : reading->Bad(number, 0, std::move(reason));
  });
}

bool WnDatabase::Link(const WnIndexEntry& entry, Part part, std::string* reason) {
  for (size_t i = 0; i < entry.offsets.size(); ++i) {
    auto* synset = const_cast<WnSynset*>(Find(part, entry.offsets[i]));
    bool found = false;
    for (size_t w = 0; synset != nullptr && w < synset->words.size(); ++w) {
      if (synset->words[w].lemma != entry.lemma) continue;
      synset->words[w].sense_number = static_cast<uint32_t>(i + 1);
      found = true;
    }
    if (!found) {
      *reason = fmt::format("the synset {:08} of \"{}\" is not in data.{}, or has no such word",
                            entry.offsets[i], Excerpt(entry.lemma, 40), InfoOf(part).extension);
      return false;
    }
  }
  return true;
}

const WnSynset* WnDatabase::Find(Part part, uint32_t offset) const {
  const auto& all = synsets(part);
  const auto at = std::ranges::lower_bound(all, offset, {}, &WnSynset::offset);
  return at != all.end() && at->offset == offset ? &*at : nullptr;
}

std::string WnDatabase::Name(const WnSynset& synset, Part part) {
  const WnWord& first = synset.words[0];
  const char letter = synset.satellite ? 's' : InfoOf(part).letter;
  return fmt::format("{}.{}.{:02}", first.lemma, letter, first.sense_number);
}

std::string WnDatabase::SenseKey(const WnSynset& synset, Part part, const WnWord& word) const {
  const int type = synset.satellite ? 5 : static_cast<int>(part) + 1;
  std::string key =
      fmt::format("{}%{}:{:02}:{:02}:", word.lemma, type, synset.lexical_file, word.lex_id);
  const WnSynset* head = synset.satellite ? Head(synset) : nullptr;
  if (head == nullptr) return key += ':';
  return key + fmt::format("{}:{:02}", head->words[0].lemma, head->words[0].lex_id);
}

const WnSynset* WnDatabase::Head(const WnSynset& satellite) const {
  for (const WnPointer& pointer : satellite.pointers) {
    if (pointer.relation != "similar_to") continue;
    const WnSynset* head = Find(pointer.part, pointer.offset);
    if (head != nullptr && !head->satellite) return head;
  }
  return nullptr;
}

}  // namespace loci
