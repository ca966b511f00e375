// SPDX-License-Identifier: Apache-2.0
#include "image/text_index.h"

#include <algorithm>

#include "base/hash.h"

namespace loci {

std::string_view TextIndex::Word(uint32_t word) const {
  if (word >= words_) {
    MarkDamaged();
    return {};
  }
  const uint64_t begin = word_offsets_[word], end = word_offsets_[uint64_t{word} + 1];
  if (begin > end || end > word_bytes_.size()) {
    MarkDamaged();
    return {};
  }
  return word_bytes_.substr(begin, end - begin);
}

std::optional<uint32_t> TextIndex::Find(std::string_view word) const {
  if (words_ == 0) return std::nullopt;
  const uint64_t hash = Xxh3(word);
  for (uint64_t i = 0; i <= slot_mask_; ++i) {
    const auto slot = Load<uint32_t>(word_slots_ + 4 * ((hash + i) & slot_mask_));
    if (slot == 0) return std::nullopt;
    if (slot > words_) break;
    if (Word(slot - 1) == word) return slot - 1;
  }
  MarkDamaged();
  return std::nullopt;
}

uint32_t TextIndex::LowerBound(std::string_view bytes) const {
  uint32_t begin = 0, count = words_;
  while (count > 0) {
    const uint32_t half = count / 2;
    if (Word(begin + half) < bytes) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

Postings TextIndex::PostingsOf(uint32_t word) const {
  if (word >= words_) return {};
  const uint64_t begin = posting_offsets_[word], end = posting_offsets_[uint64_t{word} + 1];
  if (begin > end || end > postings_.size()) {
    MarkDamaged();
    return {};
  }
  return {postings_.substr(begin, end - begin), documents(), damaged_};
}

void TextIndex::Read(uint32_t document, size_t most, Document* out) const {
  out->Clear();
  if (document >= documents()) return;
  const uint64_t begin = document_offsets_[document];
  const uint64_t end = document_offsets_[uint64_t{document} + 1];
  if (begin > end || end > documents_.size()) return MarkDamaged();
  Cursor in(documents_.substr(begin, end - begin));
  if (in.empty()) return;
  const uint64_t title = in.Varint(), words = in.Varint();
  if (words > in.left() || title > words) return MarkDamaged();
  out->title_words = static_cast<uint32_t>(std::min<uint64_t>(title, most));
  const auto damaged = [&] {
    out->Clear();
    MarkDamaged();
  };
  const uint64_t aliases = in.Varint();
  for (uint64_t i = 0; i < aliases && in.ok(); ++i) {
    const uint64_t at = in.Varint(), size = in.Varint();
    if (size == 0 || at > words || size > words - at) return damaged();
    if (at + size > most) continue;
    out->aliases.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(size)});
  }
  Cursor phrases(in.Sized());
  for (uint64_t at = 0; !phrases.empty();) {
    at += phrases.Varint();
    const uint64_t size = phrases.Varint(), word = phrases.Varint();
    if (!phrases.ok() || size == 0 || at > words || size > words - at || word >= words_) {
      return damaged();
    }
    if (at + size > most) break;
    out->phrases.push_back(
        {static_cast<uint32_t>(at), static_cast<uint32_t>(size), static_cast<uint32_t>(word)});
  }
  out->words.reserve(std::min<uint64_t>(words, most));
  for (uint64_t i = 0; i < words && i < most; ++i) {
    const uint64_t word = in.Varint();
    if (word >> kWordFlagBits >= words_) return damaged();
    out->words.push_back(static_cast<uint32_t>(word));
  }
  if (!in.ok()) damaged();
}

bool TextIndex::IsTitleAlone(uint32_t document) const {
  if (document >= documents()) return false;
  const uint64_t begin = document_offsets_[document];
  const uint64_t end = document_offsets_[uint64_t{document} + 1];
  if (begin > end || end > documents_.size()) return MarkDamaged(), false;
  if (begin == end) return false;
  Cursor in(documents_.substr(begin, end - begin));
  const uint64_t title = in.Varint();
  return in.Varint() == title;
}

// The hashes are spread evenly, so that where one would stand is nearly where it stands: three or
// four looks instead of log2(aliases).
TextIndex::Names TextIndex::FindNames(uint64_t hash) const {
  uint64_t low = 0, high = aliases_;
  uint64_t low_hash = 0, high_hash = UINT64_MAX;
  for (int step = 0; high - low > 8; ++step) {
    uint64_t at = low + (high - low) / 2;
    if (step < 8 && hash >= low_hash && hash <= high_hash && high_hash > low_hash) {
      const auto share = static_cast<unsigned __int128>(hash - low_hash) * (high - low);
      at = low + static_cast<uint64_t>(share / (high_hash - low_hash));
      at = std::min(at, high - 1);
    }
    const uint64_t there = AliasHashAt(at);
    if (there < hash) {
      low = at + 1;
      low_hash = there;
    } else {
      high = at;
      high_hash = there;
    }
  }
  while (low < aliases_ && AliasHashAt(low) < hash) ++low;
  Names names;
  names.begin = names.end = static_cast<uint32_t>(low);
  for (; low < aliases_ && AliasHashAt(low) == hash; ++low) {
    names.found = true;
    if (alias_documents_[low] >= documents()) break;  // only the beginning of a name: the last
    names.end = static_cast<uint32_t>(low) + 1;
  }
  return names;
}

}  // namespace loci
