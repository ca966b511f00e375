// SPDX-License-Identifier: Apache-2.0
//
// For tests only: random memories and random queries for the double (testing.h).
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "query/testing.h"

namespace loci::query::testing {

using Random = std::mt19937;

inline size_t Pick(Random* random, size_t n) {
  return (*random)() % n;
}
template <class T>
const T& PickOf(Random* random, const std::vector<T>& from) {
  return from[Pick(random, from.size())];
}

inline const std::vector<Name> kSymbols = {"a", "b", "c", "d", "e"};
inline const std::vector<Name> kLiterals = {"1",     "20",         "3",         "\"x\"",
                                            "\"y\"", "2024-05-01", "2024-05-02"};
inline const std::vector<Name> kRelations = {"r", "s", "t"};
inline const std::vector<Name> kSources = {"u", "v"};
inline const std::vector<std::string> kVariables = {"?w", "?x", "?y", "?z"};

inline Statement RandomStatement(Random* random) {
  // A relation is now and then a subject too, for variables that stand for both.
  const bool odd = Pick(random, 10) == 0;
  return {odd ? PickOf(random, kRelations) : PickOf(random, kSymbols), PickOf(random, kRelations),
          Pick(random, 4) == 0 ? PickOf(random, kLiterals) : PickOf(random, kSymbols),
          PickOf(random, kSources)};
}

inline std::shared_ptr<const Snapshot> RandomMemory(Random* random, World* world) {
  Layers layers;
  const size_t count = 1 + Pick(random, 3);
  for (size_t layer = 0; layer < count; ++layer) {
    std::vector<std::pair<Statement, bool>> words;
    std::set<Statement> said;
    for (size_t i = 0; i < 2 + Pick(random, layer == 0 ? 14 : 8); ++i) {
      const Statement s = RandomStatement(random);
      const bool there = world->statements.contains(s);
      if (!said.insert(s).second || (layer == 0 && there)) continue;
      words.emplace_back(s, there);
    }
    if (!words.empty()) layers.Add(words, world);
  }
  world->FindNodes();
  return layers.Read();
}

inline DoublePath RandomPath(Random* random, int depth,
                             const std::vector<Name>& relations = kRelations) {
  DoublePath path;
  const size_t draw = depth == 0 ? 0 : Pick(random, 8);
  if (draw < 3) {
    path.relation = Pick(random, 12) == 0 ? "nowhere" : PickOf(random, relations);
    return path;
  }
  path.kind = "^/|+*?^/"[draw];
  path.parts.push_back(RandomPath(random, depth - 1, relations));
  if (path.kind == '/' || path.kind == '|')
    path.parts.push_back(RandomPath(random, depth - 1, relations));
  return path;
}

class Generator {
 public:
  // Where all variables are the answer's, branches have none of their own.
  Generator(Random* random, bool branch_locals) : random_(random), branch_locals_(branch_locals) {}

  // Which relations atoms may have, and which within `not`; whether a variable may stand for one.
  std::vector<Name> relations = kRelations, negated = kRelations;
  bool variable_relations = true, variables_in_not = true;
  std::vector<Name> literals = kLiterals;
  std::vector<Name> cues;  // texts; none: no clause recalls

  // A conjunction that binds every one of these variables, and maybe others of `known`; `depth`
  // levels of `not` and `or` below.
  DoubleConjunction Make(std::set<std::string> binds, const std::set<std::string>& known, int depth,
                         const std::string& locals) {
    DoubleConjunction out;
    std::set<std::string> bound = known;
    cue_variables_ = level_ > 0 ? &known : &bound;
    const auto open = [&] {
      std::vector<std::string> left;
      for (const auto& v : binds) {
        if (!bound.contains(v)) left.push_back(v);
      }
      return left;
    };
    size_t extra = Pick(random_, 3);
    while (!open().empty() || extra > 0 || out.empty()) {
      if (open().empty() && extra > 0) --extra;
      std::vector<std::string> ends = open();
      for (const auto& v : bound) ends.push_back(v);
      if (!locals.empty()) ends.push_back(locals + std::to_string(Pick(random_, 2)));
      if (depth > 0 && Pick(random_, 5) == 0) {
        out.push_back(Or(ends, bound, depth, &bound));
        cue_variables_ = level_ > 0 ? &known : &bound;
      } else {
        out.push_back(Atom(ends, &bound));
      }
    }
    for (size_t i = Pick(random_, 3); i > 0; --i) {
      if (depth > 0 && Pick(random_, 2) == 0) {
        out.push_back(Not(bound, depth));
      } else if (!bound.empty()) {
        out.push_back(Compare(bound));
      }
    }
    return out;
  }

