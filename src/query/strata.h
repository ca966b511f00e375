// SPDX-License-Identifier: Apache-2.0
//
// Strata: which derived relation needs which. Relations that need each other, directly or through
// others, form a group and are derived together; groups come in an order in which each needs only
// earlier ones. What a relation needs through `not` must be of an earlier group, for it has to be
// known whole before anything can be said to be absent from it.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "loci/result.h"
#include "query/tree.h"

namespace loci::query {

// Calls visit(path step's or atom's relation, negated) for each relation that a body reads beyond
// what a source states; kAnyRelation stands for a variable in its place.
inline constexpr uint32_t kAnyRelation = UINT32_MAX;
template <class Visit>
void EachRelation(const Path& path, bool negated, const Visit& visit) {
  if (path.kind == Path::Kind::kRelation) visit(path.relation, negated);
  for (const Path& part : path.parts) EachRelation(part, negated, visit);
}
template <class Visit>
void EachRelation(const Body& body, bool negated, const Visit& visit) {
  for (const auto& branch : body.branches) {
    for (const Clause& clause : branch) {
      EachRelation(clause.body, negated || clause.kind == Clause::Kind::kNot, visit);
      if (clause.kind != Clause::Kind::kAtom || clause.source) continue;
      if (clause.relation) {
        visit(kAnyRelation, negated);
      } else {
        EachRelation(clause.path, negated, visit);
      }
    }
  }
}

class Strata {
 public:
  // The body of a rule of the relation with this name; of one relation any number of them.
  void Add(const std::string& relation, const Body& body, const std::vector<Term>& constants);

  // Finds the groups. An error names a circle through `not`.
  Result<void> Arrange();

  // Valid after Arrange. Relations by number, in the order in which they were first added.
  std::optional<uint32_t> NumberOf(const std::string& relation) const;
  const std::vector<std::vector<uint32_t>>& groups() const { return groups_; }
  // Whether what the group derives is derived from itself.
  bool IsRecursive(uint32_t group) const { return recursive_[group]; }

 private:
  struct Need {
    std::string relation;  // empty: any
    bool negated;
  };
  struct Edge {
    uint32_t to;
    bool negated;
  };
  void Link();
  void FindGroups();
  Error Circle(uint32_t from, const Edge& edge) const;

  std::unordered_map<std::string, uint32_t> numbers_;  // looked up, never listed
  std::vector<std::string> names_;
  std::vector<std::vector<Need>> needs_;  // by relation
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<uint32_t>> groups_;
  std::vector<uint32_t> group_of_;
  std::vector<uint8_t> recursive_;
};

}  // namespace loci::query
