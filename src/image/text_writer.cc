// SPDX-License-Identifier: Apache-2.0
//
// One pass over the facts makes documents, as rows of 32-bit numbers with the lexicon's own numbers
// of words; a second, over these rows, counts and scatters the postings. Only then are words
// renumbered in the order of their bytes.
#include "image/text_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/date.h"
#include "base/huge_vector.h"
#include "text/document.h"
#include "text/fields.h"

namespace loci {
namespace {

constexpr uint64_t kMaxSectionBytes = UINT32_MAX;
constexpr uint32_t kMaxWords = (uint32_t{1} << (32 - kWordFlagBits)) - 1;

// What a symbol's document is made of.
class Documents {
 public:
  Documents(const ImageDraft& draft, Stemmer stemmer)
      : draft_(draft),
        lexicon_(std::move(stemmer)),
        builder_(&lexicon_, &document_),
        first_symbol_(draft.first_symbol()),
        is_fact_(draft.sets.size()),
        is_known_(draft.terms[3]),
        field_(draft.terms[3], kUnknown) {}

  // Calls visit(symbol, document) for each symbol in order; the document may be empty.
  template <class Visit>
  Result<void> Each(Visit visit) {
    for (uint32_t set = 0; set < draft_.sets.size(); ++set) {
      is_fact_[set] = std::ranges::any_of(draft_.sets[set], [](uint64_t m) { return !(m & 1); });
    }
    for (uint32_t s = 0; s < draft_.terms[3]; ++s) {
      for (uint32_t f = draft_.row_offsets[s]; f < draft_.row_offsets[s + uint64_t{1}]; ++f) {
        if (!is_fact_[draft_.set[f]]) continue;
        is_known_[s] = true;
        if (draft_.object[f] >= first_symbol_) is_known_[draft_.object[f] - first_symbol_] = true;
      }
    }
    for (uint32_t s = 0; s < draft_.terms[3]; ++s) {
      document_.Clear();
      if (is_known_[s]) Make(s);
      if (lexicon_.size() > kMaxWords) return TooMuch("different words");
      visit(s, document_);
    }
    return {};
  }

  Lexicon& lexicon() { return lexicon_; }

  static Error TooMuch(const char* what) {
    return {ErrorKind::kLimit,
            fmt::format("the texts have more {} than one image holds; keep a part of them in "
                        "another memory",
                        what)};
  }

 private:
  static constexpr uint8_t kUnknown = 255;

  // Relations are few: their names are looked at once. One that is no symbol is damage, which
  // verification tells of after it has seen that a writer bears it.
  Field FieldOfFact(uint32_t fact) {
    if (draft_.relation[fact] < first_symbol_) return Field::kNone;
    uint8_t& field = field_[draft_.relation[fact] - first_symbol_];
    if (field == kUnknown) {
      field = static_cast<uint8_t>(FieldOf(draft_.name(draft_.relation[fact]).bytes));
    }
    return static_cast<Field>(field);
  }

  void Make(uint32_t symbol) {
    const uint32_t begin = draft_.row_offsets[symbol];
    const uint32_t end = draft_.row_offsets[symbol + uint64_t{1}];
    const LocalId first_text = draft_.terms[0] + draft_.terms[1];
    bool described = false, titled = false, passage = false;
    for (uint32_t f = begin; f < end; ++f) {
      if (!is_fact_[draft_.set[f]]) continue;
      const Field field = FieldOfFact(f);
      passage = passage || field == Field::kPartOf;
      const LocalId object = draft_.object[f];
      if (object < first_text || object >= first_symbol_ || field == Field::kNone) continue;
      described = true;
      if (field != Field::kTitle) continue;
      titled = true;
      builder_.AddTitle(SplitText(draft_.name(object).bytes).text);
    }
    if (!titled && !(described && passage)) {
      builder_.AddNameAsTitle(draft_.name(first_symbol_ + symbol).bytes, described);
    }
    for (uint32_t f = begin; described && f < end; ++f) {
      if (!is_fact_[draft_.set[f]] || FieldOfFact(f) != Field::kBody) continue;
      const LocalId object = draft_.object[f];
      if (object >= first_text && object < first_symbol_) {
        builder_.AddBody(SplitText(draft_.name(object).bytes).text);
      } else if (object >= draft_.terms[0] && object < first_text) {
        builder_.AddDate(DateToText(draft_.name(object).bytes));
      }
    }
    for (uint32_t f = begin; described && f < end; ++f) {
      if (!is_fact_[draft_.set[f]] || FieldOfFact(f) != Field::kBody) continue;
      if (draft_.object[f] >= first_symbol_) builder_.AddName(draft_.name(draft_.object[f]).bytes);
    }
    builder_.Finish();
  }

