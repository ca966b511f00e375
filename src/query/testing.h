// SPDX-License-Identifier: Apache-2.0
//
// For tests only: a slow double of memory and query language. It shares no code with the product:
// facts are a set of strings, a query is a tree of its own that is printed as text for the product
// and evaluated here by brute force, paths as sets of pairs.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "memory/build.h"
#include "memory/snapshot.h"

namespace loci::query::testing {

// A term in notation; its first character tells the kind: digits and no '-' a number, digits and
// '-' a date, '"' a text, else a symbol.
using Name = std::string;

inline int KindRank(const Name& name) {
  if (name[0] == '"') return 2;
  if (name[0] >= '0' && name[0] <= '9') return name.find('-') == Name::npos ? 0 : 1;
  return 3;
}

inline bool Before(const Name& a, const Name& b) {
  if (KindRank(a) != KindRank(b)) return KindRank(a) < KindRank(b);
  if (KindRank(a) == 0) return std::stoi(a) < std::stoi(b);
  return a < b;
}

struct Statement {
  Name subject, relation, object, source;
  friend auto operator<=>(const Statement&, const Statement&) = default;
};

struct World {
  std::set<Statement> statements;
  std::set<Name> nodes;  // what the walk of no step ranges over
  // By what is recalled and its cue, the weight. What recall finds is its own tests' matter; here
  // it is a relation like others, of which every cue that can come up is told.
  std::map<std::pair<Name, Name>, uint64_t> recalled, recalled_by_words;

  void FindNodes() {
    for (const Statement& s : statements) {
      nodes.insert(s.subject);
      nodes.insert(s.object);
    }
  }
};

inline Term ToTerm(const Name& name) {
  size_t column = 0;
  auto term = ParseNotation(name, false, &column);
  if (!term.ok()) std::abort();  // a fault of the test
  return *term;
}

// A memory of several layers whose words amount to a World.
class Layers {
 public:
  // Learns and removes in one layer; each word must change something.
  void Add(const std::vector<std::pair<Statement, bool>>& words, World* world) {
    Batch batch;
    for (const auto& [s, removed] : words) {
      const Term subject = ToTerm(s.subject), relation = ToTerm(s.relation),
                 object = ToTerm(s.object), source = ToTerm(s.source);
      batch.Add(StatementView{subject, relation, object, source}, removed);
      if (removed) {
        world->statements.erase(s);
      } else {
        world->statements.insert(s);
      }
    }
    auto image = BuildImage(batch, Words::kLastCounts, "");
    if (!image.ok()) std::abort();
    images_.push_back(*image);
  }
  std::shared_ptr<const Snapshot> Read() const { return std::make_shared<Snapshot>(images_); }

 private:
  std::vector<std::shared_ptr<const Image>> images_;
};

// Pairs that a path relates, each with the least number of facts that it takes.
using Pairs = std::map<std::pair<Name, Name>, int>;

struct DoublePath {
  char kind = 'r';  // r(elation) / | + * ? ^
  Name relation;
  std::vector<DoublePath> parts;

  std::string Print() const {
    if (kind == 'r') return relation;
    if (kind == '^') return "^(" + parts[0].Print() + ")";
    if (kind == '/' || kind == '|') return "(" + parts[0].Print() + kind + parts[1].Print() + ")";
    return "(" + parts[0].Print() + ")" + kind;
  }

