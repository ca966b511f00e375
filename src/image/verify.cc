// SPDX-License-Identifier: Apache-2.0
//
// Verification: an image is a function of its terms and facts, so it is right exactly when these
// are well-formed and writing them again gives the same bytes. What the writer derives (ids, slots,
// inverse, tables) thus needs no check of its own; a first differing byte names its section.
#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/decimal.h"
#include "base/unicode.h"
#include "image/image.h"
#include "image/writer.h"

namespace loci {
namespace {

Error Wrong(const Image& image, const char* section, std::string_view what) {
  return {ErrorKind::kDamaged,
          fmt::format("{} is damaged: section \"{}\": {}; restore it from a copy", image.name(),
                      section, what)};
}

Error Wrong(const Image& image, Section section, std::string_view what) {
  return Wrong(image, SectionName(section), what);
}

// Counts what is done of a part of the work, and asks now and then whether to go on.
class Share {
 public:
  Share(const std::function<bool(double)>& on_share, double begin, double end, uint64_t total)
      : on_share_(on_share), begin_(begin), end_(end), total_(total) {}
  Result<void> Add(uint64_t n) {
    const uint64_t before = done_ / kStep;
    done_ += n;
    if (!on_share_ || done_ / kStep == before) return {};
    const double part = static_cast<double>(done_) / static_cast<double>(total_);
    if (on_share_(begin_ + (end_ - begin_) * std::min(part, 1.0))) return {};
    return Error{ErrorKind::kCancelled, "cancelled before every file was checked"};
  }

 private:
  static constexpr uint64_t kStep = 1 << 14;
  const std::function<bool(double)>& on_share_;
  const double begin_, end_;
  const uint64_t total_;
  uint64_t done_ = 0;
};

// Accepts the bytes that are already there.
class CompareSink : public ImageSink {
 public:
  CompareSink(const Image& image, Share share) : image_(image), share_(share) {}

  Result<void> Append(std::string_view bytes) override {
    // The first bytes are the place of the head, whose real content comes at the end.
    if (at_ == 0) {
      at_ = bytes.size();
      return {};
    }
    const uint64_t at = at_;
    at_ += bytes.size();
    LOCI_TRY(share_.Add(bytes.size()));
    return Compare(at, bytes);
  }
  Result<void> SetHead(std::string_view bytes) override { return Compare(0, bytes); }

 private:
  Result<void> Compare(uint64_t at, std::string_view bytes) const {
    const std::string_view there = AsChars(image_.bytes());
    if (at <= there.size() && there.substr(at, bytes.size()) == bytes) return {};
    const auto* table = there.data() + sizeof(ImageHeader);
    const char* where = "header";
    for (uint32_t s = 0; s < SectionsOf(image_.header().version); ++s) {
      const auto entry = Load<SectionEntry>(table + s * sizeof(SectionEntry));
      if (entry.offset < at + bytes.size()) where = SectionName(s);
    }
    return Wrong(image_, at == 0 ? "header" : where, "it is not what the terms and facts give");
  }

