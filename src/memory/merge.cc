// SPDX-License-Identifier: Apache-2.0
//
// Every layer numbers its terms in the canonical order, so the map from its numbers to those of the
// union is monotone: rows, read in a layer's own order, come in the union's. The merge is thus one
// pass over terms and one over facts, both k-way, without sorting and without hashing names.
#include "memory/merge.h"

#include <fmt/format.h>

#include <algorithm>

namespace loci {
namespace {

using Layers = std::span<const std::shared_ptr<const Image>>;

// Where a term of the union can be read.
struct Home {
  uint32_t layer;
  LocalId id;
};

// A layer's head in the merge of terms.
struct Head {
  TermView term;
  uint32_t layer;
  LocalId id;
};

bool After(const Head& a, const Head& b) {
  const int order = CompareTerms(a.term, b.term);
  return order != 0 ? order > 0 : a.layer > b.layer;
}

struct Union {
  std::vector<Home> terms;
  std::vector<std::vector<LocalId>> number;  // [layer][local id]
};

Union UniteTerms(Layers layers) {
  Union all;
  all.number.resize(layers.size());
  std::vector<Head> heads;  // the first term last
  for (uint32_t k = 0; k < layers.size(); ++k) {
    all.number[k].resize(layers[k]->terms());
    if (layers[k]->terms() > 0) heads.push_back({layers[k]->Name(0), k, 0});
  }
  std::sort(heads.begin(), heads.end(), After);
  TermView last;
  while (!heads.empty()) {
    Head head = heads.back();
    heads.pop_back();
    if (all.terms.empty() || head.term != last) {
      all.terms.push_back({head.layer, head.id});
      last = head.term;
    }
    all.number[head.layer][head.id] = static_cast<LocalId>(all.terms.size() - 1);
    if (++head.id == layers[head.layer]->terms()) continue;
    head.term = layers[head.layer]->Name(head.id);
    // Layers are few, and the largest goes on being first: mostly one comparison finds the place.
    auto place = heads.end();
    while (place != heads.begin() && After(head, place[-1])) --place;
    heads.insert(place, head);
  }
  return all;
}

Error Cancelled() {
  return {ErrorKind::kCancelled, "cancelled; the memory is as it was"};
}

// A fact of one layer in the union's numbers.
struct Entry {
  LocalId relation, object;
  uint32_t layer, fact;
};

class FactMerger {
 public:
  FactMerger(Layers layers, const Union& all, const MergeOptions& options, ImageDraft* draft)
      : layers_(layers), all_(all), options_(options), draft_(draft) {
    for (const auto& layer : layers_) {
      next_.push_back(layer->first_symbol());
      set_number_.emplace_back(layer->sets(), kUnknown);
      total_ += layer->facts();
    }
  }

  Result<void> Run(LocalId first_symbol, LocalId terms) {
    draft_->row_offsets.push_back(0);
    for (LocalId subject = first_symbol; subject < terms; ++subject) {
      Gather(subject);
      for (size_t i = 0; i < entries_.size();) {
        size_t end = i + 1;
        while (end < entries_.size() && entries_[end].relation == entries_[i].relation &&
               entries_[end].object == entries_[i].object) {
          ++end;
        }
        LOCI_TRY(AddFact({entries_.data() + i, entries_.data() + end}));
        i = end;
      }
      draft_->row_offsets.push_back(static_cast<uint32_t>(draft_->relation.size()));
      done_ += entries_.size();
      if ((subject - first_symbol) % 4096 == 0 && options_.on_progress &&
          !options_.on_progress(done_, total_)) {
        return Cancelled();
      }
    }
    // The rows of a layer whose terms do not ascend are never met.
    for (uint32_t k = 0; k < layers_.size(); ++k) {
      if (next_[k] == layers_[k]->terms()) continue;
      return Error{ErrorKind::kDamaged,
                   fmt::format("{} is damaged: its terms do not ascend; restore the memory from a "
                               "copy",
                               layers_[k]->name())};
    }
    return {};
  }

