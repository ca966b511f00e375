// SPDX-License-Identifier: Apache-2.0
#include "recall/cue.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "recall/names.h"
#include "recall/nearest.h"
#include "text/document.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall {
namespace {

constexpr size_t kMostWordsOfDocument = 64;
constexpr size_t kMostUnknown = 16;  // words of a cue that others are taken for; a page has more

bool HasPhrase(const Collection& collection, std::string_view text) {
  auto stemmer = Stemmer::Make(collection.stemmer());
  if (!stemmer.ok()) return false;
  Lexicon lexicon(stemmer.take());
  Document document;
  DocumentBuilder builder(&lexicon, &document);
  builder.AddBody(text);
  builder.Finish();
  std::vector<uint32_t> where;
  for (const Document::Phrase& phrase : document.phrases) {
    const uint64_t documents = collection.DocumentsWith(lexicon[phrase.word], &where);
    // A speaker's name, in one of twenty turns and more, singles nothing out.
    if (phrase.size >= 2 && documents >= 2 && documents <= kMostOfPhrase &&
        documents * 20 <= collection.documents()) {
      return true;
    }
  }
  return false;
}

// The first of those that were found for the stem: the best.
std::string LikeliestFor(const std::vector<std::pair<std::string, std::string>>& meant,
                         const std::string& stem) {
  return std::ranges::find(meant, stem, &std::pair<std::string, std::string>::first)->second;
}

// Of words with the same stem (one is near to several, or to one that the cue has) the weightiest.
void Unite(std::vector<CueWord>* words) {
  std::ranges::stable_sort(*words, [](const CueWord& a, const CueWord& b) {
    return a.stem != b.stem ? a.stem < b.stem : a.weight > b.weight;
  });
  const auto same = [](const CueWord& a, const CueWord& b) { return a.stem == b.stem; };
  words->erase(std::unique(words->begin(), words->end(), same), words->end());
}

}  // namespace

CueWord MakeCueWord(const Collection& collection, std::string form, std::string stem,
                    uint32_t weight) {
  CueWord word;
  word.form = std::move(form);
  word.stem = std::move(stem);
  word.weight = weight;
  word.documents = collection.DocumentsWith(word.stem, &word.where);
  word.rarity = collection.Rarity(word.documents);
  return word;
}

uint64_t Cue::value() const {
  uint64_t sum = 0;
  for (const CueWord& word : words) sum += word.value();
  return sum;
}

void Cue::Arrange() {
  std::erase_if(words,
                [](const CueWord& word) { return word.documents == 0 || word.value() == 0; });
  std::ranges::sort(words, [](const CueWord& a, const CueWord& b) {
    const uint64_t x = a.value(), y = b.value();
    return x != y ? x > y : a.stem < b.stem;
  });
  if (words.size() > kMaxCueWords) words.resize(kMaxCueWords);
  const uint64_t all = value();
  uint64_t left = all;
  essential = 0;
  while (essential < words.size() && left * 100 >= all * kFloorPercent) {
    left -= words[essential++].value();
  }
}

Result<Cue> ParseCue(const Collection& collection, std::string_view text, bool names) {
  LOCI_ASSIGN(Stemmer stemmer, Stemmer::Make(collection.stemmer()));
  Tokens tokens;
  Tokenize(text, &tokens);
  Cue cue;
  std::unordered_map<std::string, uint32_t> times;         // of each stem
  std::vector<std::pair<std::string, std::string>> meant;  // a stem, and one near to it
  std::vector<NameWord> sequence;
  for (const Token& token : tokens.list()) {
    const std::string_view folded = tokens.Folded(token);
    const bool stop = stemmer.IsStop(folded);
    std::string stem(stemmer.Stem(folded));
    if (!stop) ++times[stem];
    if (!stop && times[stem] == 1) {
      std::string form(text.substr(token.begin, token.end - token.begin));
      CueWord word = MakeCueWord(collection, std::move(form), stem, kUnit);
      if (word.documents > 0) {
        cue.words.push_back(std::move(word));
      } else if (cue.unknown.size() < kMostUnknown) {
        for (NearWord& near : NearWords(collection, folded, stem)) {
          cue.words.push_back(
              MakeCueWord(collection, word.form, std::move(near.stem), near.weight));
          meant.emplace_back(stem, cue.words.back().stem);
        }
        cue.unknown.push_back(std::move(word));
        // A name may be mistyped as well.
        if (!meant.empty() && meant.back().first == stem) stem = LikeliestFor(meant, stem);
      }
    }
    sequence.push_back({std::move(stem), token.capital, stop});
  }
  cue.has_phrase = HasPhrase(collection, text);
  for (CueWord& word : cue.words) {
    const auto from =
        std::ranges::find(meant, word.stem, &std::pair<std::string, std::string>::second);
    const uint64_t n = times[from == meant.end() ? word.stem : from->first];
    word.weight = static_cast<uint32_t>(word.weight * std::min<uint64_t>(n, 64));
  }
  Unite(&cue.words);
  cue.Arrange();
  if (names) cue.named = FindNamed(collection, sequence);
  return cue;
}

Cue CueOfDocument(const Collection& collection, DocumentId document) {
  Document content;
  collection.Read(document, kMostWordsRead, &content);
  const TextIndex& text = *collection.PartOf(document).text;
  std::map<uint32_t, uint32_t> times;
  for (const uint32_t word : content.words) {
    if (!(word & kStop)) ++times[word >> kWordFlagBits];
  }
  Cue cue;
  for (const auto& [number, count] : times) {
    std::string stem(text.Word(number));
    cue.words.push_back(MakeCueWord(collection, stem, stem, std::min(count, 64u) * kUnit));
  }
  cue.Arrange();
  if (cue.words.size() > kMostWordsOfDocument) {
    cue.words.resize(kMostWordsOfDocument);
    cue.Arrange();
  }
  return cue;
}

}  // namespace loci::recall
