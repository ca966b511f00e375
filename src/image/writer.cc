// SPDX-License-Identifier: Apache-2.0
#include "image/writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "base/huge_vector.h"
#include "image/section_writer.h"
#include "image/text_writer.h"

namespace loci {
namespace {

// Terms that play a part (relation, source), dense in the order of the terms.
class Dense {
 public:
  explicit Dense(uint32_t terms) : number_(terms, 0) {}
  void Mark(LocalId term) { number_[term] = 1; }
  void Number() {
    for (LocalId t = 0; t < number_.size(); ++t) {
      if (number_[t] == 0) continue;
      number_[t] = static_cast<uint32_t>(terms_.size());
      terms_.push_back(t);
    }
  }
  uint32_t operator[](LocalId term) const { return number_[term]; }
  const std::vector<LocalId>& terms() const { return terms_; }

 private:
  std::vector<uint32_t> number_;
  std::vector<LocalId> terms_;
};

Result<void> WriteNames(const ImageDraft& draft, SectionWriter* out) {
  const uint32_t terms = draft.all_terms();
  LOCI_TRY(out->Open(kNameBytes, 1));
  std::vector<uint64_t> offsets(uint64_t{terms} + 1), hashes(terms);
  std::string chunk;
  for (LocalId t = 0; t < terms; ++t) {
    const TermView name = draft.name(t);
    hashes[t] = Image::NameHash(name);
    offsets[t + uint64_t{1}] = offsets[t] + name.bytes.size();
    chunk.append(name.bytes);
    if (chunk.size() < SectionWriter::kBufferBytes) continue;
    LOCI_TRY(out->Add(chunk));
    chunk.clear();
  }
  LOCI_TRY(out->Add(chunk));
  LOCI_TRY(out->Close());
  LOCI_TRY(out->Whole(kNameOffsets, 8,
                      {reinterpret_cast<const char*>(offsets.data()), 8 * offsets.size()}));
  offsets = std::vector<uint64_t>();
  LOCI_TRY(out->Open(kNameIds, 16));
  LOCI_TRY(out->Elements(terms, 16, [&](uint64_t t, char* place) {
    const Hash128 id = draft.id(static_cast<LocalId>(t));
    std::memcpy(place, &id, 16);
  }));
  LOCI_TRY(out->Close());

  // At most half full: a wrong candidate costs two cache misses, a free slot none.
  constexpr LocalId kAhead = 16;
  HugeVector<uint32_t> slots;
  slots.assign(std::bit_ceil(2 * uint64_t{terms} + 1), 0);
  const uint64_t mask = slots.size() - 1;
  for (LocalId t = 0; t < terms; ++t) {
    if (terms - t > kAhead) __builtin_prefetch(&slots[hashes[t + kAhead] & mask]);
    uint64_t i = hashes[t];
    while (slots[i & mask] != 0) ++i;
    slots[i & mask] = t + 1;
  }
  return out->Whole(kNameSlots, 4, {reinterpret_cast<const char*>(slots.data()), 4 * slots.size()});
}

// The facts again, by object and by relation.
struct Turned {
  HugeVector<uint32_t> offsets;      // terms + 1, into entries
  HugeVector<uint64_t> entries;      // dense relation << 32 | subject
  std::vector<RelationEntry> table;  // relations + 1
  std::vector<LocalId> relation_subjects;
};

// For each row calls visit(subject, relation) once for each of its relations (dense).
template <class Visit>
void EachRelationOfRows(const ImageDraft& draft, const Dense& relations, Visit visit) {
  for (uint64_t row = 0; row + 1 < draft.row_offsets.size(); ++row) {
    const auto subject = static_cast<LocalId>(draft.first_symbol() + row);
    const uint32_t begin = draft.row_offsets[row], end = draft.row_offsets[row + 1];
    for (uint32_t f = begin; f < end; ++f) {
      if (f > begin && draft.relation[f] == draft.relation[f - 1]) continue;
      visit(subject, relations[draft.relation[f]]);
    }
  }
}

// A counting sort by object, after which each object's entries, mostly few, are sorted in place. (A
// counting sort by relation before it needs half as much memory again, and another random pass.)
Turned Turn(const ImageDraft& draft, const Dense& relations) {
  const uint64_t facts = draft.relation.size();
  const uint32_t terms = draft.all_terms();
  Turned turned;
  turned.table.resize(relations.terms().size() + 1);
  for (size_t r = 0; r < relations.terms().size(); ++r) turned.table[r].term = relations.terms()[r];

  turned.offsets.assign(uint64_t{terms} + 1, 0);
  for (LocalId object : draft.object) ++turned.offsets[object + uint64_t{1}];
  std::partial_sum(turned.offsets.begin(), turned.offsets.end(), turned.offsets.begin());
  turned.entries.resize(facts);
  {
    HugeVector<uint32_t> next(turned.offsets);
    for (uint64_t row = 0; row + 1 < draft.row_offsets.size(); ++row) {
      const uint64_t subject = draft.first_symbol() + row;
      for (uint32_t f = draft.row_offsets[row]; f < draft.row_offsets[row + 1]; ++f) {
        const uint64_t relation = relations[draft.relation[f]];
        turned.entries[next[draft.object[f]]++] = relation << 32 | subject;
      }
    }
  }
  for (uint32_t object = 0; object < terms; ++object) {
    uint64_t* const begin = turned.entries.data() + turned.offsets[object];
    uint64_t* const end = turned.entries.data() + turned.offsets[object + uint64_t{1}];
    if (!std::is_sorted(begin, end)) std::sort(begin, end);
    for (uint64_t* e = begin; e < end; ++e) {
      RelationEntry& relation = turned.table[*e >> 32];
      ++relation.facts;
      relation.objects += e == begin || *e >> 32 != e[-1] >> 32;
    }
  }

  std::vector<uint32_t> next(turned.table.size());
  EachRelationOfRows(draft, relations, [&](LocalId, uint32_t relation) { ++next[relation]; });
  uint32_t first = 0;
  for (size_t r = 0; r < next.size(); ++r) {
    turned.table[r].first_subject = first;
    first += std::exchange(next[r], first);
  }
  turned.relation_subjects.resize(first);
  EachRelationOfRows(draft, relations, [&](LocalId subject, uint32_t relation) {
    turned.relation_subjects[next[relation]++] = subject;
  });
  return turned;
}

Result<void> WriteSources(const ImageDraft& draft, const Dense& sources,
                          const std::vector<uint32_t>& order, SectionWriter* out) {
  const auto& terms = sources.terms();
  LOCI_TRY(out->WriteColumn(kSourceTerms, terms.size(), terms.empty() ? 0 : terms.back(),
                            [&](uint64_t i) { return terms[i]; }));
  std::vector<uint32_t> offsets{0}, members;
  for (uint32_t set : order) {
    for (uint64_t member : draft.sets[set]) {
      const auto term = static_cast<LocalId>(member / 2);
      members.push_back(sources[term] * 2 + static_cast<uint32_t>(member & 1));
    }
    offsets.push_back(static_cast<uint32_t>(members.size()));
  }
  LOCI_TRY(out->WriteColumn(kSetOffsets, offsets.size(), offsets.back(),
                            [&](uint64_t i) { return offsets[i]; }));
  const uint32_t largest = members.empty() ? 0 : *std::max_element(members.begin(), members.end());
  return out->WriteColumn(kSetMembers, members.size(), largest,
                          [&](uint64_t i) { return members[i]; });
}

}  // namespace

uint32_t SourceSets::Intern(std::span<const uint64_t> members) {
  const uint64_t hash = Xxh3({reinterpret_cast<const char*>(members.data()), members.size_bytes()});
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    if (std::ranges::equal((*this)[it->second], members)) return it->second;
  }
  members_.insert(members_.end(), members.begin(), members.end());
  begin_.push_back(members_.size());
  by_hash_.emplace(hash, size() - 1);
  return size() - 1;
}

