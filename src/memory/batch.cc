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
  if (2 * (views_.size() + 1) > slots_.size()) Grow();
  const uint64_t hash = Image::NameHash(term);
  const uint64_t mask = slots_.size() - 1;
  uint64_t i = hash & mask;
  for (; slots_[i] != 0; i = (i + 1) & mask) {
    const Ref ref = slots_[i] - 1;
    if (hashes_[ref] == hash && views_[ref] == term) return ref;
  }
  const size_t size = term.bytes.size();
  if (size > block_left_) {
    const size_t block = std::max(size, kBlockBytes);
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
    block_at_ = blocks_.back().get();
    block_left_ = block;
  }
  if (size != 0) std::memcpy(block_at_, term.bytes.data(), size);
  views_.push_back({term.kind, {block_at_, size}});
  hashes_.push_back(hash);
  block_at_ += size;
  block_left_ -= size;
  name_bytes_ += size;
  slots_[i] = static_cast<uint32_t>(views_.size());
  return static_cast<Ref>(views_.size() - 1);
}

void Batch::Grow() {
  slots_.assign(std::max<size_t>(64, 2 * slots_.size()), 0);
  const uint64_t mask = slots_.size() - 1;
  for (size_t ref = 0; ref < hashes_.size(); ++ref) {
    uint64_t i = hashes_[ref] & mask;
    while (slots_[i] != 0) i = (i + 1) & mask;
    slots_[i] = static_cast<uint32_t>(ref + 1);
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

void Batch::Clear() { *this = Batch(); }

}  // namespace loci
