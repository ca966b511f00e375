// SPDX-License-Identifier: Apache-2.0
//
// Damaged and foreign images: what Open refuses, what Verify finds although every checksum holds,
// and that a reader of an image that was opened all the same stays within its bytes (under the
// address sanitizer; the images lie in allocations of exactly their size).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "image/testing.h"

namespace loci {
namespace {

using test::EntryOf;
using test::OpenExactly;
using test::Random;
using test::Resealed;
using test::Said;
using ::testing::AnyOf;
using ::testing::HasSubstr;

const std::string& Sample() {
  static const std::string bytes = [] {
    Random random(11);
    Said said;
    for (int i = 0; i < 120; ++i) said[test::RandomStatement(random)] = random() % 4 == 0;
    return test::WriteSlowly(said, "effort 1\nunicode 15.0.0\n");
  }();
  return bytes;
}

std::string Excerpted(const Result<std::shared_ptr<const Image>>& image) {
  return image.ok() ? "(opened)" : image.error().message;
}

TEST(VerifyTest, OpenRefusesEveryTruncation) {
  for (size_t size = 0; size < Sample().size(); ++size) {
    const auto image = OpenExactly(std::string_view(Sample()).substr(0, size));
    ASSERT_FALSE(image.ok()) << size;
    ASSERT_EQ(image.error().kind, ErrorKind::kDamaged);
    ASSERT_THAT(image.error().message, HasSubstr("test image is damaged"));
  }
  EXPECT_FALSE(OpenExactly(Sample() + '\0').ok());
}

TEST(VerifyTest, OpenRefusesEveryFlipInHeaderAndTable) {
  const size_t head = sizeof(ImageHeader) + kSections * sizeof(SectionEntry);
  for (size_t at = 0; at < head; ++at) {
    std::string bytes = Sample();
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    const auto image = OpenExactly(bytes);
    ASSERT_FALSE(image.ok()) << at;
    const bool version = at >= 8 && at < 12;
    ASSERT_EQ(image.error().kind, version ? ErrorKind::kUnsupported : ErrorKind::kDamaged) << at;
  }
}

TEST(VerifyTest, OpenRefusesWhatIsForeign) {
  EXPECT_FALSE(OpenExactly("").ok());
  EXPECT_FALSE(OpenExactly("#!/bin/sh\n").ok());
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    std::string garbage(random() % 3000, '\0');
    for (char& c : garbage) c = static_cast<char>(random());
    ASSERT_FALSE(OpenExactly(garbage).ok());
    if (garbage.size() < sizeof(ImageHeader)) continue;
    std::memcpy(garbage.data(), Sample().data(), 16);  // magic, version, number of sections
    ASSERT_FALSE(OpenExactly(garbage).ok());
  }
  std::string other = Sample();
  other[8] = 9;
  const auto image = OpenExactly(Resealed(other));
  ASSERT_FALSE(image.ok());
  EXPECT_EQ(image.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(image.error().message, HasSubstr("format version 9"));
}

// Sections that lie outside, have a wrong width or a wrong number of elements.
TEST(VerifyTest, OpenRefusesImpossiblePlaces) {
  for (uint32_t s = 0; s < kSections; ++s) {
    const auto refused = [&](auto change) {
      std::string bytes = Sample();
      SectionEntry entry = EntryOf(bytes, s);
      change(&entry);
      std::memcpy(bytes.data() + sizeof(ImageHeader) + s * sizeof entry, &entry, sizeof entry);
      const auto image = OpenExactly(Resealed(bytes));
      EXPECT_FALSE(image.ok()) << SectionName(s);
      EXPECT_THAT(Excerpted(image), AnyOf(HasSubstr(SectionName(s)), HasSubstr("of text do not")));
    };
    refused([](SectionEntry* e) { e->section ^= 1; });
    refused([](SectionEntry* e) { e->width = 3; });
    refused([](SectionEntry* e) { e->width = 0; });
    refused([](SectionEntry* e) { e->offset += 1; });
    refused([](SectionEntry* e) { e->offset = uint64_t{1} << 40; });
    refused([](SectionEntry* e) { e->offset = UINT64_MAX - 7; });
    refused([](SectionEntry* e) { e->length = UINT64_MAX - 15; });
    const bool free_size = s == kSettings || s == kNameBytes || s == kRelationSubjects ||
                           s == kSetMembers || s == kWordBytes || s == kPostings ||
                           s == kDocuments;  // as long as the others say, checked later
    if (!free_size) refused([](SectionEntry* e) { e->length -= e->width; });
  }
}

// Every flag of a changed byte of the contents is refused by its checksum and, with all checksums
// repaired, by what the bytes say.
TEST(VerifyTest, FindsEveryChangedByte) {
  Random random(2);
  for (uint32_t s = 0; s < kSections; ++s) {
    const SectionEntry entry = EntryOf(Sample(), s);
    ASSERT_GT(entry.length, 0u) << SectionName(s);
    const uint64_t step = std::max<uint64_t>(1, entry.length / 60);
    for (uint64_t i = random() % step; i < entry.length; i += step) {
      std::string bytes = Sample();
      bytes[entry.offset + i] = static_cast<char>(bytes[entry.offset + i] ^ (1 << random() % 8));
      auto image = OpenExactly(bytes);
      ASSERT_TRUE(image.ok()) << image.error().message;
      Result<void> verified = (*image)->Verify();
      ASSERT_FALSE(verified.ok());
      EXPECT_THAT(verified.error().message,
                  HasSubstr(std::string("section \"") + SectionName(s) + "\""));
      // No image knows what its settings should be: a value may be another one.
      if (s == kSettings) continue;
      image = OpenExactly(Resealed(bytes));
      ASSERT_TRUE(image.ok()) << image.error().message;
      verified = (*image)->Verify();
      ASSERT_FALSE(verified.ok()) << SectionName(s) << " byte " << i;
      EXPECT_EQ(verified.error().kind, ErrorKind::kDamaged);
      EXPECT_THAT(verified.error().message, HasSubstr("test image is damaged: section \""));
    }
  }
}

TEST(VerifyTest, FindsEveryChangedGap) {
  for (uint32_t s = 0; s < kSections; ++s) {
    const SectionEntry entry = EntryOf(Sample(), s);
    for (uint64_t at = entry.offset + entry.length; at % 8 != 0; ++at) {
      std::string bytes = Sample();
      bytes[at] = 1;
      const auto image = OpenExactly(bytes);
      ASSERT_TRUE(image.ok());
      ASSERT_FALSE((*image)->Verify().ok()) << "after " << SectionName(s);
    }
  }
}

TEST(VerifyTest, FindsEveryChangedHeader) {
  for (size_t at = 24; at < offsetof(ImageHeader, table_checksum); ++at) {
    std::string bytes = Sample();
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    const auto image = OpenExactly(Resealed(bytes));
    ASSERT_FALSE(image.ok() && (*image)->Verify().ok()) << at;
  }
}

TEST(VerifyTest, FindsSettingsOutOfForm) {
  for (const char* settings :
       {"effort\n", "effort 1", " 1\n", "b 1\na 1\n", "a 1\na 2\n", "a 1\n\n", "a \xFF\n"}) {
    const auto image = OpenExactly(test::WriteSlowly({}, settings));
    ASSERT_TRUE(image.ok());
    const Result<void> verified = (*image)->Verify();
    ASSERT_FALSE(verified.ok()) << settings;
    EXPECT_THAT(verified.error().message, HasSubstr("section \"settings\""));
  }
  EXPECT_TRUE((*OpenExactly(test::WriteSlowly({}, "a 1\nb two words\n")))->Verify().ok());
}

// Terms that no maker would make, in an image that is otherwise as the writer writes it.
TEST(VerifyTest, FindsTermsThatAreNotInNormalForm) {
  const auto verify = [](const Term& object) {
    const Said said{{{test::Symbol("s"), test::Symbol("r"), object, test::Symbol("src")}, false}};
    return (*OpenExactly(test::WriteSlowly(said)))->Verify();
  };
  const Term good[] = {{Kind::kText, ""},           {Kind::kText, "a\xFF@en-GB"},
                       {Kind::kText, "a\xFF^kg"},   {Kind::kText, std::string("\0", 1)},
                       {Kind::kSymbol, "\xC3\xA9"}, {Kind::kNumber, "\x80"}};
  for (const Term& term : good) EXPECT_TRUE(verify(term).ok()) << ToNotation(term);
  const Term bad[] = {{Kind::kSymbol, ""},
                      {Kind::kSymbol, "\xFF"},
                      {Kind::kSymbol, "e\xCC\x81"},  // not composed
                      {Kind::kSymbol, std::string(kMaxNameBytes + 1, 'x')},
                      {Kind::kNumber, ""},
                      {Kind::kNumber, "5"},
                      {Kind::kDate, "2024"},
                      {Kind::kText, "\xC3"},
                      {Kind::kText, "a\xFF"},
                      {Kind::kText, "a\xFF@"},
                      {Kind::kText, "a\xFF@not a language"},
                      {Kind::kText, "a\xFF#en"},
                      {Kind::kText, "5\xFF^number"}};
  for (const Term& term : bad) {
    const Result<void> verified = verify(term);
    ASSERT_FALSE(verified.ok()) << Hex(term.bytes.substr(0, 20));
    EXPECT_THAT(verified.error().message, HasSubstr("section \"name bytes\": term"));
  }
  // A relation or a source that is a text.
  for (const bool source : {false, true}) {
    const Term text{Kind::kText, "t"}, symbol = test::Symbol("x");
    const Said said{{{symbol, source ? symbol : text, symbol, source ? text : symbol}, false}};
    EXPECT_FALSE((*OpenExactly(test::WriteSlowly(said)))->Verify().ok());
  }
}

void ReadAll(const Image& image) {
  uint64_t sink = 0;
  for (LocalId t = 0; t < image.terms(); ++t) {
    const TermView name = image.Name(t);
    for (char c : name.bytes) sink += static_cast<uint8_t>(c);
    sink += image.Find(name).value_or(0) + image.Id(t).bytes[0];
    const Range row = image.Row(t), inverse = image.Inverse(t);
    for (uint32_t f = row.begin; f < row.end; ++f) {
      const uint32_t relation = image.FactRelation(f);
      sink += image.RelationTerm(relation) +
              image.FindFact(t, relation, image.FactObject(f)).value_or(0);
      const uint32_t set = image.FactSet(f);
      for (uint32_t i = 0; i < image.SetSize(set); ++i) sink += image.SetMember(set, i).source;
      sink += image.FindInSet(set, t).has_value();
    }
    for (uint32_t i = inverse.begin; i < inverse.end; ++i) {
      sink += image.InverseRelation(i) + image.InverseSubject(i);
    }
    sink += image.FindRelation(t).value_or(0);
  }
  for (uint32_t r = 0; r < image.relations(); ++r) {
    sink += image.RelationFacts(r) + image.RelationObjects(r);
    const Range subjects = image.RelationSubjects(r);
    for (uint32_t i = subjects.begin; i < subjects.end; ++i) sink += image.SubjectOfRelation(i);
  }
  for (uint32_t s = 0; s < image.sources(); ++s) sink += image.SourceTerm(s);
  test::ReadText(image.text());
  volatile uint64_t keep = sink;
  (void)keep;
}

TEST(VerifyTest, ReadersOfDamagedContentsStayInside) {
  Random random(3);
  int noted = 0;
  for (int round = 0; round < 600; ++round) {
    std::string bytes = Sample();
    const uint32_t s = 1 + static_cast<uint32_t>(random() % (kSections - 1));
    const SectionEntry entry = EntryOf(bytes, s);
    for (uint64_t n = 1 + random() % 8; n > 0; --n) {
      bytes[entry.offset + random() % entry.length] = static_cast<char>(random());
    }
    const auto image = OpenExactly(Resealed(bytes));
    ASSERT_TRUE(image.ok()) << image.error().message;
    ReadAll(**image);
    noted += !(*image)->damage().ok();
    const Result<void> verified = (*image)->Verify();
    ASSERT_TRUE(!verified.ok() || bytes == Sample());
  }
  EXPECT_GT(noted, 200);
}

// Each column whose entries are places elsewhere, filled with the largest value it can hold.
TEST(VerifyTest, PlacesOutsideAreNoted) {
  for (uint32_t s : {kNameOffsets, kNameSlots, kRowOffsets, kRowRelations, kRowObjects, kRowSets,
                     kInverseOffsets, kInverseSubjects, kRelationTable, kRelationSubjects,
                     kSourceTerms, kSetOffsets, kSetMembers, kWordOffsets, kWordSlots,
                     kPostingOffsets, kPostings, kDocumentOffsets, kDocuments}) {
    std::string bytes = Sample();
    const SectionEntry entry = EntryOf(bytes, s);
    std::fill_n(bytes.begin() + entry.offset, entry.length, '\xFF');
    const auto image = OpenExactly(Resealed(bytes));
    ASSERT_TRUE(image.ok()) << image.error().message;
    ReadAll(**image);
    const Result<void> damage = (*image)->damage();
    ASSERT_FALSE(damage.ok()) << SectionName(s);
    EXPECT_EQ(damage.error().kind, ErrorKind::kDamaged);
    EXPECT_THAT(damage.error().message, AnyOf(HasSubstr("test image"), HasSubstr("loci check")));
  }
}

}  // namespace
}  // namespace loci
