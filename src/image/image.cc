// SPDX-License-Identifier: Apache-2.0
#include "image/image.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace loci {
namespace {

const char* const kSectionNames[kSections] = {
    "settings",         "name bytes",        "name offsets",      "name ids",
    "name slots",       "row offsets",       "row relations",     "row objects",
    "row sets",         "inverse offsets",   "inverse relations", "inverse subjects",
    "relation table",   "relation subjects", "source terms",      "set offsets",
    "set members",      "word bytes",        "word offsets",      "word slots",
    "word documents",   "posting offsets",   "postings",          "document lengths",
    "document offsets", "documents",         "alias hashes",      "alias documents"};

Error Damaged(const std::string& name, std::string what) {
  return {ErrorKind::kDamaged,
          fmt::format("{} is damaged: {}; restore it from a copy", name, what)};
}

// The first entry of [range) whose value is not less than the key; values ascend.
template <class At>
uint32_t LowerBound(Range range, uint32_t key, At at) {
  uint32_t begin = range.begin, count = range.size();
  while (count > 0) {
    const uint32_t half = count / 2;
    if (at(begin + half) < key) {
      begin += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return begin;
}

// The part of a range, ascending in `column`, where it has the value.
Range EqualRange(Range range, const Column& column, uint32_t value) {
  const auto at = [&column](uint32_t i) { return column[i]; };
  const uint32_t begin = LowerBound(range, value, at);
  if (begin == range.end || column[begin] != value) return {begin, begin};
  return {begin, LowerBound({begin, range.end}, value + 1, at)};
}

}  // namespace

const char* SectionName(uint32_t section) {
  return section < kSections ? kSectionNames[section] : "unknown section";
}

Result<std::shared_ptr<const Image>> Image::Open(Bytes bytes, std::shared_ptr<const void> owner,
                                                 std::string name) {
  std::shared_ptr<Image> image(new Image);
  image->name_ = std::move(name);
  image->bytes_ = bytes;
  image->owner_ = std::move(owner);
  LOCI_TRY(image->Bind());
  return std::shared_ptr<const Image>(std::move(image));
}

Result<void> Image::Bind() {
  if (bytes_.size() < sizeof header_) {
    return Damaged(name_, fmt::format("{} bytes are fewer than a header", bytes_.size()));
  }
  header_ = Load<ImageHeader>(bytes_.data());
  if (std::memcmp(header_.magic, kImageMagic, sizeof header_.magic) != 0) {
    return Damaged(name_, "it does not begin as an image does");
  }
  if (header_.version < kFirstImageVersion || header_.version > kImageVersion) {
    return Error{
        ErrorKind::kUnsupported,
        fmt::format("{} has format version {}, this program reads versions {} to {}; open it "
                    "with the program that wrote it and export",
                    name_, header_.version, kFirstImageVersion, kImageVersion)};
  }
  const std::string_view chars = AsChars(bytes_);
  const size_t checked = offsetof(ImageHeader, header_checksum);
  if (Xxh3(chars.substr(0, checked)) != header_.header_checksum) {
    return Damaged(name_, "the header's checksum does not hold");
  }
  if (header_.length != bytes_.size()) {
    return Damaged(
        name_, fmt::format("it has {} bytes, its header says {}", bytes_.size(), header_.length));
  }
  const uint32_t sections = SectionsOf(header_.version);
  const uint64_t table_bytes = sections * sizeof(SectionEntry);
  if (header_.sections != sections || bytes_.size() < sizeof header_ + table_bytes ||
      Xxh3(chars.substr(sizeof header_, table_bytes)) != header_.table_checksum) {
    return Damaged(name_, "the section table's checksum does not hold");
  }

  uint64_t terms = 0;
  for (uint32_t n : header_.terms) terms += n;
  if (terms > kMaxTerms) return Damaged(name_, "more terms than an image holds");
  terms_ = static_cast<uint32_t>(terms);
  first_symbol_ = terms_ - header_.terms[3];
  const uint64_t symbols = header_.terms[3], facts = header_.facts;

  // What each section must measure: elements, and their width (0: a column's own).
  constexpr uint64_t kAny = UINT64_MAX;
  const struct {
    uint64_t count;
    uint32_t width;
  } expected[kSections] = {{kAny, 1},
                           {kAny, 1},
                           {terms + 1, 8},
                           {terms, 16},
                           {kAny, 4},
                           {symbols + 1, 0},
                           {facts, 0},
                           {facts, 0},
                           {facts, 0},
                           {terms + 1, 0},
                           {facts, 0},
                           {facts, 0},
                           {header_.relations + uint64_t{1}, sizeof(RelationEntry)},
                           {kAny, 0},
                           {header_.sources, 0},
                           {header_.source_sets + uint64_t{1}, 0},
                           {kAny, 0},
                           {kAny, 1},
                           {kAny, 0},
                           {kAny, 4},
                           {kAny, 0},
                           {kAny, 0},
                           {kAny, 1},
                           {symbols, 1},
                           {symbols + 1, 0},
                           {kAny, 1},
                           {kAny, 8},
                           {kAny, 0}};
  SectionEntry entries[kSections] = {};
  for (uint32_t s = 0; s < sections; ++s) {
    entries[s] = Load<SectionEntry>(bytes_.data() + sizeof header_ + s * sizeof(SectionEntry));
    const SectionEntry& e = entries[s];
    const uint32_t width = expected[s].width;
    const bool width_ok = width ? e.width == width : e.width == 1 || e.width == 2 || e.width == 4;
    if (e.section != s || !width_ok || e.offset % 8 != 0 || e.offset > bytes_.size() ||
        e.length > bytes_.size() - e.offset || e.length % e.width != 0 ||
        (expected[s].count != kAny && e.length / e.width != expected[s].count)) {
      return Damaged(name_,
                     fmt::format("the place of section \"{}\" is not possible", SectionName(s)));
    }
  }
  const auto data = [&](Section s) { return bytes_.data() + entries[s].offset; };
  const auto text = [&](Section s) {
    return AsChars(bytes_.subspan(entries[s].offset, entries[s].length));
  };
  const auto column = [&](Section s) {
    return Column(data(s), entries[s].length / entries[s].width,
                  static_cast<uint8_t>(entries[s].width));
  };
  settings_ = text(kSettings);
  name_bytes_ = text(kNameBytes);
  name_offsets_ = data(kNameOffsets);
  name_ids_ = data(kNameIds);
  name_slots_ = data(kNameSlots);
  const uint64_t slots = entries[kNameSlots].length / 4;
  if (!std::has_single_bit(slots) || slots <= terms) {
    return Damaged(name_, "the size of section \"name slots\" is not possible");
  }
  slot_mask_ = slots - 1;
  row_offsets_ = column(kRowOffsets);
  row_relation_ = column(kRowRelations);
  row_object_ = column(kRowObjects);
  row_set_ = column(kRowSets);
  inverse_offsets_ = column(kInverseOffsets);
  inverse_relation_ = column(kInverseRelations);
  inverse_subject_ = column(kInverseSubjects);
  relation_table_ = data(kRelationTable);
  relation_subjects_ = column(kRelationSubjects);
  source_terms_ = column(kSourceTerms);
  set_offsets_ = column(kSetOffsets);
  set_members_ = column(kSetMembers);
  text_.damaged_ = &damaged_;
  if (header_.version == kFirstImageVersion) return {};

  text_.present_ = true;
  text_.word_bytes_ = text(kWordBytes);
  text_.word_offsets_ = column(kWordOffsets);
  text_.word_slots_ = data(kWordSlots);
  text_.word_documents_ = column(kWordDocuments);
  text_.posting_offsets_ = column(kPostingOffsets);
  text_.postings_ = text(kPostings);
  text_.lengths_ = text(kDocumentLengths);
  text_.document_offsets_ = column(kDocumentOffsets);
  text_.documents_ = text(kDocuments);
  text_.alias_hashes_ = data(kAliasHashes);
  text_.aliases_ = entries[kAliasHashes].length / 8;
  text_.alias_documents_ = column(kAliasDocuments);
  const uint64_t words = text_.word_documents_.size();
  const uint64_t word_slots = entries[kWordSlots].length / 4;
  text_.words_ = static_cast<uint32_t>(words);
  text_.slot_mask_ = word_slots - 1;
  if (!std::has_single_bit(word_slots) || word_slots <= words ||
      text_.word_offsets_.size() != words + 1 || text_.posting_offsets_.size() != words + 1 ||
      text_.alias_documents_.size() != text_.aliases_) {
    return Damaged(name_, "the sizes of the sections of text do not fit each other");
  }
  return {};
}

Range Image::CheckRange(uint64_t begin, uint64_t end, uint64_t size) const {
  if (begin <= end && end <= size) [[likely]] {
    return {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  MarkDamaged();
  return {};
}

Kind Image::KindOf(LocalId id) const {
  if (id >= first_symbol_) return Kind::kSymbol;
  if (id < header_.terms[0]) return Kind::kNumber;
  return id < header_.terms[0] + header_.terms[1] ? Kind::kDate : Kind::kText;
}

LocalId Image::TermAt(uint64_t offset) const {
  LocalId low = 0, high = terms_;  // the last term that begins at or before it is in [low, high)
  while (high - low > 1) {
    const LocalId middle = low + (high - low) / 2;
    if (loci::Load<uint64_t>(name_offsets_ + 8 * uint64_t{middle}) <= offset) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

TermView Image::Name(LocalId id) const {
  if (id >= terms_) {
    MarkDamaged();
    return {};
  }
  const uint64_t begin = loci::Load<uint64_t>(name_offsets_ + 8 * uint64_t{id});
  const uint64_t end = loci::Load<uint64_t>(name_offsets_ + 8 * (uint64_t{id} + 1));
  if (begin > end || end > name_bytes_.size()) {
    MarkDamaged();
    return {KindOf(id), {}};
  }
  return {KindOf(id), name_bytes_.substr(begin, end - begin)};
}

Hash128 Image::Id(LocalId id) const {
  if (id >= terms_) {
    MarkDamaged();
    return {};
  }
  return loci::Load<Hash128>(name_ids_ + 16 * uint64_t{id});
}

uint64_t Image::NameHash(TermView term) {
  return Xxh3(term.bytes, static_cast<uint64_t>(term.kind));
}

std::optional<LocalId> Image::Find(TermView term, uint64_t name_hash) const {
  // Bounded by the number of slots, so that a damaged table without a free one cannot hang us.
  for (uint64_t i = 0; i <= slot_mask_; ++i) {
    const auto slot = loci::Load<uint32_t>(name_slots_ + 4 * ((name_hash + i) & slot_mask_));
    if (slot == 0) return std::nullopt;
    if (slot > terms_) break;
    // Most names are asked for to see their facts: where these are is brought near meanwhile.
    if (slot > first_symbol_) row_offsets_.Prefetch(slot - 1 - first_symbol_);
    if (Name(slot - 1) == term) return slot - 1;
  }
  MarkDamaged();
  return std::nullopt;
}

LocalId Image::RelationTerm(uint32_t relation) const {
  return CheckTerm(Relation(relation).term);
}

std::optional<uint32_t> Image::FindRelation(LocalId symbol) const {
  const auto at = [this](uint32_t i) {
    return loci::Load<uint32_t>(relation_table_ + sizeof(RelationEntry) * i);
  };
  const uint32_t i = LowerBound({0, relations()}, symbol, at);
  if (i == relations() || at(i) != symbol) return std::nullopt;
  return i;
}

RelationEntry Image::Relation(uint32_t relation) const {
  if (relation < relations()) [[likely]] {
    return loci::Load<RelationEntry>(relation_table_ + sizeof(RelationEntry) * relation);
  }
  MarkDamaged();
  return {};
}

uint32_t Image::RelationFacts(uint32_t relation) const {
  return Relation(relation).facts;
}

uint32_t Image::RelationObjects(uint32_t relation) const {
  return Relation(relation).objects;
}

Range Image::RelationSubjects(uint32_t relation) const {
  if (relation >= relations()) {
    MarkDamaged();
    return {};
  }
  const auto* next = relation_table_ + sizeof(RelationEntry) * (uint64_t{relation} + 1);
  return CheckRange(Relation(relation).first_subject, loci::Load<RelationEntry>(next).first_subject,
                    relation_subjects_.size());
}

LocalId Image::SubjectOfRelation(uint32_t entry) const {
  return CheckTerm(relation_subjects_[entry]);
}

Range Image::Row(LocalId subject) const {
  if (subject < first_symbol_ || subject >= terms_) return {};
  const uint64_t i = subject - first_symbol_;
  return CheckRange(row_offsets_[i], row_offsets_[i + 1], facts());
}

Range Image::Row(LocalId subject, uint32_t relation) const {
  const Range row = Row(subject);
  row_object_.Prefetch(row.begin);
  return EqualRange(row, row_relation_, relation);
}

std::optional<uint32_t> Image::FindFact(LocalId subject, uint32_t relation, LocalId object) const {
  const Range row = Row(subject, relation);
  const uint32_t i = LowerBound(row, object, [this](uint32_t f) { return row_object_[f]; });
  if (i == row.end || row_object_[i] != object) return std::nullopt;
  return i;
}

Range Image::Inverse(LocalId object) const {
  if (object >= terms_) return {};
  return CheckRange(inverse_offsets_[object], inverse_offsets_[uint64_t{object} + 1], facts());
}

Range Image::Inverse(LocalId object, uint32_t relation) const {
  return EqualRange(Inverse(object), inverse_relation_, relation);
}

LocalId Image::SourceTerm(uint32_t source) const {
  if (source < source_terms_.size()) [[likely]]
    return CheckTerm(source_terms_[source]);
  MarkDamaged();
  return 0;
}

uint32_t Image::FactSet(uint32_t fact) const {
  const uint32_t set = row_set_[fact];
  if (set < header_.source_sets) [[likely]]
    return set;
  MarkDamaged();
  return 0;
}

uint32_t Image::SetSize(uint32_t set) const {
  if (set >= header_.source_sets) {
    MarkDamaged();
    return 0;
  }
  return CheckRange(set_offsets_[set], set_offsets_[uint64_t{set} + 1], set_members_.size()).size();
}

SourceMark Image::SetMember(uint32_t set, uint32_t i) const {
  const uint32_t member = set_members_[uint64_t{set_offsets_[set]} + i];
  return {SourceTerm(member / 2), (member & 1) != 0};
}

std::optional<SourceMark> Image::FindInSet(uint32_t set, LocalId source) const {
  const uint32_t size = SetSize(set);
  const auto at = [&](uint32_t i) { return SetMember(set, i).source; };
  const uint32_t i = LowerBound({0, size}, source, at);
  if (i == size || at(i) != source) return std::nullopt;
  return SetMember(set, i);
}

Sum256 Image::digest() const {
  Sum256 sum;
  std::copy(std::begin(header_.digest), std::end(header_.digest), sum.limb.begin());
  return sum;
}

std::string_view Image::settings() const {
  return settings_;
}

Result<void> Image::damage() const {
  if (!damaged_.load(std::memory_order_relaxed)) return {};
  return Damaged(name_, "an offset or id points outside of it (`loci check` says where)");
}

}  // namespace loci
