// SPDX-License-Identifier: Apache-2.0
//
// Images that are damaged beneath checksums that hold. The input chooses a small image and lists
// edits of its sections, table and header, in terms of elements, so that a mutation is a meaningful
// one and the corpus outlives a change of the layout; then every checksum is made to hold again.
//
// Such an image is refused by Open, or every read of it stays within its bytes; and where Verify
// finds nothing, nothing is wrong: no read meets damage, and a merge gives the same bytes again.
#include <cstddef>
#include <vector>

#include "harness.h"
#include "image/testing.h"
#include "memory/merge.h"
#include "memory/snapshot.h"
#include "query/query.h"

namespace loci {
namespace {

using fuzz::Choices;
using fuzz::Require;

// An image taken apart into its head and its sections.
class Parts {
 public:
  explicit Parts(const std::string& image) : head_(image.substr(0, kHead)) {
    for (uint32_t s = 0; s < kSections; ++s) {
      const SectionEntry entry = test::EntryOf(image, s);
      sections_[s] = image.substr(entry.offset, entry.length);
      widths_[s] = std::max(1u, entry.width);
    }
  }

  void Edit(Choices* choices) {
    enum { kSet, kAdd, kSwap, kCopy, kInsert, kErase, kHeaderSet, kHeaderAdd, kWidth, kKinds };
    const uint32_t kind = choices->Below(kKinds);
    if (kind == kHeaderSet || kind == kHeaderAdd) {
      char* const word = head_.data() + 4 * choices->Below(sizeof(ImageHeader) / 4);
      const auto value = kind == kHeaderSet ? choices->Int<uint32_t>()
                                            : Load<uint32_t>(word) + choices->Int<int8_t>();
      std::memcpy(word, &value, sizeof value);
      return;
    }
    const uint32_t s = choices->Below(kSections);
    std::string& bytes = sections_[s];
    if (kind == kWidth) return void(widths_[s] = choices->Int<uint8_t>());
    if (kind == kInsert) {
      const size_t at = choices->Below(bytes.size() + 1);
      bytes.insert(at, choices->Take(choices->Below(17)));
      return;
    }
    if (kind == kErase) {
      const size_t at = choices->Below(bytes.size() + 1);
      bytes.erase(at, choices->Below(33));
      return;
    }
    const size_t width = std::clamp<size_t>(widths_[s], 1, 16), count = bytes.size() / width;
    if (count == 0) return;
    char* const one = bytes.data() + width * choices->Below(count);
    if (kind == kSwap || kind == kCopy) {
      char* const other = bytes.data() + width * choices->Below(count);
      for (size_t i = 0; i < width; ++i) {
        if (kind == kSwap) std::swap(one[i], other[i]);
        if (kind == kCopy) one[i] = other[i];
      }
      return;
    }
    uint64_t value = 0;
    const size_t used = std::min<size_t>(width, 8);
    std::memcpy(&value, one, used);
    value = kind == kSet ? choices->Int<uint32_t>() : value + choices->Int<int8_t>();
    std::memcpy(one, &value, used);
  }

  std::string Join() const {
    std::string out = head_;
    for (uint32_t s = 0; s < kSections; ++s) {
      out.resize((out.size() + 7) / 8 * 8);
      SectionEntry entry = test::EntryOf(out, s);
      entry.width = widths_[s];
      entry.offset = out.size();
      entry.length = sections_[s].size();
      out += sections_[s];
      std::memcpy(out.data() + sizeof(ImageHeader) + s * sizeof entry, &entry, sizeof entry);
    }
    const uint64_t length = out.size();
    std::memcpy(out.data() + offsetof(ImageHeader, length), &length, sizeof length);
    return out;
  }

