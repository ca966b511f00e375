// SPDX-License-Identifier: Apache-2.0
//
// Image: one immutable layer of a memory, used in place in mapped or owned bytes. Its layout, byte
// by byte, is docs/image-format.md; src/image/layout.h holds the numbers.
//
// An image holds terms, numbered 0.. in the canonical order (image/term.h), and facts, numbered in
// the order (subject, relation, object). Each fact has a set of sources. In a run a member of that
// set may be *removed*: the statement, known to an older layer, was forgotten. The image of a
// consolidated memory has no removed members.
//
// Open verifies the header and the section table, in time independent of size. Contents are
// verified by Verify. No read trusts what it finds: an offset or id out of bounds yields an empty
// row or term and marks the image damaged, which whoever read it reports at the end (damage()).
//
// Thread-safe after Open.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/hash.h"
#include "image/column.h"
#include "image/layout.h"
#include "image/term.h"
#include "image/text_index.h"
#include "loci/result.h"

namespace loci {

using LocalId = uint32_t;  // a term of one image

// Consecutive entries [begin, end) of a column.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

// One member of a fact's set of sources.
struct SourceMark {
  LocalId source;  // a symbol
  bool removed;
};

class Image {
 public:
  // The owner keeps the bytes alive; name is for messages ("image-3").
  static Result<std::shared_ptr<const Image>> Open(Bytes bytes, std::shared_ptr<const void> owner,
                                                   std::string name);

  const std::string& name() const { return name_; }
  const ImageHeader& header() const { return header_; }
  Bytes bytes() const { return bytes_; }

  // Terms.
  uint32_t terms() const { return terms_; }
  uint32_t first_symbol() const { return first_symbol_; }
  Kind KindOf(LocalId id) const;
  TermView Name(LocalId id) const;
  // The bytes of all terms, one after the other in their order, and the term that has a byte of
  // them: for searches through all names.
  std::string_view AllNames() const { return name_bytes_; }
  LocalId TermAt(uint64_t offset) const;
  // Brings near what Name will look at first. (Always inline: GCC 12 drops calls of functions that
  // only prefetch.)
  [[gnu::always_inline]] void PrefetchName(LocalId id) const {
    __builtin_prefetch(name_offsets_ + 8 * uint64_t{id});
  }
  Hash128 Id(LocalId id) const;
  std::optional<LocalId> Find(TermView term) const { return Find(term, NameHash(term)); }
  std::optional<LocalId> Find(TermView term, uint64_t name_hash) const;
  static uint64_t NameHash(TermView term);

  // Relations, dense and in the order of their symbols.
  uint32_t relations() const { return header_.relations; }
  LocalId RelationTerm(uint32_t relation) const;
  std::optional<uint32_t> FindRelation(LocalId symbol) const;
  uint32_t RelationFacts(uint32_t relation) const;    // facts with it
  uint32_t RelationObjects(uint32_t relation) const;  // distinct objects of these
  Range RelationSubjects(uint32_t relation) const;    // entries for SubjectOfRelation, ascending
  LocalId SubjectOfRelation(uint32_t entry) const;

  // Facts by subject: a row's entries are fact numbers, ascending by (relation, object).
  uint32_t facts() const { return header_.facts; }
  Range Row(LocalId subject) const;
  Range Row(LocalId subject, uint32_t relation) const;
  uint32_t FactRelation(uint32_t fact) const { return row_relation_[fact]; }
  LocalId FactObject(uint32_t fact) const { return CheckTerm(row_object_[fact]); }
  std::optional<uint32_t> FindFact(LocalId subject, uint32_t relation, LocalId object) const;

  // Facts by object: entries ascending by (relation, subject).
  Range Inverse(LocalId object) const;
  Range Inverse(LocalId object, uint32_t relation) const;
  uint32_t InverseRelation(uint32_t entry) const { return inverse_relation_[entry]; }
  LocalId InverseSubject(uint32_t entry) const { return CheckTerm(inverse_subject_[entry]); }

  // Sources, dense and in the order of their symbols; sets of them.
  uint32_t sources() const { return header_.sources; }
  LocalId SourceTerm(uint32_t source) const;
  uint32_t FactSet(uint32_t fact) const;
  uint32_t sets() const { return header_.source_sets; }
  uint32_t SetSize(uint32_t set) const;
  SourceMark SetMember(uint32_t set, uint32_t i) const;  // ascending by source
  std::optional<SourceMark> FindInSet(uint32_t set, LocalId source) const;
  Sum256 digest() const;  // of what it learned less that of what it removed
  bool has_removed() const { return header_.removed_statements != 0; }

  // What recall finds its symbols by.
  const TextIndex& text() const { return text_; }

  // The settings of the memory that the image was built for: "key value\n" lines, sorted.
  std::string_view settings() const;

  // Every checksum: what was written is what is there. Linear, at the speed of memory.
  Result<void> VerifyChecksums() const;

  // Every checksum and every invariant of docs/image-format.md; the error names the first that
  // does not hold. Half as long as building the image from a batch took: 0.2 s for
  // 500,000 facts (image/verify.cc). on_share: told now and then how much is done, of 1; false
  // cancels (kCancelled).
  Result<void> Verify(const std::function<bool(double share)>& on_share = {}) const;

  // What the reads so far have found, or success.
  Result<void> damage() const;

 private:
  Image() = default;
  Result<void> Bind();
  RelationEntry Relation(uint32_t relation) const;
  LocalId CheckTerm(LocalId id) const {
    if (id < terms_) [[likely]]
      return id;
    MarkDamaged();
    return 0;
  }
  void MarkDamaged() const { damaged_.store(true, std::memory_order_relaxed); }
  Range CheckRange(uint64_t begin, uint64_t end, uint64_t size) const;

  std::string name_;
  Bytes bytes_;
  std::shared_ptr<const void> owner_;
  ImageHeader header_{};
  uint32_t terms_ = 0;
  uint32_t first_symbol_ = 0;
  std::string_view name_bytes_, settings_;
  const uint8_t* name_offsets_ = nullptr;  // u64, terms + 1
  const uint8_t* name_ids_ = nullptr;      // 16 bytes each
  const uint8_t* name_slots_ = nullptr;    // u32, a power of two of them
  uint64_t slot_mask_ = 0;
  Column row_offsets_, row_relation_, row_object_, row_set_;
  Column inverse_offsets_, inverse_relation_, inverse_subject_;
  const uint8_t* relation_table_ = nullptr;
  Column relation_subjects_, source_terms_, set_offsets_, set_members_;
  TextIndex text_;
  mutable std::atomic<bool> damaged_{false};
};

}  // namespace loci