 private:
  static constexpr uint32_t kUnknown = UINT32_MAX;

  // The rows of one subject in all layers, by (relation, object, layer).
  void Gather(LocalId subject) {
    entries_.clear();
    bool one_layer = true;
    for (uint32_t k = 0; k < layers_.size(); ++k) {
      const Image& layer = *layers_[k];
      LocalId& next = next_[k];
      if (next == layer.terms() || all_.number[k][next] != subject) continue;
      one_layer = one_layer && entries_.empty();
      const Range row = layer.Row(next++);
      for (uint32_t f = row.begin; f < row.end; ++f) {
        const LocalId relation = layer.RelationTerm(layer.FactRelation(f));
        entries_.push_back({all_.number[k][relation], all_.number[k][layer.FactObject(f)], k, f});
      }
    }
    if (one_layer) return;
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      if (a.relation != b.relation) return a.relation < b.relation;
      if (a.object != b.object) return a.object < b.object;
      return a.layer < b.layer;
    });
  }

  Result<void> AddFact(std::span<const Entry> same) {
    uint32_t set;
    if (same.size() == 1) {
      const uint32_t local = layers_[same[0].layer]->FactSet(same[0].fact);
      uint32_t& known = set_number_[same[0].layer][local];
      if (known == kUnknown) {
        members_.clear();
        AppendMembers(same[0].layer, local);
        known = draft_->sets.Intern(members_);
      }
      set = known;
    } else {
      members_.clear();
      for (const Entry& e : same) AppendMembers(e.layer, layers_[e.layer]->FactSet(e.fact));
      if (!Cancel()) return Repeated(same.back());
      if (members_.empty()) return {};
      set = draft_->sets.Intern(members_);
    }
    if (options_.to_base) {
      for (uint64_t member : draft_->sets[set]) {
        if (member & 1) return DanglingRemoval(same[0]);
      }
    }
    draft_->relation.push_back(same[0].relation);
    draft_->object.push_back(same[0].object);
    draft_->set.push_back(set);
    return {};
  }

  void AppendMembers(uint32_t k, uint32_t set) {
    const Image& layer = *layers_[k];
    const uint32_t size = layer.SetSize(set);
    for (uint32_t i = 0; i < size; ++i) {
      const SourceMark mark = layer.SetMember(set, i);
      members_.push_back(uint64_t{all_.number[k][mark.source]} * 2 + mark.removed);
    }
  }

  // Of each source an even number of words cancels, of an odd number the last one counts. False
  // where two words in a row say the same.
  bool Cancel() {
    std::stable_sort(members_.begin(), members_.end(),
                     [](uint64_t a, uint64_t b) { return a / 2 < b / 2; });
    size_t kept = 0;
    for (size_t i = 0; i < members_.size();) {
      size_t end = i + 1;
      for (; end < members_.size() && members_[end] / 2 == members_[i] / 2; ++end) {
        if (members_[end] == members_[end - 1]) return false;
      }
      if ((end - i) % 2 == 1) members_[kept++] = members_[end - 1];
      i = end;
    }
    members_.resize(kept);
    return true;
  }

  Error Repeated(const Entry& e) const {
    return {ErrorKind::kDamaged,
            fmt::format("{} says of a statement (fact {}) what a layer below it has said already; "
                        "restore the memory from a copy",
                        layers_[e.layer]->name(), e.fact)};
  }

  Error DanglingRemoval(const Entry& e) const {
    return {ErrorKind::kDamaged,
            fmt::format("{} removes a statement (fact {}) that no layer below it has learned; "
                        "restore the memory from a copy",
                        layers_[e.layer]->name(), e.fact)};
  }