  const ImageDraft& draft_;
  Lexicon lexicon_;
  Document document_;
  DocumentBuilder builder_;
  const LocalId first_symbol_;
  std::vector<bool> is_fact_;   // by set: some source states it
  std::vector<bool> is_known_;  // by symbol: subject or object of a fact
  std::vector<uint8_t> field_;  // by symbol, as a relation
};

// Documents as rows of numbers: title words, words, aliases, phrases, each list behind its size.
class Rows {
 public:
  explicit Rows(size_t documents) {
    begin_.reserve(documents + 1);
    begin_.push_back(0);
    is_entry_.reserve(documents);
  }

  void Add(const Document& document) {
    is_entry_.push_back(document.is_entry);
    if (!document.words.empty()) {
      Put(document.title_words);
      Put(document.words.size());
      rows_.insert(rows_.end(), document.words.begin(), document.words.end());
      Put(document.aliases.size());
      for (const auto& alias : document.aliases) {
        Put(alias.begin);
        Put(alias.size);
      }
      Put(document.phrases.size());
      for (const auto& phrase : document.phrases) {
        Put(phrase.begin);
        Put(phrase.size);
        Put(phrase.word);
      }
    }
    begin_.push_back(rows_.size());
  }

  size_t size() const { return begin_.size() - 1; }
  bool IsEntry(size_t i) const { return is_entry_[i]; }
  std::span<const uint32_t> operator[](size_t i) const {
    return {rows_.data() + begin_[i], rows_.data() + begin_[i + 1]};
  }

 private:
  void Put(size_t value) { rows_.push_back(static_cast<uint32_t>(value)); }

  HugeVector<uint32_t> rows_;
  std::vector<uint64_t> begin_;
  std::vector<bool> is_entry_;
};

std::span<const uint32_t> WordsOf(std::span<const uint32_t> row) {
  return row.subspan(2, row[1]);
}

// Calls visit(word number, count) for each different word of a row, a title's word counted twice, a
// phrase once however often.
class Counter {
 public:
  template <class Visit>
  void Each(std::span<const uint32_t> row, size_t words, Visit visit) {
    count_.resize(words, 0);
    found_.clear();
    const auto add = [&](uint32_t word, uint32_t n) {
      if (count_[word] == 0) found_.push_back(word);
      count_[word] += n;
    };
    const auto list = WordsOf(row);
    for (size_t i = 0; i < list.size(); ++i) {
      add(list[i] >> kWordFlagBits, i < row[0] ? kTitleWeight : 1);
    }
    const size_t phrases = 2 + list.size() + 1 + 2 * size_t{row[2 + list.size()]};
    for (size_t i = 0; i < row[phrases]; ++i) {
      const uint32_t word = row[phrases + 3 * i + 3];
      if (count_[word] == 0) add(word, 1);
    }
    for (const uint32_t word : found_) {
      visit(word, count_[word]);
      count_[word] = 0;
    }
  }

