// SPDX-License-Identifier: Apache-2.0
//
// For tests of memory and store: random histories, of which each word changes something when it is
// said, and the layers that parts of them make.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "image/testing.h"
#include "memory/batch.h"
#include "memory/build.h"

namespace loci::test {

struct Word {
  Statement statement;
  bool removed;
};

// A memory as a set of statements, which is told something new or made to forget at each step.
class Knowledge {
 public:
  // Draws from the vocabulary; what is drawn and known is forgotten, or now and then passed over.
  Word Step(Random& random, const Vocabulary& v = {}) {
    for (;;) {
      const Statement drawn = RandomStatement(random, v);
      const bool known = live_.contains(drawn);
      if (known && random() % 4 == 0) continue;
      known ? void(live_.erase(drawn)) : void(live_.insert(drawn));
      return {drawn, known};
    }
  }
  std::vector<Word> Steps(Random& random, size_t count, const Vocabulary& v = {}) {
    std::vector<Word> words;
    while (words.size() < count) words.push_back(Step(random, v));
    return words;
  }
  // Only new statements, as many as told.
  std::vector<Word> Learn(Random& random, size_t count, const Vocabulary& v) {
    std::vector<Word> words;
    while (words.size() < count) {
      const Statement drawn = RandomStatement(random, v);
      if (live_.insert(drawn).second) words.push_back({drawn, false});
    }
    return words;
  }
  const std::set<Statement>& live() const { return live_; }
  Said said() const {
    Said said;
    for (const Statement& s : live_) said[s] = false;
    return said;
  }

 private:
  std::set<Statement> live_;
};

inline Batch BatchOf(std::span<const Word> words) {
  Batch batch;
  for (const Word& word : words) batch.Add(word.statement.view(), word.removed);
  return batch;
}

inline std::shared_ptr<const Image> LayerOf(std::span<const Word> words) {
  auto layer = BuildImage(BatchOf(words), Words::kAlternate, "k v\n");
  return layer.ok() ? layer.take() : nullptr;
}

// What remains of words of which a pair on one statement cancels.
inline Said Remaining(std::span<const Word> words) {
  std::map<Statement, std::vector<bool>> said;
  for (const Word& word : words) said[word.statement].push_back(word.removed);
  Said remaining;
  for (const auto& [statement, each] : said) {
    if (each.size() % 2 == 1) remaining[statement] = each.back();
  }
  return remaining;
}

// Cuts a history into layers of random sizes, oldest first; *cuts: where each begins, and the end.
inline std::vector<std::shared_ptr<const Image>> CutIntoLayers(std::span<const Word> words,
                                                               Random& random, size_t largest,
                                                               std::vector<size_t>* cuts) {
  std::vector<std::shared_ptr<const Image>> layers;
  cuts->assign(1, 0);
  while (cuts->back() < words.size()) {
    const size_t begin = cuts->back();
    const size_t size = std::min(1 + random() % largest, words.size() - begin);
    layers.push_back(LayerOf(words.subspan(begin, size)));
    cuts->push_back(begin + size);
  }
  return layers;
}

}  // namespace loci::test