  Pairs Evaluate(const std::set<Statement>& statements, const std::set<Name>& universe) const {
    Pairs out;
    const auto offer = [&out](const Name& a, const Name& b, int length) {
      const auto [at, is_new] = out.try_emplace({a, b}, length);
      if (!is_new) at->second = std::min(at->second, length);
    };
    if (kind == 'r') {
      for (const Statement& s : statements) {
        if (s.relation == relation) offer(s.subject, s.object, 1);
      }
      return out;
    }
    const Pairs first = parts[0].Evaluate(statements, universe);
    if (kind == '^') {
      for (const auto& [pair, length] : first) offer(pair.second, pair.first, length);
      return out;
    }
    if (kind == '|' || kind == '/') {
      const Pairs second = parts[1].Evaluate(statements, universe);
      if (kind == '|') {
        for (const Pairs& some : {first, second}) {
          for (const auto& [pair, length] : some) offer(pair.first, pair.second, length);
        }
      } else {
        Compose(first, second, offer);
      }
      return out;
    }
    out = first;
    for (bool grew = kind != '?'; grew;) {
      const Pairs before = out;
      Compose(before, first, offer);
      grew = out != before;
    }
    if (kind != '+') {
      for (const Name& name : universe) offer(name, name, 0);
    }
    return out;
  }

 private:
  static void Compose(const Pairs& first, const Pairs& second, auto offer) {
    for (const auto& [a, length_a] : first) {
      for (auto b = second.lower_bound({a.second, ""});
           b != second.end() && b->first.first == a.second; ++b) {
        offer(a.first, b->first.second, length_a + b->second);
      }
    }
  }
};

using Env = std::map<std::string, Name>;  // variables, with their '?'

struct DoubleClause {
  enum Kind { kAtom, kPath, kCompare, kNot, kOr, kLike } kind = kAtom;
  std::string left, relation, right;  // a variable, "_" or a Name; relation: the comparison
  DoublePath path;
  Name source;           // empty: any
  bool turned = false;   // of kLike: the cue, right, is written first
  bool negated = false;  // of kLike: within a `not`
  std::vector<std::vector<DoubleClause>> branches;

  static bool IsVariable(const std::string& s) { return s[0] == '?'; }
};

using DoubleConjunction = std::vector<DoubleClause>;

// Prints the clauses, and the branches of each, in an order drawn from the generator (or as they
// are, where it is null).
inline std::string Print(DoubleConjunction clauses, std::mt19937* shuffle) {
  if (shuffle != nullptr) std::shuffle(clauses.begin(), clauses.end(), *shuffle);
  std::string out;
  for (DoubleClause& c : clauses) {
    if (!out.empty()) out += ", ";
    if (c.kind == DoubleClause::kCompare) {
      out += c.left + " " + c.relation + " " + c.right;
      continue;
    }
    if (c.kind == DoubleClause::kLike) {
      out += "like(" + (c.turned ? c.right : c.left) + ", " + (c.turned ? c.left : c.right) + ")";
      continue;
    }
    if (c.kind == DoubleClause::kNot || c.kind == DoubleClause::kOr) {
      if (shuffle != nullptr) std::shuffle(c.branches.begin(), c.branches.end(), *shuffle);
      std::string inner;
      for (const auto& branch : c.branches) {
        inner += (inner.empty() ? "" : " or ") + Print(branch, shuffle);
      }
      out += (c.kind == DoubleClause::kNot ? "not (" : "(") + inner + ")";
      continue;
    }
    out += (c.kind == DoubleClause::kPath ? c.path.Print() : c.relation) + "(" + c.left + ", " +
           c.right + ")";
    if (!c.source.empty()) out += " from " + c.source;
  }
  return out;
}

// All ways to make the clauses true. Atoms and groups come first; what only tests comes last, when
// all is bound. `trust_not` takes every `not` for true.
class Evaluator {
 public:
  Evaluator(const World* world, bool trust_not) : world_(*world), trust_not_(trust_not) {}

  std::set<Env> Run(const DoubleConjunction& clauses, const Env& env) const {
    std::set<Env> envs{env};
    const std::vector<std::set<DoubleClause::Kind>> turns = {
        {DoubleClause::kAtom, DoubleClause::kPath, DoubleClause::kLike},
        {DoubleClause::kOr},
        {DoubleClause::kCompare, DoubleClause::kNot}};
    for (const auto& kinds : turns) {
      for (const DoubleClause& clause : clauses) {
        if (!kinds.contains(clause.kind)) continue;
        std::set<Env> next;
        for (const Env& one : envs) Extend(clause, one, &next);
        envs = std::move(next);
      }
    }
    return envs;
  }