 private:
  std::vector<uint32_t> count_, found_;
};

struct Posting {
  uint32_t document, count;
};

struct Inverted {
  std::vector<uint32_t> order;  // the words that documents have, ascending by bytes
  std::vector<uint32_t> rank;   // of each word of the lexicon, its place in order
  std::vector<uint64_t> begin;  // by rank, into postings; order.size() + 1
  HugeVector<Posting> postings;
};

// Words of the lexicon in the order of their bytes: mostly the first eight tell.
void SortWords(const Lexicon& lexicon, std::vector<uint32_t>* words) {
  struct Key {
    uint64_t bytes;  // big-endian; 0 where the word ends
    uint32_t word;
  };
  std::vector<Key> keys;
  keys.reserve(words->size());
  for (const uint32_t word : *words) {
    const std::string_view name = lexicon[word];
    uint64_t bytes = 0;
    std::memcpy(&bytes, name.data(), std::min<size_t>(8, name.size()));
    keys.push_back({__builtin_bswap64(bytes), word});
  }
  std::ranges::sort(keys, [&](const Key& a, const Key& b) {
    return a.bytes != b.bytes ? a.bytes < b.bytes : lexicon[a.word] < lexicon[b.word];
  });
  std::ranges::transform(keys, words->begin(), &Key::word);
}

Inverted Invert(const Lexicon& lexicon, const Rows& rows) {
  Inverted inverted;
  Counter counter;
  std::vector<uint32_t> documents(lexicon.size(), 0);
  for (size_t d = 0; d < rows.size(); ++d) {
    if (rows[d].empty()) continue;
    counter.Each(rows[d], lexicon.size(), [&](uint32_t word, uint32_t) { ++documents[word]; });
  }
  // A few words of the lexicon are of no document: those that may stand inside of phrases.
  for (uint32_t word = 0; word < lexicon.size(); ++word) {
    if (documents[word] > 0) inverted.order.push_back(word);
  }
  SortWords(lexicon, &inverted.order);
  inverted.rank.resize(lexicon.size());
  inverted.begin.reserve(inverted.order.size() + 1);
  inverted.begin.push_back(0);
  for (uint32_t r = 0; r < inverted.order.size(); ++r) {
    inverted.rank[inverted.order[r]] = r;
    inverted.begin.push_back(inverted.begin.back() + documents[inverted.order[r]]);
  }
  inverted.postings.resize(inverted.begin.back());
  std::vector<uint64_t> next(inverted.begin);
  for (size_t d = 0; d < rows.size(); ++d) {
    if (rows[d].empty()) continue;
    counter.Each(rows[d], lexicon.size(), [&](uint32_t word, uint32_t count) {
      inverted.postings[next[inverted.rank[word]]++] = {static_cast<uint32_t>(d), count};
    });
  }
  return inverted;
}

Result<void> WriteWords(const Lexicon& lexicon, const Inverted& inverted, SectionWriter* out) {
  std::string bytes;
  std::vector<uint32_t> offsets{0};
  offsets.reserve(inverted.order.size() + 1);
  std::vector<uint64_t> hashes;
  hashes.reserve(inverted.order.size());
  for (const uint32_t word : inverted.order) {
    bytes.append(lexicon[word]);
    if (bytes.size() > kMaxSectionBytes) return Documents::TooMuch("different words");
    offsets.push_back(static_cast<uint32_t>(bytes.size()));
    hashes.push_back(Xxh3(lexicon[word]));
  }
  LOCI_TRY(out->Whole(kWordBytes, 1, bytes));
  LOCI_TRY(out->WriteColumn(kWordOffsets, offsets.size(), bytes.size(),
                            [&](uint64_t i) { return offsets[i]; }));
  HugeVector<uint32_t> slots;
  slots.assign(std::bit_ceil(2 * uint64_t{inverted.order.size()} + 1), 0);
  const uint64_t mask = slots.size() - 1;
  for (uint32_t word = 0; word < hashes.size(); ++word) {
    uint64_t i = hashes[word];
    while (slots[i & mask] != 0) ++i;
    slots[i & mask] = word + 1;
  }
  return out->Whole(kWordSlots, 4, {reinterpret_cast<const char*>(slots.data()), 4 * slots.size()});
}

Result<void> WritePostings(const Inverted& inverted, size_t symbols, SectionWriter* out) {
  const auto words = static_cast<uint32_t>(inverted.order.size());
  LOCI_TRY(out->WriteColumn(kWordDocuments, words, symbols,
                            [&](uint64_t w) { return inverted.begin[w + 1] - inverted.begin[w]; }));
  std::string bytes;
  std::vector<uint64_t> offsets{0};
  offsets.reserve(words + uint64_t{1});
  for (uint32_t w = 0; w < words; ++w) {
    uint32_t next = 0;
    for (uint64_t i = inverted.begin[w]; i < inverted.begin[w + 1]; ++i) {
      const Posting& posting = inverted.postings[i];
      const uint64_t gap = posting.document - next;
      AppendVarint(&bytes, gap << 1 | (posting.count > 1));
      if (posting.count > 1) AppendVarint(&bytes, posting.count - 2);
      next = posting.document + 1;
    }
    offsets.push_back(bytes.size());
  }
  if (bytes.size() > kMaxSectionBytes) return Documents::TooMuch("words");
  LOCI_TRY(out->WriteColumn(kPostingOffsets, offsets.size(), bytes.size(),
                            [&](uint64_t i) { return offsets[i]; }));
  return out->Whole(kPostings, 1, bytes);
}

Result<void> WriteDocuments(const Rows& rows, const Inverted& inverted, SectionWriter* out) {
  std::string lengths, bytes, phrases;
  std::vector<uint64_t> offsets{0};
  offsets.reserve(rows.size() + 1);
  for (size_t d = 0; d < rows.size(); ++d) {
    const auto row = rows[d];
    if (row.empty()) {
      lengths += '\0';
      offsets.push_back(bytes.size());
      continue;
    }
    lengths += static_cast<char>(LengthCode(row[0] + row[1]) + rows.IsEntry(d) * kLengthCodes);
    AppendVarint(&bytes, row[0]);
    AppendVarint(&bytes, row[1]);
    size_t at = 2 + row[1];
    const uint32_t aliases = row[at++];
    AppendVarint(&bytes, aliases);
    for (uint32_t i = 0; i < 2 * aliases; ++i) AppendVarint(&bytes, row[at++]);
    phrases.clear();
    const uint32_t count = row[at++];
    for (uint32_t i = 0, last = 0; i < count; ++i, at += 3) {
      AppendVarint(&phrases, row[at] - last);
      AppendVarint(&phrases, row[at + 1]);
      AppendVarint(&phrases, inverted.rank[row[at + 2]]);
      last = row[at];
    }
    AppendSized(&bytes, phrases);
    for (const uint32_t word : WordsOf(row)) {
      const uint32_t flags = word & ((1u << kWordFlagBits) - 1);
      AppendVarint(&bytes, uint64_t{inverted.rank[word >> kWordFlagBits]} << kWordFlagBits | flags);
    }
    offsets.push_back(bytes.size());
  }
  if (bytes.size() > kMaxSectionBytes) return Documents::TooMuch("words");
  LOCI_TRY(out->Whole(kDocumentLengths, 1, lengths));
  LOCI_TRY(out->WriteColumn(kDocumentOffsets, offsets.size(), bytes.size(),
                            [&](uint64_t i) { return offsets[i]; }));
  return out->Whole(kDocuments, 1, bytes);
}

struct AliasEntry {
  uint64_t hash;
  uint32_t document;

