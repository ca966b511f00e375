// SPDX-License-Identifier: Apache-2.0
//
// The places of documents are a table over all of the collection, 4 bytes each. Each thread keeps
// one and leaves it all zeros, so that a recall costs what it touches.
#include "recall/content.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "text/fields.h"

namespace loci::recall {
namespace {

uint32_t GainOf(const Collection& collection, uint64_t value, uint32_t count, uint8_t length_code) {
  // Rounded up: what a document has counts.
  const uint64_t gain = (value * collection.Saturated(count, length_code) + kUnit - 1) >> kUnitBits;
  return static_cast<uint32_t>(std::min<uint64_t>(gain, UINT32_MAX));
}

// Several recalls of one thread may be under way (one within another): a table each.
std::vector<std::unique_ptr<ContentTables>>& Free() {
  thread_local std::vector<std::unique_ptr<ContentTables>> tables;
  return tables;
}

std::unique_ptr<ContentTables> Take(size_t documents) {
  auto tables = std::make_unique<ContentTables>();
  if (!Free().empty()) {
    tables = std::move(Free().back());
    Free().pop_back();
  }
  if (tables->place.size() < documents) tables->place.resize(documents, 0);
  return tables;
}

}  // namespace

Content::Content(const Collection& collection)
    : collection_(collection),
      tables_(Take(collection.size())),
      place_(tables_->place),
      documents_(tables_->documents),
      scores_(tables_->scores),
      gains_(tables_->gains) {}

Content::~Content() {
  Clear();
  Free().push_back(std::move(tables_));
}

void Content::Clear() {
  for (const DocumentId document : documents_) place_[document] = 0;
  documents_.clear();
  scores_.clear();
  gains_.clear();
}

uint32_t Content::Add(DocumentId document) {
  documents_.push_back(document);
  scores_.push_back(0);
  gains_.resize(gains_.size() + kept_);
  const auto count = static_cast<uint32_t>(documents_.size());
  place_[document] = count;
  return count - 1;
}

void Content::ScoreWord(const Collection::Part& part, const CueWord& word, size_t number,
                        uint32_t in_part, bool essential) {
  const uint64_t value = word.value();
  const bool any_dead = !part.dead.empty();
  uint32_t* const place = place_.data() + part.first;
  uint64_t met = 0;
  for (Postings postings = part.text->PostingsOf(in_part); postings.Next(); ++met) {
    const uint32_t symbol = postings.document();
    if (place[symbol] == 0) {
      if (!essential || (any_dead && part.dead[symbol])) continue;
      Add(part.first + symbol);
    }
    const uint32_t gain =
        GainOf(collection_, value, postings.count(), part.text->LengthCodeOf(symbol));
    const uint64_t i = place[symbol] - 1;
    scores_[i] += gain;
    if (number < kept_) gains_[i * kept_ + number] = gain;
  }
  work_ += met;
}

Result<void> Content::Score(const Cue& cue, size_t kept, const std::function<bool()>& keep_going) {
  Clear();
  kept_ = std::min(cue.words.size(), kept);
  for (size_t number = 0; number < cue.words.size(); ++number) {
    const CueWord& word = cue.words[number];
    for (size_t p = 0; p < collection_.parts().size(); ++p) {
      if (word.where[p] == Collection::kNoWord) continue;
      ScoreWord(collection_.parts()[p], word, number, word.where[p], number < cue.essential);
    }
    if (keep_going && !keep_going()) {
      return Error{ErrorKind::kCancelled, "cancelled; nothing was recalled"};
    }
  }
  return {};
}

void GainsOf(const Collection& collection, const Cue& cue, DocumentId document,
             std::vector<uint32_t>* gains) {
  gains->assign(cue.words.size(), 0);
  const size_t p = collection.PartNumber(document);
  const Collection::Part& part = collection.parts()[p];
  Document content;
  part.text->Read(document - part.first, SIZE_MAX, &content);
  for (size_t i = 0; i < content.words.size(); ++i) {
    const uint32_t word = content.words[i] >> kWordFlagBits;
    for (size_t w = 0; w < cue.words.size(); ++w) {
      if (cue.words[w].where[p] != word) continue;
      (*gains)[w] += i < content.title_words ? kTitleWeight : 1;
      break;
    }
  }
  const uint8_t code = part.text->LengthCodeOf(document - part.first);
  for (size_t w = 0; w < cue.words.size(); ++w) {
    if ((*gains)[w] == 0) continue;
    (*gains)[w] = GainOf(collection, cue.words[w].value(), (*gains)[w], code);
  }
}

std::vector<uint32_t> Content::Best(size_t most) const {
  const auto before = [this](uint32_t a, uint32_t b) {
    if (scores_[a] != scores_[b]) return scores_[a] > scores_[b];
    return collection_.Before(documents_[a], documents_[b]);
  };
  // A heap whose first is the worst: nearly all documents are below it at a glance.
  most = std::min(most, size());
  std::vector<uint32_t> best(most);
  std::iota(best.begin(), best.end(), 0u);
  if (most < size() && most > 0) {
    std::ranges::make_heap(best, before);
    for (uint32_t i = static_cast<uint32_t>(most); i < size(); ++i) {
      if (scores_[i] < scores_[best[0]] || !before(i, best[0])) continue;
      std::ranges::pop_heap(best, before);
      best.back() = i;
      std::ranges::push_heap(best, before);
    }
  }
  std::ranges::sort(best, before);
  return best;
}

}  // namespace loci::recall
