// SPDX-License-Identifier: Apache-2.0
//
// For tests of image, memory and store: random statements over a small vocabulary, and the slow,
// obvious way from a set of them to the bytes of an image. It shares with the product the order of
// terms and WriteImage, and nothing of how batches and layers get there.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "image/image.h"
#include "image/term.h"
#include "image/writer.h"

namespace loci::test {

using Random = std::mt19937_64;

// For what a test itself wrote and that cannot fail.
inline Term Made(Result<Term> term) {
  return term.ok() ? term.take() : Term{};
}
inline Term Symbol(std::string_view name) {
  return Made(MakeSymbol(name));
}

struct TermLess {
  bool operator()(const Term& a, const Term& b) const { return CompareTerms(a, b) < 0; }
};

struct Statement {
  Term subject, relation, object, source;

  StatementView view() const { return {subject, relation, object, source}; }
  friend bool operator<(const Statement& a, const Statement& b) {
    if (const int c = CompareTerms(a.subject, b.subject)) return c < 0;
    if (const int c = CompareTerms(a.relation, b.relation)) return c < 0;
    if (const int c = CompareTerms(a.object, b.object)) return c < 0;
    return CompareTerms(a.source, b.source) < 0;
  }
  friend bool operator==(const Statement&, const Statement&) = default;
};

// How many different terms of each kind there are; small, so that statements meet.
struct Vocabulary {
  unsigned subjects = 30, relations = 5, objects = 20, sources = 3;
};

inline std::string Numbered(const char* stem, uint64_t n) {
  return stem + std::to_string(n);
}

// Every kind; symbols that are subjects, relations and sources too; texts that differ in their tag,
// in a NUL or in what follows a common beginning.
inline Term RandomObject(Random& random, const Vocabulary& v) {
  const uint64_t n = random() % v.objects;
  switch (random() % 9) {
    case 0:
      return Made(MakeNumber(std::to_string(static_cast<int64_t>(n) * 7 - 40) + ".5"));
    case 1:
      return Made(MakeDate(n % 2 ? Numbered("", 1900 + n) : Numbered("2024-05-", 10 + n % 20)));
    case 2:
      return Made(MakeText(Numbered("text ", n)));
    case 3:
      return Made(MakeText(std::string(n % 12, 'a') + std::string(n / 12 % 3, '\0')));
    case 4:
      return Made(MakeTaggedText(std::string(n % 12, 'a'), '@', n % 2 ? "en" : "fr"));
    case 5:
      return Made(MakeTaggedText(Numbered("text ", n), '^', "é"));
    case 6:
      return Symbol(Numbered("subject-", random() % v.subjects));
    case 7:
      return Symbol(Numbered("relation-", random() % v.relations));
    default:
      return Symbol(Numbered("目的-", n));
  }
}

inline Statement RandomStatement(Random& random, const Vocabulary& v = {}) {
  const uint64_t subject = random() % (v.subjects + 2);
  return {Symbol(subject < v.subjects    ? Numbered("subject-", subject)
                 : subject == v.subjects ? "relation-1"
                                         : "source-0"),
          Symbol(Numbered("relation-", random() % v.relations)), RandomObject(random, v),
          Symbol(Numbered("source-", random() % v.sources))};
}

// What a layer says of each statement: true where it removes it.
using Said = std::map<Statement, bool>;

inline std::string WriteSlowly(const Said& said, std::string_view settings = "",
                               uint32_t version = kImageVersion) {
  std::set<Term, TermLess> distinct;
  for (const auto& [s, removed] : said) {
    distinct.insert({s.subject, s.relation, s.object, s.source});
  }
  const std::vector<Term> terms(distinct.begin(), distinct.end());
  const auto number = [&terms](const Term& term) {
    return static_cast<LocalId>(std::lower_bound(terms.begin(), terms.end(), term, TermLess()) -
                                terms.begin());
  };
  ImageDraft draft;
  draft.version = version;
  draft.settings = settings;
  for (const Term& term : terms) ++draft.terms[static_cast<int>(term.kind) - 1];
  draft.name = [&terms](LocalId t) { return terms[t].view(); };
  draft.id = [&terms](LocalId t) { return NameId(terms[t]); };
  std::map<std::vector<LocalId>, std::vector<uint64_t>> facts;
  for (const auto& [s, removed] : said) {
    facts[{number(s.subject), number(s.relation), number(s.object)}].push_back(
        uint64_t{number(s.source)} * 2 + removed);
    const Hash256 hash = StatementHash(s.view());
    removed ? draft.digest.Subtract(hash) : draft.digest.Add(hash);
  }
  auto fact = facts.begin();
  draft.row_offsets.push_back(0);
  for (LocalId subject = draft.first_symbol(); subject < terms.size(); ++subject) {
    for (; fact != facts.end() && fact->first[0] == subject; ++fact) {
      draft.relation.push_back(fact->first[1]);
      draft.object.push_back(fact->first[2]);
      draft.set.push_back(draft.sets.Intern(fact->second));
    }
    draft.row_offsets.push_back(static_cast<uint32_t>(draft.relation.size()));
  }
  StringSink sink;
  const Result<void> written = WriteImage(draft, &sink);
  return written.ok() ? sink.take() : std::string();
}

// Opens the bytes in an allocation of exactly their size, so that a sanitizer sees a read beyond.
inline Result<std::shared_ptr<const Image>> OpenExactly(std::string_view bytes,
                                                        const std::string& name = "test image") {
  const std::shared_ptr<uint8_t[]> copy(new uint8_t[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return Image::Open({copy.get(), bytes.size()}, copy, name);
}

// As above, of bytes that an image was written to.
inline std::shared_ptr<const Image> Opened(std::string_view bytes) {
  auto image = OpenExactly(bytes);
  return image.ok() ? image.take() : nullptr;
}

inline SectionEntry EntryOf(std::string_view image, uint32_t section) {
  return Load<SectionEntry>(image.data() + sizeof(ImageHeader) + section * sizeof(SectionEntry));
}

// Every call of the index, on all that it may be asked of.
inline void ReadText(const TextIndex& text) {
  uint64_t sink = 0;
  for (uint32_t w = 0; w < text.words(); ++w) {
    sink += text.Find(text.Word(w)).value_or(0) + text.Documents(w);
    sink += text.LowerBound(text.Word(w));
    for (Postings postings = text.PostingsOf(w); postings.Next();) {
      sink += text.LengthCodeOf(postings.document()) + postings.count();
    }
  }
  Document document;
  for (uint32_t d = 0; d < text.documents(); ++d) {
    sink += text.IsEntry(d) + text.IsTitleAlone(d);
    for (const size_t most : {size_t{2}, SIZE_MAX}) {
      text.Read(d, most, &document);
      for (const uint32_t word : document.words) sink += text.Word(word >> kWordFlagBits).size();
      for (const auto& phrase : document.phrases) sink += text.Word(phrase.word).size();
    }
    for (const auto& alias : document.aliases) {
      AliasHash hash;
      for (uint32_t i = alias.begin; i < alias.begin + alias.size; ++i) {
        hash.Add(text.Word(document.words[i] >> kWordFlagBits));
      }
      const TextIndex::Names names = text.FindNames(hash.value());
      for (uint32_t i = names.begin; i < names.end; ++i) sink += text.NamedDocument(i);
    }
  }
  volatile uint64_t keep = sink;
  (void)keep;
}

// The bytes with every checksum made to hold again, so that only what is said can be found wrong.
inline std::string Resealed(std::string bytes) {
  char* const head = bytes.data();
  const auto version = Load<uint32_t>(head + offsetof(ImageHeader, version));
  const uint32_t sections = SectionsOf(version);
  for (uint32_t s = 0; s < sections; ++s) {
    SectionEntry entry = EntryOf(bytes, s);
    if (entry.offset > bytes.size() || entry.length > bytes.size() - entry.offset) continue;
    entry.checksum = Xxh3({head + entry.offset, entry.length});
    std::memcpy(head + sizeof(ImageHeader) + s * sizeof entry, &entry, sizeof entry);
  }
  const uint64_t table = Xxh3({head + sizeof(ImageHeader), sections * sizeof(SectionEntry)});
  std::memcpy(head + offsetof(ImageHeader, table_checksum), &table, sizeof table);
  const uint64_t header = Xxh3({head, offsetof(ImageHeader, header_checksum)});
  std::memcpy(head + offsetof(ImageHeader, header_checksum), &header, sizeof header);
  return bytes;
}

}  // namespace loci::test
