// SPDX-License-Identifier: Apache-2.0
#include "recall/second_cue.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/fixed.h"
#include "recall/names.h"

namespace loci::recall {
namespace {

constexpr size_t kDocuments = 5, kWords = 50;
constexpr uint64_t kSharePercent = 50;
constexpr uint64_t kDocumentsForOne = 100;

// 2^(-.3 difference): the difference in 2^-16, the result in 2^-32.
uint64_t Likeliness(uint64_t difference) {
  return ScoreOfWeight((difference << (kWeightBits - kUnitBits)) * 3 / 10);
}

struct Candidate {
  std::string stem;
  uint64_t weight = 0;  // in 2^-16 of anything
};

}  // namespace

Cue SecondCue(const Collection& collection, const Cue& cue, const Content& content) {
  const std::vector<uint32_t> best =
      content.Best(std::min<uint64_t>(kDocuments, collection.documents() / kDocumentsForOne));
  if (best.empty()) return cue;
  uint64_t all = 0;
  for (const uint32_t number : best) {
    all += Likeliness(content.score(best[0]) - content.score(number));
  }
  std::map<std::string, uint64_t> weights;
  Document document;
  for (const uint32_t number : best) {
    const DocumentId id = content.document(number);
    collection.Read(id, kMostWordsRead, &document);
    if (document.words.empty()) continue;
    const size_t part = collection.PartNumber(id);
    const TextIndex& text = *collection.parts()[part].text;
    std::map<uint32_t, uint64_t> times;
    for (const uint32_t word : document.words) {
      if (!(word & kStop)) ++times[word >> kWordFlagBits];
    }
    const uint64_t likely = Likeliness(content.score(best[0]) - content.score(number));
    const uint64_t share = (likely << kUnitBits) / all;
    for (const auto& [word, count] : times) {
      const uint64_t documents = collection.DocumentsWith(part, word);
      if (documents < 2) continue;
      weights[std::string(text.Word(word))] +=
          share * count * collection.Rarity(documents) / document.words.size();
    }
  }
  std::vector<Candidate> candidates;
  for (auto& [stem, weight] : weights) candidates.push_back({stem, weight});
  std::ranges::stable_sort(candidates, std::ranges::greater{}, &Candidate::weight);
  if (candidates.size() > kWords) candidates.resize(kWords);
  uint64_t sum = 0, times = 0;
  for (const Candidate& candidate : candidates) sum += candidate.weight;
  for (const CueWord& word : cue.words) times += word.weight;
  if (sum == 0) return cue;

  Cue second;
  second.named = cue.named;
  for (const CueWord& word : cue.words) {
    second.words.push_back(word);
    second.words.back().weight =
        static_cast<uint32_t>(uint64_t{word.weight} * (100 - kSharePercent) / 100);
  }
  for (const Candidate& candidate : candidates) {
    using Wide = unsigned __int128;
    const auto weight =
        static_cast<uint32_t>(Wide{times} * kSharePercent * candidate.weight / (Wide{sum} * 100));
    const auto at = std::ranges::find(second.words, candidate.stem, &CueWord::stem);
    if (at != second.words.end()) {
      at->weight += weight;
      continue;
    }
    CueWord word = MakeCueWord(collection, candidate.stem, candidate.stem, weight);
    word.added = true;
    second.words.push_back(std::move(word));
  }
  second.Arrange();
  // Of words that nearly all documents have, halved, nothing may be left.
  if (second.words.empty()) return cue;
  return second;
}

}  // namespace loci::recall
