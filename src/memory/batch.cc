// SPDX-License-Identifier: Apache-2.0
#include "memory/batch.h"

#include <algorithm>
#include <cstring>

#include "image/image.h"

namespace loci {
namespace {

constexpr size_t kBlockBytes = 256 << 10;

}  // namespace

Batch::Ref Batch::Intern(TermView term) {
  return Intern(term, Image::NameHash(term));
}

Batch::Ref Batch::Intern(TermView term, uint64_t hash) {
  if (2 * (entries_.size() + 1) > slots_.size()) Grow();
  const auto tag = static_cast<uint32_t>(hash >> 32);
  const uint64_t mask = slots_.size() - 1;
  uint64_t i = hash & mask;
  for (; slots_[i].ref_plus_1 != 0; i = (i + 1) & mask) {
    const Ref ref = slots_[i].ref_plus_1 - 1;
    if (slots_[i].tag == tag && Name(ref) == term) return ref;
  }
  const size_t size = term.bytes.size();
  if (size > block_left_) {
    block_left_ = std::max(size, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_left_));
    block_at_ = blocks_.back().get();
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
  slots_.assign(std::max<size_t>(64, 2 * slots_.size()), Slot{});
  const uint64_t mask = slots_.size() - 1;
  for (Ref ref = 0; ref < entries_.size(); ++ref) {
    const uint64_t hash = Image::NameHash(Name(ref));
    uint64_t i = hash & mask;
    while (slots_[i].ref_plus_1 != 0) i = (i + 1) & mask;
    slots_[i] = {static_cast<uint32_t>(hash >> 32), ref + 1};
  }
}

void Batch::PrefetchSlot(uint64_t hash) const {
  if (!slots_.empty()) __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]);
}

void Batch::PrefetchEntry(uint64_t hash) const {
  if (slots_.empty()) return;
  const Slot& slot = slots_[hash & (slots_.size() - 1)];
  if (slot.ref_plus_1 != 0) __builtin_prefetch(&entries_[slot.ref_plus_1 - 1]);
}

void Batch::PrefetchName(uint64_t hash) const {
  if (slots_.empty()) return;
  const Slot& slot = slots_[hash & (slots_.size() - 1)];
  if (slot.ref_plus_1 != 0) __builtin_prefetch(entries_[slot.ref_plus_1 - 1].bytes);
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
