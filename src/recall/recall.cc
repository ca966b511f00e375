// SPDX-License-Identifier: Apache-2.0
#include "recall/recall.h"

#include <algorithm>

#include "base/fixed.h"
#include "recall/associate.h"
#include "recall/collection.h"
#include "recall/content.h"
#include "recall/cue.h"
#include "recall/names.h"
#include "recall/neighbours.h"
#include "recall/second_cue.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall {
namespace {

constexpr size_t kLikeliest = 50;        // documents whose neighbours are looked at
constexpr uint64_t kNamedPercent = 120;  // of the value of a title's words in the cue
constexpr uint64_t kOwnPercent = 30;     // of its own score, what a linked document adds
constexpr uint64_t kAskingPercent = 85;  // what a passage that asks keeps of its score
constexpr size_t kCoveredPercent = 9;    // what a hit loses of what those before it cover
constexpr size_t kMostDiversified = 200;

// The greatest sum that a document can have is (k1 + 1) times the cue's value.
uint64_t GreatestScore(const Cue& cue) {
  return cue.value() * (100 + kSaturation) / 100;
}

}  // namespace

struct Ranking::State {
  std::shared_ptr<const Snapshot> snapshot;
  std::shared_ptr<const Collection> collection;
  Cue cue;  // as it was scored at last
  Origins origins;
  std::vector<DocumentId> documents;  // of the hits
};

class Recaller {
 public:
  Recaller(std::shared_ptr<const Snapshot> snapshot, const Options& options)
      : options_(options), state_(std::make_shared<Ranking::State>()) {
    state_->snapshot = std::move(snapshot);
  }

  Result<Ranking> RunText(std::string_view text) {
    LOCI_ASSIGN(state_->collection, Collection::Of(*state_->snapshot));
    LOCI_ASSIGN(state_->cue, ParseCue(*state_->collection, text, options_.associate));
    return Run(kNoDocument);
  }

  Result<Ranking> RunItem(TermId item) {
    LOCI_ASSIGN(state_->collection, Collection::Of(*state_->snapshot));
    const DocumentId document = state_->collection->DocumentOf(item);
    if (document == kNoDocument) return Ranking();
    state_->cue = CueOfDocument(*state_->collection, document);
    options_.associate = false;
    return Run(document);
  }

 private:
  Result<Ranking> Run(DocumentId except) {
    const Collection& collection = *state_->collection;
    Content content(collection);
    const size_t kept = options_.associate ? Content::kKeptWords : 0;
    LOCI_TRY(content.Score(state_->cue, kept, options_.keep_going));
    if (options_.associate) {
      AddNamed(&content);
      PreferKnownEntries(&content);
      LOCI_TRY(Associate(&content));
    }
    LOCI_TRY(state_->snapshot->damage());
    return Rank(content, except);
  }

  // A document that the cue names counts more, by the words of its title that are the cue's.
  void AddNamed(Content* content) {
    Document document;
    for (const DocumentId named : state_->cue.named) {
      state_->collection->Read(named, 64, &document);
      const size_t part = state_->collection->PartNumber(named);
      uint64_t value = 0;
      for (const CueWord& word : state_->cue.words) {
        for (uint32_t i = 0; i < document.title_words; ++i) {
          if (document.words[i] >> kWordFlagBits != word.where[part]) continue;
          value += word.rarity;
          break;
        }
      }
      uint32_t number = content->Find(named);
      if (number == Content::kNone) number = content->Add(named);
      content->Raise(number, value * kNamedPercent / 100);
    }
  }

  // Of the entries of a dictionary, those for words that are much in use: by log2(1 + n) of the
  // documents with the word. People describe words that they know.
  void PreferKnownEntries(Content* content) {
    const Collection& collection = *state_->collection;
    Document document;
    for (uint32_t i = 0; i < content->size(); ++i) {
      const Collection::Part& part = collection.PartOf(content->document(i));
      const uint32_t symbol = content->document(i) - part.first;
      if (!part.text->IsEntry(symbol)) continue;
      part.text->Read(symbol, 1, &document);
      if (document.words.empty()) continue;
      const auto p = static_cast<size_t>(&part - collection.parts().data());
      const uint32_t headword = document.words[0] >> kWordFlagBits;
      const uint64_t documents = collection.DocumentsWith(p, headword);
      content->Raise(i, Log2(1 + documents) >> (kWeightBits - kUnitBits));
      // Nobody describes a word by itself: where the cue has it, it counts half.
      for (size_t w = 0; w < state_->cue.words.size(); ++w) {
        if (state_->cue.words[w].where[p] != headword) continue;
        std::vector<uint32_t> gains;
        GainsOf(collection, state_->cue, content->document(i), &gains);
        content->Lower(i, gains[w] / 2);
      }
    }
  }