 private:
  static constexpr size_t kHead = sizeof(ImageHeader) + kSections * sizeof(SectionEntry);
  std::string head_;
  std::string sections_[kSections];
  uint32_t widths_[kSections] = {};
};

// Edits of the bytes as a whole, offsets and lengths in the table included.
void EditBytes(Choices* choices, std::string* bytes) {
  const size_t head = sizeof(ImageHeader) + kSections * sizeof(SectionEntry);
  const size_t at = choices->Below(choices->Flag() ? head : bytes->size());
  const auto value = choices->Int<uint32_t>();
  std::memcpy(bytes->data() + std::min(at, bytes->size() - 4), &value, sizeof value);
}

std::string Base(Choices* choices) {
  test::Random random(choices->Below(256));
  test::Said said;
  const uint32_t statements = choices->Below(24) * 3;
  const bool removes = choices->Flag();
  for (uint32_t i = 0; i < statements; ++i) {
    said[test::RandomStatement(random, {6, 3, 6, 2})] = removes && i % 4 == 0;
  }
  return test::WriteSlowly(said, "k v\n");
}

// Every call, on all that it may be asked of.
void ReadAll(const Image& image) {
  for (LocalId t = 0; t < image.terms(); ++t) {
    const TermView name = image.Name(t);
    Require(image.KindOf(t) == name.kind, "a term has one kind");
    image.Id(t);
    image.Find(name);
    image.FindRelation(t);
    for (const Range r : {image.Row(t), image.Inverse(t)}) Require(r.begin <= r.end, "a range");
    const Range row = image.Row(t), inverse = image.Inverse(t);
    for (uint32_t f = row.begin; f < row.end; ++f) {
      image.FindFact(t, image.FactRelation(f), image.FactObject(f));
      image.Row(t, image.FactRelation(f));
    }
    for (uint32_t e = inverse.begin; e < inverse.end; ++e) {
      image.Inverse(t, image.InverseRelation(e));
      image.InverseSubject(e);
    }
  }
  for (uint32_t r = 0; r < image.relations(); ++r) {
    image.RelationTerm(r);
    image.RelationFacts(r);
    image.RelationObjects(r);
    const Range subjects = image.RelationSubjects(r);
    for (uint32_t e = subjects.begin; e < subjects.end; ++e) image.SubjectOfRelation(e);
  }
  for (uint32_t s = 0; s < image.sources(); ++s) image.SourceTerm(s);
  for (uint32_t f = 0; f < image.facts(); ++f) image.FactSet(f);
  for (uint32_t set = 0; set < image.sets(); ++set) {
    for (uint32_t i = 0; i < image.SetSize(set); ++i) {
      image.FindInSet(set, image.SetMember(set, i).source);
    }
  }
  image.settings();
  image.digest();
  test::ReadText(image.text());
}

// Answers or an error, whatever the bytes say.
void AskAll(const std::shared_ptr<const Snapshot>& snapshot) {
  static const std::vector<query::Query> queries = [] {
    std::vector<query::Query> all;
    for (const char* text : {"?r(?x, ?y)", "relation-1+(?x, ?y)", "^relation-0*(?x, subject-1)",
                             "relation-0(?x, ?y) from source-0, not relation-1(?x, _)",
                             "like(?x, \"a text of subject 1 and of words\")"}) {
      all.push_back(fuzz::Value(query::Query::Parse(text), "a query of the target"));
    }
    return all;
  }();
  for (const query::Query& query : queries) {
    const auto answers =
        query.Run(snapshot, {.max_work = 5000, .max_memory = 1 << 22, .cancelled = {}});
    if (answers.ok()) continue;
    fuzz::RequireClear(answers.error(), {ErrorKind::kDamaged, ErrorKind::kLimit,
                                         ErrorKind::kNoMemory, ErrorKind::kUnsupported});
  }
}

Result<std::string> Merge(std::span<const std::shared_ptr<const Image>> layers, bool to_base) {
  StringSink sink;
  LOCI_TRY(MergeImages(
      layers, {.to_base = to_base, .settings = layers[0]->settings(), .on_progress = {}}, &sink));
  return sink.take();
}

void Check(const std::string& bytes) {
  const auto opened = test::OpenExactly(bytes);
  if (!opened.ok()) {
    return fuzz::RequireClear(opened.error(), {ErrorKind::kDamaged, ErrorKind::kUnsupported});
  }
  const std::shared_ptr<const Image>& image = *opened;
  const Result<void> verified = image->Verify();
  if (!verified.ok()) fuzz::RequireClear(verified.error(), {ErrorKind::kDamaged});
  ReadAll(*image);
  static const std::shared_ptr<const Image> below = [] {
    test::Random random(99);
    test::Said said;
    for (int i = 0; i < 30; ++i) said[test::RandomStatement(random, {6, 3, 6, 2})] = false;
    return test::Opened(test::WriteSlowly(said, "k v\n"));
  }();
  using Layers = std::vector<std::shared_ptr<const Image>>;
  AskAll(std::make_shared<Snapshot>(Layers{image}));
  AskAll(std::make_shared<Snapshot>(Layers{below, image}));
  for (const bool to_base : {false, true}) {
    const auto merged = Merge(Layers{below, image}, to_base);
    if (!merged.ok()) fuzz::RequireClear(merged.error(), {ErrorKind::kDamaged});
  }
  const auto alone = Merge(Layers{image}, false);
  if (!verified.ok()) return;
  Require(image->damage().ok(), "what is verified holds no damage");
  Require(alone.ok() && *alone == bytes, "what is verified is what a merge gives");
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  Choices choices(data, size);
  const std::string base = Base(&choices);
  if (choices.empty()) {
    Require(test::Opened(base)->Verify().ok(), "an undamaged image is verified");
    Check(base);
    return 0;
  }
  const uint32_t structured = choices.Below(8), raw = choices.Below(4);
  Parts parts(base);
  for (uint32_t i = 0; i < structured && !choices.empty(); ++i) parts.Edit(&choices);
  std::string bytes = parts.Join();
  for (uint32_t i = 0; i < raw && !choices.empty(); ++i) EditBytes(&choices, &bytes);
  Check(test::Resealed(bytes));
  // Cut short, at a place that the input chooses, it is refused.
  const std::string cut = bytes.substr(0, choices.Below(bytes.size()));
  const auto opened = test::OpenExactly(cut);
  Require(!opened.ok(), "a part of an image is none");
  return 0;
}
