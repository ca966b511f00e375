// SPDX-License-Identifier: Apache-2.0
//
// Verification: an image is a function of its terms and facts, so it is right exactly when these are
// well-formed and writing them again gives the same bytes. What the writer derives (ids, slots, the
// inverse, the tables) thus needs no check of its own; a first differing byte names its section.
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/decimal.h"
#include "base/unicode.h"
#include "image/image.h"
#include "image/writer.h"

namespace loci {
namespace {

Error Wrong(const Image& image, std::string what) {
  return {ErrorKind::kDamaged,
          fmt::format("{} is damaged: {}; restore it from a copy", image.name(), what)};
}

// Accepts the bytes that are already there.
class CompareSink : public ImageSink {
 public:
  explicit CompareSink(const Image& image) : image_(image) {}

  Result<void> Append(std::string_view bytes) override {
    // The first bytes are the place of the head, whose real content comes at the end.
    if (at_ == 0) {
      at_ = bytes.size();
      return {};
    }
    const uint64_t at = at_;
    at_ += bytes.size();
    return Compare(at, bytes);
  }
  Result<void> SetHead(std::string_view bytes) override { return Compare(0, bytes); }

 private:
  Result<void> Compare(uint64_t at, std::string_view bytes) const {
    const std::string_view there = AsChars(image_.bytes());
    if (at <= there.size() && there.substr(at, bytes.size()) == bytes) return {};
    const auto* table = there.data() + sizeof(ImageHeader);
    const char* where = "header";
    for (uint32_t s = 0; s < kSections; ++s) {
      const auto entry = Load<SectionEntry>(table + s * sizeof(SectionEntry));
      if (entry.offset < at + bytes.size()) where = SectionName(s);
    }
    return Wrong(image_, fmt::format("section \"{}\" is not what its terms and facts give",
                                     at == 0 ? "header" : where));
  }

  const Image& image_;
  uint64_t at_ = 0;
};

bool WellFormed(TermView term) {
  switch (term.kind) {
    case Kind::kNumber: return IsDecimal(term.bytes);
    case Kind::kDate: return IsDate(term.bytes);
    case Kind::kSymbol:
      return !term.bytes.empty() && term.bytes.size() <= kMaxNameBytes &&
             !FindInvalidUtf8(term.bytes);
    case Kind::kText: {
      const TextParts parts = SplitText(term.bytes);
      const bool tag_ok = parts.tag_kind == 0
                              ? parts.text.size() == term.bytes.size()
                              : (parts.tag_kind == '@' || parts.tag_kind == '^') &&
                                    !parts.tag.empty() && !FindInvalidUtf8(parts.tag);
      return tag_ok && !FindInvalidUtf8(parts.text);
    }
  }
  return false;
}

Result<void> VerifyTerms(const Image& image) {
  for (LocalId t = 0; t < image.terms(); ++t) {
    const TermView term = image.Name(t);
    if (!WellFormed(term)) {
      return Wrong(image, fmt::format("term {} is not in normal form: {}", t, Excerpt(term.bytes)));
    }
    if (t > 0 && CompareTerms(image.Name(t - 1), term) >= 0) {
      return Wrong(image, fmt::format("term {} is out of order: {}", t, Excerpt(term.bytes)));
    }
  }
  return {};
}

// Fills the facts of a draft, proving on the way that they ascend and lie within bounds.
Result<void> ReadFacts(const Image& image, const std::vector<Hash128>& ids, ImageDraft* draft) {
  std::vector<bool> used(image.terms(), false), set_used(image.sets(), false);
  draft->row_offsets.push_back(0);
  std::vector<uint64_t> members;
  for (uint32_t set = 0; set < image.sets(); ++set) {
    members.clear();
    bool ascending = true;
    for (uint32_t i = 0; i < image.SetSize(set); ++i) {
      const SourceMark mark = image.SetMember(set, i);
      ascending = ascending && (members.empty() || members.back() / 2 < mark.source);
      members.push_back(uint64_t{mark.source} * 2 + mark.removed);
      used[mark.source] = true;
    }
    if (members.empty() || !ascending || draft->sets.Intern(members) != set) {
      return Wrong(image, fmt::format("the set of sources {} is empty, doubled or out of order", set));
    }
  }
  for (LocalId s = image.first_symbol(); s < image.terms(); ++s) {
    const Range row = image.Row(s);
    if (row.begin != draft->row_offsets.back()) {
      return Wrong(image, fmt::format("the row of term {} does not follow the one before", s));
    }
    for (uint32_t f = row.begin; f < row.end; ++f) {
      const uint32_t relation = image.FactRelation(f);
      const LocalId object = image.FactObject(f);
      if (relation >= image.relations()) {
        return Wrong(image, fmt::format("fact {} has relation number {}", f, relation));
      }
      const LocalId term = image.RelationTerm(relation);
      if (f > row.begin && std::pair(draft->relation.back(), draft->object.back()) >=
                               std::pair(term, object)) {
        return Wrong(image, fmt::format("fact {} is out of order", f));
      }
      const uint32_t set = image.FactSet(f);
      draft->relation.push_back(term);
      draft->object.push_back(object);
      draft->set.push_back(set);
      if (set >= draft->sets.size()) return Wrong(image, fmt::format("fact {} has no set", f));
      set_used[set] = true;
      used[s] = used[term] = used[object] = true;
      for (uint64_t member : draft->sets[set]) {
        const Hash256 hash = StatementHash(ids[s], ids[term], ids[object], ids[member / 2]);
        member & 1 ? draft->digest.Subtract(hash) : draft->digest.Add(hash);
      }
    }
    draft->row_offsets.push_back(row.end);
  }
  if (draft->row_offsets.back() != image.facts()) return Wrong(image, "facts belong to no subject");
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end()) {
    return Wrong(image, fmt::format("no fact holds term {}", unused - used.begin()));
  }
  if (std::find(set_used.begin(), set_used.end(), false) != set_used.end()) {
    return Wrong(image, "a set of sources belongs to no fact");
  }
  return {};
}

}  // namespace

Result<void> Image::VerifyChecksums() const {
  const std::string_view chars = AsChars(bytes_);
  for (uint32_t s = 0; s < kSections; ++s) {
    const auto entry =
        loci::Load<SectionEntry>(bytes_.data() + sizeof header_ + s * sizeof(SectionEntry));
    if (Xxh3(chars.substr(entry.offset, entry.length)) != entry.checksum) {
      return Wrong(*this, fmt::format("the checksum of section \"{}\" does not hold",
                                      SectionName(s)));
    }
  }
  return {};
}

Result<void> Image::Verify() const {
  LOCI_TRY(VerifyChecksums());
  LOCI_TRY(VerifyTerms(*this));
  std::vector<Hash128> ids(terms());
  for (LocalId t = 0; t < terms(); ++t) ids[t] = NameId(Name(t));
  ImageDraft draft;
  draft.settings = settings();
  std::copy(std::begin(header_.terms), std::end(header_.terms), draft.terms);
  draft.name = [this](LocalId t) { return Name(t); };
  draft.id = [&ids](LocalId t) { return ids[t]; };
  LOCI_TRY(ReadFacts(*this, ids, &draft));
  LOCI_TRY(damage());
  CompareSink sink(*this);
  return WriteImage(draft, &sink);
}

}  // namespace loci
