// SPDX-License-Identifier: Apache-2.0
#include "recall/associate.h"

#include <algorithm>
#include <array>

#include "recall/names.h"
#include "text/fields.h"
#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall {
namespace {

constexpr size_t kSeeds = 8;
constexpr uint64_t kLeastShare = kUnit / 10;
constexpr size_t kLinkedSeeds = 3;
constexpr uint32_t kWindow = 8;
constexpr size_t kMostNaming = 128;    // of the documents that name a seed, the best
constexpr uint64_t kMostFacts = 1024;  // a symbol with more is a hub and leads nowhere
constexpr size_t kSecondStarts = 10;

// 1 / (1 + .15 distance), in 2^-16.
constexpr std::array<uint64_t, kWindow + 1> kNearness = [] {
  std::array<uint64_t, kWindow + 1> nearness{};
  for (uint64_t d = 0; d <= kWindow; ++d) nearness[d] = kUnit * 100 / (100 + 15 * d);
  return nearness;
}();

uint64_t Times(uint64_t a, uint64_t b) {
  return a * b >> kUnitBits;
}

uint64_t Root(uint64_t n) {  // of a small number, in 2^-16
  uint64_t root = 0;
  for (uint64_t bit = uint64_t{1} << 30; bit != 0; bit >>= 1) {
    if ((root | bit) * (root | bit) <= n << 32) root |= bit;
  }
  return root;
}

void Offer(DocumentId target, const Origin& origin, Origins* origins) {
  if (origin.value == 0) return;
  const auto [at, is_new] = origins->emplace(target, origin);
  if (!is_new && at->second.value < origin.value) at->second = origin;
}

// The value of a link to what explains so much more of the cue.
uint64_t WithNew(uint64_t link, uint64_t more) {
  return link + Times(more, std::min<uint64_t>(kUnit, 4 * link));
}

// Of ascending documents those that have the word, by its number in each part. A word in very many
// is not asked for: it costs less to read these documents than its postings.
void KeepThoseWith(const Collection& collection, const std::vector<uint32_t>& word,
                   std::vector<DocumentId>* documents) {
  constexpr size_t kPostingsForADocument = 128;
  size_t kept = 0, at = 0;
  for (size_t p = 0; p < collection.parts().size(); ++p) {
    const Collection::Part& part = collection.parts()[p];
    const DocumentId end = part.first + part.text->documents();
    const size_t begin = at;
    while (at < documents->size() && (*documents)[at] < end) ++at;
    if (at == begin || word[p] == Collection::kNoWord) continue;
    const bool all = part.text->Documents(word[p]) > (at - begin) * kPostingsForADocument;
    Postings postings = all ? Postings() : part.text->PostingsOf(word[p]);
    bool more = !all && postings.Next();
    for (size_t i = begin; i < at; ++i) {
      const DocumentId document = (*documents)[i];
      while (more && part.first + postings.document() < document) more = postings.Next();
      if (all || (more && part.first + postings.document() == document)) {
        (*documents)[kept++] = document;
      }
    }
  }
  documents->resize(kept);
}

}  // namespace

Associator::Associator(const Snapshot& snapshot, const Collection& collection, const Cue& cue,
                       const Content& content)
    : snapshot_(snapshot), collection_(collection), cue_(cue), content_(content) {
  cue_value_ = cue.value();
  PickSeeds();
}

void Associator::PickSeeds() {
  const std::vector<uint32_t> best = content_.Best(kSeeds);
  if (best.empty() || cue_value_ == 0) return;
  best_ = content_.score(best[0]);
  if (best_ == 0) return;
  for (const uint32_t number : best) {
    const uint64_t share = (content_.score(number) << kUnitBits) / best_;
    if (share < kLeastShare) break;
    Seed seed;
    seed.document = content_.document(number);
    seed.part = collection_.PartNumber(seed.document);
    seed.share = share;
    const auto gains = content_.Gains(number);
    seed.gains.assign(gains.begin(), gains.end());
    collection_.Read(seed.document, kMostWordsRead, &seed.words);
    seed.relevance.resize(gains.size());
    for (size_t w = 0; w < gains.size(); ++w) {
      seed.relevance[w] = (cue_.words[w].value() << kUnitBits) / cue_value_;
    }
    for (uint32_t i = 0; i < seed.words.title_words; ++i) {
      const int w = CueWordOf(seed.part, seed.words.words[i] >> kWordFlagBits);
      if (w >= 0) seed.relevance[static_cast<size_t>(w)] = 0;
    }
    seeds_.push_back(std::move(seed));
  }
}