  const Image& image_;
  Share share_;
  uint64_t at_ = 0;
};

bool IsName(std::string_view bytes) {
  if (bytes.empty() || bytes.size() > kMaxNameBytes || FindInvalidUtf8(bytes)) return false;
  if (IsPlainlyNfc(bytes)) return true;
  const Result<std::string> normal = ToNfc(bytes);
  return normal.ok() && *normal == bytes;
}

// Whether the makers of image/term.h would have made the term as it is.
bool WellFormed(TermView term) {
  switch (term.kind) {
    case Kind::kNumber:
      return IsDecimal(term.bytes);
    case Kind::kDate:
      return IsDate(term.bytes);
    case Kind::kSymbol:
      return IsName(term.bytes);
    case Kind::kText: {
      const TextParts parts = SplitText(term.bytes);
      if (FindInvalidUtf8(parts.text)) return false;
      if (parts.tag_kind == 0) return true;
      if (parts.tag_kind != '@' && parts.tag_kind != '^') return false;
      const Result<Term> made = MakeTaggedText(parts.text, parts.tag_kind, parts.tag);
      return made.ok() && *made == term;
    }
  }
  return false;
}

// "key value\n" lines, keys ascending.
Result<void> VerifySettings(const Image& image) {
  std::string_view last;
  for (std::string_view rest = image.settings(); !rest.empty();) {
    const size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    const std::string_view key = line.substr(0, line.find(' '));
    if (end == std::string_view::npos || key.empty() || key.size() == line.size() || key <= last ||
        FindInvalidUtf8(line)) {
      return Wrong(image, kSettings, fmt::format("line \"{}\" is out of place", Excerpt(line)));
    }
    last = key;
    rest.remove_prefix(end + 1);
  }
  return {};
}

Result<void> VerifyTerms(const Image& image, Share share) {
  for (LocalId t = 0; t < image.terms(); ++t) {
    LOCI_TRY(share.Add(1));
    const TermView term = image.Name(t);
    if (!image.damage().ok()) {
      return Wrong(image, kNameOffsets, fmt::format("the place of term {} is not possible", t));
    }
    if (!WellFormed(term)) {
      return Wrong(image, kNameBytes,
                   fmt::format("term {} is not in normal form: {}", t, Excerpt(term.bytes)));
    }
    if (t > 0 && CompareTerms(image.Name(t - 1), term) >= 0) {
      return Wrong(image, kNameBytes,
                   fmt::format("term {} is out of order: {}", t, Excerpt(term.bytes)));
    }
  }
  return {};
}

// Fills the facts of a draft, proving on the way that they ascend and lie within bounds.
class FactReader {
 public:
  FactReader(const Image& image, const std::vector<Hash128>& ids, ImageDraft* draft)
      : image_(image), ids_(ids), draft_(draft), used_(image.terms()), set_used_(image.sets()) {}

  Result<void> Read(Share share) {
    for (uint32_t set = 0; set < image_.sets(); ++set) LOCI_TRY(ReadSet(set));
    draft_->row_offsets.push_back(0);
    for (LocalId s = image_.first_symbol(); s < image_.terms(); ++s) {
      LOCI_TRY(ReadRow(s));
      LOCI_TRY(share.Add(image_.Row(s).size()));
    }
    if (draft_->row_offsets.back() != image_.facts()) {
      return Wrong(image_, kRowOffsets, "the last facts belong to no subject");
    }
    const auto unused = std::find(used_.begin(), used_.end(), false);
    if (unused != used_.end()) {
      return Wrong(image_, kNameBytes,
                   fmt::format("no fact holds term {}", unused - used_.begin()));
    }
    if (std::find(set_used_.begin(), set_used_.end(), false) != set_used_.end()) {
      return Wrong(image_, kSetOffsets, "a set of sources belongs to no fact");
    }
    return {};
  }

 private:
  bool IsSymbol(LocalId term) const {
    return term >= image_.first_symbol() && term < image_.terms();
  }

  Result<void> ReadSet(uint32_t set) {
    std::vector<uint64_t> members;
    for (uint32_t i = 0; i < image_.SetSize(set); ++i) {
      const SourceMark mark = image_.SetMember(set, i);
      if (!image_.damage().ok() || !IsSymbol(mark.source)) {
        return Wrong(image_, kSourceTerms, fmt::format("a source of set {} is no symbol", set));
      }
      if (!members.empty() && members.back() / 2 >= mark.source) {
        return Wrong(image_, kSetMembers, fmt::format("set {} does not ascend", set));
      }
      members.push_back(uint64_t{mark.source} * 2 + mark.removed);
      used_[mark.source] = true;
    }
    if (members.empty() || draft_->sets.Intern(members) != set) {
      return Wrong(image_, kSetOffsets, fmt::format("set {} is empty or doubled", set));
    }
    return {};
  }

