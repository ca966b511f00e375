// SPDX-License-Identifier: Apache-2.0
//
// Terms are sorted by a prefix of eight bytes first, so that most comparisons touch no name. Rows
// are then scattered by subject (one counting sort over dense numbers) and each subject's few are
// sorted in place.
#include "memory/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace loci {
namespace {

// Orders as CompareTerms does, except that equal keys say nothing.
struct SortKey {
  uint64_t prefix;  // the first 8 bytes, big-endian; a text's tag separator counts as its end
  Batch::Ref ref;
  Kind kind;
};

SortKey KeyOf(TermView term, Batch::Ref ref) {
  uint64_t prefix = 0;
  const size_t n = std::min<size_t>(8, term.bytes.size());
  for (size_t i = 0; i < n; ++i) {
    const auto byte = static_cast<uint8_t>(term.bytes[i]);
    if (byte == 0xFF && term.kind == Kind::kText) break;
    prefix |= static_cast<uint64_t>(byte) << (56 - 8 * i);
  }
  return {prefix, ref, term.kind};
}

// The batch's terms that its rows use, in canonical order.
std::vector<Batch::Ref> SortedTerms(const Batch& batch) {
  std::vector<bool> used(batch.terms(), false);
  for (const Batch::Row& row : batch.rows()) {
    used[row.subject] = used[row.relation] = used[row.object] = used[row.source] = true;
  }
  std::vector<SortKey> keys;
  for (Batch::Ref ref = 0; ref < batch.terms(); ++ref) {
    if (used[ref]) keys.push_back(KeyOf(batch.Name(ref), ref));
  }
  std::sort(keys.begin(), keys.end(), [&batch](const SortKey& a, const SortKey& b) {
    if (a.kind != b.kind) return a.kind < b.kind;
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    return CompareTerms(batch.Name(a.ref), batch.Name(b.ref)) < 0;
  });
  std::vector<Batch::Ref> sorted(keys.size());
  std::transform(keys.begin(), keys.end(), sorted.begin(), [](const SortKey& k) { return k.ref; });
  return sorted;
}

// A row without its subject. `order` keeps the sort stable and carries the removed bit.
struct Entry {
  LocalId relation, object, source;
  uint32_t order;  // place among the subject's rows * 2 + removed

  bool SameStatement(const Entry& o) const { return SameFact(o) && source == o.source; }
  bool SameFact(const Entry& o) const { return relation == o.relation && object == o.object; }
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

// Builds the facts of a draft, subject by subject.
class FactBuilder {
 public:
  FactBuilder(Words words, const std::vector<Hash128>& ids, ImageDraft* draft)
      : words_(words), ids_(ids), draft_(draft) {}

  void AddSubject(LocalId subject, std::span<Entry> entries) {
    std::sort(entries.begin(), entries.end());
    for (size_t i = 0; i < entries.size();) {
      size_t end = i;
      members_.clear();
      while (end < entries.size() && entries[end].SameFact(entries[i])) {
        size_t last = end;
        while (last + 1 < entries.size() && entries[last + 1].SameStatement(entries[end])) ++last;
        const bool cancelled = words_ == Words::kAlternate && (last - end) % 2 == 1;
        if (!cancelled) AddMember(subject, entries[last]);
        end = last + 1;
      }
      if (!members_.empty()) {
        draft_->relation.push_back(entries[i].relation);
        draft_->object.push_back(entries[i].object);
        draft_->set.push_back(InternSet());
      }
      i = end;
    }
    draft_->row_offsets.push_back(static_cast<uint32_t>(draft_->relation.size()));
  }

 private:
  void AddMember(LocalId subject, const Entry& e) {
    const bool removed = e.order & 1;
    members_.push_back(uint64_t{e.source} * 2 + removed);
    const Hash256 hash =
        StatementHash(ids_[subject], ids_[e.relation], ids_[e.object], ids_[e.source]);
    removed ? draft_->digest.Subtract(hash) : draft_->digest.Add(hash);
  }

  // Most facts have the one source of the fact before.
  uint32_t InternSet() {
    if (draft_->sets.size() == 0 || !std::ranges::equal(draft_->sets[last_set_], members_)) {
      last_set_ = draft_->sets.Intern(members_);
    }
    return last_set_;
  }

