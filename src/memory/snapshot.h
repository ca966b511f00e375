// SPDX-License-Identifier: Apache-2.0
//
// Snapshot: what a memory knows at one moment, read through all of its layers (image, runs, tail).
//
// A layer's word on a statement (learned, removed) overrides the words of older layers. A fact
// exists while at least one statement has it.
//
// A TermId is private to one snapshot: the layer that first names the term, and its number there.
// Equal terms have equal ids. Ids of layer 0 compare as the canonical order does; use Compare for
// the rest.
//
// The calls that list append to *out, each item once, in no promised order. They never fail; what
// damaged bytes made of them is told by damage(), to be asked before an answer leaves the house.
//
// Immutable and thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "image/image.h"

namespace loci {

using TermId = uint64_t;

struct Fact {
  TermId subject, relation, object;
  friend bool operator==(const Fact&, const Fact&) = default;
};

// A fact seen from one of its ends.
struct Edge {
  TermId relation, other;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

class Snapshot {
 public:
  // Oldest layer first. No layers: the empty memory.
  explicit Snapshot(std::vector<std::shared_ptr<const Image>> layers);
  ~Snapshot();

  const std::vector<std::shared_ptr<const Image>>& layers() const { return layers_; }

  std::optional<TermId> Find(TermView term) const;
  // The id of a layer's term.
  TermId IdOf(uint32_t layer, LocalId id) const { return Resolve(layer, id); }
  TermView Name(TermId id) const;
  [[gnu::always_inline]] void PrefetchName(TermId id) const {
    layers_[id >> 32]->PrefetchName(static_cast<LocalId>(id));
  }
  Kind KindOf(TermId id) const;
  Hash128 Id(TermId id) const;
  int Compare(TermId a, TermId b) const;

  bool Has(const Fact& fact) const;
  void Objects(TermId subject, TermId relation, std::vector<TermId>* out) const;
  void Subjects(TermId relation, TermId object, std::vector<TermId>* out) const;
  void EdgesFrom(TermId subject, std::vector<Edge>* out) const;  // other: the object
  void EdgesTo(TermId object, std::vector<Edge>* out) const;     // other: the subject
  void Relations(std::vector<TermId>* out) const;                // with at least one fact
  void SubjectsOf(TermId relation, std::vector<TermId>* out) const;
  void Subjects(std::vector<TermId>* out) const;  // every symbol with a fact

  // The sources of a fact in the canonical order; empty where there is no such fact.
  std::vector<TermId> Sources(const Fact& fact) const;
  bool HasSource(const Fact& fact, TermId source) const;

  // Whether at least one fact has the term in that place.
  bool IsSubject(TermId id) const;
  bool IsObject(TermId id) const;
  bool IsRelation(TermId id) const;

  // Estimates for planning: upper bounds, exact where nothing was removed and there is one layer.
  struct RelationSize {
    uint64_t facts = 0, subjects = 0, objects = 0;
  };
  RelationSize SizeOf(TermId relation) const;
  uint64_t FactsEstimate() const;
  uint64_t DegreeFrom(TermId subject) const;
  uint64_t DegreeTo(TermId object) const;

  // Exact, and cheap: sums over the layers' headers.
  uint64_t statements() const;
  Sum256 digest() const;

  Result<void> damage() const;

  // What a module above derives from the layers and wants to find again: made at the first call,
  // then the same for all. One type for all callers. A failure is not kept.
  template <class T>
  Result<std::shared_ptr<const T>> Derived(
      const std::function<Result<std::shared_ptr<const T>>()>& make) const {
    const std::lock_guard lock(derived_mutex_);
    if (!derived_) {
      LOCI_ASSIGN(derived_, make());
    }
    return std::static_pointer_cast<const T>(derived_);
  }

 private:
  struct Resolved;  // per layer above the first: TermIds of its terms, found at first use
  TermId Resolve(uint32_t layer, LocalId id) const;
  TermId ResolveRelation(uint32_t layer, uint32_t relation) const;
  TermView NameAcross(TermId id) const;
  std::optional<LocalId> InLayer(uint32_t layer, TermId id, TermView name) const;
  std::optional<uint32_t> FactInLayer(uint32_t layer, const Fact& fact, TermView subject,
                                      TermView relation, TermView object) const;
  bool HasObject(TermId subject, TermId relation) const;
  // visit(source) for each source that states the fact, until it returns false.
  template <class Visit>
  void EachSource(const Fact& fact, Visit visit) const;
  template <class T, class List, class Exists>
  void Gather(std::vector<T>* out, List list, Exists exists) const;

  std::vector<std::shared_ptr<const Image>> layers_;
  std::vector<std::unique_ptr<Resolved>> resolved_;
  bool any_removed_ = false;
  mutable std::mutex derived_mutex_;
  mutable std::shared_ptr<const void> derived_;  // by derived_mutex_
};

}  // namespace loci
