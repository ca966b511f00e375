// SPDX-License-Identifier: Apache-2.0
//
// Content: every document that shares words with a cue, scored by BM25. What each word gives is
// kept for the first words of the cue: association asks what a document adds to another.
//
// Scores are sums of integers in 2^-16, and so do not depend on the order of words or documents.
// One per recall; not thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "loci/result.h"
#include "recall/cue.h"

namespace loci::recall {

// What a recall writes for each document that it touches. Kept from one to the next: at a million
// documents to get the memory anew costs as much as to score them.
struct ContentTables {
  std::vector<uint32_t> place;  // of each document of the collection, its number here + 1; else 0
  std::vector<DocumentId> documents;
  std::vector<uint64_t> scores;
  std::vector<uint32_t> gains;
};

class Content {
 public:
  static constexpr size_t kKeptWords = 32;  // enough of a cue for association
  static constexpr uint32_t kNone = UINT32_MAX;

  explicit Content(const Collection& collection);
  ~Content();
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  // Scores all documents by the cue; what was scored before is forgotten. kept: of how many of its
  // words the gains are kept. keep_going may be null.
  Result<void> Score(const Cue& cue, size_t kept, const std::function<bool()>& keep_going);

  size_t size() const { return documents_.size(); }
  DocumentId document(uint32_t i) const { return documents_[i]; }
  uint64_t score(uint32_t i) const { return scores_[i]; }
  void Raise(uint32_t i, uint64_t by) { scores_[i] += by; }
  void SetScore(uint32_t i, uint64_t score) { scores_[i] = score; }
  uint64_t BestScore() const { return scores_.empty() ? 0 : *std::ranges::max_element(scores_); }
  void Lower(uint32_t i, uint64_t by) { scores_[i] -= by; }
  // The number of a document here, or kNone.
  uint32_t Find(DocumentId document) const { return place_[document] - 1; }
  // Adds a document without any word of the cue.
  uint32_t Add(DocumentId document);
  // What each of the kept words gives.
  std::span<const uint32_t> Gains(uint32_t i) const {
    return {gains_.data() + uint64_t{i} * kept_, kept_};
  }
  size_t kept() const { return kept_; }

  // The best of all, by descending score and then in the canonical order.
  std::vector<uint32_t> Best(size_t most) const;
  uint64_t work() const { return work_; }  // postings met

 private:
  void Clear();
  void ScoreWord(const Collection::Part& part, const CueWord& word, size_t number, uint32_t in_part,
                 bool essential);

  const Collection& collection_;
  std::unique_ptr<ContentTables> tables_;
  std::vector<uint32_t>& place_;
  std::vector<DocumentId>& documents_;
  std::vector<uint64_t>& scores_;
  std::vector<uint32_t>& gains_;
  size_t kept_ = 0;
  uint64_t work_ = 0;
};

// What each word of the cue gives a document, whether or not it was scored.
void GainsOf(const Collection& collection, const Cue& cue, DocumentId document,
             std::vector<uint32_t>* gains);

// Sorts the numbers and keeps the first `most`.
template <class Before>
void KeepBest(std::vector<uint32_t>* numbers, size_t most, Before before) {
  if (numbers->size() > most) {
    std::nth_element(numbers->begin(), numbers->begin() + static_cast<ptrdiff_t>(most),
                     numbers->end(), before);
    numbers->resize(most);
  }
  std::sort(numbers->begin(), numbers->end(), before);
}

}  // namespace loci::recall
