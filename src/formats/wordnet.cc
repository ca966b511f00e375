// SPDX-License-Identifier: Apache-2.0
//
// WordNet as statements; docs/wordnet.md has the table of relations with an example of each. Three
// kinds of symbols:
//
//   word    dog, new_york    as the index files have it   means(W, synset)  sense(W, sense)
//   synset  dog.n.01         definition, example, semantic pointers
//   sense   dog%1:05:00::    a word in a synset: sense_of(K, synset), its written form, number and
//                            count, lexical pointers, verb frames
//
// Everything in the files becomes statements but byte offsets, the order of words in a synset
// beyond the first, and counts of senses that the database no longer has (1,909 lines of
// cntlist.rev).
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <unordered_map>

#include "base/unicode.h"
#include "formats/gloss.h"
#include "formats/readers.h"
#include "formats/wordnet_database.h"

namespace loci {
namespace {

constexpr TermView Symbol(std::string_view name) {
  return {Kind::kSymbol, name};
}

// Head words of keys in cntlist.rev keep their adjective marker: above%5:00:00:preceding(a):00.
std::string WithoutMarker(std::string_view key) {
  std::string plain(key);
  const size_t open = plain.find('(');
  const size_t close = plain.find(')', open == std::string::npos ? 0 : open);
  if (open != std::string::npos && close != std::string::npos) plain.erase(open, close - open + 1);
  return plain;
}

class Emitter {
 public:
  Emitter(std::string directory, Reading* reading)
      : directory_(std::move(directory)), reading_(reading) {}

  Result<void> Run() {
    LOCI_TRY(database_.Load(directory_, reading_));
    LOCI_TRY(LoadCounts());
    LOCI_TRY(LoadNumbered("frames.vrb", &frames_));
    LOCI_TRY(LoadNumbered("sents.vrb", &sentences_));
    LOCI_TRY(LoadSentenceIndex());
    for (int i = 0; i < kParts; ++i) {
      const Part part = static_cast<Part>(i);
      reading_->SetFile(fmt::format("{}/data.{}", directory_, InfoOf(part).extension));
      for (const WnSynset& synset : database_.synsets(part)) LOCI_TRY(EmitSynset(synset, part));
    }
    for (int i = 0; i < kParts; ++i) LOCI_TRY(EmitBaseForms(static_cast<Part>(i)));
    return {};
  }

 private:
  // What helps programs to show things need not be there.
  Result<void> ForEachLineIfThere(
      const std::string& name,
      const std::function<Result<void>(std::string_view line, uint64_t number)>& use) {
    const std::string path = directory_ + "/" + name;
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    return ForEachLine(path, reading_, use);
  }

  // cntlist.rev: sense_key sense_number tag_cnt
  Result<void> LoadCounts() {
    return ForEachLineIfThere(
        "cntlist.rev", [&](std::string_view line, uint64_t number) -> Result<void> {
          WnFault fault;
          WnFields in(line, &fault);
          std::string_view key;
          uint32_t sense = 0, count = 0;
          if (!in.Word("a sense key", &key) || !in.Number("a sense number", 10, 0, 9999, &sense) ||
              !in.Number("a count", 10, 0, 999'999'999, &count)) {
            return reading_->BadAt(number, line, fault.offset, std::move(fault.reason));
          }
          counts_[WithoutMarker(key)] = count;
          return {};
        });
  }

  // frames.vrb and sents.vrb: a number, spaces, a text.
  Result<void> LoadNumbered(const std::string& name, std::map<uint32_t, std::string>* texts) {
    return ForEachLineIfThere(name, [&](std::string_view line, uint64_t number) -> Result<void> {
      WnFault fault;
      WnFields in(line, &fault);
      uint32_t key = 0;
      if (!in.Number("a number", 10, 0, 99999, &key) || in.AtEnd()) {
        if (fault.reason.empty()) fault = {line.size(), "the text is missing here"};
        return reading_->BadAt(number, line, fault.offset, std::move(fault.reason));
      }
      if (const auto invalid = FindInvalidUtf8(line)) {
        return reading_->BadAt(number, line, *invalid, "not UTF-8 here; convert the files");
      }
      std::string_view text = in.Rest();
      text.remove_prefix(text.find_first_not_of(' '));
      (*texts)[key] = text.substr(0, text.find_last_not_of(' ') + 1);
      return {};
    });
  }

