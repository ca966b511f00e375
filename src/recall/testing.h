// SPDX-License-Identifier: Apache-2.0
//
// For tests of recall: random statements of the kinds that it reads, and the slow, obvious way to
// score documents by content. The double knows statements as a set and reads every text at every
// cue; it shares with the product the tokenizer, the stemmer, and the logarithm.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/date.h"
#include "base/fixed.h"
#include "image/testing.h"
#include "memory/testing.h"
#include "recall/recall.h"
#include "text/document.h"
#include "text/fields.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall::test {

using loci::test::Random;
using loci::test::Said;
using loci::test::Statement;
using loci::test::Symbol;
using loci::test::Word;

inline std::string RandomText(Random& random) {
  static const char* const kWords[] = {"the",   "Ada",    "Byron", "film",   "directed", "by",
                                       "born",  "London", "dogs",  "dog",    "running",  "of",
                                       "Lake",  "Como",   "music", "which",  "director", "1815",
                                       "Paris", "Hilton", "hobby", "pottery"};
  std::string text;
  for (size_t n = 2 + random() % 12; n > 0; --n) {
    text += kWords[random() % std::size(kWords)];
    text += random() % 6 == 0 ? ". " : random() % 9 == 0 ? ", " : " ";
  }
  if (random() % 4 == 0) text.back() = '?';
  return text;
}

inline Statement RandomStatement(Random& random) {
  static const char* const kItems[] = {"talk#000001", "talk#000002", "talk#000003", "talk#000004",
                                       "talk#000005", "Ada_Byron",   "London",      "dog",
                                       "Lake Como",   "Q42",         "hobby"};
  static const char* const kTitles[] = {"Ada Byron", "London (city)", "dog", "Lake Como, Italy",
                                        "The Film of Paris"};
  const auto item = [&] { return Symbol(kItems[random() % std::size(kItems)]); };
  Statement s{item(), {}, {}, Symbol(random() % 3 == 0 ? "b" : "a")};
  switch (random() % 8) {
    case 0:
    case 1:
    case 2:
      s.relation = Symbol(random() % 3 == 0 ? "note" : "text");
      s.object = loci::test::Made(MakeText(RandomText(random)));
      break;
    case 3:
      s.relation = Symbol(random() % 2 ? "title" : "name");
      s.object = loci::test::Made(MakeText(kTitles[random() % std::size(kTitles)]));
      break;
    case 4:
      s.relation = Symbol("part_of");
      s.object = Symbol("talk");
      break;
    case 5:
      s.relation = Symbol("time");
      s.object = loci::test::Made(MakeDate(random() % 2 ? "2023-05-08" : "1815"));
      break;
    default:
      s.relation = Symbol(random() % 2 ? "speaker" : "born_in");
      s.object = item();
  }
  return s;
}

// Some statements that are known when it is called are forgotten, others learned.
inline std::vector<Word> RandomWords(Random& random, size_t count, std::set<Statement>* live) {
  std::vector<Word> words;
  while (words.size() < count) {
    Statement s = RandomStatement(random);
    if (!live->empty() && random() % 4 == 0) {
      auto at = live->begin();
      std::advance(at, random() % live->size());
      s = *at;
    }
    const bool known = live->contains(s);
    known ? void(live->erase(s)) : void(live->insert(s));
    words.push_back({s, known});
  }
  return words;
}

class Double {
 public:
  explicit Double(const std::set<Statement>& live) {
    std::map<std::string, std::vector<const Statement*>> facts;
    std::set<std::string> items;
    std::set<std::array<std::string, 3>> seen;
    for (const Statement& s : live) {
      items.insert(s.subject.bytes);
      if (s.object.kind == Kind::kSymbol) items.insert(s.object.bytes);
      if (!seen.insert({s.subject.bytes, s.relation.bytes, s.object.bytes}).second) continue;
      facts[s.subject.bytes].push_back(&s);
    }
    for (const std::string& item : items) documents_[item] = Make(item, facts[item]);
    for (const auto& [item, document] : documents_) {
      if (document.length == 0) continue;
      ++count_;
      total_ += LengthOfCode(LengthCode(document.length));
      for (const auto& [stem, times] : document.times) ++with_[stem];
    }
  }

