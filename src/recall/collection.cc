// SPDX-License-Identifier: Apache-2.0
#include "recall/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/fixed.h"
#include "image/text_writer.h"
#include "memory/batch.h"
#include "memory/build.h"

namespace loci::recall {
namespace {

constexpr int kUnitBits = 16;

// Log2 is in 2^-40.
uint32_t ToUnits(uint64_t log) {
  return static_cast<uint32_t>(log >> (kWeightBits - kUnitBits));
}

// Whether the layer has something to do with the symbol as a document. (One without words, for its
// name has none, may get words by what other layers say.)
bool SaysSomething(const Image& image, LocalId symbol) {
  return image.text().LengthCodeOf(symbol - image.first_symbol()) != 0 || image.has_removed() ||
         !image.Row(symbol).empty();
}

}  // namespace

Result<std::shared_ptr<const Collection>> Collection::Of(const Snapshot& snapshot) {
  return snapshot.Derived<Collection>([&]() -> Result<std::shared_ptr<const Collection>> {
    std::shared_ptr<Collection> collection(new Collection(snapshot));
    LOCI_TRY(collection->Make());
    return std::shared_ptr<const Collection>(std::move(collection));
  });
}

Result<void> Collection::Make() {
  uint64_t size = 0;
  for (const auto& layer : snapshot_.layers()) {
    if (!layer->text().present()) {
      return Error{ErrorKind::kUnsupported,
                   fmt::format("{} has no index of texts, as its format version is {}; `loci "
                               "upgrade` makes one",
                               layer->name(), layer->header().version)};
    }
    parts_.push_back({layer.get(), &layer->text(), static_cast<DocumentId>(size), {}, false});
    size += layer->text().documents();
  }
  stemmer_ = parts_.empty() ? std::string_view(kDefaultStemmer)
                            : StemmerOfSettings(parts_[0].image->settings());
  std::vector<TermId> shared;
  FindShared(&shared);
  LOCI_TRY(MakeOverlay(shared));
  if (overlay_) {
    parts_.push_back({overlay_.get(), &overlay_->text(), static_cast<DocumentId>(size), {}, true});
    size += overlay_->text().documents();
    Part& part = parts_.back();
    const std::unordered_set<TermId> wanted(shared.begin(), shared.end());
    part.dead.resize(part.text->documents());
    for (uint32_t s = 0; s < part.dead.size(); ++s) {
      const auto item = snapshot_.Find(part.image->Name(part.image->first_symbol() + s));
      part.dead[s] = !item || !wanted.contains(*item);
    }
  }
  if (size >= kNoDocument) {
    return Error{ErrorKind::kLimit,
                 fmt::format("{} symbols in the layers of the memory are more than recall can "
                             "number (2^32 - 1); consolidate it",
                             size)};
  }
  size_ = static_cast<uint32_t>(size);
  Count();
  return {};
}

// Whether the layer has a text of it.
bool Collection::IsDescribed(const Image& image, LocalId symbol) const {
  const Range row = image.Row(symbol);
  for (uint32_t f = row.begin; f < row.end; ++f) {
    if (image.KindOf(image.FactObject(f)) == Kind::kText) return true;
  }
  return false;
}

// Fills *shared with the symbols of which several layers say something; these are dead now.
void Collection::FindShared(std::vector<TermId>* shared) {
  std::unordered_set<TermId> found;
  const auto kill = [this](size_t k, uint32_t symbol) {
    std::vector<bool>& dead = parts_[k].dead;
    if (dead.empty()) dead.resize(parts_[k].text->documents());
    dead[symbol] = true;
  };
  for (uint32_t k = 1; k < parts_.size(); ++k) {
    const Image& image = *parts_[k].image;
    const bool removes = image.has_removed();
    for (uint32_t s = 0; s < parts_[k].text->documents(); ++s) {
      const LocalId local = image.first_symbol() + s;
      if (!SaysSomething(image, local)) continue;
      const TermId item = snapshot_.IdOf(k, local);
      if (item >> 32 == k) continue;  // no older layer names it
      bool plain = !removes && !IsDescribed(image, local), known = false;
      const TermView name = image.Name(local);
      for (uint32_t j = 0; j < k; ++j) {
        const Part& older = parts_[j];
        const auto there = older.image->Find(name);
        if (!there) continue;
        if (!SaysSomething(*older.image, *there)) continue;
        known = true;
        plain = plain && !older.image->has_removed() && !IsDescribed(*older.image, *there);
      }
      if (!known) continue;
      kill(k, s);
      if (plain || !found.insert(item).second) continue;
      shared->push_back(item);
      for (uint32_t j = 0; j < parts_.size(); ++j) {
        if (const auto there = parts_[j].image->Find(name)) {
          kill(j, *there - parts_[j].image->first_symbol());
        }
      }
    }
  }
}

Result<void> Collection::MakeOverlay(const std::vector<TermId>& shared) {
  if (shared.empty()) return {};
  static constexpr TermView kSource{Kind::kSymbol, "-"};  // of no word, and of no document
  Batch batch;
  std::vector<Edge> edges;
  for (const TermId item : shared) {
    edges.clear();
    snapshot_.EdgesFrom(item, &edges);
    for (const Edge& e : edges) {
      batch.Add(
          {snapshot_.Name(item), snapshot_.Name(e.relation), snapshot_.Name(e.other), kSource},
          false);
    }
    if (!edges.empty()) continue;
    snapshot_.EdgesTo(item, &edges);
    if (edges.empty()) continue;  // forgotten
    const Edge& e = edges.front();
    batch.Add({snapshot_.Name(e.other), snapshot_.Name(e.relation), snapshot_.Name(item), kSource},
              false);
  }
  if (batch.empty()) return {};
  LOCI_ASSIGN(overlay_,
              BuildImage(batch, Words::kLastCounts, snapshot_.layers().front()->settings()));
  return {};
}

void Collection::Count() {
  uint64_t of_code[kLengthCodes] = {};
  for (const Part& part : parts_) {
    for (uint32_t s = 0; s < part.text->documents(); ++s) {
      if (part.dead.empty() || !part.dead[s]) ++of_code[part.text->LengthCodeOf(s)];
    }
  }
  for (int code = 1; code < kLengthCodes; ++code) {
    documents_ += of_code[code];
    length_ += of_code[code] * LengthOfCode(static_cast<uint8_t>(code));
  }
  log_documents_ = Log2(2 * documents_ + 2);
  log_rarest_ = log_documents_ - Log2(3);  // the rarity of what one document has
  for (int code = 1; code < kLengthCodes; ++code) {
    if (of_code[code] == 0) continue;
    for (uint32_t count = 1; count < kKnownCounts; ++count) {
      saturated_[code][count] = SlowlySaturated(count, static_cast<uint8_t>(code));
    }
  }
}

// count (k1 + 1) / (count + k1 (1 - b + b length / average)).
uint32_t Collection::SlowlySaturated(uint32_t count, uint8_t length_code) const {
  using Wide = unsigned __int128;
  if (documents_ == 0) return 0;
  const Wide above = Wide{count} * (kSaturation + 100) * 100 * length_;
  const Wide below = Wide{count} * 10'000 * length_ +
                     Wide{kSaturation} * (100 - kLengthShare) * length_ +
                     Wide{kSaturation} * kLengthShare * LengthOfCode(length_code) * documents_;
  return static_cast<uint32_t>((above << kUnitBits) / below);
}

uint32_t Collection::Rarity(uint64_t documents_with) const {
  const uint64_t rarity = log_documents_ - std::min(log_documents_, Log2(2 * documents_with + 1));
  return std::max(ToUnits(rarity), 1u);  // what all have is still something that they have
}

uint32_t Collection::Specificity(uint64_t documents_with) const {
  if (log_rarest_ == 0) return 1u << kUnitBits;
  const uint64_t rarity = log_documents_ - std::min(log_documents_, Log2(2 * documents_with + 1));
  const auto share = (static_cast<unsigned __int128>(rarity) << kUnitBits) / log_rarest_;
  return static_cast<uint32_t>(std::min<uint64_t>(static_cast<uint64_t>(share), 1u << kUnitBits));
}

TermId Collection::ItemOf(DocumentId document) const {
  const Part& part = PartOf(document);
  const LocalId local = part.image->first_symbol() + (document - part.first);
  if (!part.is_overlay) {
    return snapshot_.IdOf(static_cast<uint32_t>(&part - parts_.data()), local);
  }
  return snapshot_.Find(part.image->Name(local)).value_or(0);
}

DocumentId Collection::DocumentOf(TermId item) const {
  const TermView name = snapshot_.Name(item);
  if (name.kind != Kind::kSymbol) return kNoDocument;
  for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
    const auto local = part->image->Find(name);
    if (!local) continue;
    const uint32_t symbol = *local - part->image->first_symbol();
    if (part->Has(symbol)) return part->first + symbol;
  }
  return kNoDocument;
}

std::string_view Collection::NameOf(DocumentId document) const {
  const Part& part = PartOf(document);
  return part.image->Name(part.image->first_symbol() + (document - part.first)).bytes;
}

bool Collection::Before(DocumentId a, DocumentId b) const {
  const Part& part = PartOf(a);
  if (&part == &PartOf(b)) return a < b;
  return NameOf(a) < NameOf(b);
}

uint64_t Collection::DocumentsWith(std::string_view word, std::vector<uint32_t>* where) const {
  uint64_t count = 0;
  where->clear();
  for (const Part& part : parts_) {
    const auto number = part.text->Find(word);
    where->push_back(number.value_or(kNoWord));
    if (!number) continue;
    if (part.dead.empty()) {
      count += part.text->Documents(*number);
      continue;
    }
    for (Postings postings = part.text->PostingsOf(*number); postings.Next();) {
      count += !part.dead[postings.document()];
    }
  }
  return count;
}

uint64_t Collection::DocumentsWith(size_t part, uint32_t word) const {
  if (parts_.size() == 1 && parts_[0].dead.empty()) return parts_[0].text->Documents(word);
  std::vector<uint32_t> where;
  return DocumentsWith(parts_[part].text->Word(word), &where);
}

}  // namespace loci::recall
