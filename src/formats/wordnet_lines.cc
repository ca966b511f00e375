// SPDX-License-Identifier: Apache-2.0
#include "formats/wordnet_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr uint32_t kMostOffset = UINT32_MAX - 1;
constexpr size_t kMostLemma = 1000;  // so that sense keys, made of two, are names too

std::string Lower(std::string_view s) {
  std::string lower(s);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

bool ParseWord(WnFields* in, Part part, WnWord* word) {
  std::string_view form;
  uint32_t lex_id = 0;
  if (!in->Word("a word", &form)) return false;
  if (part == Part::kAdjective && form.ends_with(')')) {
    const size_t open = form.rfind('(');
    const std::string_view marker =
        open == std::string_view::npos ? "" : form.substr(open + 1, form.size() - open - 2);
    word->position = AdjectivePosition(marker);
    if (word->position.empty() || open == 0) {
      return in->Fail(fmt::format("\"{}\" ends in no marker of wninput(5WN): (a), (p) or (ip)",
                                  Excerpt(form, 40)));
    }
    form = form.substr(0, open);
  }
  if (form.size() > kMostLemma) {
    return in->Fail(
        fmt::format("the word \"{}\" is longer than {} bytes", Excerpt(form, 40), kMostLemma));
  }
  auto normal = ToNfc(form);
  if (!normal.ok()) return in->Fail(normal.error().message);
  word->form = normal.take();
  word->lemma = Lower(word->form);
  if (!in->Number("a lex_id", 16, 0, 99, &lex_id)) return false;
  word->lex_id = static_cast<uint8_t>(lex_id);
  return true;
}

void MergeSpellings(std::vector<WnWord>* words) {
  for (size_t i = 1; i < words->size(); ++i) {
    WnWord& word = (*words)[i];
    const auto before = std::ranges::find(
        words->begin(), words->begin() + static_cast<ptrdiff_t>(i), word.lemma, &WnWord::lemma);
    word.respelled = &*before != &word;
    word.lex_id = before->lex_id;
  }
}

bool ParsePointer(WnFields* in, Part part, size_t words, WnPointer* pointer) {
  std::string_view symbol, letter;
  uint32_t both = 0;
  if (!in->Word("a pointer symbol", &symbol)) return false;
  pointer->relation = PointerRelation(part, symbol);
  if (pointer->relation.empty()) {
    return in->Fail(
        fmt::format("\"{}\" is no pointer symbol of a {}", Excerpt(symbol, 20), InfoOf(part).name));
  }
  if (!in->Number("a synset offset", 10, 0, kMostOffset, &pointer->offset)) return false;
  if (!in->Word("a part of speech", &letter)) return false;
  if (letter.size() != 1 || !PartOfLetter(letter[0], &pointer->part)) {
    return in->Fail(
        fmt::format("\"{}\" is no part of speech: n, v, a, s or r", Excerpt(letter, 20)));
  }
  if (!in->Number("source and target words", 16, 0, 0xFFFF, &both)) return false;
  pointer->source = static_cast<uint8_t>(both >> 8);
  pointer->target = static_cast<uint8_t>(both & 0xFF);
  if (pointer->source > words || (pointer->source == 0) != (pointer->target == 0)) {
    return in->Fail(fmt::format("{:04x} names no two words, nor is it 0000", both));
  }
  return true;
}

bool ParseFrames(WnFields* in, size_t words, std::vector<WnFrame>* frames) {
  uint32_t count = 0;
  if (!in->Number("a number of frames", 10, 0, 99, &count)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    std::string_view plus;
    uint32_t frame = 0, word = 0;
    if (!in->Word("a +", &plus)) return false;
    if (plus != "+")
      return in->Fail(fmt::format("\"{}\" where + opens a frame", Excerpt(plus, 20)));
    if (!in->Number("a frame", 10, 1, 99, &frame)) return false;
    if (!in->Number("a word", 16, 0, static_cast<uint32_t>(words), &word)) return false;
    frames->push_back({static_cast<uint8_t>(frame), static_cast<uint8_t>(word)});
  }
  return true;
}

}  // namespace