 private:
  std::string End(const std::vector<std::string>& variables, bool subject) {
    const size_t draw = Pick(random_, 12);
    if (draw < 6 && !variables.empty()) return PickOf(random_, variables);
    if (draw == 6) return "_";
    if (draw == 7) return "unheard_of";
    if (draw == 8 && !subject) return PickOf(random_, literals);
    return PickOf(random_, kSymbols);
  }

  DoubleClause Like(const std::vector<std::string>& variables, std::set<std::string>* bound) {
    DoubleClause c;
    c.kind = DoubleClause::kLike;
    c.negated = depth_of_not_ > 0;
    c.left = End(variables, true);
    const size_t draw = Pick(random_, 6);
    if (draw < 2 && !cue_variables_->empty()) {
      c.right =
          PickOf(random_, std::vector<std::string>(cue_variables_->begin(), cue_variables_->end()));
      // A constant beside a variable would be the cue.
      if (!DoubleClause::IsVariable(c.left)) c.left = "_";
    } else {
      c.right = draw == 2 ? PickOf(random_, kSymbols) : PickOf(random_, cues);
      c.turned = (DoubleClause::IsVariable(c.left) || c.right[0] == '"') && Pick(random_, 2) == 0;
    }
    if (DoubleClause::IsVariable(c.left)) bound->insert(c.left);
    return c;
  }

  DoubleClause Atom(const std::vector<std::string>& variables, std::set<std::string>* bound) {
    if (!cues.empty() && Pick(random_, 3) == 0) return Like(variables, bound);
    DoubleClause c;
    const bool path = Pick(random_, 3) == 0;
    c.kind = path ? DoubleClause::kPath : DoubleClause::kAtom;
    c.left = End(variables, true);
    c.right = End(variables, path);
    c.relation = PickOf(random_, depth_of_not_ > 0 ? negated : relations);
    if (path) {
      c.path = RandomPath(random_, 3, depth_of_not_ > 0 ? negated : relations);
    } else if (Pick(random_, 5) == 0 && !variables.empty() && variable_relations &&
               (depth_of_not_ == 0 || variables_in_not)) {
      c.relation = PickOf(random_, variables);
    }
    if (Pick(random_, 4) == 0)
      c.source = Pick(random_, 6) == 0 ? "unknown" : PickOf(random_, kSources);
    for (const auto& place : {c.left, c.relation, c.right}) {
      if (DoubleClause::IsVariable(place)) bound->insert(place);
    }
    return c;
  }

  // Each branch binds the same variables, and may use what is bound around it.
  DoubleClause Or(const std::vector<std::string>& variables, const std::set<std::string>& known,
                  int depth, std::set<std::string>* bound) {
    DoubleClause c;
    c.kind = DoubleClause::kOr;
    std::set<std::string> binds;
    const std::string some = variables.empty() ? "" : PickOf(random_, variables);
    if (!some.empty() && some[1] != 'l') binds.insert(some);
    // Branches of one `or` use the same names, those of two do not: they would be shared.
    const std::string locals =
        branch_locals_ ? "?l" + std::to_string(next_local_++) + "_" : std::string();
    ++level_;
    for (size_t i = 2 + Pick(random_, 2); i > 0; --i) {
      c.branches.push_back(Make(binds, known, depth - 1, locals));
    }
    --level_;
    bound->insert(binds.begin(), binds.end());
    return c;
  }

