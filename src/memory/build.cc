// SPDX-License-Identifier: Apache-2.0
//
// Terms are sorted eight bytes at a time, so that a comparison touches no name. Rows are then
// scattered by subject (one counting sort over dense numbers) and each subject's few are sorted in
// place.
#include "memory/build.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/huge_vector.h"

namespace loci {
namespace {

// Eight bytes of a term. Of terms of one kind that agree before these bytes, (bytes, count) orders
// as CompareTerms does, and says nothing only where both go on behind them.
struct SortKey {
  uint64_t bytes;  // big-endian; of texts each plus 1, so that the separator 0xFF comes first
  Batch::Ref ref;
  uint32_t count;  // how many bytes are the term's, the rest being 0; 9: more follow

  bool operator<(const SortKey& o) const {
    return bytes != o.bytes ? bytes < o.bytes : count < o.count;
  }
};

SortKey KeyOf(TermView term, Batch::Ref ref, size_t from) {
  const std::string_view rest = term.bytes.substr(from);
  const size_t n = std::min<size_t>(8, rest.size());
  const uint8_t shift = term.kind == Kind::kText;
  uint64_t bytes = 0;
  for (size_t i = 0; i < n; ++i) {
    bytes |= uint64_t{static_cast<uint8_t>(static_cast<uint8_t>(rest[i]) + shift)} << (56 - 8 * i);
  }
  return {bytes, ref, static_cast<uint32_t>(std::min<size_t>(9, rest.size()))};
}

// Keys of terms of one kind that agree in the first `from` bytes. Long texts that agree in much are
// compared as they are, so that the depth is bounded.
void SortTerms(std::span<SortKey> keys, size_t from, const Batch& batch) {
  constexpr size_t kDeep = 64;
  if (from == kDeep) {
    std::sort(keys.begin(), keys.end(), [&batch](const SortKey& a, const SortKey& b) {
      return CompareTerms(batch.Name(a.ref), batch.Name(b.ref)) < 0;
    });
    return;
  }
  for (SortKey& key : keys) key = KeyOf(batch.Name(key.ref), key.ref, from);
  std::sort(keys.begin(), keys.end());
  for (size_t i = 0; i < keys.size();) {
    size_t end = i + 1;
    while (end < keys.size() && !(keys[i] < keys[end])) ++end;
    if (end - i > 1) SortTerms(keys.subspan(i, end - i), from + 8, batch);
    i = end;
  }
}

// The batch's terms that its rows use, in canonical order.
std::vector<Batch::Ref> SortedTerms(const Batch& batch, const std::vector<bool>& used) {
  std::vector<SortKey> keys[kKinds];
  for (Batch::Ref ref = 0; ref < batch.terms(); ++ref) {
    if (used[ref]) keys[static_cast<int>(batch.Name(ref).kind) - 1].push_back({0, ref, 0});
  }
  std::vector<Batch::Ref> sorted;
  for (auto& of_kind : keys) {
    SortTerms(of_kind, 0, batch);
    for (const SortKey& key : of_kind) sorted.push_back(key.ref);
  }
  return sorted;
}

// A row without its subject. `order` keeps the sort stable and carries the removed bit.
struct Entry {
  LocalId object, relation;
  uint32_t order;  // place among the subject's rows * 2 + removed
  LocalId source;

  bool SameStatement(const Entry& o) const { return SameFact(o) && source == o.source; }
  bool SameFact(const Entry& o) const { return relation == o.relation && object == o.object; }
  // Two numbers of 64 bits: the comparison is a third of that of four numbers.
  bool operator<(const Entry& o) const {
    const auto fact = [](const Entry& e) { return uint64_t{e.relation} << 32 | e.object; };
    const auto rest = [](const Entry& e) { return uint64_t{e.source} << 32 | e.order; };
    return fact(*this) != fact(o) ? fact(*this) < fact(o) : rest(*this) < rest(o);
  }
};

// Builds the facts of a draft, subject by subject.
class FactBuilder {
 public:
  FactBuilder(Words words, const HugeVector<Hash128>& ids, ImageDraft* draft)
      : words_(words), ids_(ids), draft_(draft) {}

  void AddSubject(LocalId subject, std::span<Entry> entries) {
    for (const Entry& e : entries) __builtin_prefetch(&ids_[e.object]);  // for their hashes
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
  const HugeVector<Hash128>& ids_;
  ImageDraft* const draft_;
  std::vector<uint64_t> members_;
  uint32_t last_set_ = 0;
};

// Statements that cancel may leave terms without a fact: what remains is numbered anew.
void DropUnusedTerms(std::vector<Batch::Ref>* sorted, HugeVector<Hash128>* ids, const Batch& batch,
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

// The rows by subject, in terms' final numbers. It waits for three places far apart, one behind the
// other; they are asked for ahead.
HugeVector<Entry> Scatter(const Batch& batch, const HugeVector<LocalId>& number,
                          LocalId first_symbol, const HugeVector<uint32_t>& begin) {
  constexpr size_t kFar = 32, kNear = 16;
  const std::vector<Batch::Row>& rows = batch.rows();
  HugeVector<uint32_t> next(begin);
  HugeVector<Entry> entries(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i + kFar < rows.size()) {
      __builtin_prefetch(&number[rows[i + kFar].subject]);
      __builtin_prefetch(&number[rows[i + kFar].object]);
      __builtin_prefetch(&next[number[rows[i + kNear].subject] - first_symbol]);
    }
    const Batch::Row& row = rows[i];
    const uint32_t bucket = number[row.subject] - first_symbol;
    const uint32_t at = next[bucket]++;
    // Without removed words rows of one statement are the same, in whatever order.
    const uint32_t order =
        batch.any_removed() ? (at - begin[bucket]) * 2 + batch.removed(i) : uint32_t{0};
    entries[at] = {number[row.object], number[row.relation], order, number[row.source]};
  }
  return entries;
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
  std::vector<bool> used(batch.terms(), false);
  HugeVector<uint32_t> rows_of;  // by subject
  rows_of.assign(batch.terms(), 0);
  for (const Batch::Row& row : batch.rows()) {
    used[row.subject] = used[row.relation] = used[row.object] = used[row.source] = true;
    ++rows_of[row.subject];
  }
  std::vector<Batch::Ref> sorted = SortedTerms(batch, used);
  HugeVector<LocalId> number(batch.terms());
  HugeVector<Hash128> ids(sorted.size());
  for (LocalId t = 0; t < sorted.size(); ++t) {
    const TermView term = batch.Name(sorted[t]);
    number[sorted[t]] = t;
    ids[t] = NameId(term);
    ++draft.terms[static_cast<int>(term.kind) - 1];
  }

  const LocalId first_symbol = draft.first_symbol();
  HugeVector<uint32_t> begin;  // by symbol: where its entries begin
  begin.reserve(uint64_t{draft.terms[3]} + 1);
  begin.push_back(0);
  for (LocalId t = first_symbol; t < sorted.size(); ++t) {
    begin.push_back(begin.back() + rows_of[sorted[t]]);
  }
  HugeVector<Entry> entries = Scatter(batch, number, first_symbol, begin);

  for (auto* column : {&draft.relation, &draft.object, &draft.set}) column->reserve(batch.size());
  draft.row_offsets.reserve(begin.size());
  draft.row_offsets.push_back(0);
  FactBuilder facts(words, ids, &draft);
  for (uint32_t s = 0; s < draft.terms[3]; ++s) {
    facts.AddSubject(first_symbol + s, {entries.data() + begin[s], entries.data() + begin[s + 1]});
  }
  entries = HugeVector<Entry>();
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
