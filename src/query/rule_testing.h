// SPDX-License-Identifier: Apache-2.0
//
// For tests only: a slow double of rules. All that rules derive, whether asked for or not, is
// derived bottom-up by applying every rule to all facts until nothing changes, stratum by stratum.
// Of the product it shares the definition of weights (base/fixed.h) and nothing else.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "query/testing.h"

namespace loci::query::testing {

using Fact3 = std::array<Name, 3>;        // subject, relation, object
using Facts = std::map<Fact3, uint64_t>;  // with the least weight of each
using Weighted = std::map<std::pair<Name, Name>, uint64_t>;
using Envs = std::map<Env, uint64_t>;

template <class Key, class Map>
bool Improve(const Key& key, uint64_t weight, Map* map) {
  const auto [at, is_new] = map->try_emplace(key, weight);
  if (is_new) return true;
  if (weight >= at->second) return false;
  at->second = weight;
  return true;
}

struct DoubleRule {
  std::string relation, left, right;  // of the head; variables
  DoubleConjunction body;
  std::string confidence = "1";
  uint64_t weight = 0;
  int stratum = 0;

  std::string Text(std::mt19937* shuffle) const {
    return relation + "(" + left + ", " + right + ") <- " + Print(body, shuffle) + " conf " +
           confidence + ";";
  }
};

// All ways to make clauses true from facts, each with its least weight.
class WeightedEvaluator {
 public:
  WeightedEvaluator(const World* world, const Facts* facts, bool trust_not)
      : world_(*world), facts_(*facts), trust_not_(trust_not) {}

  Envs Run(const DoubleConjunction& clauses, const Env& env) const {
    Envs envs{{env, 0}};
    const std::vector<std::set<DoubleClause::Kind>> turns = {
        {DoubleClause::kAtom, DoubleClause::kPath, DoubleClause::kLike},
        {DoubleClause::kOr},
        {DoubleClause::kCompare, DoubleClause::kNot}};
    for (const auto& kinds : turns) {
      for (const DoubleClause& clause : clauses) {
        if (!kinds.contains(clause.kind)) continue;
        Envs next;
        for (const auto& [one, weight] : envs) Extend(clause, one, weight, &next);
        envs = std::move(next);
      }
    }
    return envs;
  }

 private:
  Facts FactsOf(const DoubleClause& clause) const {
    if (clause.source.empty()) return facts_;
    Facts out;
    for (const Statement& s : world_.statements) {
      if (s.source == clause.source) out[{s.subject, s.relation, s.object}] = 0;
    }
    return out;
  }

  static bool Unify(const std::string& place, const Name& value, Env* env) {
    if (place == "_") return true;
    if (!DoubleClause::IsVariable(place)) return place == value;
    return env->try_emplace(place, value).first->second == value;
  }

  static Weighted Compose(const Weighted& first, const Weighted& second) {
    Weighted out;
    for (const auto& [a, weight_a] : first) {
      for (const auto& [b, weight_b] : second) {
        if (a.second == b.first) {
          Improve(std::pair(a.first, b.second), weight_a + weight_b, &out);
        }
      }
    }
    return out;
  }

  static Weighted PathPairs(const DoublePath& path, const Facts& facts,
                            const std::set<Name>& universe) {
    Weighted out;
    if (path.kind == 'r') {
      for (const auto& [fact, weight] : facts) {
        if (fact[1] == path.relation) Improve(std::pair(fact[0], fact[2]), weight, &out);
      }
      return out;
    }
    const Weighted first = PathPairs(path.parts[0], facts, universe);
    if (path.kind == '^') {
      for (const auto& [pair, weight] : first) out[{pair.second, pair.first}] = weight;
      return out;
    }
    if (path.kind == '/') return Compose(first, PathPairs(path.parts[1], facts, universe));
    out = first;
    if (path.kind == '|') {
      for (const auto& [pair, weight] : PathPairs(path.parts[1], facts, universe)) {
        Improve(pair, weight, &out);
      }
      return out;
    }
    for (bool grew = path.kind != '?'; grew;) {
      grew = false;
      for (const auto& [pair, weight] : Compose(out, first)) {
        grew = Improve(pair, weight, &out) || grew;
      }
    }
    if (path.kind != '+') {
      for (const Name& name : universe) Improve(std::pair(name, name), 0, &out);
    }
    return out;
  }