  const Words words_;
  const std::vector<Hash128>& ids_;
  ImageDraft* const draft_;
  std::vector<uint64_t> members_;
  uint32_t last_set_ = 0;
};

// Statements that cancel may leave terms without a fact: what remains is numbered anew.
void DropUnusedTerms(std::vector<Batch::Ref>* sorted, std::vector<Hash128>* ids, const Batch& batch,
                     ImageDraft* draft) {
  std::vector<LocalId> number(sorted->size(), 0);
  const LocalId first_symbol = draft->first_symbol();
  for (LocalId r : draft->relation) number[r] = 1;
  for (LocalId o : draft->object) number[o] = 1;
  for (uint32_t set = 0; set < draft->sets.size(); ++set) {
    for (uint64_t member : draft->sets[set]) number[member / 2] = 1;
  }
  std::vector<uint32_t> offsets{0};
  for (size_t row = 0; row + 1 < draft->row_offsets.size(); ++row) {
    if (draft->row_offsets[row] != draft->row_offsets[row + 1]) number[first_symbol + row] = 1;
    if (number[first_symbol + row]) offsets.push_back(draft->row_offsets[row + 1]);
  }
  std::fill(std::begin(draft->terms), std::end(draft->terms), 0);
  LocalId next = 0;
  for (LocalId t = 0; t < sorted->size(); ++t) {
    if (!number[t]) continue;
    (*sorted)[next] = (*sorted)[t];
    (*ids)[next] = (*ids)[t];
    number[t] = next++;
    ++draft->terms[static_cast<int>(batch.Name((*sorted)[number[t]]).kind) - 1];
  }
  sorted->resize(next);
  ids->resize(next);
  draft->row_offsets = std::move(offsets);
  for (LocalId& r : draft->relation) r = number[r];
  for (LocalId& o : draft->object) o = number[o];
  draft->sets.Renumber(number);
}

}  // namespace

Result<void> BuildImage(const Batch& batch, Words words, std::string_view settings,
                        ImageSink* sink) {
  if (batch.size() > kMaxFacts || batch.terms() > kMaxTerms) {
    return Error{ErrorKind::kLimit,
                 fmt::format("{} statements with {} names are more than one image holds (2^32 - 2 "
                             "of each); learn them in smaller batches into several memories",
                             batch.size(), batch.terms())};
  }
  ImageDraft draft;
  draft.settings = settings;
  std::vector<Batch::Ref> sorted = SortedTerms(batch);
  std::vector<LocalId> number(batch.terms());
  std::vector<Hash128> ids(sorted.size());
  for (LocalId t = 0; t < sorted.size(); ++t) {
    const TermView term = batch.Name(sorted[t]);
    number[sorted[t]] = t;
    ids[t] = NameId(term);
    ++draft.terms[static_cast<int>(term.kind) - 1];
  }

  const LocalId first_symbol = draft.first_symbol();
  std::vector<uint32_t> begin(uint64_t{draft.terms[3]} + 1);
  for (const Batch::Row& row : batch.rows()) ++begin[number[row.subject] - first_symbol + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Entry> entries(batch.size());
  {
    std::vector<uint32_t> next(begin);
    for (size_t i = 0; i < batch.size(); ++i) {
      const Batch::Row& row = batch.rows()[i];
      const uint32_t bucket = number[row.subject] - first_symbol;
      const uint32_t at = next[bucket]++;
      entries[at] = {number[row.relation], number[row.object], number[row.source],
                     (at - begin[bucket]) * 2 + batch.removed(i)};
    }
  }

  for (auto* column : {&draft.relation, &draft.object, &draft.set}) column->reserve(batch.size());
  draft.row_offsets.reserve(begin.size());
  draft.row_offsets.push_back(0);
  FactBuilder facts(words, ids, &draft);
  for (uint32_t s = 0; s < draft.terms[3]; ++s) {
    facts.AddSubject(first_symbol + s, {entries.data() + begin[s], entries.data() + begin[s + 1]});
  }
  entries = {};
  if (words == Words::kAlternate) DropUnusedTerms(&sorted, &ids, batch, &draft);
  draft.name = [&](LocalId t) { return batch.Name(sorted[t]); };
  draft.id = [&](LocalId t) { return ids[t]; };
  return WriteImage(draft, sink);
}

Result<std::shared_ptr<const Image>> OpenOwned(std::string bytes, std::string name) {
  const auto owner = std::make_shared<const std::string>(std::move(bytes));
  return Image::Open(AsBytes(*owner), owner, std::move(name));
}

Result<std::shared_ptr<const Image>> BuildImage(const Batch& batch, Words words,
                                                std::string_view settings) {
  StringSink sink;
  LOCI_TRY(BuildImage(batch, words, settings, &sink));
  return OpenOwned(sink.take(), "tail");
}

}  // namespace loci