  // sentidx.vrb: sense_key number,number... (the list may be empty)
  Result<void> LoadSentenceIndex() {
    return ForEachLineIfThere(
        "sentidx.vrb", [&](std::string_view line, uint64_t number) -> Result<void> {
          WnFault fault;
          WnFields in(line, &fault);
          std::string_view key;
          if (!in.Word("a sense key", &key))
            return reading_->BadAt(number, line, fault.offset, fault.reason);
          std::vector<uint32_t>& list = sentences_of_[std::string(key)];
          std::string numbers(in.Rest());
          for (char& c : numbers) c = c == ',' ? ' ' : c;
          WnFields each(numbers, &fault);
          while (!each.AtEnd()) {
            uint32_t sentence = 0;
            bool good = each.Number("the number of a sentence", 10, 0, 99999, &sentence);
            if (good && !sentences_.contains(sentence)) {
              good = each.Fail(fmt::format("sents.vrb has no sentence {}", sentence));
            }
            if (!good) {
              return reading_->BadAt(number, line, line.size() - numbers.size() + fault.offset,
                                     std::move(fault.reason));
            }
            list.push_back(sentence);
          }
          return {};
        });
  }

  Result<void> EmitSynset(const WnSynset& synset, Part part) {
    for (const WnWord& word : synset.words) {
      if (word.sense_number != 0) continue;
      return reading_->Bad(
          synset.line, 0,
          fmt::format("the word \"{}\" of the synset {:08} is not in "
                      "index.{}",
                      Excerpt(word.form, 40), synset.offset, InfoOf(part).extension));
    }
    const WnSynset* head = synset.satellite ? database_.Head(synset) : nullptr;
    if (synset.satellite && head == nullptr) {
      return reading_->Bad(synset.line, 0,
                           fmt::format("the satellite {:08} is similar to no head", synset.offset));
    }
    const std::string name = WnDatabase::Name(synset, part);
    const TermView s = Symbol(name);
    LOCI_TRY(Add(s, "part_of_speech", Symbol(InfoOf(part).name)));
    LOCI_TRY(Add(s, "lexical_file", Symbol(LexicalFile(synset.lexical_file))));
    const Gloss gloss = ParseGloss(synset.gloss);
    if (!gloss.definition.empty()) LOCI_TRY(AddText(s, "definition", gloss.definition));
    for (const std::string& example : gloss.examples) LOCI_TRY(AddText(s, "example", example));
    if (head != nullptr) {
      LOCI_TRY(Add(s, "satellite_of", Symbol(WnDatabase::Name(*head, Part::kAdjective))));
    }
    std::vector<std::string> keys;
    for (const WnWord& word : synset.words) {
      keys.push_back(database_.SenseKey(synset, part, word));
      LOCI_TRY(EmitSense(s, word, keys.back()));
    }
    for (const WnPointer& pointer : synset.pointers)
      LOCI_TRY(EmitPointer(synset, s, keys, pointer));
    return EmitFrames(synset, keys);
  }

  Result<void> EmitSense(TermView synset, const WnWord& word, const std::string& key) {
    const TermView k = Symbol(key), w = Symbol(word.lemma);
    if (word.respelled) return AddText(k, "written_form", word.form);
    LOCI_TRY(Add(w, "means", synset));
    LOCI_TRY(Add(w, "sense", k));
    LOCI_TRY(Add(k, "sense_of", synset));
    LOCI_TRY(AddText(k, "written_form", word.form));
    LOCI_TRY(AddNumber(k, "sense_number", word.sense_number));
    if (const auto count = counts_.find(key); count != counts_.end()) {
      LOCI_TRY(AddNumber(k, "count", count->second));
    }
    if (!word.position.empty()) LOCI_TRY(Add(k, "adjective_position", Symbol(word.position)));
    const auto sentences = sentences_of_.find(key);
    if (sentences == sentences_of_.end()) return {};
    for (const uint32_t sentence : sentences->second) {
      LOCI_TRY(AddText(k, "verb_sentence", sentences_[sentence]));
    }
    return {};
  }