  // Scores in 2^-32 by item, of those that have a word that counts.
  std::map<std::string, uint64_t> Score(std::string_view cue) {
    std::map<std::string, uint64_t> times;
    Tokens tokens;
    Tokenize(cue, &tokens);
    for (const Token& token : tokens.list()) {
      const std::string_view word = tokens.Folded(token);
      if (!stemmer_.IsStop(word)) ++times[std::string(stemmer_.Stem(word))];
    }
    struct CueWord {
      uint64_t value;
      std::string stem;
    };
    std::vector<CueWord> words;
    uint64_t all = 0;
    for (const auto& [stem, n] : times) {
      if (!with_.contains(stem)) continue;
      const uint64_t rarity =
          std::max<uint64_t>((Log2(2 * count_ + 2) - Log2(2 * with_[stem] + 1)) >> 24, 1);
      words.push_back({n * rarity, stem});
      all += n * rarity;
    }
    std::ranges::sort(words, [](const CueWord& a, const CueWord& b) {
      return a.value != b.value ? a.value > b.value : a.stem < b.stem;
    });
    std::map<std::string, uint64_t> scores;
    for (const auto& [item, document] : documents_) {
      uint64_t sum = 0, left = all;
      bool counts = false;
      for (const CueWord& word : words) {
        const bool essential = left * 100 >= all * 5;
        left -= word.value;
        const auto at = document.times.find(word.stem);
        if (at == document.times.end()) continue;
        counts = counts || essential;
        sum += (word.value * Saturated(at->second, document.length) + 65535) >> 16;
      }
      const uint64_t greatest = all * 220 / 100;
      if (counts && sum > 0) {
        scores[item] = std::min<uint64_t>(
            std::max<uint64_t>(
                static_cast<uint64_t>((static_cast<unsigned __int128>(sum) << 32) / greatest), 1),
            kScoreOne);
      }
    }
    return scores;
  }

  // Whether each word of the cue is one of some document: the double knows no near ones.
  bool KnowsAllOf(std::string_view cue) {
    Tokens tokens;
    Tokenize(cue, &tokens);
    return std::ranges::all_of(tokens.list(), [&](const Token& token) {
      const std::string_view word = tokens.Folded(token);
      return stemmer_.IsStop(word) || with_.contains(std::string(stemmer_.Stem(word)));
    });
  }

 private:
  struct Content {
    std::map<std::string, uint64_t> times;
    uint32_t length = 0;
  };

  Content Make(const std::string& item, const std::vector<const Statement*>& facts) {
    Content content;
    bool described = false, titled = false, passage = false;
    for (const Statement* s : facts) {
      passage = passage || s->relation.bytes == "part_of";
      if (s->object.kind != Kind::kText) continue;
      described = true;
      if (FieldOf(s->relation.bytes) != Field::kTitle) continue;
      titled = true;
      Add(s->object.bytes, 2, true, &content);
    }
    if (!titled && !(described && passage)) Add(Spaced(item), 2, described, &content);
    for (const Statement* s : facts) {
      if (!described || FieldOf(s->relation.bytes) != Field::kBody) continue;
      if (s->object.kind == Kind::kText) Add(s->object.bytes, 1, true, &content);
      if (s->object.kind == Kind::kSymbol) Add(Spaced(s->object.bytes), 1, false, &content);
      if (s->object.kind == Kind::kDate) {
        Add(DateToText(s->object.bytes) == "1815" ? "1815" : "8 may 2023", 1, true, &content);
      }
    }
    return content;
  }

  static std::string Spaced(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
  }

  void Add(std::string_view text, uint32_t weight, bool digits, Content* content) {
    Tokens tokens;
    Tokenize(text, &tokens);
    for (const Token& token : tokens.list()) {
      const std::string_view word = tokens.Folded(token);
      if (!digits && std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; }))
        continue;
      content->times[std::string(stemmer_.Stem(word))] += weight;
      content->length += weight;
    }
  }

  // count 2.2 / (count + 1.2 (.6 + .4 length / average)), in 2^-16.
  uint64_t Saturated(uint64_t count, uint32_t length) const {
    using Wide = unsigned __int128;
    const uint64_t rounded = LengthOfCode(LengthCode(length));
    const Wide above = Wide{count} * 220 * 100 * total_;
    const Wide below =
        Wide{count} * 10'000 * total_ + Wide{120} * 60 * total_ + Wide{120} * 40 * rounded * count_;
    return static_cast<uint64_t>((above << 16) / below);
  }

  Stemmer stemmer_ = Stemmer::Make("english").take();
  std::map<std::string, Content> documents_;
  std::map<std::string, uint64_t> with_;
  uint64_t count_ = 0, total_ = 0;
};

}  // namespace loci::recall::test