// The number of the word in the cue, of those whose gains are kept; -1: the cue does not have it.
int Associator::CueWordOf(size_t part, uint32_t word) const {
  for (size_t w = 0; w < content_.kept(); ++w) {
    if (cue_.words[w].where[part] == word) return static_cast<int>(w);
  }
  return -1;
}

const Document& Associator::Read(DocumentId document) const {
  const auto [at, is_new] = read_.try_emplace(document);
  if (is_new) collection_.Read(document, kMostWordsRead, &at->second);
  return at->second;
}

bool Associator::IsDescribed(DocumentId document) const {
  const Collection::Part& part = collection_.PartOf(document);
  return !part.text->IsTitleAlone(document - part.first);
}

std::vector<Associator::Named> Associator::MentionsOf(const Seed& seed) const {
  std::vector<Named> all;
  Mention mention;
  for (uint32_t at = seed.words.title_words; at < seed.words.words.size();) {
    FindMention(collection_, seed.part, seed.words, at, &mention);
    if (mention.size == 0) {
      ++at;
      continue;
    }
    if (mention.documents != std::vector{seed.document}) {
      all.push_back({at, mention.size, mention.documents});
    }
    at += mention.size;
  }
  return all;
}

// Appends what has the name, of the documents with words of the cue.
void Associator::FindNames(const Seed& seed, const Document::Alias& alias,
                           std::vector<Naming>* all) const {
  const TextIndex& text = *collection_.parts()[seed.part].text;
  AliasHash hash;
  std::vector<std::vector<uint32_t>> where(alias.size);  // of the name's words
  size_t rarest = 0;
  uint64_t least = UINT64_MAX;
  for (uint32_t k = 0; k < alias.size; ++k) {
    const std::string_view stem = text.Word(seed.words.words[alias.begin + k] >> kWordFlagBits);
    hash.Add(stem);
    const uint64_t documents = collection_.DocumentsWith(stem, &where[k]);
    if (documents < least) {
      least = documents;
      rarest = k;
    }
  }
  std::vector<DocumentId> same;
  bool goes_on;
  DocumentsOfName(collection_, hash.value(), &same, &goes_on);
  if (same.empty()) return;

  std::vector<uint32_t> touched;
  for (size_t p = 0; p < collection_.parts().size(); ++p) {
    const Collection::Part& part = collection_.parts()[p];
    if (where[rarest][p] == Collection::kNoWord) continue;
    for (Postings postings = part.text->PostingsOf(where[rarest][p]); postings.Next();) {
      const uint32_t number = content_.Find(part.first + postings.document());
      if (number != Content::kNone) touched.push_back(number);
    }
  }
  KeepBest(&touched, kMostNaming, [this](uint32_t a, uint32_t b) {
    if (content_.score(a) != content_.score(b)) return content_.score(a) > content_.score(b);
    return collection_.Before(content_.document(a), content_.document(b));
  });

  std::vector<DocumentId> targets;
  for (const uint32_t number : touched) targets.push_back(content_.document(number));
  std::ranges::sort(targets);
  for (size_t k = 0; k < where.size(); ++k) {
    if (k != rarest) KeepThoseWith(collection_, where[k], &targets);
  }

  const bool common = least * 100 >= collection_.documents();
  for (const DocumentId target : targets) {
    if (target == seed.document) continue;
    const size_t p = collection_.PartNumber(target);
    const Document& document = Read(target);
    const std::vector<uint32_t>& words = document.words;
    for (uint32_t at = document.title_words; at + alias.size <= words.size(); ++at) {
      if (words[at] >> kWordFlagBits != where[0][p]) continue;
      bool matches = true, capital = false;
      for (uint32_t k = 0; matches && k < alias.size; ++k) {
        matches = words[at + k] >> kWordFlagBits == where[k][p];
        capital = capital || (words[at + k] & kCapital) != 0;
      }
      if (!matches || !capital) continue;
      // "Paris" of "Paris Hilton" is another name; and see FindMention.
      const uint32_t end = at + alias.size;
      const bool goes_further =
          end < words.size() && (words[end] & (kCapital | kApart | kSentence)) == kCapital;
      const bool begins = (words[at] & kSentence) != 0 && common;
      if (alias.size == 1 && (goes_further || begins)) continue;
      const Place place{at, alias.size};
      const uint64_t specificity = NameSpecificity(p, document, place, same.size());
      const uint64_t context = Context(seed, p, document, place);
      const uint64_t link = Times(seed.share, specificity / 2 + 2 * context);
      all->push_back({target, place, WithNew(link, New(seed.gains, target))});
    }
  }
}

