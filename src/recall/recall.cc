// SPDX-License-Identifier: Apache-2.0
//
// For the time being every document is read at every recall.
#include "recall/recall.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/fixed.h"
#include "text/fields.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall {

struct Ranking::State {
  std::vector<Explanation> why;
};

Explanation Ranking::Explain(size_t i) const {
  return state_->why[i];
}

std::vector<uint32_t> Ranking::Diversify(std::span<const uint32_t> candidates, size_t count) const {
  return {candidates.begin(), candidates.begin() + std::min(count, candidates.size())};
}

class Recaller {
 public:
  static Result<Ranking> Run(const Snapshot& snapshot, std::string_view cue, TermId except) {
    LOCI_ASSIGN(Stemmer stemmer, Stemmer::Make(kDefaultStemmer));
    std::map<std::string, std::string> words;
    Tokens tokens;
    Tokenize(cue, &tokens);
    for (const Token& t : tokens.list()) {
      const std::string_view word = tokens.Folded(t);
      if (!stemmer.IsStop(word)) {
        words.emplace(stemmer.Stem(word), cue.substr(t.begin, t.end - t.begin));
      }
    }
    std::vector<TermId> subjects;
    snapshot.Subjects(&subjects);
    std::map<std::string, uint64_t> df;
    std::map<TermId, std::map<std::string, uint64_t>> documents;
    for (const TermId s : subjects) {
      if (s == except) continue;
      std::vector<Edge> edges;
      snapshot.EdgesFrom(s, &edges);
      auto& tf = documents[s];
      for (const Edge& e : edges) {
        if (snapshot.KindOf(e.other) != Kind::kText) continue;
        Tokenize(SplitText(snapshot.Name(e.other).bytes).text, &tokens);
        for (const Token& t : tokens.list()) {
          if (const std::string stem(stemmer.Stem(tokens.Folded(t))); words.contains(stem)) {
            tf[stem] += 1;
          }
        }
      }
      for (const auto& [stem, count] : tf) ++df[stem];
    }
    struct Scored {
      Hit hit;
      Explanation why;
    };
    std::vector<Scored> all;
    for (const auto& [s, tf] : documents) {
      if (tf.empty()) continue;
      Scored scored{{s, 0}, {}};
      for (const auto& [stem, count] : tf) {
        const uint64_t weight = kScoreOne / words.size() / (1 + df[stem]);
        scored.hit.score += weight;
        scored.why.words.push_back({words[stem], stem, weight, false});
      }
      all.push_back(std::move(scored));
    }
    std::ranges::sort(all, [&](const Scored& a, const Scored& b) {
      if (a.hit.score != b.hit.score) return a.hit.score > b.hit.score;
      return snapshot.Compare(a.hit.item, b.hit.item) < 0;
    });
    Ranking ranking;
    auto state = std::make_shared<Ranking::State>();
    for (Scored& scored : all) {
      ranking.hits_.push_back(scored.hit);
      state->why.push_back(std::move(scored.why));
    }
    ranking.state_ = std::move(state);
    return ranking;
  }
};

Result<Ranking> Recall(std::shared_ptr<const Snapshot> snapshot, std::string_view cue,
                       const Options&) {
  return Recaller::Run(*snapshot, cue, ~TermId{0});
}

Result<Ranking> RecallLike(std::shared_ptr<const Snapshot> snapshot, TermId item, const Options&) {
  std::vector<Edge> edges;
  snapshot->EdgesFrom(item, &edges);
  std::string cue;
  for (const Edge& e : edges) {
    if (snapshot->KindOf(e.other) != Kind::kText) continue;
    cue.append(SplitText(snapshot->Name(e.other).bytes).text).append("\n");
  }
  return Recaller::Run(*snapshot, cue, item);
}

Result<std::vector<Span>> FindWords(const Snapshot&, std::string_view text,
                                    std::span<const std::string> stems) {
  LOCI_ASSIGN(Stemmer stemmer, Stemmer::Make(kDefaultStemmer));
  Tokens tokens;
  Tokenize(text, &tokens);
  std::vector<Span> spans;
  for (const Token& t : tokens.list()) {
    if (std::ranges::find(stems, stemmer.Stem(tokens.Folded(t))) == stems.end()) continue;
    spans.push_back({static_cast<size_t>(t.begin), static_cast<size_t>(t.end)});
  }
  return spans;
}

}  // namespace loci::recall
