// SPDX-License-Identifier: Apache-2.0
//
// The sections of text against a double that makes maps of strings from the statements: by the
// tokenizer and the stemmer, and nothing of how the writer builds documents. Then damage.
#include "image/text_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <tuple>

#include "image/testing.h"
#include "text/fields.h"
#include "text/stemmer.h"

namespace loci {
namespace {

using test::Made;
using test::Random;
using test::Said;
using test::Symbol;
using ::testing::HasSubstr;

// --- the double ---

struct SlowWord {
  std::string stem;
  bool capital, apart, first, stop;

  uint32_t flags() const {
    return (capital ? 1u : 0) + (apart ? 2u : 0) + (first ? 4u : 0) + (stop ? 8u : 0);
  }
};

struct SlowDocument {
  std::vector<SlowWord> words;
  size_t title_words = 0;
  std::vector<std::pair<size_t, size_t>> aliases;                // first word, words
  std::vector<std::tuple<size_t, size_t, std::string>> phrases;  // first word, words, word
  std::vector<std::string> Stems(size_t begin, size_t size) const {
    std::vector<std::string> stems;
    for (size_t i = begin; i < begin + size; ++i) stems.push_back(words[i].stem);
    return stems;
  }
};

// Dates, and the words that they are.
const std::map<std::string, std::string> kDates = {{"1999", "1999"},
                                                   {"2023-10", "october 2023"},
                                                   {"2024-05-17", "17 may 2024"},
                                                   {"2024-02-03T08:30Z", "3 february 2024"},
                                                   {"-0044-03-15", "15 march -0044"}};

bool HasDigit(std::string_view word) {
  return word.find_first_of("0123456789") != std::string_view::npos;
}

uint64_t HashOf(const std::vector<std::string>& stems) {
  AliasHash hash;
  for (const std::string& stem : stems) hash.Add(stem);
  return hash.value();
}

class Slow {
 public:
  Slow(const Said& said, std::string_view language) : stemmer_(Stemmer::Make(language).take()) {
    std::set<Term, test::TermLess> symbols, known;
    std::set<std::tuple<Term, Term, Term>, FactLess> facts;
    for (const auto& [s, removed] : said) {
      for (const Term& term : {s.subject, s.relation, s.object, s.source}) {
        if (term.kind == Kind::kSymbol) symbols.insert(term);
      }
      if (removed) continue;
      facts.insert({s.subject, s.relation, s.object});
      known.insert(s.subject);
      if (s.object.kind == Kind::kSymbol) known.insert(s.object);
    }
    for (const Term& symbol : symbols) {
      documents.emplace_back();
      if (known.contains(symbol)) documents.back() = Make(symbol, facts);
    }
    for (uint32_t d = 0; d < documents.size(); ++d) Index(d);
  }

  std::vector<SlowDocument> documents;
  std::map<std::string, std::map<uint32_t, uint32_t>> postings;  // word, document: count
  std::map<std::vector<std::string>, std::set<uint32_t>> names;
  std::set<std::vector<std::string>> beginnings;

 private:
  struct FactLess {
    bool operator()(const std::tuple<Term, Term, Term>& a,
                    const std::tuple<Term, Term, Term>& b) const {
      if (const int c = CompareTerms(std::get<0>(a), std::get<0>(b))) return c < 0;
      if (const int c = CompareTerms(std::get<1>(a), std::get<1>(b))) return c < 0;
      return CompareTerms(std::get<2>(a), std::get<2>(b)) < 0;
    }
  };

  std::vector<SlowWord> WordsOf(std::string_view text, bool numbered, bool* all = nullptr) {
    Tokens tokens;
    Tokenize(text, &tokens);
    std::vector<SlowWord> words;
    int64_t sentence = -1;
    for (const Token& token : tokens.list()) {
      const std::string form(tokens.Folded(token));
      if (!numbered && HasDigit(form)) continue;
      words.push_back({std::string(stemmer_.Stem(form)), token.capital, token.apart,
                       sentence != token.sentence, stemmer_.IsStop(form)});
      sentence = token.sentence;
    }
    if (all != nullptr) *all = words.size() == tokens.list().size();
    return words;
  }

