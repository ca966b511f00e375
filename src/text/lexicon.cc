// SPDX-License-Identifier: Apache-2.0
#include "text/lexicon.h"

namespace loci {

Lexicon::Word Lexicon::Add(std::string_view folded) {
  const uint32_t form = forms_.Intern(folded);
  if (form == of_form_.size()) {
    of_form_.push_back({words_.Intern(stemmer_.Stem(folded)), stemmer_.IsStop(folded)});
  }
  return of_form_[form];
}

uint32_t Lexicon::AddPhrase(std::span<const uint32_t> numbers) {
  phrase_.clear();
  for (const uint32_t number : numbers) {
    phrase_ += phrase_.empty() ? kPhraseMark : ' ';
    phrase_ += words_[number];
  }
  return words_.Intern(phrase_);
}

}  // namespace loci