  const Layers layers_;
  const Union& all_;
  const MergeOptions& options_;
  ImageDraft* const draft_;
  std::vector<LocalId> next_;                      // per layer: its next subject
  std::vector<std::vector<uint32_t>> set_number_;  // [layer][its set]: the draft's
  std::vector<Entry> entries_;
  std::vector<uint64_t> members_;
  uint64_t done_ = 0, total_ = 0;
};

Error TooMuch(const char* what, uint64_t count) {
  return {
      ErrorKind::kLimit,
      fmt::format("the layers hold {} {}, more than the 2^32 - 2 of one image; the memory stays "
                  "as it is. Keep a part of it in another memory",
                  count, what)};
}

// Terms that no fact holds any more go, and the rest close ranks.
void Compact(Layers layers, Union* all, ImageDraft* draft) {
  const auto terms = static_cast<LocalId>(all->terms.size());
  const LocalId first_symbol = terms - static_cast<LocalId>(draft->row_offsets.size() - 1);
  std::vector<LocalId> number(terms, 0);
  for (LocalId r : draft->relation) number[r] = 1;
  for (LocalId o : draft->object) number[o] = 1;
  for (uint32_t set = 0; set < draft->sets.size(); ++set) {
    for (uint64_t member : draft->sets[set]) number[member / 2] = 1;
  }
  size_t rows = 1;
  for (LocalId s = first_symbol; s < terms; ++s) {
    const size_t row = s - first_symbol;
    const uint32_t end = draft->row_offsets[row + 1];
    if (end != draft->row_offsets[rows - 1]) number[s] = 1;
    if (number[s]) draft->row_offsets[rows++] = end;
  }
  draft->row_offsets.resize(rows);
  LocalId next = 0;
  for (LocalId t = 0; t < terms; ++t) {
    if (!number[t]) continue;
    const Home home = all->terms[t];
    all->terms[next] = home;
    number[t] = next++;
    ++draft->terms[static_cast<int>(layers[home.layer]->KindOf(home.id)) - 1];
  }
  all->terms.resize(next);
  for (LocalId& r : draft->relation) r = number[r];
  for (LocalId& o : draft->object) o = number[o];
  draft->sets.Renumber(number);
}

}  // namespace

Result<void> MergeImages(Layers layers, const MergeOptions& options, ImageSink* sink) {
  if (layers.size() == 1 && layers[0]->header().version == options.version &&
      layers[0]->settings() == options.settings && !(options.to_base && layers[0]->has_removed())) {
    const uint64_t facts = layers[0]->facts();
    if (options.on_progress && !options.on_progress(facts, facts)) return Cancelled();
    return sink->Append(AsChars(layers[0]->bytes()));  // what it amounts to, it is
  }
  ImageDraft draft;
  draft.version = options.version;
  draft.settings = options.settings;
  Union all = UniteTerms(layers);
  uint32_t symbols = 0;
  for (auto it = all.terms.rbegin(); it != all.terms.rend(); ++it, ++symbols) {
    if (layers[it->layer]->KindOf(it->id) != Kind::kSymbol) break;
  }
  const auto terms = static_cast<LocalId>(all.terms.size());
  if (all.terms.size() > kMaxTerms) return TooMuch("names", all.terms.size());
  FactMerger merger(layers, all, options, &draft);
  LOCI_TRY(merger.Run(terms - symbols, terms));
  if (draft.relation.size() > kMaxFacts) return TooMuch("facts", draft.relation.size());
  for (const auto& layer : layers) {
    LOCI_TRY(layer->damage());
    draft.digest.Add(layer->digest());
  }
  all.number = {};
  Compact(layers, &all, &draft);
  draft.name = [&](LocalId t) { return layers[all.terms[t].layer]->Name(all.terms[t].id); };
  draft.id = [&](LocalId t) { return layers[all.terms[t].layer]->Id(all.terms[t].id); };
  LOCI_TRY(WriteImage(draft, sink));
  for (const auto& layer : layers) LOCI_TRY(layer->damage());
  return {};
}

}  // namespace loci