  int Length(const DoubleClause& clause, const Name& a, const Name& b) const {
    const Pairs pairs = PairsOf(clause);
    const auto at = pairs.find({a, b});
    return at == pairs.end() ? -1 : at->second;
  }

 private:
  std::set<Statement> From(const Name& source) const {
    std::set<Statement> out;
    for (const Statement& s : world_.statements) {
      if (source.empty() || s.source == source) out.insert(s);
    }
    return out;
  }

  Pairs PairsOf(const DoubleClause& clause) const {
    std::set<Name> universe = world_.nodes;
    for (const auto& end : {clause.left, clause.right}) {
      if (!DoubleClause::IsVariable(end) && end != "_") universe.insert(end);
    }
    return clause.path.Evaluate(From(clause.source), universe);
  }

  // Makes the place stand for the value, or says that it cannot.
  static bool Unify(const std::string& place, const Name& value, Env* env) {
    if (place == "_") return true;
    if (!DoubleClause::IsVariable(place)) return place == value;
    return env->try_emplace(place, value).first->second == value;
  }

  static Name Value(const std::string& place, const Env& env) {
    return DoubleClause::IsVariable(place) ? env.at(place) : place;
  }

  static bool Compare(const Name& a, const std::string& comparison, const Name& b) {
    if (comparison == "=") return a == b;
    if (comparison == "!=") return a != b;
    if (KindRank(a) != KindRank(b)) return false;
    if (comparison == "<") return Before(a, b);
    if (comparison == "<=") return !Before(b, a);
    if (comparison == ">") return Before(b, a);
    return !Before(a, b);
  }

  // Drops what lives in one branch only: by the generator's convention its name begins with ?l.
  static Env WithoutLocals(const Env& inside, const Env& outside) {
    Env out = outside;
    for (const auto& [variable, value] : inside) {
      if (variable[1] != 'l') out.emplace(variable, value);
    }
    return out;
  }

  void Extend(const DoubleClause& clause, const Env& env, std::set<Env>* out) const {
    switch (clause.kind) {
      case DoubleClause::kAtom:
        for (const Statement& s : From(clause.source)) {
          Env next = env;
          if (Unify(clause.relation, s.relation, &next) && Unify(clause.left, s.subject, &next) &&
              Unify(clause.right, s.object, &next)) {
            out->insert(next);
          }
        }
        return;
      case DoubleClause::kPath:
        for (const auto& [pair, length] : PairsOf(clause)) {
          Env next = env;
          if (Unify(clause.left, pair.first, &next) && Unify(clause.right, pair.second, &next)) {
            out->insert(next);
          }
        }
        return;
      case DoubleClause::kLike:
        for (const auto& [pair, weight] :
             clause.negated ? world_.recalled_by_words : world_.recalled) {
          Env next = env;
          if (Unify(clause.left, pair.first, &next) && Unify(clause.right, pair.second, &next)) {
            out->insert(next);
          }
        }
        return;
      case DoubleClause::kCompare:
        if (Compare(Value(clause.left, env), clause.relation, Value(clause.right, env))) {
          out->insert(env);
        }
        return;
      case DoubleClause::kNot: {
        bool holds = false;
        for (const auto& branch : clause.branches) holds = holds || !Run(branch, env).empty();
        if (!holds || trust_not_) out->insert(env);
        return;
      }
      case DoubleClause::kOr:
        for (const auto& branch : clause.branches) {
          for (const Env& next : Run(branch, env)) out->insert(WithoutLocals(next, env));
        }
        return;
    }
  }

  const World& world_;
  const bool trust_not_;
};

}  // namespace loci::query::testing