  void Extend(const DoubleClause& clause, const Env& env, uint64_t weight, Envs* out) const {
    switch (clause.kind) {
      case DoubleClause::kAtom:
        for (const auto& [fact, more] : FactsOf(clause)) {
          Env next = env;
          if (Unify(clause.relation, fact[1], &next) && Unify(clause.left, fact[0], &next) &&
              Unify(clause.right, fact[2], &next)) {
            Improve(next, weight + more, out);
          }
        }
        return;
      case DoubleClause::kPath: {
        std::set<Name> universe = world_.nodes;
        for (const auto& end : {clause.left, clause.right}) {
          if (!DoubleClause::IsVariable(end) && end != "_") universe.insert(end);
        }
        for (const auto& [pair, more] : PathPairs(clause.path, FactsOf(clause), universe)) {
          Env next = env;
          if (Unify(clause.left, pair.first, &next) && Unify(clause.right, pair.second, &next)) {
            Improve(next, weight + more, out);
          }
        }
        return;
      }
      case DoubleClause::kLike:
        for (const auto& [pair, more] :
             clause.negated ? world_.recalled_by_words : world_.recalled) {
          Env next = env;
          if (Unify(clause.left, pair.first, &next) && Unify(clause.right, pair.second, &next)) {
            Improve(next, weight + more, out);
          }
        }
        return;
      case DoubleClause::kCompare:
        // Terms need no facts: the other double compares them.
        if (!Evaluator(&world_, false).Run({clause}, env).empty()) Improve(env, weight, out);
        return;
      case DoubleClause::kNot: {
        bool holds = false;
        for (const auto& branch : clause.branches) holds = holds || !Run(branch, env).empty();
        if (!holds || trust_not_) Improve(env, weight, out);
        return;
      }
      case DoubleClause::kOr:
        for (const auto& branch : clause.branches) {
          for (const auto& [next, more] : Run(branch, env)) {
            Env seen = env;
            for (const auto& [variable, value] : next) {
              if (variable[1] != 'l') seen.emplace(variable, value);
            }
            Improve(seen, weight + more, out);
          }
        }
        return;
    }
  }

  const World& world_;
  const Facts& facts_;
  const bool trust_not_;
};

// What a rule derives from the facts.
inline Facts Apply(const DoubleRule& rule, const World& world, const Facts& facts, bool trust_not) {
  Facts out;
  for (const auto& [env, weight] :
       WeightedEvaluator(&world, &facts, trust_not).Run(rule.body, {})) {
    Improve(Fact3{env.at(rule.left), rule.relation, env.at(rule.right)}, weight + rule.weight,
            &out);
  }
  return out;
}

inline Facts StoredFacts(const World& world) {
  Facts facts;
  for (const Statement& s : world.statements) facts[{s.subject, s.relation, s.object}] = 0;
  return facts;
}

inline Facts AllFacts(const World& world, const std::vector<DoubleRule>& rules) {
  Facts facts = StoredFacts(world);
  for (int stratum = 0; stratum < 2; ++stratum) {
    for (bool grew = true; grew;) {
      grew = false;
      for (const DoubleRule& rule : rules) {
        if (rule.stratum != stratum) continue;
        for (const auto& [fact, weight] : Apply(rule, world, facts, false)) {
          grew = Improve(fact, weight, &facts) || grew;
        }
      }
    }
  }
  return facts;
}

}  // namespace loci::query::testing