  Result<void> Associate(Content* content) {
    const Collection& collection = *state_->collection;
    const uint64_t best_before = content->BestScore();
    if (best_before == 0) return {};
    Associator associator(*state_->snapshot, collection, state_->cue, *content);
    associator.FollowFacts(&state_->origins);
    const bool links = !options_.titles_link || associator.LinksApply();
    if (links) {
      associator.FollowLinks(options_.titles_link, &state_->origins);
    } else {
      state_->cue = SecondCue(collection, state_->cue, *content);
      LOCI_TRY(content->Score(state_->cue, 0, options_.keep_going));
      PreferKnownEntries(content);
    }
    const uint64_t best_now = content->BestScore();
    for (auto at = state_->origins.begin(); at != state_->origins.end();) {
      uint32_t number = content->Find(at->first);
      const auto value = static_cast<uint64_t>(
          static_cast<unsigned __int128>(at->second.value) * best_now >> kUnitBits);
      if (number == Content::kNone) number = content->Add(at->first);
      const uint64_t own = content->score(number);
      const uint64_t linked = value + own * kOwnPercent / 100;
      if (linked <= own) {
        at = state_->origins.erase(at);  // its own words bring it further
        continue;
      }
      content->Raise(number, linked - own);
      ++at;
    }
    HearNeighbours(content);
    return {};
  }

  void HearNeighbours(Content* content) {
    if (!HasPassages(*state_->snapshot)) return;
    std::vector<DocumentId> likeliest;
    for (const uint32_t number : content->Best(kLikeliest)) {
      likeliest.push_back(content->document(number));
    }
    for (const Raised& raised :
         RaiseByNeighbours(*state_->snapshot, *state_->collection, state_->cue, likeliest)) {
      if (raised.more == 0 && !raised.asks) continue;
      uint32_t number = content->Find(raised.document);
      if (number == Content::kNone) number = content->Add(raised.document);
      uint64_t score = content->score(number) + raised.more;
      if (raised.asks) score = score * kAskingPercent / 100;
      if (raised.from != kNoDocument && raised.more > content->score(number)) {
        Origin origin;
        origin.kind = Link::Kind::kNeighbour;
        origin.from = raised.from;
        state_->origins.insert_or_assign(raised.document, origin);
      }
      content->SetScore(number, score);
    }
  }

  Ranking Rank(const Content& content, DocumentId except) {
    Ranking ranking;
    const uint64_t greatest = GreatestScore(state_->cue);
    for (const uint32_t number : content.Best(options_.most)) {
      const DocumentId document = content.document(number);
      if (document == except || content.score(number) == 0) continue;
      const auto score = (static_cast<unsigned __int128>(content.score(number)) << 32) / greatest;
      ranking.hits_.push_back({state_->collection->ItemOf(document),
                               std::clamp<uint64_t>(static_cast<uint64_t>(score), 1, kScoreOne)});
      state_->documents.push_back(document);
    }
    ranking.work_ = content.work() + content.size();
    ranking.state_ = std::move(state_);
    return ranking;
  }

  Options options_;
  std::shared_ptr<Ranking::State> state_;
};

Result<Ranking> Recall(std::shared_ptr<const Snapshot> snapshot, std::string_view cue,
                       const Options& options) {
  return Recaller(std::move(snapshot), options).RunText(cue);
}

Result<Ranking> RecallLike(std::shared_ptr<const Snapshot> snapshot, TermId item,
                           const Options& options) {
  return Recaller(std::move(snapshot), options).RunItem(item);
}

