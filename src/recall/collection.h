// SPDX-License-Identifier: Apache-2.0
//
// Collection: the documents of a snapshot, as if there were one index.
//
// A layer's index knows what that layer says of a symbol, and no more. So a symbol of which several
// layers have something to say is dead in each of them, and what is known of it is indexed once
// more, in a part of its own, the overlay, which is an image in memory of the facts about these
// symbols. (A symbol that layers only name, and of which none tells more than its name, is dead in
// all but the oldest.) What a layer removed is thus gone from counts, lengths and postings, and
// scores are those of a memory that never had it.
//
// The overlay costs as much as what is new about old symbols, and the search for these a lookup for
// each symbol of the layers above the first: 0.1 us each. A consolidated memory has neither.
//
// A document's number, DocumentId, is private to the collection. Immutable and thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "image/image.h"
#include "memory/snapshot.h"
#include "text/document.h"

namespace loci::recall {

using DocumentId = uint32_t;
inline constexpr DocumentId kNoDocument = UINT32_MAX;

// Of BM25, the same for every memory: over six collections of abstracts, encyclopaedia articles
// and turns of talk no value that follows their lengths gained .005 over these.
inline constexpr uint64_t kSaturation = 120, kLengthShare = 40;  // k1 and b in hundredths

class Collection {
 public:
  // Of the snapshot's, made once. kUnsupported where a layer has no index (format version 1).
  static Result<std::shared_ptr<const Collection>> Of(const Snapshot& snapshot);

  struct Part {
    const Image* image;
    const TextIndex* text;
    DocumentId first;        // of its first symbol
    std::vector<bool> dead;  // by symbol; empty: none
    bool is_overlay;

    bool Has(uint32_t symbol) const {
      return text->LengthCodeOf(symbol) != 0 && (dead.empty() || !dead[symbol]);
    }
  };
  const std::vector<Part>& parts() const { return parts_; }
  // DocumentIds are less.
  uint32_t size() const { return size_; }
  // How many documents there are.
  uint64_t documents() const { return documents_; }

  const Part& PartOf(DocumentId document) const {
    size_t i = parts_.size() - 1;
    while (parts_[i].first > document) --i;
    return parts_[i];
  }
  size_t PartNumber(DocumentId document) const {
    return static_cast<size_t>(&PartOf(document) - parts_.data());
  }
  TermId ItemOf(DocumentId document) const;
  DocumentId DocumentOf(TermId item) const;  // kNoDocument: it is none
  std::string_view NameOf(DocumentId document) const;
  // The canonical order of their symbols.
  bool Before(DocumentId a, DocumentId b) const;

  // In how many documents a word is; where: its number in each part, kNoWord where that has none.
  static constexpr uint32_t kNoWord = UINT32_MAX;
  uint64_t DocumentsWith(std::string_view word, std::vector<uint32_t>* where) const;
  // The same of a word of a part's lexicon.
  uint64_t DocumentsWith(size_t part, uint32_t word) const;

  // The weight of a word by the number of documents that have it, log2((N + 1) / (n + 1/2)), in
  // 2^-16: Robertson and Sparck Jones 1976, with the 1 that keeps it positive.
  uint32_t Rarity(uint64_t documents_with) const;
  // As a share of the greatest that can be, in 2^-16.
  uint32_t Specificity(uint64_t documents_with) const;

  // BM25's part for a word that is `count` times in a document of such a length, in 2^-16.
  uint32_t Saturated(uint32_t count, uint8_t length_code) const {
    const uint32_t known = saturated_[length_code][count < kKnownCounts ? count : 0];
    return count < kKnownCounts && count > 0 ? known : SlowlySaturated(count, length_code);
  }

  void Read(DocumentId document, size_t most, Document* out) const {
    const Part& part = PartOf(document);
    part.text->Read(document - part.first, most, out);
  }

  std::string_view stemmer() const { return stemmer_; }

 private:
  static constexpr uint32_t kKnownCounts = 8;

  explicit Collection(const Snapshot& snapshot) : snapshot_(snapshot) {}
  Result<void> Make();
  void FindShared(std::vector<TermId>* shared);
  Result<void> MakeOverlay(const std::vector<TermId>& shared);
  void Count();
  uint32_t SlowlySaturated(uint32_t count, uint8_t length_code) const;
  bool IsDescribed(const Image& image, LocalId symbol) const;

  const Snapshot& snapshot_;  // which keeps this
  std::string stemmer_;
  std::vector<Part> parts_;
  std::shared_ptr<const Image> overlay_;
  uint32_t size_ = 0;
  uint64_t documents_ = 0, length_ = 0;
  uint64_t log_documents_ = 0, log_rarest_ = 0;
  std::array<std::array<uint32_t, kKnownCounts>, kLengthCodes> saturated_{};
};

}  // namespace loci::recall
