// SPDX-License-Identifier: Apache-2.0
#include "memory/snapshot.h"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace loci {
namespace {

constexpr TermId MakeId(uint32_t layer, LocalId id) {
  return TermId{layer} << 32 | id;
}
constexpr uint32_t LayerOf(TermId id) {
  return static_cast<uint32_t>(id >> 32);
}
constexpr LocalId LocalOf(TermId id) {
  return static_cast<LocalId>(id);
}

template <class T>
void SortUnique(std::vector<T>* v, size_t from) {
  std::sort(v->begin() + from, v->end());
  v->erase(std::unique(v->begin() + from, v->end()), v->end());
}

}  // namespace

// The ids that a layer's terms have in the snapshot, plus 1; 0 where not yet asked. Two threads may
// find the same id at once: both store the same value.
struct Snapshot::Resolved {
  std::once_flag made;
  std::unique_ptr<std::atomic<TermId>[]> ids;
};

Snapshot::Snapshot(std::vector<std::shared_ptr<const Image>> layers) : layers_(std::move(layers)) {
  for (const auto& layer : layers_) {
    resolved_.push_back(std::make_unique<Resolved>());
    any_removed_ = any_removed_ || layer->has_removed();
  }
}

Snapshot::~Snapshot() = default;

TermId Snapshot::Resolve(uint32_t layer, LocalId id) const {
  if (layer == 0) return id;
  const Image& image = *layers_[layer];
  if (id >= image.terms()) return 0;  // the image has marked itself damaged
  Resolved& resolved = *resolved_[layer];
  std::call_once(resolved.made,
                 [&] { resolved.ids.reset(new std::atomic<TermId>[image.terms()]()); });
  std::atomic<TermId>& place = resolved.ids[id];
  if (const TermId known = place.load(std::memory_order_relaxed)) return known - 1;
  const TermView name = image.Name(id);
  const uint64_t hash = Image::NameHash(name);
  TermId found = MakeId(layer, id);
  for (uint32_t below = 0; below < layer; ++below) {
    if (const auto local = layers_[below]->Find(name, hash)) {
      found = MakeId(below, *local);
      break;
    }
  }
  place.store(found + 1, std::memory_order_relaxed);
  return found;
}

// What other layers know the term by; one layer alone has nobody to ask.
TermView Snapshot::NameAcross(TermId id) const {
  return layers_.size() > 1 ? Name(id) : TermView{};
}

std::optional<LocalId> Snapshot::InLayer(uint32_t layer, TermId id, TermView name) const {
  const uint32_t home = LayerOf(id);
  if (layer == home) return LocalOf(id);
  if (layer < home) return std::nullopt;  // home is the first layer that names it
  return layers_[layer]->Find(name);
}

std::optional<TermId> Snapshot::Find(TermView term) const {
  const uint64_t hash = Image::NameHash(term);
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    if (const auto local = layers_[k]->Find(term, hash)) return MakeId(k, *local);
  }
  return std::nullopt;
}

TermView Snapshot::Name(TermId id) const {
  return layers_[LayerOf(id)]->Name(LocalOf(id));
}
Kind Snapshot::KindOf(TermId id) const {
  return layers_[LayerOf(id)]->KindOf(LocalOf(id));
}
Hash128 Snapshot::Id(TermId id) const {
  return layers_[LayerOf(id)]->Id(LocalOf(id));
}

int Snapshot::Compare(TermId a, TermId b) const {
  if (a == b) return 0;
  if (LayerOf(a) == LayerOf(b)) return a < b ? -1 : 1;  // a layer is numbered in this very order
  return CompareTerms(Name(a), Name(b));
}

std::optional<uint32_t> Snapshot::FactInLayer(uint32_t k, const Fact& fact, TermView subject,
                                              TermView relation, TermView object) const {
  const auto s = InLayer(k, fact.subject, subject);
  const auto r = s ? InLayer(k, fact.relation, relation) : std::nullopt;
  const auto dense = r ? layers_[k]->FindRelation(*r) : std::nullopt;
  const auto o = dense ? InLayer(k, fact.object, object) : std::nullopt;
  return o ? layers_[k]->FindFact(*s, *dense, *o) : std::nullopt;
}

template <class Visit>
void Snapshot::EachSource(const Fact& fact, Visit visit) const {
  const TermView subject = NameAcross(fact.subject), relation = NameAcross(fact.relation),
                 object = NameAcross(fact.object);
  std::vector<TermId> seen;  // the newest word on each source is the one that counts
  for (uint32_t k = static_cast<uint32_t>(layers_.size()); k-- > 0;) {
    const auto f = FactInLayer(k, fact, subject, relation, object);
    if (!f) continue;
    const uint32_t set = layers_[k]->FactSet(*f), size = layers_[k]->SetSize(set);
    for (uint32_t i = 0; i < size; ++i) {
      const SourceMark mark = layers_[k]->SetMember(set, i);
      const TermId source = Resolve(k, mark.source);
      if (std::find(seen.begin(), seen.end(), source) != seen.end()) continue;
      if (!mark.removed && !visit(source)) return;
      if (k > 0) seen.push_back(source);  // a fact's many sources are mostly in the image
    }
  }
}

