// SPDX-License-Identifier: Apache-2.0
#include "memory/batch.h"

#include <algorithm>
#include <cstring>

#include "image/image.h"

namespace loci {
namespace {

// A batch of one statement takes little, one of a million names few blocks, in huge pages.
constexpr size_t kFirstBlockBytes = 1 << 10, kBlockBytes = 2 << 20;

}  // namespace

Batch::Ref Batch::Intern(TermView term) {
  return Intern(term, Image::NameHash(term));
}

Batch::Ref Batch::Intern(TermView term, uint64_t hash) {
  if (2 * (entries_.size() + 1) > slots_.size()) Grow();
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const uint64_t mask = slots_.size() - 1;
  uint64_t i = tag & mask;
  for (; slots_[i].ref_plus_1 != 0; i = (i + 1) & mask) {
    const Ref ref = slots_[i].ref_plus_1 - 1;
    if (slots_[i].tag == tag && Name(ref) == term) return ref;
  }
  const size_t size = term.bytes.size();
  if (size > block_left_) {
    const size_t usual = blocks_.size() < 11 ? kFirstBlockBytes << blocks_.size() : kBlockBytes;
    block_left_ = std::max(size, usual);
    block_at_ = blocks_.emplace_back(block_left_).data();
  }
  if (size != 0) std::memcpy(block_at_, term.bytes.data(), size);
  entries_.push_back({block_at_, static_cast<uint32_t>(size), term.kind});
  block_at_ += size;
  block_left_ -= size;
  name_bytes_ += size;
  slots_[i] = {tag, static_cast<uint32_t>(entries_.size())};
  return static_cast<Ref>(entries_.size() - 1);
}

void Batch::Grow() {
  HugeVector<Slot> old;
  old.swap(slots_);
  slots_.assign(std::max<size_t>(64, 2 * old.size()), Slot{});
  const uint64_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.ref_plus_1 == 0) continue;
    uint64_t i = slot.tag & mask;
    while (slots_[i].ref_plus_1 != 0) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

void Batch::PrefetchSlot(uint64_t hash) const {
  if (!slots_.empty()) __builtin_prefetch(&slots_[hash >> 32 & (slots_.size() - 1)]);
}

Batch::Ref Batch::Probable(uint64_t hash) const {
  if (slots_.empty()) return kNoTerm;
  const uint64_t mask = slots_.size() - 1;
  for (uint64_t i = hash >> 32 & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.ref_plus_1 == 0) return kNoTerm;
    if (slot.tag == hash >> 32) return slot.ref_plus_1 - 1;
  }
}

void Batch::Add(const StatementView& s, bool removed) {
  Add({Intern(s.subject), Intern(s.relation), Intern(s.object), Intern(s.source)}, removed);
}

void Batch::Add(const Row& row, bool removed) {
  if (removed && !any_removed_) {
    removed_.assign(rows_.size(), false);
    any_removed_ = true;
  }
  rows_.push_back(row);
  if (any_removed_) removed_.push_back(removed);
}

void Batch::Clear() {
  *this = Batch();
}

}  // namespace loci
