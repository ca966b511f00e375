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
  if (2 * (entries_.size() + 1) > slots_.size()) Grow();
  const uint64_t hash = Image::NameHash(term);
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

Batch::Ref Batch::InternField(int field, TermView term) {
  Ref& last = last_[field];
  if (last >= entries_.size() || Name(last) != term) last = Intern(term);
  return last;
}

void Batch::Add(const StatementView& s, bool removed) {
  Add({InternField(0, s.subject), InternField(1, s.relation), InternField(2, s.object),
       InternField(3, s.source)},
      removed);
}

void Batch::Add(const Row& row, bool removed) {
  if (removed && !any_removed_) {
    removed_.assign(rows_.size(), false);
    any_removed_ = true;
  }
  rows_.push_back(row);
  if (any_removed_) removed_.push_back(removed);
}

void Batch::Clear() { *this = Batch(); }

}  // namespace loci