Result<uint64_t> EstimateHits(const Snapshot& snapshot, std::string_view cue) {
  LOCI_ASSIGN(const std::shared_ptr<const Collection> collection, Collection::Of(snapshot));
  LOCI_ASSIGN(const Cue parsed, ParseCue(*collection, cue, false));
  uint64_t sum = 0;
  for (size_t i = 0; i < parsed.essential; ++i) sum += parsed.words[i].documents;
  return std::min(sum, collection->documents());
}

Explanation Ranking::Explain(size_t i) const {
  Explanation why;
  const Collection& collection = *state_->collection;
  const DocumentId document = state_->documents[i];
  std::vector<uint32_t> gains;
  GainsOf(collection, state_->cue, document, &gains);
  const uint64_t greatest = GreatestScore(state_->cue);
  for (size_t w = 0; w < gains.size(); ++w) {
    if (gains[w] == 0) continue;
    const CueWord& word = state_->cue.words[w];
    why.words.push_back({word.form, word.stem, (uint64_t{gains[w]} << 32) / greatest, word.added});
  }
  std::ranges::stable_sort(why.words, std::ranges::greater{}, &MatchedWord::weight);
  DocumentId at = document;
  for (auto origin = state_->origins.find(at);
       origin != state_->origins.end() && why.path.size() < 4; origin = state_->origins.find(at)) {
    const Origin& o = origin->second;
    Link link{o.kind, collection.ItemOf(o.from), {}};
    if (o.kind == Link::Kind::kFact) {
      link.words = state_->snapshot->Name(o.relation).bytes;
    } else if (o.size > 0) {
      const DocumentId where = o.kind == Link::Kind::kMentionedBy ? at : o.from;
      link.words = WordsAt(*state_->snapshot, collection, where, o.begin, o.size);
    }
    why.path.insert(why.path.begin(), std::move(link));
    at = o.from;
  }
  return why;
}

std::vector<uint32_t> Ranking::Diversify(std::span<const uint32_t> candidates, size_t count) const {
  const size_t most = std::min(candidates.size(), std::max(count, kMostDiversified));
  std::vector<uint32_t> order;
  if (!state_ || most == 0) return order;
  const uint64_t greatest = GreatestScore(state_->cue);
  std::vector<std::vector<uint32_t>> gains(most);
  for (size_t i = 0; i < most; ++i) {
    GainsOf(*state_->collection, state_->cue, state_->documents[candidates[i]], &gains[i]);
  }
  std::vector<uint32_t> covered(state_->cue.words.size(), 0);
  std::vector<bool> taken(most, false);
  while (order.size() < std::min(count, most)) {
    size_t best = most;
    int64_t best_score = INT64_MIN;
    for (size_t i = 0; i < most; ++i) {
      if (taken[i]) continue;
      uint64_t again = 0;
      for (size_t w = 0; w < covered.size(); ++w) again += std::min(covered[w], gains[i][w]);
      const auto loss = static_cast<uint64_t>((static_cast<unsigned __int128>(again) << 32) *
                                              kCoveredPercent / 100 / greatest);
      const int64_t score =
          static_cast<int64_t>(hits_[candidates[i]].score) - static_cast<int64_t>(loss);
      if (score > best_score) {
        best_score = score;
        best = i;
      }
    }
    taken[best] = true;
    order.push_back(candidates[best]);
    for (size_t w = 0; w < covered.size(); ++w) covered[w] = std::max(covered[w], gains[best][w]);
  }
  return order;
}

Result<std::vector<Span>> FindWords(const Snapshot& snapshot, std::string_view text,
                                    std::span<const std::string> stems) {
  LOCI_ASSIGN(const std::shared_ptr<const Collection> collection, Collection::Of(snapshot));
  LOCI_ASSIGN(Stemmer stemmer, Stemmer::Make(collection->stemmer()));
  Tokens tokens;
  Tokenize(text, &tokens);
  std::vector<Span> spans;
  for (const Token& token : tokens.list()) {
    if (std::ranges::find(stems, stemmer.Stem(tokens.Folded(token))) == stems.end()) continue;
    spans.push_back({static_cast<size_t>(token.begin), static_cast<size_t>(token.end)});
  }
  return spans;
}

}  // namespace loci::recall