  Result<void> ReadRow(LocalId subject) {
    const Range row = image_.Row(subject);
    if (row.begin != draft_->row_offsets.back()) {
      return Wrong(image_, kRowOffsets,
                   fmt::format("the row of term {} does not follow the one before", subject));
    }
    for (uint32_t f = row.begin; f < row.end; ++f) LOCI_TRY(ReadFact(subject, f, f > row.begin));
    draft_->row_offsets.push_back(row.end);
    return {};
  }

  Result<void> ReadFact(LocalId subject, uint32_t f, bool has_one_before) {
    const LocalId relation = image_.RelationTerm(image_.FactRelation(f));
    if (!image_.damage().ok() || !IsSymbol(relation)) {
      return Wrong(image_, kRowRelations, fmt::format("the relation of fact {} is no symbol", f));
    }
    const LocalId object = image_.FactObject(f);
    if (!image_.damage().ok()) {
      return Wrong(image_, kRowObjects, fmt::format("the object of fact {} is no term", f));
    }
    const uint32_t set = image_.FactSet(f);
    if (!image_.damage().ok()) {
      return Wrong(image_, kRowSets, fmt::format("fact {} has no set of sources", f));
    }
    if (has_one_before &&
        std::pair(draft_->relation.back(), draft_->object.back()) >= std::pair(relation, object)) {
      return Wrong(image_, kRowObjects, fmt::format("fact {} is out of order", f));
    }
    draft_->relation.push_back(relation);
    draft_->object.push_back(object);
    draft_->set.push_back(set);
    set_used_[set] = true;
    used_[subject] = used_[relation] = used_[object] = true;
    for (uint64_t member : draft_->sets[set]) {
      const Hash256 hash =
          StatementHash(ids_[subject], ids_[relation], ids_[object], ids_[member / 2]);
      member & 1 ? draft_->digest.Subtract(hash) : draft_->digest.Add(hash);
    }
    return {};
  }

  const Image& image_;
  const std::vector<Hash128>& ids_;
  ImageDraft* const draft_;
  std::vector<bool> used_, set_used_;
};

}  // namespace

Result<void> Image::VerifyChecksums() const {
  const std::string_view chars = AsChars(bytes_);
  for (uint32_t s = 0; s < SectionsOf(header_.version); ++s) {
    const auto entry =
        loci::Load<SectionEntry>(bytes_.data() + sizeof header_ + s * sizeof(SectionEntry));
    if (Xxh3(chars.substr(entry.offset, entry.length)) != entry.checksum) {
      return Wrong(*this, SectionName(s), "its checksum does not hold");
    }
  }
  return {};
}

Result<void> Image::Verify(const std::function<bool(double share)>& on_share) const {
  LOCI_TRY(VerifyChecksums());
  // A reader of its own, so that what it marks as damaged is what it has just read.
  LOCI_ASSIGN(const std::shared_ptr<const Image> image, Open(bytes_, owner_, name_));
  LOCI_TRY(VerifySettings(*image));
  // The parts of the whole are those of WordNet, 1.9 million facts.
  LOCI_TRY(VerifyTerms(*image, Share(on_share, 0.1, 0.25, terms())));
  std::vector<Hash128> ids(terms());
  Share hashed(on_share, 0.25, 0.4, terms());
  for (LocalId t = 0; t < terms(); ++t) {
    ids[t] = NameId(Name(t));
    LOCI_TRY(hashed.Add(1));
  }
  ImageDraft draft;
  draft.version = header_.version;
  draft.settings = settings();
  std::copy(std::begin(header_.terms), std::end(header_.terms), draft.terms);
  draft.name = [this](LocalId t) { return Name(t); };
  draft.id = [&ids](LocalId t) { return ids[t]; };
  LOCI_TRY(FactReader(*image, ids, &draft).Read(Share(on_share, 0.4, 0.8, facts())));
  CompareSink sink(*image, Share(on_share, 0.8, 1, bytes_.size()));
  return WriteImage(draft, &sink);
}

}  // namespace loci