bool Snapshot::Has(const Fact& fact) const {
  bool found = false;
  EachSource(fact, [&](TermId) {
    found = true;
    return false;
  });
  return found;
}

std::vector<TermId> Snapshot::Sources(const Fact& fact) const {
  std::vector<TermId> sources;
  EachSource(fact, [&](TermId source) {
    sources.push_back(source);
    return true;
  });
  std::sort(sources.begin(), sources.end(),
            [this](TermId a, TermId b) { return Compare(a, b) < 0; });
  return sources;
}

bool Snapshot::HasSource(const Fact& fact, TermId source) const {
  const TermView subject = NameAcross(fact.subject), relation = NameAcross(fact.relation),
                 object = NameAcross(fact.object), source_name = NameAcross(source);
  for (uint32_t k = static_cast<uint32_t>(layers_.size()); k-- > 0;) {
    const auto local = InLayer(k, source, source_name);
    const auto f = local ? FactInLayer(k, fact, subject, relation, object) : std::nullopt;
    if (!f) continue;
    const auto mark = layers_[k]->FindInSet(layers_[k]->FactSet(*f), *local);
    if (mark) return !mark->removed;
  }
  return false;
}

// Calls list(layer) for each layer, which appends candidates; then makes them distinct and, where
// something was removed, drops those that are no facts any more.
template <class T, class List, class Exists>
void Snapshot::Gather(std::vector<T>* out, List list, Exists exists) const {
  const size_t from = out->size();
  size_t contributed = 0;
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const size_t before = out->size();
    list(k);
    contributed += out->size() != before;
  }
  if (contributed > 1) SortUnique(out, from);
  if (!any_removed_) return;
  out->erase(std::remove_if(out->begin() + from, out->end(),
                            [&](const T& candidate) { return !exists(candidate); }),
             out->end());
}

void Snapshot::Objects(TermId subject, TermId relation, std::vector<TermId>* out) const {
  const TermView subject_name = NameAcross(subject), relation_name = NameAcross(relation);
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        const auto s = InLayer(k, subject, subject_name);
        const auto r = s ? InLayer(k, relation, relation_name) : std::nullopt;
        const auto dense = r ? layer.FindRelation(*r) : std::nullopt;
        if (!dense) return;
        const Range row = layer.Row(*s, *dense);
        if (out->empty()) out->reserve(row.size());
        for (uint32_t f = row.begin; f < row.end; ++f) {
          out->push_back(Resolve(k, layer.FactObject(f)));
        }
      },
      [&](TermId object) {
        return Has({subject, relation, object});
      });
}

void Snapshot::Subjects(TermId relation, TermId object, std::vector<TermId>* out) const {
  const TermView object_name = NameAcross(object), relation_name = NameAcross(relation);
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        const auto o = InLayer(k, object, object_name);
        const auto r = o ? InLayer(k, relation, relation_name) : std::nullopt;
        const auto dense = r ? layer.FindRelation(*r) : std::nullopt;
        if (!dense) return;
        const Range entries = layer.Inverse(*o, *dense);
        for (uint32_t i = entries.begin; i < entries.end; ++i) {
          out->push_back(Resolve(k, layer.InverseSubject(i)));
        }
      },
      [&](TermId subject) {
        return Has({subject, relation, object});
      });
}

TermId Snapshot::ResolveRelation(uint32_t layer, uint32_t relation) const {
  return Resolve(layer, layers_[layer]->RelationTerm(relation));
}

void Snapshot::EdgesFrom(TermId subject, std::vector<Edge>* out) const {
  const TermView name = NameAcross(subject);
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        const auto s = InLayer(k, subject, name);
        const Range row = s ? layer.Row(*s) : Range{};
        for (uint32_t f = row.begin; f < row.end; ++f) {
          out->push_back(
              {ResolveRelation(k, layer.FactRelation(f)), Resolve(k, layer.FactObject(f))});
        }
      },
      [&](const Edge& e) {
        return Has({subject, e.relation, e.other});
      });
}

void Snapshot::EdgesTo(TermId object, std::vector<Edge>* out) const {
  const TermView name = NameAcross(object);
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        const auto o = InLayer(k, object, name);
        const Range entries = o ? layer.Inverse(*o) : Range{};
        for (uint32_t i = entries.begin; i < entries.end; ++i) {
          out->push_back(
              {ResolveRelation(k, layer.InverseRelation(i)), Resolve(k, layer.InverseSubject(i))});
        }
      },
      [&](const Edge& e) {
        return Has({e.other, e.relation, object});
      });
}

void Snapshot::Relations(std::vector<TermId>* out) const {
  Gather(
      out,
      [&](uint32_t k) {
        for (uint32_t r = 0; r < layers_[k]->relations(); ++r) {
          out->push_back(ResolveRelation(k, r));
        }
      },
      [&](TermId relation) { return IsRelation(relation); });
}