  void AddAlias(size_t begin, size_t size, SlowDocument* document) {
    if (size == 0 || size > 10) return;
    size_t stops = 0;
    for (size_t i = begin; i < begin + size; ++i) stops += document->words[i].stop;
    if (stops == size || (size == 1 && HasDigit(document->words[begin].stem))) return;
    const std::pair<size_t, size_t> alias(begin, size);
    if (std::ranges::find(document->aliases, alias) == document->aliases.end()) {
      document->aliases.push_back(alias);
    }
  }

  void Append(std::vector<SlowWord> words, SlowDocument* document) {
    document->words.insert(document->words.end(), words.begin(), words.end());
  }

  // The parts of a title are texts of their own here, which are cut before they are read.
  void AddTitle(const std::string& title, SlowDocument* document) {
    const size_t begin = document->words.size();
    Append(WordsOf(title, true), document);
    const size_t size = document->words.size() - begin;
    document->title_words = document->words.size();
    std::string whole = title;
    if (const size_t at = title.find(" ("); at != 0) whole = title.substr(0, at);
    AddAlias(begin, WordsOf(whole, true).size(), document);
    const std::string until_bracket = title.substr(0, title.find(" ("));
    if (const size_t comma = until_bracket.find(", "); comma != std::string::npos) {
      const size_t words = WordsOf(title.substr(0, comma), true).size();
      if (words >= 2) AddAlias(begin, words, document);
    }
    if (const size_t arrow = title.rfind(" > "); arrow != std::string::npos) {
      const size_t words = WordsOf(title.substr(arrow), true).size();
      AddAlias(begin + size - words, words, document);
    }
  }

  SlowDocument Make(const Term& symbol,
                    const std::set<std::tuple<Term, Term, Term>, FactLess>& all) {
    SlowDocument document;
    std::vector<std::pair<std::string, Term>> facts;
    for (const auto& [subject, relation, object] : all) {
      if (subject == symbol) facts.emplace_back(relation.bytes, object);
    }
    const auto spaced = [](std::string name) {
      for (char& c : name) c = c == '_' ? ' ' : c;
      return name;
    };
    bool texts = false, titles = false, whole = false;
    for (const auto& [relation, object] : facts) {
      whole |= FieldOf(relation) == Field::kPartOf;
      if (object.kind != Kind::kText || FieldOf(relation) == Field::kNone) continue;
      texts = true;
      if (FieldOf(relation) != Field::kTitle) continue;
      titles = true;
      AddTitle(std::string(SplitText(object.bytes).text), &document);
    }
    if (!titles && !(texts && whole)) {
      bool complete;
      Append(WordsOf(spaced(symbol.bytes), texts, &complete), &document);
      document.title_words = document.words.size();
      if (complete) AddAlias(0, document.words.size(), &document);
    }
    for (const bool symbols : {false, true}) {
      for (const auto& [relation, object] : facts) {
        const bool name = object.kind == Kind::kSymbol;
        if (!texts || name != symbols || FieldOf(relation) != Field::kBody) continue;
        if (object.kind == Kind::kNumber) continue;
        if (object.kind == Kind::kDate) {
          Append(WordsOf(kDates.at(ToPlain(object)), true), &document);
        } else {
          Append(name ? WordsOf(spaced(object.bytes), false)
                      : WordsOf(SplitText(object.bytes).text, true),
                 &document);
        }
      }
    }
    FindPhrases(&document);
    return document;
  }

  // Each stretch that nothing breaks as a string: C a capital, j a joining word, x any other.
  void FindPhrases(SlowDocument* document) {
    const std::vector<SlowWord>& words = document->words;
    std::set<std::string> joining;
    for (const char* word : {"of", "the", "de", "la", "van", "von", "du", "der", "del"}) {
      joining.insert(std::string(stemmer_.Stem(word)));
    }
    static const std::regex run("^C(?:j?C)*");
    for (size_t begin = 0; begin < words.size();) {
      std::string stretch;
      for (size_t i = begin; i < words.size(); ++i) {
        if (i > begin && (words[i].first || words[i].apart)) break;
        stretch += words[i].capital ? 'C' : joining.contains(words[i].stem) ? 'j' : 'x';
      }
      std::smatch match;
      if (!std::regex_search(stretch, match, run)) {
        ++begin;
        continue;
      }
      auto size = static_cast<size_t>(match.length());
      if (size > 8) size = stretch[7] == 'C' ? 8 : 7;
      size_t first = begin;
      while (first < begin + size && words[first].stop) ++first;
      const size_t left = begin + size - first;
      const bool only_first = left == 1 && words[first].first && first >= document->title_words;
      if (left > 0 && !only_first) {
        std::string word;
        for (size_t i = first; i < first + left; ++i)
          word += (word.empty() ? "^" : " ") + words[i].stem;
        document->phrases.emplace_back(first, left, word);
      }
      begin += size;
    }
  }