std::vector<Associator::Naming> Associator::NamingOf(const Seed& seed) const {
  std::vector<Naming> all;
  for (const Document::Alias& alias : seed.words.aliases) FindNames(seed, alias, &all);
  return all;
}

bool Associator::LinksApply() {
  const auto described = [this](DocumentId d) { return IsDescribed(d); };
  if (cue_.has_phrase || std::ranges::any_of(cue_.named, described)) return true;
  size_t linked = 0;
  for (size_t i = 0; i < seeds_.size(); ++i) {
    named_.push_back(MentionsOf(seeds_[i]));
    bool found = std::ranges::any_of(named_[i], [&](const Named& named) {
      return std::ranges::any_of(
          named.documents, [&](DocumentId d) { return d != seeds_[i].document && described(d); });
    });
    const Document& words = seeds_[i].words;
    if (words.title_words == 0 || !(words.words[0] & kCapital)) continue;
    if (!found && described(seeds_[i].document)) {
      found = !NamingOf(seeds_[i]).empty();
    }
    if (found && ++linked >= kLinkedSeeds) return true;
  }
  return false;
}

uint64_t Associator::Context(const Seed& seed, size_t part, const Document& document,
                             Place place) const {
  const auto& words = document.words;
  std::array<uint64_t, Content::kKeptWords> nearest{};
  const auto look = [&](uint32_t at, uint32_t distance, bool same_sentence) {
    const int w = CueWordOf(part, words[at] >> kWordFlagBits);
    if (w < 0) return;
    const uint64_t near = same_sentence ? kNearness[distance] : kNearness[distance] / 2;
    uint64_t& best = nearest[static_cast<size_t>(w)];
    best = std::max(best, near);
  };
  // Backwards a sentence ends before its first word, forwards at the next one's.
  bool same = true;
  for (uint32_t d = 1; d <= kWindow && d <= place.begin; ++d) {
    same = same && !(words[place.begin - d + 1] & kSentence);
    look(place.begin - d, d, same);
  }
  same = true;
  for (uint32_t d = 1; d <= kWindow; ++d) {
    const uint32_t at = place.begin + place.size - 1 + d;
    if (at >= words.size()) break;
    same = same && !(words[at] & kSentence);
    look(at, d, same);
  }
  uint64_t context = 0;
  for (size_t w = 0; w < seed.relevance.size(); ++w) {
    context += Times(seed.relevance[w], nearest[w]);
  }
  return context;
}

uint64_t Associator::New(std::span<const uint32_t> seed, DocumentId target) const {
  const uint32_t number = content_.Find(target);
  if (number == Content::kNone) return 0;
  const auto gains = content_.Gains(number);
  uint64_t more = 0;
  for (size_t w = 0; w < gains.size(); ++w) more += gains[w] - std::min(gains[w], seed[w]);
  return (more << kUnitBits) / best_;
}