void SourceSets::Renumber(const std::vector<LocalId>& renumber) {
  for (uint64_t& member : members_) {
    member = uint64_t{renumber[member / 2]} * 2 + (member & 1);
  }
  by_hash_.clear();  // of the old members; no set is added after this
}

Result<void> StringSink::Append(std::string_view bytes) {
  bytes_.append(bytes);
  return {};
}

Result<void> StringSink::SetHead(std::string_view bytes) {
  bytes_.replace(0, bytes.size(), bytes);
  return {};
}

Result<void> FileSink::Append(std::string_view bytes) {
  buffer_.append(bytes);
  if (buffer_.size() < kWholeBytes) return {};
  const size_t whole = buffer_.size() / kWholeBytes * kWholeBytes;
  LOCI_TRY(file_->WriteAt(written_, {buffer_.data(), whole}));
  written_ += whole;
  buffer_.erase(0, whole);
  return {};
}

Result<void> FileSink::Flush() {
  LOCI_TRY(file_->WriteAt(written_, buffer_));
  written_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<void> FileSink::SetHead(std::string_view bytes) {
  LOCI_TRY(Flush());
  return file_->WriteAt(0, bytes);
}

Result<void> WriteImage(const ImageDraft& draft, ImageSink* sink) {
  const uint32_t terms = draft.all_terms();
  const uint64_t facts = draft.relation.size();
  Dense relations(terms), sources(terms);
  for (LocalId r : draft.relation) relations.Mark(r);
  relations.Number();

  // Sets in the order of their members; how many statements each stands for.
  std::vector<uint32_t> order(draft.sets.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(draft.sets[a], draft.sets[b]);
  });
  std::vector<uint32_t> set_number(order.size());
  std::vector<uint64_t> set_learned(order.size()), set_removed(order.size());
  for (uint32_t i = 0; i < order.size(); ++i) {
    set_number[order[i]] = i;
    for (uint64_t member : draft.sets[order[i]]) {
      sources.Mark(static_cast<LocalId>(member / 2));
      ++(member & 1 ? set_removed : set_learned)[order[i]];
    }
  }
  sources.Number();

  ImageHeader header{};
  std::memcpy(header.magic, kImageMagic, sizeof header.magic);
  header.version = draft.version;
  header.sections = SectionsOf(draft.version);
  std::copy(std::begin(draft.terms), std::end(draft.terms), header.terms);
  header.facts = static_cast<uint32_t>(facts);
  header.relations = static_cast<uint32_t>(relations.terms().size());
  header.sources = static_cast<uint32_t>(sources.terms().size());
  header.source_sets = draft.sets.size();
  for (uint32_t set : draft.set) {
    header.learned_statements += set_learned[set];
    header.removed_statements += set_removed[set];
  }
  std::copy(draft.digest.limb.begin(), draft.digest.limb.end(), header.digest);

  SectionWriter out(sink, SectionsOf(draft.version));
  LOCI_TRY(out.Begin());
  LOCI_TRY(out.Whole(kSettings, 1, draft.settings));
  LOCI_TRY(WriteNames(draft, &out));
  LOCI_TRY(out.WriteColumn(kRowOffsets, draft.row_offsets.size(), facts,
                           [&](uint64_t i) { return draft.row_offsets[i]; }));
  LOCI_TRY(out.WriteColumn(kRowRelations, facts, header.relations,
                           [&](uint64_t i) { return relations[draft.relation[i]]; }));
  LOCI_TRY(out.WriteColumn(kRowObjects, facts, terms, [&](uint64_t i) { return draft.object[i]; }));
  LOCI_TRY(out.WriteColumn(kRowSets, facts, header.source_sets,
                           [&](uint64_t i) { return set_number[draft.set[i]]; }));
  {
    const Turned turned = Turn(draft, relations);
    LOCI_TRY(out.WriteColumn(kInverseOffsets, turned.offsets.size(), facts,
                             [&](uint64_t i) { return turned.offsets[i]; }));
    LOCI_TRY(out.WriteColumn(kInverseRelations, facts, header.relations,
                             [&](uint64_t i) { return turned.entries[i] >> 32; }));
    LOCI_TRY(out.WriteColumn(kInverseSubjects, facts, terms,
                             [&](uint64_t i) { return turned.entries[i]; }));
    LOCI_TRY(out.Whole(kRelationTable, sizeof(RelationEntry),
                       {reinterpret_cast<const char*>(turned.table.data()),
                        sizeof(RelationEntry) * turned.table.size()}));
    LOCI_TRY(out.WriteColumn(kRelationSubjects, turned.relation_subjects.size(), terms,
                             [&](uint64_t i) { return turned.relation_subjects[i]; }));
  }
  LOCI_TRY(WriteSources(draft, sources, order, &out));
  if (draft.version > kFirstImageVersion) LOCI_TRY(WriteText(draft, &out));
  return out.Finish(header);
}

}  // namespace loci