  DoubleClause Not(const std::set<std::string>& bound, int depth) {
    DoubleClause c;
    c.kind = DoubleClause::kNot;
    ++depth_of_not_;
    ++level_;
    for (size_t i = 1 + Pick(random_, 3) / 2; i > 0; --i) {
      c.branches.push_back(Make({}, bound, depth - 1, "?n"));
    }
    --level_;
    --depth_of_not_;
    return c;
  }

  DoubleClause Compare(const std::set<std::string>& bound) {
    DoubleClause c;
    c.kind = DoubleClause::kCompare;
    const std::vector<std::string> variables(bound.begin(), bound.end());
    c.left = PickOf(random_, variables);
    c.relation = PickOf(random_, std::vector<std::string>{"=", "!=", "<", "<=", ">", ">="});
    const size_t draw = Pick(random_, 3);
    c.right = draw == 0   ? PickOf(random_, variables)
              : draw == 1 ? PickOf(random_, literals)
                          : PickOf(random_, kSymbols);
    return c;
  }

  Random* random_;
  const bool branch_locals_;
  int next_local_ = 0, depth_of_not_ = 0, level_ = 0;
  // What may stand for a cue: in a branch only what is bound around it, for what its own clauses
  // bind may wait for them in a circle.
  const std::set<std::string>* cue_variables_ = nullptr;
};

// Whether the rows that a or b names come in this order.
struct RowOrder {
  std::vector<std::pair<size_t, bool>> keys;  // column, descending

  bool operator()(const std::vector<Name>& a, const std::vector<Name>& b) const {
    for (const auto& [column, descending] : keys) {
      if (a[column] == b[column]) continue;
      return Before(a[column], b[column]) != descending;
    }
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), Before);
  }
};

using Rows = std::vector<std::vector<Name>>;

inline Rows Project(const std::set<Env>& envs, const std::vector<std::string>& head,
                    const RowOrder& order) {
  std::set<std::vector<Name>> distinct;
  for (const Env& env : envs) {
    std::vector<Name> row;
    for (const auto& v : head) row.push_back(env.at(v));
    distinct.insert(row);
  }
  Rows rows(distinct.begin(), distinct.end());
  std::sort(rows.begin(), rows.end(), order);
  return rows;
}

// One random query: its text without the clauses, and what it should answer.
struct Case {
  std::vector<std::string> head;
  DoubleConjunction clauses;
  RowOrder order;
  std::string tail;
  size_t offset = 0, limit = SIZE_MAX;

  std::string Text(Random* shuffle) const {
    std::string text;
    for (const auto& v : head) text += (text.empty() ? "(" : ", ") + v;
    if (!head.empty()) text += ") <- ";
    return text + Print(clauses, shuffle) + tail;
  }
};

// Without a head all variables are the answer's; a query of none is asked without one.
inline Case RandomCase(Random* random, const std::vector<Name>& relations = kRelations,
                       const std::vector<Name>& cues = {}) {
  Case out;
  std::set<std::string> head;
  for (size_t i = Pick(random, 4); i > 0; --i) head.insert(PickOf(random, kVariables));
  out.head.assign(head.begin(), head.end());
  std::shuffle(out.head.begin(), out.head.end(), *random);
  Generator generator(random, !head.empty());
  generator.relations = generator.negated = relations;
  generator.cues = cues;
  out.clauses = generator.Make(head, {}, 2, head.empty() ? "" : "?m");
  if (!head.empty() && Pick(random, 3) == 0) {
    const size_t column = Pick(random, out.head.size());
    const bool descending = Pick(random, 2) == 0;
    out.order.keys.emplace_back(column, descending);
    out.tail += " order by score, " + out.head[column] + (descending ? " desc" : " asc");
  }
  if (Pick(random, 4) == 0) {
    out.limit = Pick(random, 4);
    out.tail += " limit " + std::to_string(out.limit);
  }
  if (Pick(random, 4) == 0) {
    out.offset = Pick(random, 3);
    out.tail += " offset " + std::to_string(out.offset);
  }
  return out;
}

inline Rows Cut(const Rows& rows, size_t offset, size_t limit) {
  Rows out;
  for (size_t i = offset; i < rows.size() && out.size() < limit; ++i) out.push_back(rows[i]);
  return out;
}

}  // namespace loci::query::testing