  Result<void> EmitPointer(const WnSynset& synset, TermView name,
                           const std::vector<std::string>& keys, const WnPointer& pointer) {
    const WnSynset* target = database_.Find(pointer.part, pointer.offset);
    const bool whole = target != nullptr && target->words[0].sense_number != 0;
    if (!whole || pointer.target > target->words.size()) {
      return reading_->Bad(
          synset.line, 0,
          fmt::format("the {} {:08} {} of \"{}\" is not in data.{}, or has no word {}",
                      pointer.relation, pointer.offset, InfoOf(pointer.part).letter, name.bytes,
                      InfoOf(pointer.part).extension, pointer.target));
    }
    if (pointer.source == 0) {
      return Add(name, pointer.relation, Symbol(WnDatabase::Name(*target, pointer.part)));
    }
    return Add(
        Symbol(keys[pointer.source - 1u]), pointer.relation,
        Symbol(database_.SenseKey(*target, pointer.part, target->words[pointer.target - 1u])));
  }

  // A frame of all words is one of each: what can be said of a sense is said of the sense.
  Result<void> EmitFrames(const WnSynset& synset, const std::vector<std::string>& keys) {
    for (const WnFrame& frame : synset.frames) {
      const auto text = frames_.find(frame.frame);
      if (text == frames_.end()) {
        LOCI_TRY(
            reading_->Bad(synset.line, 0, fmt::format("frames.vrb has no frame {}", frame.frame)));
        continue;
      }
      for (size_t i = 0; i < keys.size(); ++i) {
        if (frame.word != 0 && frame.word != i + 1) continue;
        LOCI_TRY(AddText(Symbol(keys[i]), "verb_frame", text->second));
      }
    }
    return {};
  }

  // noun.exc: an inflected form, then its bases.
  Result<void> EmitBaseForms(Part part) {
    const std::string name = fmt::format("{}.exc", InfoOf(part).extension);
    return ForEachLineIfThere(name, [&](std::string_view line, uint64_t number) -> Result<void> {
      WnFault fault;
      WnFields in(line, &fault);
      std::string_view inflected, base;
      if (const auto invalid = FindInvalidUtf8(line)) {
        return reading_->BadAt(number, line, *invalid, "not UTF-8 here; convert the files");
      }
      if (!in.Word("an inflected form", &inflected) || !in.Word("a base form", &base)) {
        return reading_->BadAt(number, line, fault.offset, std::move(fault.reason));
      }
      const auto subject = MakeSymbol(inflected);
      if (!subject.ok()) return reading_->Bad(number, 1, subject.error().message);
      while (true) {
        const auto object = MakeSymbol(base);
        if (!object.ok()) return reading_->Bad(number, 0, object.error().message);
        LOCI_TRY(Add(*subject, InfoOf(part).base_form, *object));
        if (in.AtEnd() || !in.Word("a base form", &base)) return {};
      }
    });
  }

  Result<void> Add(TermView subject, std::string_view relation, TermView object) {
    return reading_->Add(subject, Symbol(relation), object);
  }
  Result<void> AddText(TermView subject, std::string_view relation, std::string_view text) {
    return reading_->Add(subject, Symbol(relation), {Kind::kText, text});
  }
  Result<void> AddNumber(TermView subject, std::string_view relation, uint32_t number) {
    LOCI_ASSIGN(const Term object, MakeNumber(std::to_string(number)));
    return reading_->Add(subject, Symbol(relation), object);
  }

  std::string directory_;
  Reading* reading_;
  WnDatabase database_;
  std::unordered_map<std::string, uint32_t> counts_;  // by sense key
  std::map<uint32_t, std::string> frames_, sentences_;
  std::unordered_map<std::string, std::vector<uint32_t>> sentences_of_;  // by sense key
};

}  // namespace

bool IsWordNet(const std::string& directory) {
  std::error_code error;
  for (int i = 0; i < kParts; ++i) {
    const std::string name(InfoOf(static_cast<Part>(i)).extension);
    if (std::filesystem::exists(directory + "/data." + name, error)) return true;
  }
  return false;
}

Result<void> ReadWordNet(const std::string& directory, Reading* reading) {
  return Emitter(directory, reading).Run();
}

}  // namespace loci