bool WnFields::Word(std::string_view what, std::string_view* field) {
  start_ = at_;
  const size_t stop = std::min(line_.find(' ', at_), line_.size());
  *field = line_.substr(std::min(at_, line_.size()), stop - std::min(at_, stop));
  if (field->empty()) return Fail(fmt::format("{} is missing here", what));
  at_ = stop + 1;
  return true;
}

bool WnFields::Number(std::string_view what, int base, uint32_t least, uint32_t most,
                      uint32_t* value) {
  std::string_view field;
  if (!Word(what, &field)) return false;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, *value, base);
  if (error != std::errc() || stop != end || *value < least || *value > most) {
    return Fail(fmt::format("\"{}\" is not {}: a {} number from {} to {}", Excerpt(field, 20), what,
                            base == 16 ? "hexadecimal" : "decimal", least, most));
  }
  return true;
}

bool ParseDataLine(std::string_view line, Part part, WnSynset* synset, WnFault* fault) {
  if (const auto invalid = FindInvalidUtf8(line)) {
    *fault = {*invalid, "not UTF-8 here; convert the files, e.g. with iconv"};
    return false;
  }
  if (const size_t nul = line.find('\0'); nul != std::string_view::npos) {
    *fault = {nul, "a NUL byte here; this is no file of WordNet"};
    return false;
  }
  WnFields in(line, fault);
  uint32_t lexical_file = 0, words = 0, pointers = 0;
  std::string_view type, bar;
  if (!in.Number("a synset offset", 10, 0, kMostOffset, &synset->offset)) return false;
  if (!in.Number("a lexicographer file", 10, 0, 44, &lexical_file)) return false;
  synset->lexical_file = static_cast<uint8_t>(lexical_file);
  if (!in.Word("a synset type", &type)) return false;
  synset->satellite = type == "s" && part == Part::kAdjective;
  if (!synset->satellite && (type.size() != 1 || type[0] != InfoOf(part).letter)) {
    return in.Fail(
        fmt::format("\"{}\" is not the type of a {}", Excerpt(type, 20), InfoOf(part).name));
  }
  if (!in.Number("a number of words", 16, 1, 255, &words)) return false;
  synset->words.resize(words);
  for (WnWord& word : synset->words) {
    if (!ParseWord(&in, part, &word)) return false;
  }
  MergeSpellings(&synset->words);
  if (!in.Number("a number of pointers", 10, 0, 999, &pointers)) return false;
  synset->pointers.resize(pointers);
  for (WnPointer& pointer : synset->pointers) {
    if (!ParsePointer(&in, part, words, &pointer)) return false;
  }
  if (part == Part::kVerb && !ParseFrames(&in, words, &synset->frames)) return false;
  if (!in.Word("the | before the gloss", &bar)) return false;
  if (bar != "|") return in.Fail(fmt::format("\"{}\" where | opens the gloss", Excerpt(bar, 20)));
  synset->gloss = in.Rest();
  return true;
}

bool ParseIndexLine(std::string_view line, Part part, WnIndexEntry* entry, WnFault* fault) {
  WnFields in(line, fault);
  std::string_view letter, symbol;
  uint32_t senses = 0, symbols = 0, unused = 0;
  if (!in.Word("a word", &entry->lemma)) return false;
  if (!in.Word("a part of speech", &letter)) return false;
  if (letter.size() != 1 || letter[0] != InfoOf(part).letter) {
    return in.Fail(
        fmt::format("\"{}\" is not the letter of a {}", Excerpt(letter, 20), InfoOf(part).name));
  }
  if (!in.Number("a number of synsets", 10, 1, 9999, &senses)) return false;
  if (!in.Number("a number of pointer symbols", 10, 0, 99, &symbols)) return false;
  for (uint32_t i = 0; i < symbols; ++i) {
    if (!in.Word("a pointer symbol", &symbol)) return false;
  }
  if (!in.Number("a number of senses", 10, senses, senses, &unused)) return false;
  if (!in.Number("a number of tagged senses", 10, 0, senses, &unused)) return false;
  entry->offsets.resize(senses);
  for (uint32_t& offset : entry->offsets) {
    if (!in.Number("a synset offset", 10, 0, kMostOffset, &offset)) return false;
  }
  return true;
}

}  // namespace loci
