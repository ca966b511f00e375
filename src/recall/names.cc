// SPDX-License-Identifier: Apache-2.0
#include "recall/names.h"

#include <algorithm>

#include "text/stemmer.h"
#include "text/tokens.h"

namespace loci::recall {

void DocumentsOfName(const Collection& collection, uint64_t alias_hash,
                     std::vector<DocumentId>* documents, bool* goes_on) {
  documents->clear();
  *goes_on = false;
  for (const Collection::Part& part : collection.parts()) {
    const TextIndex::Names names = part.text->FindNames(alias_hash);
    *goes_on = *goes_on || names.found;
    for (uint32_t i = names.begin; i < names.end; ++i) {
      const uint32_t symbol = part.text->NamedDocument(i);
      if (!part.Has(symbol)) continue;
      documents->push_back(part.first + symbol);
      if (documents->size() > kMostOfOneName) return documents->clear();
    }
  }
}

std::vector<DocumentId> FindNamed(const Collection& collection,
                                  const std::vector<NameWord>& words) {
  std::vector<DocumentId> all, found, best;
  for (size_t at = 0; at < words.size();) {
    AliasHash hash;
    size_t size = 0;
    for (size_t n = 0; n < kMaxAliasWords && at + n < words.size(); ++n) {
      hash.Add(words[at + n].stem);
      bool goes_on;
      DocumentsOfName(collection, hash.value(), &found, &goes_on);
      if (!goes_on) break;
      const bool may = n > 0 || (words[at].capital && !words[at].stop && at > 0);
      if (!may || found.empty()) continue;
      size = n + 1;
      best.swap(found);
    }
    if (size > 0) all.insert(all.end(), best.begin(), best.end());
    at += std::max<size_t>(size, 1);
  }
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void FindMention(const Collection& collection, size_t part, const Document& document, uint32_t at,
                 Mention* mention) {
  mention->size = 0;
  const TextIndex& text = *collection.parts()[part].text;
  const std::vector<uint32_t>& words = document.words;
  AliasHash hash;
  bool capital = false;
  std::vector<DocumentId> found;
  for (uint32_t n = 0; n < kMaxAliasWords && at + n < words.size(); ++n) {
    const uint32_t word = words[at + n];
    capital = capital || (word & kCapital) != 0;
    // "the Beatles": nothing to find before the first capital, unless a stop word leads to one.
    if (!capital && !(word & kStop)) return;
    hash.Add(text.Word(word >> kWordFlagBits));
    bool goes_on;
    DocumentsOfName(collection, hash.value(), &found, &goes_on);
    if (!goes_on) return;
    if (found.empty() || !capital) continue;
    if (n == 0 && (word & kStop)) continue;
    // At the beginning of a sentence a word is capital anyway: only a rare one is taken for a name.
    if (n == 0 && (word & kSentence) &&
        collection.DocumentsWith(part, word >> kWordFlagBits) * 100 >= collection.documents()) {
      continue;
    }
    mention->size = n + 1;
    mention->documents.swap(found);
  }
}

std::string WordsAt(const Snapshot& snapshot, const Collection& collection, DocumentId document,
                    uint32_t begin, uint32_t size) {
  Document content;
  collection.Read(document, begin + size, &content);
  auto stemmer = Stemmer::Make(collection.stemmer());
  if (content.words.size() < begin + size || !stemmer.ok()) return {};
  const TextIndex& text = *collection.PartOf(document).text;
  std::vector<Edge> edges;
  snapshot.EdgesFrom(collection.ItemOf(document), &edges);
  Tokens tokens;
  for (const Edge& edge : edges) {
    const TermView object = snapshot.Name(edge.other);
    if (object.kind != Kind::kText) continue;
    const std::string_view whole = SplitText(object.bytes).text;
    Tokenize(whole, &tokens);
    const auto& list = tokens.list();
    for (size_t at = 0; at + size <= list.size(); ++at) {
      uint32_t same = 0;
      while (same < size &&
             stemmer->Stem(tokens.Folded(list[at + same])) ==
                 text.Word(content.words[begin + same] >> kWordFlagBits) &&
             list[at + same].capital == ((content.words[begin + same] & kCapital) != 0)) {
        ++same;
      }
      if (same < size) continue;
      return std::string(whole.substr(list[at].begin, list[at + size - 1].end - list[at].begin));
    }
  }
  return {};
}

}  // namespace loci::recall
