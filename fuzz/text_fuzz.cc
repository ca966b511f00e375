// SPDX-License-Identifier: Apache-2.0
//
// Texts of any bytes as words and documents: tokens lie in their text in order, what names and
// phrases a document has are words of it, and the same again gives the same. Of what a memory may
// hold an image is made besides: it is verified, and gives the document back.
//
// The input's first byte chooses a language; lines follow: a title, a body, the name of a symbol.
#include <tuple>
#include <vector>

#include "harness.h"
#include "image/testing.h"
#include "text/document.h"

namespace loci {
namespace {

using fuzz::Require;
using fuzz::Value;

// A document with its words as strings, so that lexicons and images compare.
using Plain = std::tuple<std::vector<std::pair<std::string, uint32_t>>, uint32_t,
                         std::vector<std::pair<uint32_t, uint32_t>>,
                         std::vector<std::tuple<uint32_t, uint32_t, std::string>>>;

template <class WordOf>
Plain ToPlain(const Document& document, WordOf word_of) {
  Plain plain;
  auto& [words, title_words, aliases, phrases] = plain;
  for (const uint32_t word : document.words) {
    words.emplace_back(word_of(word >> kWordFlagBits), word & ((1u << kWordFlagBits) - 1));
  }
  title_words = document.title_words;
  const uint64_t size = words.size();
  Require(title_words <= size, "a title's words are words");
  for (const auto& a : document.aliases) {
    Require(a.size > 0 && a.size <= kMaxAliasWords && uint64_t{a.begin} + a.size <= title_words,
            "an alias is of the titles");
    aliases.emplace_back(a.begin, a.size);
  }
  uint64_t end = 0;
  for (const auto& p : document.phrases) {
    Require(p.begin >= end && p.size > 0 && p.size <= kMaxPhraseWords, "phrases do not overlap");
    end = uint64_t{p.begin} + p.size;
    Require(end <= size, "a phrase's words are words");
    phrases.emplace_back(p.begin, p.size, word_of(p.word));
  }
  return plain;
}

void CheckTokens(std::string_view text, bool valid) {
  Tokens tokens, again;
  Tokenize(text, &tokens);
  Tokenize(text, &again);
  uint64_t begin = 0;
  uint32_t sentence = 0;
  Require(tokens.list().size() == again.list().size(), "the same words again", text);
  for (size_t i = 0; i < tokens.list().size(); ++i) {
    const Token& token = tokens.list()[i];
    const std::string_view folded = tokens.Folded(token);
    Require(folded == again.Folded(again.list()[i]), "the same words again", text);
    Require(!folded.empty() && folded.size() <= kMaxWordBytes, "a word is of some size", folded);
    Require(!valid || !FindInvalidUtf8(folded), "a word is valid UTF-8", text);
    Require(token.begin >= begin && token.begin < token.end && token.end <= text.size(),
            "words are in order and within the text", text);
    Require(token.sentence >= sentence, "sentences are in order", text);
    begin = token.begin;
    sentence = token.sentence;
  }
}

struct Input {
  std::string language;
  std::string_view title, body, name;
};

Plain Build(const Input& input) {
  Lexicon lexicon(Value(Stemmer::Make(input.language), "a language there is"));
  Document document;
  DocumentBuilder builder(&lexicon, &document);
  builder.AddTitle(input.title);
  builder.AddBody(input.body);
  builder.AddName(input.name);
  builder.Finish();
  return ToPlain(document, [&](uint32_t word) { return std::string(lexicon[word]); });
}

void CheckImage(const Input& input, const Plain& expected) {
  const Result<Term> name = MakeSymbol(input.name);
  const Result<Term> title = MakeText(input.title), body = MakeText(input.body);
  // A name may be stored otherwise than it is given, and a body may be the title once more.
  if (!name.ok() || name->bytes != input.name || !title.ok() || !body.ok()) return;
  const Term doc = test::Symbol("doc"), source = test::Symbol("s");
  const test::Said said = {{{doc, test::Symbol("title"), *title, source}, false},
                           {{doc, test::Symbol("text"), *body, source}, false},
                           {{doc, test::Symbol("with"), *name, source}, false}};
  const auto image = test::Opened(test::WriteSlowly(said, "stemmer " + input.language + "\n"));
  Require(image != nullptr, "an image is opened");
  const Result<void> verified = image->Verify();
  Require(verified.ok(), "an image is verified", verified.ok() ? "" : verified.error().message);
  test::ReadText(image->text());
  Document document;
  image->text().Read(*image->Find(doc) - image->first_symbol(), SIZE_MAX, &document);
  const auto word_of = [&](uint32_t word) { return std::string(image->text().Word(word)); };
  Require(ToPlain(document, word_of) == expected, "an image gives the document back");
  Require(image->damage().ok(), "what is verified holds no damage");
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace loci;
  static const std::vector<std::string> languages = Languages();
  fuzz::Choices choices(data, size);
  Input input;
  input.language = languages[choices.Below(languages.size())];
  std::string_view rest = choices.Rest();
  for (std::string_view* part : {&input.title, &input.body}) {
    *part = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), part->size() + 1));
  }
  input.name = rest;
  const bool valid = !FindInvalidUtf8(AsChars({data + (size > 0), size - (size > 0)}));
  for (const std::string_view text : {input.title, input.body, input.name}) {
    CheckTokens(text, valid);
  }
  const Plain plain = Build(input);
  Require(plain == Build(input), "the same document again");
  if (valid) CheckImage(input, plain);
  return 0;
}