  void Index(uint32_t d) {
    const SlowDocument& document = documents[d];
    for (size_t i = 0; i < document.words.size(); ++i) {
      postings[document.words[i].stem][d] += i < document.title_words ? 2 : 1;
    }
    for (const auto& [begin, size, word] : document.phrases) postings[word][d] = 1;
    for (const auto& [begin, size] : document.aliases) {
      names[document.Stems(begin, size)].insert(d);
      for (size_t part = 1; part < size; ++part) beginnings.insert(document.Stems(begin, part));
    }
  }

  Stemmer stemmer_;
};

// --- random statements ---

std::string RandomText(Random& random) {
  static const char* const kWords[] = {
      "Marie",  "Curie", "of",      "the",    "The",  "director", "directed", "dogs", "dog's",
      "House",  "von",   "München", "cats",   "12",   "1,000",    "3.14",     "c++",  "A",
      "of the", "naïve", "van",     "Gogh",   "de",   "La",       "J.",       "and",  "Müller",
      "東京都", "IV",    "running", "runner", "Runs", "États",    "x1",       "Who",  "is"};
  static const char* const kBreaks[] = {" ",  " ",  " ",   " ",    " ",  " ",  ", ", ". ",
                                        " (", ") ", " > ", "\n\n", "; ", "? ", "-",  "_"};
  std::string text;
  for (uint64_t n = random() % 12; n > 0; --n) {
    if (!text.empty()) text += kBreaks[random() % std::size(kBreaks)];
    text += kWords[random() % std::size(kWords)];
  }
  return text;
}

std::string RandomName(Random& random) {
  static const char* const kNames[] = {
      "Marie_Curie", "dog",   "notes#000001", "notes#000002",         "notes", "Q42", "of_the",
      "the_House",   "doc-1", "München",      "a b c d e f g h i j k"};
  return kNames[random() % std::size(kNames)];
}

Term RandomObjectOfAnyKind(Random& random) {
  switch (random() % 8) {
    case 0:
      return Made(MakeNumber("42"));
    case 1:
      return Made(MakeDate(
          std::next(kDates.begin(), static_cast<ptrdiff_t>(random() % kDates.size()))->first));
    case 2:
      return Symbol(RandomName(random));
    case 3:
      return Made(MakeTaggedText(RandomText(random), '@', "en"));
    default:
      return Made(MakeText(RandomText(random)));
  }
}

Said RandomSaid(Random& random, size_t statements, bool removals) {
  static const char* const kRelations[] = {"title", "text",  "text", "part_of", "speaker",
                                           "rule",  "alias", "is_a", "label",   "note"};
  Said said;
  for (size_t i = 0; i < statements; ++i) {
    said[{Symbol(RandomName(random)), Symbol(kRelations[random() % std::size(kRelations)]),
          RandomObjectOfAnyKind(random), Symbol(random() % 2 ? "book" : "web")}] =
        removals && random() % 3 == 0;
  }
  return said;
}

// --- the comparison ---

void ExpectSame(const Slow& slow, const TextIndex& text) {
  ASSERT_EQ(text.words(), slow.postings.size());
  std::vector<std::string> words;
  uint32_t number = 0;
  for (const auto& [word, postings] : slow.postings) {
    words.push_back(word);
    ASSERT_EQ(text.Word(number), word) << "in the order of the bytes";
    ASSERT_EQ(text.Find(word), number);
    ASSERT_EQ(text.LowerBound(word), number);
    ASSERT_EQ(text.LowerBound(word + '\0'), number + 1);
    ASSERT_FALSE(text.Find(word + " no such").has_value());
    ASSERT_EQ(text.Documents(number), postings.size());
    Postings there = text.PostingsOf(number);
    for (const auto& [document, count] : postings) {
      ASSERT_TRUE(there.Next()) << word;
      ASSERT_EQ(there.document(), document);
      ASSERT_EQ(there.count(), count) << word;
    }
    ASSERT_FALSE(there.Next());
    ++number;
  }
  ASSERT_EQ(text.documents(), slow.documents.size());
  Document read;
  for (uint32_t d = 0; d < text.documents(); ++d) {
    const SlowDocument& expected = slow.documents[d];
    const auto length = static_cast<uint32_t>(expected.words.size() + expected.title_words);
    ASSERT_EQ(text.LengthCodeOf(d), LengthCode(length));
    const bool one_word = expected.title_words == 1 && expected.words.size() > 1;
    ASSERT_EQ(text.IsEntry(d),
              one_word && !expected.words[0].capital &&
                  !std::isdigit(static_cast<unsigned char>(expected.words[0].stem[0])));
    ASSERT_EQ(text.IsTitleAlone(d),
              !expected.words.empty() && expected.words.size() == expected.title_words);
    for (const size_t most : {size_t{0}, size_t{3}, SIZE_MAX}) {
      text.Read(d, most, &read);
      const size_t size = std::min(most, expected.words.size());
      ASSERT_EQ(read.words.size(), size);
      ASSERT_EQ(read.title_words, std::min(most, expected.title_words));
      for (size_t i = 0; i < size; ++i) {
        ASSERT_EQ(words[read.words[i] >> kWordFlagBits], expected.words[i].stem);
        ASSERT_EQ(read.words[i] & ((1u << kWordFlagBits) - 1), expected.words[i].flags());
      }
      std::vector<std::pair<size_t, size_t>> aliases;
      for (const auto& [begin, n] : expected.aliases) {
        if (begin + n <= most) aliases.emplace_back(begin, n);
      }
      ASSERT_EQ(read.aliases.size(), aliases.size());
      for (size_t i = 0; i < aliases.size(); ++i) {
        ASSERT_EQ(read.aliases[i].begin, aliases[i].first);
        ASSERT_EQ(read.aliases[i].size, aliases[i].second);
      }
      size_t i = 0;
      for (const auto& [begin, n, word] : expected.phrases) {
        if (begin + n > most) break;
        ASSERT_LT(i, read.phrases.size());
        ASSERT_EQ(read.phrases[i].begin, begin);
        ASSERT_EQ(read.phrases[i].size, n);
        ASSERT_EQ(words[read.phrases[i++].word], word);
      }
      ASSERT_EQ(i, read.phrases.size());
    }
  }
  for (const auto& [stems, documents] : slow.names) {
    const TextIndex::Names names = text.FindNames(HashOf(stems));
    ASSERT_TRUE(names.found);
    std::set<uint32_t> there;
    for (uint32_t i = names.begin; i < names.end; ++i) there.insert(text.NamedDocument(i));
    ASSERT_EQ(there, documents);
    ASSERT_EQ(there.size(), names.end - names.begin);
    ASSERT_FALSE(text.FindNames(HashOf(stems) + 1).found);
  }
  for (const auto& stems : slow.beginnings) {
    const TextIndex::Names names = text.FindNames(HashOf(stems));
    ASSERT_TRUE(names.found);
    ASSERT_EQ(names.end > names.begin, slow.names.contains(stems));
  }
}

TEST(TextIndexTest, IsWhatTheDoubleMakesOfTheStatements) {
  Random random(1);
  size_t phrases = 0, aliases = 0, beginnings = 0;
  for (int round = 0; round < 400; ++round) {
    static const char* const kLanguages[] = {"english", "english", "none", "german"};
    const std::string language = kLanguages[random() % std::size(kLanguages)];
    const std::string settings =
        language == "english" ? "unicode 15.0.0\n" : "stemmer " + language + "\nunicode 15.0.0\n";
    const Said said = RandomSaid(random, random() % 60, random() % 2 == 0);
    const auto image = test::Opened(test::WriteSlowly(said, settings));
    ASSERT_TRUE(image);
    const Slow slow(said, language);
    ExpectSame(slow, image->text());
    if (HasFatalFailure()) FAIL() << "round " << round;
    ASSERT_TRUE(image->damage().ok());
    const Result<void> verified = image->Verify();
    ASSERT_TRUE(verified.ok()) << verified.error().message;
    for (const SlowDocument& document : slow.documents) phrases += document.phrases.size();
    aliases += slow.names.size();
    beginnings += slow.beginnings.size();
  }
  EXPECT_GT(phrases, 1000u);
  EXPECT_GT(aliases, 1000u);
  EXPECT_GT(beginnings, 1000u);
}

// Many names, so that the search among their hashes has something to jump over.
TEST(TextIndexTest, FindsEachOfManyNames) {
  Said said;
  const auto name = [](int i) {
    std::string word;
    for (; word.empty() || i > 0; i /= 26) word += static_cast<char>('a' + i % 26);
    return "qu" + word;
  };
  for (int i = 0; i < 5000; ++i) {
    said[{Symbol(name(i)), Symbol("is_a"), Symbol("thing"), Symbol("s")}] = false;
  }
  const auto image = test::Opened(test::WriteSlowly(said, "stemmer none\n"));
  ASSERT_TRUE(image);
  const TextIndex& text = image->text();
  for (int i = 0; i < 5000; ++i) {
    const TextIndex::Names names = text.FindNames(HashOf({name(i)}));
    ASSERT_EQ(names.end, names.begin + 1) << name(i);
    const LocalId symbol = image->first_symbol() + text.NamedDocument(names.begin);
    ASSERT_EQ(image->Name(symbol).bytes, name(i));
    ASSERT_FALSE(text.FindNames(HashOf({name(i), "more"})).found);
  }
  EXPECT_FALSE(text.FindNames(0).found);
  EXPECT_FALSE(text.FindNames(UINT64_MAX).found);
}

TEST(TextIndexTest, AnImageOfTheFirstFormatHasNone) {
  Random random(2);
  const Said said = RandomSaid(random, 30, false);
  const auto image = test::Opened(test::WriteSlowly(said, "", kFirstImageVersion));
  ASSERT_TRUE(image);
  EXPECT_TRUE(image->Verify().ok());
  const TextIndex& text = image->text();
  EXPECT_FALSE(text.present());
  EXPECT_EQ(text.words(), 0u);
  EXPECT_EQ(text.documents(), 0u);
  EXPECT_FALSE(text.Find("dog").has_value());
  EXPECT_EQ(text.LowerBound("dog"), 0u);
  EXPECT_FALSE(text.PostingsOf(0).Next());
  EXPECT_FALSE(text.FindNames(7).found);
  Document document;
  text.Read(0, SIZE_MAX, &document);
  EXPECT_TRUE(document.words.empty());
  EXPECT_TRUE(image->damage().ok());
}

// Every byte of the sections, changed beneath checksums that hold: readers stay within them, under
// the address sanitizer, and Verify names the section.
TEST(TextIndexTest, EveryChangedByteIsFound) {
  Random random(3);
  const std::string bytes = test::WriteSlowly(RandomSaid(random, 25, true), "unicode 15.0.0\n");
  int noted = 0;
  for (uint32_t s = kWordBytes; s < kSections; ++s) {
    const SectionEntry entry = test::EntryOf(bytes, s);
    ASSERT_GT(entry.length, 0u) << SectionName(s);
    for (uint64_t i = 0; i < entry.length; ++i) {
      std::string changed = bytes;
      changed[entry.offset + i] =
          static_cast<char>(changed[entry.offset + i] ^ (1 << random() % 8));
      const auto image = test::OpenExactly(test::Resealed(changed));
      ASSERT_TRUE(image.ok()) << image.error().message;
      test::ReadText((*image)->text());
      noted += !(*image)->damage().ok();
      const Result<void> verified = (*image)->Verify();
      ASSERT_FALSE(verified.ok()) << SectionName(s) << " byte " << i;
      ASSERT_THAT(verified.error().message,
                  HasSubstr(std::string("section \"") + SectionName(s) + "\""));
    }
  }
  EXPECT_GT(noted, 100);
}

}  // namespace
}  // namespace loci
