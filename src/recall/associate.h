// SPDX-License-Identifier: Apache-2.0
//
// Association: from the documents that a cue finds by its words, along links that can be read, to
// others that belong to the answer. Every link is looked up when it is asked for; nothing of it is
// stored.
//
//   seeds      the eight best by content, s their share of the best one's score (at least 1/10)
//   ctx        how far the words around a mention are those of the cue: for each word of the cue
//              that is not in the seed's title, its share of the cue's value times the nearest
//              occurrence within 8 words, 1 / (1 + .15 distance), halved in another sentence
//   new        what the target explains of the cue that the seed does not: the sum over words of
//              what it gains more, as a share of the best score
//   spec       how special a name is: as a word that as many documents have as its rarest one,
//              divided by the number of its words (Collection::Specificity); and that divided by
//              the root of the number of documents of that name
//
//   the seed names the target   L = spec (s + ctx)
//   the target names the seed   L = s (spec / 2 + 2 ctx)
//   both have a phrase          L = .45 s spec              only if new > 0
//   a fact joins them           L = s (spec / 2 + 2 ctx)    only if new or ctx > 0
//
//   the value of a link         V = L + new min(1, 4 L)
//
// The ctx of a fact is the share of the cue that its relation's name has. Facts are followed once
// more from the ten best that they lead to, for three quarters of the value.
//
// A document counts by its own share s or, where that is more, by .3 s + V of its best link. The
// forms and constants were found on questions of 2WikiMultiHopQA, HotpotQA and MuSiQue;
// docs/evidence.md says how far those that figures are reported of were kept out of it.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "recall/content.h"
#include "recall/cue.h"
#include "recall/recall.h"

namespace loci::recall {

// How a document was come by.
struct Origin {
  Link::Kind kind = Link::Kind::kMention;
  DocumentId from = kNoDocument;
  uint64_t value = 0;  // V in 2^-16
  // The words of the name or phrase, in `from`, or of kMentionedBy in the document itself.
  uint32_t begin = 0, size = 0;
  TermId relation = 0;  // of a fact
};

using Origins = std::unordered_map<DocumentId, Origin>;

class Associator {
 public:
  // All outlive this. The content keeps the gains of the cue's words.
  Associator(const Snapshot& snapshot, const Collection& collection, const Cue& cue,
             const Content& content);

  // Whether mentions and phrases lead on: the cue names a document that is described, or has a
  // phrase that some share; or three seeds and more, with a capital in their title, name others or
  // are named by them.
  bool LinksApply();

  // The best way to each document that links lead to, be it touched by the cue or not.
  void FollowLinks(bool titles, Origins* origins);
  void FollowFacts(Origins* origins);

 private:
  struct Seed {
    DocumentId document;
    size_t part;
    uint64_t share;                   // s, in 2^-16
    std::vector<uint32_t> gains;      // of the kept words of the cue
    std::vector<uint64_t> relevance;  // of each of these: its share of the cue, or 0
    Document words;
  };
  struct Named {  // what the seed names
    uint32_t begin, size;
    std::vector<DocumentId> documents;
  };
  struct Place {
    uint32_t begin, size;
  };
  struct Naming {  // a document with words of the cue that has the seed's name
    DocumentId document;
    Place place;
    uint64_t value;
  };

  void PickSeeds();
  std::vector<Named> MentionsOf(const Seed& seed) const;
  std::vector<Naming> NamingOf(const Seed& seed) const;
  void FindNames(const Seed& seed, const Document::Alias& alias, std::vector<Naming>* all) const;

  uint64_t Context(const Seed& seed, size_t part, const Document& document, Place place) const;
  uint64_t New(std::span<const uint32_t> seed, DocumentId target) const;
  uint64_t NameSpecificity(size_t part, const Document& document, Place name,
                           size_t documents) const;
  void FollowMentions(const Seed& seed, const std::vector<Named>& mentions, Origins* origins) const;
  void FollowPhrases(const Seed& seed, Origins* origins) const;
  bool IsOfCue(const Seed& seed, Place place) const;

  struct Start {  // of a step along facts
    DocumentId document;
    uint64_t share;
    std::vector<uint32_t> gains;
  };
  void FollowFactsOf(const Start& start, uint64_t decay, Origins* origins) const;
  void EdgesOf(TermId item, bool forward, std::vector<Edge>* edges) const;
  uint64_t RelationContext(TermId relation) const;

  // The document's first words, read once.
  const Document& Read(DocumentId document) const;
  int CueWordOf(size_t part, uint32_t word) const;
  bool IsDescribed(DocumentId document) const;

  const Snapshot& snapshot_;
  const Collection& collection_;
  const Cue& cue_;
  const Content& content_;
  uint64_t best_ = 0;
  uint64_t cue_value_ = 0;
  std::vector<Seed> seeds_;
  mutable std::unordered_map<DocumentId, Document> read_;  // a reference to one stays valid
  std::vector<std::vector<Named>> named_;  // by the first seeds, as far as asked for
};

}  // namespace loci::recall