uint64_t Associator::NameSpecificity(size_t part, const Document& document, Place name,
                                     size_t documents) const {
  uint64_t least = UINT64_MAX;
  for (uint32_t i = name.begin; i < name.begin + name.size; ++i) {
    const uint32_t word = document.words[i] >> kWordFlagBits;
    least = std::min(least, collection_.DocumentsWith(part, word));
  }
  const uint64_t specificity =
      collection_.Specificity(std::max<uint64_t>(1, least / std::max(name.size, 1u)));
  return documents > 1 ? (specificity << kUnitBits) / Root(documents) : specificity;
}

void Associator::FollowMentions(const Seed& seed, const std::vector<Named>& mentions,
                                Origins* origins) const {
  for (const Named& named : mentions) {
    const Place place{named.begin, named.size};
    const uint64_t context = Context(seed, seed.part, seed.words, place);
    const uint64_t specificity =
        NameSpecificity(seed.part, seed.words, place, named.documents.size());
    const uint64_t link = Times(specificity, seed.share + context);
    for (const DocumentId target : named.documents) {
      if (target == seed.document) continue;
      const uint64_t value = WithNew(link, New(seed.gains, target));
      Offer(target, {Link::Kind::kMention, seed.document, value, place.begin, place.size, 0},
            origins);
    }
  }
}

// All of its words are words of the cue, or say nothing.
bool Associator::IsOfCue(const Seed& seed, Place place) const {
  for (uint32_t i = place.begin; i < place.begin + place.size; ++i) {
    const uint32_t word = seed.words.words[i];
    if (!(word & kStop) && CueWordOf(seed.part, word >> kWordFlagBits) < 0) return false;
  }
  return true;
}

void Associator::FollowPhrases(const Seed& seed, Origins* origins) const {
  const TextIndex& text = *collection_.parts()[seed.part].text;
  std::vector<uint32_t> where, known;
  for (const Document::Phrase& phrase : seed.words.phrases) {
    const Place place{phrase.begin, phrase.size};
    if (std::ranges::find(known, phrase.word) != known.end() || IsOfCue(seed, place)) continue;
    known.push_back(phrase.word);
    const uint64_t documents = collection_.DocumentsWith(text.Word(phrase.word), &where);
    if (documents < 2 || documents > kMostOfPhrase) continue;
    const uint64_t specificity = collection_.Specificity(documents);
    const uint64_t link = Times(seed.share, specificity) * 9 / 20;
    for (size_t p = 0; p < collection_.parts().size(); ++p) {
      if (where[p] == Collection::kNoWord) continue;
      const Collection::Part& part = collection_.parts()[p];
      for (Postings postings = part.text->PostingsOf(where[p]); postings.Next();) {
        const DocumentId target = part.first + postings.document();
        if (target == seed.document) continue;
        const uint64_t more = New(seed.gains, target);
        if (more == 0) continue;
        Offer(target,
              {Link::Kind::kPhrase, seed.document, WithNew(link, more), place.begin, place.size, 0},
              origins);
      }
    }
  }
}

void Associator::FollowLinks(bool titles, Origins* origins) {
  for (size_t i = 0; i < seeds_.size(); ++i) {
    const Seed& seed = seeds_[i];
    if (titles) {
      FollowMentions(seed, i < named_.size() ? named_[i] : MentionsOf(seed), origins);
      for (const Naming& naming : NamingOf(seed)) {
        Offer(naming.document,
              {Link::Kind::kMentionedBy, seed.document, naming.value, naming.place.begin,
               naming.place.size, 0},
              origins);
      }
    }
    FollowPhrases(seed, origins);
  }
}

// The share of the cue that the relation's name has.
uint64_t Associator::RelationContext(TermId relation) const {
  auto stemmer = Stemmer::Make(collection_.stemmer());
  if (!stemmer.ok()) return 0;
  std::string name(snapshot_.Name(relation).bytes);
  std::ranges::replace(name, '_', ' ');
  Tokens tokens;
  Tokenize(name, &tokens);
  std::vector<std::string> stems;
  for (const Token& token : tokens.list()) stems.emplace_back(stemmer->Stem(tokens.Folded(token)));
  uint64_t shared = 0, all = 0;
  for (const auto* words : {&cue_.words, &cue_.unknown}) {
    for (const CueWord& word : *words) {
      all += word.value();
      if (std::ranges::find(stems, word.stem) != stems.end()) shared += word.value();
    }
  }
  return all == 0 ? 0 : (shared << kUnitBits) / all;
}