void Snapshot::SubjectsOf(TermId relation, std::vector<TermId>* out) const {
  const TermView name = NameAcross(relation);
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        const auto r = InLayer(k, relation, name);
        const auto dense = r ? layer.FindRelation(*r) : std::nullopt;
        const Range entries = dense ? layer.RelationSubjects(*dense) : Range{};
        for (uint32_t i = entries.begin; i < entries.end; ++i) {
          out->push_back(Resolve(k, layer.SubjectOfRelation(i)));
        }
      },
      [&](TermId subject) { return HasObject(subject, relation); });
}

void Snapshot::Subjects(std::vector<TermId>* out) const {
  Gather(
      out,
      [&](uint32_t k) {
        const Image& layer = *layers_[k];
        for (LocalId s = layer.first_symbol(); s < layer.terms(); ++s) {
          if (!layer.Row(s).empty()) out->push_back(Resolve(k, s));
        }
      },
      [&](TermId subject) { return IsSubject(subject); });
}

// The tests for life below stop at the first living fact, which nearly always is the first one.

bool Snapshot::HasObject(TermId subject, TermId relation) const {
  const TermView subject_name = NameAcross(subject), relation_name = NameAcross(relation);
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const Image& layer = *layers_[k];
    const auto s = InLayer(k, subject, subject_name);
    const auto r = s ? InLayer(k, relation, relation_name) : std::nullopt;
    const auto dense = r ? layer.FindRelation(*r) : std::nullopt;
    const Range row = dense ? layer.Row(*s, *dense) : Range{};
    for (uint32_t f = row.begin; f < row.end; ++f) {
      if (Has({subject, relation, Resolve(k, layer.FactObject(f))})) return true;
    }
  }
  return false;
}

bool Snapshot::IsSubject(TermId id) const {
  const TermView name = NameAcross(id);
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const Image& layer = *layers_[k];
    const auto s = InLayer(k, id, name);
    const Range row = s ? layer.Row(*s) : Range{};
    for (uint32_t f = row.begin; f < row.end; ++f) {
      const TermId relation = ResolveRelation(k, layer.FactRelation(f));
      if (Has({id, relation, Resolve(k, layer.FactObject(f))})) return true;
    }
  }
  return false;
}

bool Snapshot::IsObject(TermId id) const {
  const TermView name = NameAcross(id);
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const Image& layer = *layers_[k];
    const auto o = InLayer(k, id, name);
    const Range entries = o ? layer.Inverse(*o) : Range{};
    for (uint32_t i = entries.begin; i < entries.end; ++i) {
      const TermId relation = ResolveRelation(k, layer.InverseRelation(i));
      if (Has({Resolve(k, layer.InverseSubject(i)), relation, id})) return true;
    }
  }
  return false;
}

bool Snapshot::IsRelation(TermId id) const {
  const TermView name = NameAcross(id);
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const auto r = InLayer(k, id, name);
    const auto dense = r ? layers_[k]->FindRelation(*r) : std::nullopt;
    const Range entries = dense ? layers_[k]->RelationSubjects(*dense) : Range{};
    for (uint32_t i = entries.begin; i < entries.end; ++i) {
      if (HasObject(Resolve(k, layers_[k]->SubjectOfRelation(i)), id)) return true;
    }
  }
  return false;
}

Snapshot::RelationSize Snapshot::SizeOf(TermId relation) const {
  const TermView name = NameAcross(relation);
  RelationSize size;
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    const auto r = InLayer(k, relation, name);
    const auto dense = r ? layers_[k]->FindRelation(*r) : std::nullopt;
    if (!dense) continue;
    size.facts += layers_[k]->RelationFacts(*dense);
    size.subjects += layers_[k]->RelationSubjects(*dense).size();
    size.objects += layers_[k]->RelationObjects(*dense);
  }
  return size;
}

uint64_t Snapshot::FactsEstimate() const {
  uint64_t facts = 0;
  for (const auto& layer : layers_) facts += layer->facts();
  return facts;
}

uint64_t Snapshot::DegreeFrom(TermId subject) const {
  const TermView name = NameAcross(subject);
  uint64_t degree = 0;
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    if (const auto s = InLayer(k, subject, name)) degree += layers_[k]->Row(*s).size();
  }
  return degree;
}

uint64_t Snapshot::DegreeTo(TermId object) const {
  const TermView name = NameAcross(object);
  uint64_t degree = 0;
  for (uint32_t k = 0; k < layers_.size(); ++k) {
    if (const auto o = InLayer(k, object, name)) degree += layers_[k]->Inverse(*o).size();
  }
  return degree;
}

uint64_t Snapshot::statements() const {
  uint64_t learned = 0, removed = 0;
  for (const auto& layer : layers_) {
    learned += layer->header().learned_statements;
    removed += layer->header().removed_statements;
  }
  return learned - removed;
}

Sum256 Snapshot::digest() const {
  Sum256 sum;
  for (const auto& layer : layers_) sum.Add(layer->digest());
  return sum;
}

Result<void> Snapshot::damage() const {
  for (const auto& layer : layers_) LOCI_TRY(layer->damage());
  return {};
}

}  // namespace loci