  friend auto operator<=>(const AliasEntry&, const AliasEntry&) = default;
};

// Each name of a document, and each beginning of one, at which a search may have to go on.
std::vector<AliasEntry> AliasesOf(const Lexicon& lexicon, const Rows& rows) {
  std::vector<AliasEntry> entries;
  const auto beginning = static_cast<uint32_t>(rows.size());
  for (size_t d = 0; d < rows.size(); ++d) {
    const auto row = rows[d];
    if (row.empty()) continue;
    const auto words = WordsOf(row);
    const size_t aliases = 2 + words.size();
    for (uint32_t i = 0; i < row[aliases]; ++i) {
      AliasHash hash;
      const uint32_t begin = row[aliases + 1 + 2 * i], size = row[aliases + 2 + 2 * i];
      for (uint32_t k = 0; k < size; ++k) {
        hash.Add(lexicon[words[begin + k] >> kWordFlagBits]);
        const bool whole = k + 1 == size;
        entries.push_back({hash.value(), whole ? static_cast<uint32_t>(d) : beginning});
      }
    }
  }
  std::ranges::sort(entries);
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

Result<void> WriteAliases(const Lexicon& lexicon, const Rows& rows, SectionWriter* out) {
  const std::vector<AliasEntry> entries = AliasesOf(lexicon, rows);
  LOCI_TRY(out->WriteIntegers<uint64_t>(kAliasHashes, entries.size(),
                                        [&](uint64_t i) { return entries[i].hash; }));
  return out->WriteColumn(kAliasDocuments, entries.size(), rows.size(),
                          [&](uint64_t i) { return entries[i].document; });
}

}  // namespace

std::string_view StemmerOfSettings(std::string_view settings) {
  constexpr std::string_view kKey = "stemmer ";
  while (!settings.empty()) {
    const std::string_view line = settings.substr(0, settings.find('\n'));
    if (line.starts_with(kKey)) return line.substr(kKey.size());
    settings.remove_prefix(std::min(settings.size(), line.size() + 1));
  }
  return kDefaultStemmer;
}

Result<void> WriteText(const ImageDraft& draft, SectionWriter* out) {
  LOCI_ASSIGN(Stemmer stemmer, Stemmer::Make(StemmerOfSettings(draft.settings)));
  Documents documents(draft, std::move(stemmer));
  Rows rows(draft.terms[3]);
  LOCI_TRY(documents.Each([&](uint32_t, const Document& document) { rows.Add(document); }));
  const Inverted inverted = Invert(documents.lexicon(), rows);
  LOCI_TRY(WriteWords(documents.lexicon(), inverted, out));
  LOCI_TRY(WritePostings(inverted, rows.size(), out));
  LOCI_TRY(WriteDocuments(rows, inverted, out));
  return WriteAliases(documents.lexicon(), rows, out);
}

}  // namespace loci
