// SPDX-License-Identifier: Apache-2.0
//
// TextIndex: the sections of text of one image, used in place. Documents are its symbols, numbered
// from 0 in their order; words are its stems and phrases (text/lexicon.h), numbered in the order of
// their bytes.
//
// As in Image, no read trusts what it finds; what is out of bounds yields nothing and marks the
// image damaged.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/bytes.h"
#include "image/column.h"
#include "text/document.h"

namespace loci {

// The documents that have a word, ascending.
class Postings {
 public:
  Postings() = default;
  Postings(std::string_view bytes, uint32_t documents, std::atomic<bool>* damaged)
      : at_(reinterpret_cast<const uint8_t*>(bytes.data())),
        end_(at_ + bytes.size()),
        documents_(documents),
        damaged_(damaged) {}

  // False at the end, or where the bytes are no postings.
  bool Next() {
    if (at_ == end_) return false;
    uint64_t gap, more;
    if (!Varint(&gap)) return Damaged();
    document_ = next_ + (gap >> 1);
    count_ = 1;
    if (gap & 1) {
      if (!Varint(&more)) return Damaged();
      count_ = static_cast<uint32_t>(std::min<uint64_t>(more, UINT32_MAX - 2) + 2);
    }
    next_ = document_ + 1;
    return document_ < documents_ || Damaged();
  }
  uint32_t document() const { return static_cast<uint32_t>(document_); }
  uint32_t count() const { return count_; }  // a title's word counts twice

 private:
  [[gnu::always_inline]] bool Varint(uint64_t* value) {
    if (at_ == end_) return false;
    uint64_t v = *at_++;
    if (v >= 0x80) [[unlikely]] {
      v &= 0x7F;
      for (unsigned shift = 7;; shift += 7) {
        if (at_ == end_ || shift > 35) return false;
        const uint64_t byte = *at_++;
        v |= (byte & 0x7F) << shift;
        if (byte < 0x80) break;
      }
    }
    *value = v;
    return true;
  }

  bool Damaged() {
    at_ = end_;
    damaged_->store(true, std::memory_order_relaxed);
    return false;
  }

  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint64_t next_ = 0, document_ = 0;
  uint32_t documents_ = 0, count_ = 0;
  std::atomic<bool>* damaged_ = nullptr;  // the image's
};

class TextIndex {
 public:
  // False in an image of the first version, which has none.
  bool present() const { return present_; }

  uint32_t words() const { return words_; }
  std::string_view Word(uint32_t word) const;
  std::optional<uint32_t> Find(std::string_view word) const;
  // The first word that is not less than these bytes; words() if there is none.
  uint32_t LowerBound(std::string_view bytes) const;
  uint32_t Documents(uint32_t word) const {
    return word < word_documents_.size() ? word_documents_[word] : 0;
  }
  Postings PostingsOf(uint32_t word) const;

  uint32_t documents() const { return static_cast<uint32_t>(lengths_.size()); }
  // 0: no document.
  uint8_t LengthCodeOf(uint32_t document) const {
    return static_cast<uint8_t>(lengths_[document]) % kLengthCodes;
  }
  // Its title is one word, as in a dictionary (text/document.h).
  bool IsEntry(uint32_t document) const {
    return static_cast<uint8_t>(lengths_[document]) >= kLengthCodes;
  }

  // The words of a document, at most `most` of them; its aliases and phrases among these.
  void Read(uint32_t document, size_t most, Document* out) const;

  // It has a title or a name, and nothing else is said of it.
  bool IsTitleAlone(uint32_t document) const;

  // The documents of a name, by AliasHash; found: that some name begins so.
  struct Names {
    uint32_t begin = 0, end = 0;  // for NamedDocument
    bool found = false;
  };
  Names FindNames(uint64_t alias_hash) const;
  uint32_t NamedDocument(uint32_t entry) const { return alias_documents_[entry]; }

 private:
  friend class Image;
  uint64_t AliasHashAt(uint64_t i) const { return Load<uint64_t>(alias_hashes_ + 8 * i); }
  void MarkDamaged() const { damaged_->store(true, std::memory_order_relaxed); }

  bool present_ = false;
  uint32_t words_ = 0;
  std::string_view word_bytes_, postings_, lengths_, documents_;
  Column word_offsets_, word_documents_, posting_offsets_, document_offsets_, alias_documents_;
  const uint8_t* word_slots_ = nullptr;  // u32, a power of two of them
  uint64_t slot_mask_ = 0;
  const uint8_t* alias_hashes_ = nullptr;
  uint64_t aliases_ = 0;
  std::atomic<bool>* damaged_ = nullptr;  // the image's
};

}  // namespace loci