// The facts of a symbol in one direction; none where they are more than kMostFacts. Degrees are
// upper bounds, exact in a memory of one image: elsewhere what may be a hub is counted.
void Associator::EdgesOf(TermId item, bool forward, std::vector<Edge>* edges) const {
  constexpr uint64_t kMostLayers = 20;
  edges->clear();
  const uint64_t most = forward ? snapshot_.DegreeFrom(item) : snapshot_.DegreeTo(item);
  if (most > kMostFacts * (snapshot_.layers().size() == 1 ? 1 : kMostLayers)) return;
  forward ? snapshot_.EdgesFrom(item, edges) : snapshot_.EdgesTo(item, edges);
  if (edges->size() > kMostFacts) edges->clear();
  // Of two relations to the same symbol the first is told.
  std::ranges::sort(*edges, [this](const Edge& a, const Edge& b) {
    const int order = snapshot_.Compare(a.relation, b.relation);
    return order != 0 ? order < 0 : snapshot_.Compare(a.other, b.other) < 0;
  });
}

void Associator::FollowFactsOf(const Start& start, uint64_t decay, Origins* origins) const {
  const TermId item = collection_.ItemOf(start.document);
  std::vector<Edge> edges;
  std::unordered_map<TermId, uint64_t> contexts;
  for (const bool forward : {true, false}) {
    EdgesOf(item, forward, &edges);
    for (const Edge& edge : edges) {
      if (edge.other == item || snapshot_.KindOf(edge.other) != Kind::kSymbol) continue;
      const auto [context, is_new] = contexts.emplace(edge.relation, 0);
      if (is_new) {
        context->second = FieldOf(snapshot_.Name(edge.relation).bytes) == Field::kBody
                              ? RelationContext(edge.relation)
                              : UINT64_MAX;
      }
      if (context->second == UINT64_MAX) continue;  // part_of leads from each passage to all
      const DocumentId target = collection_.DocumentOf(edge.other);
      if (target == kNoDocument) continue;
      const uint64_t more = New(start.gains, target);
      if (more + context->second == 0) continue;
      const Document& document = Read(target);
      const Place name{0, document.title_words};
      const uint64_t specificity =
          NameSpecificity(collection_.PartNumber(target), document, name, 1);
      const uint64_t link = Times(start.share, specificity / 2 + 2 * context->second);
      const uint64_t value = Times(WithNew(link, more), decay);
      Offer(target, {Link::Kind::kFact, start.document, value, 0, 0, edge.relation}, origins);
    }
  }
}

void Associator::FollowFacts(Origins* origins) {
  Origins first;
  for (const Seed& seed : seeds_) {
    FollowFactsOf({seed.document, seed.share, seed.gains}, kUnit, &first);
  }
  if (first.empty()) return;
  std::vector<std::pair<DocumentId, Origin>> found(first.begin(), first.end());
  std::ranges::sort(found, [this](const auto& a, const auto& b) {
    if (a.second.value != b.second.value) return a.second.value > b.second.value;
    return collection_.Before(a.first, b.first);
  });
  for (const auto& [target, origin] : found) Offer(target, origin, origins);
  if (found.size() > kSecondStarts) found.resize(kSecondStarts);
  for (const auto& [target, origin] : found) {
    Start start{target, origin.value, {}};
    for (const Seed& seed : seeds_) {
      if (seed.document == origin.from) start.gains = seed.gains;
    }
    if (const uint32_t number = content_.Find(target); number != Content::kNone) {
      const auto gains = content_.Gains(number);
      for (size_t w = 0; w < gains.size(); ++w) {
        start.gains[w] = std::max(start.gains[w], gains[w]);
      }
    }
    FollowFactsOf(start, kUnit * 3 / 4, origins);
  }
}

}  // namespace loci::recall
