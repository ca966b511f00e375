// SPDX-License-Identifier: Apache-2.0
//
// The query engine in lockstep with its double (testing.h) on random small memories of several
// layers and random queries of all constructs: the same answers in the same order, whatever the
// order of clauses; and evidence that suffices to derive each answer.
#include <gtest/gtest.h>

#include "query/query.h"
#include "query/testing.h"

namespace loci::query::testing {
namespace {

using Random = std::mt19937;

size_t Pick(Random* random, size_t n) {
  return (*random)() % n;
}
template <class T>
const T& PickOf(Random* random, const std::vector<T>& from) {
  return from[Pick(random, from.size())];
}

const std::vector<Name> kSymbols = {"a", "b", "c", "d", "e"};
const std::vector<Name> kLiterals = {"1", "20", "3", "\"x\"", "\"y\"", "2024-05-01", "2024-05-02"};
const std::vector<Name> kRelations = {"r", "s", "t"};
const std::vector<Name> kSources = {"u", "v"};
const std::vector<std::string> kVariables = {"?w", "?x", "?y", "?z"};

Statement RandomStatement(Random* random) {
  // A relation is now and then a subject too, for variables that stand for both.
  const bool odd = Pick(random, 10) == 0;
  return {odd ? PickOf(random, kRelations) : PickOf(random, kSymbols), PickOf(random, kRelations),
          Pick(random, 4) == 0 ? PickOf(random, kLiterals) : PickOf(random, kSymbols),
          PickOf(random, kSources)};
}

std::shared_ptr<const Snapshot> RandomMemory(Random* random, World* world) {
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

DoublePath RandomPath(Random* random, int depth) {
  DoublePath path;
  const size_t draw = depth == 0 ? 0 : Pick(random, 8);
  if (draw < 3) {
    path.relation = Pick(random, 12) == 0 ? "nowhere" : PickOf(random, kRelations);
    return path;
  }
  path.kind = "^/|+*?^/"[draw];
  path.parts.push_back(RandomPath(random, depth - 1));
  if (path.kind == '/' || path.kind == '|') path.parts.push_back(RandomPath(random, depth - 1));
  return path;
}

class Generator {
 public:
  // Where all variables are the answer's, branches have none of their own.
  Generator(Random* random, bool branch_locals) : random_(random), branch_locals_(branch_locals) {}

  // A conjunction that binds every one of these variables, and maybe others of `known`; `depth`
  // levels of `not` and `or` below.
  DoubleConjunction Make(std::set<std::string> binds, const std::set<std::string>& known, int depth,
                         const std::string& locals) {
    DoubleConjunction out;
    std::set<std::string> bound = known;
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
    if (draw == 8 && !subject) return PickOf(random_, kLiterals);
    return PickOf(random_, kSymbols);
  }

  DoubleClause Atom(const std::vector<std::string>& variables, std::set<std::string>* bound) {
    DoubleClause c;
    const bool path = Pick(random_, 3) == 0;
    c.kind = path ? DoubleClause::kPath : DoubleClause::kAtom;
    c.left = End(variables, true);
    c.right = End(variables, path);
    c.relation = PickOf(random_, kRelations);
    if (path) {
      c.path = RandomPath(random_, 3);
    } else if (Pick(random_, 5) == 0 && !variables.empty()) {
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
    for (size_t i = 2 + Pick(random_, 2); i > 0; --i) {
      c.branches.push_back(Make(binds, known, depth - 1, locals));
    }
    bound->insert(binds.begin(), binds.end());
    return c;
  }

  DoubleClause Not(const std::set<std::string>& bound, int depth) {
    DoubleClause c;
    c.kind = DoubleClause::kNot;
    for (size_t i = 1 + Pick(random_, 3) / 2; i > 0; --i) {
      c.branches.push_back(Make({}, bound, depth - 1, "?n"));
    }
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
              : draw == 1 ? PickOf(random_, kLiterals)
                          : PickOf(random_, kSymbols);
    return c;
  }

  Random* random_;
  const bool branch_locals_;
  int next_local_ = 0;
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

Rows Project(const std::set<Env>& envs, const std::vector<std::string>& head,
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

Rows ToRows(const Answers& answers) {
  Rows rows;
  for (const Answer& answer : answers.rows) {
    EXPECT_EQ(answer.score, uint64_t{1} << 32);
    std::vector<Name>& row = rows.emplace_back();
    for (TermId id : answer.values) row.push_back(ToNotation(answers.Name(id)));
  }
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
Case RandomCase(Random* random) {
  Case out;
  std::set<std::string> head;
  for (size_t i = Pick(random, 4); i > 0; --i) head.insert(PickOf(random, kVariables));
  out.head.assign(head.begin(), head.end());
  std::shuffle(out.head.begin(), out.head.end(), *random);
  out.clauses = Generator(random, !head.empty()).Make(head, {}, 2, head.empty() ? "" : "?m");
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

Rows Cut(const Rows& rows, size_t offset, size_t limit) {
  Rows out;
  for (size_t i = offset; i < rows.size() && out.size() < limit; ++i) out.push_back(rows[i]);
  return out;
}

// The facts cited exist, with their sources, and they alone derive the answer again.
void CheckEvidence(const Case& c, const World& world, const Query& query, const Answers& answers,
                   size_t row, const std::string& text) {
  const auto evidence = query.Explain(answers, row, {});
  ASSERT_TRUE(evidence.ok()) << text << "\n" << evidence.error().message;
  World cited;
  cited.nodes = world.nodes;
  std::set<std::vector<Name>> facts;
  for (const Evidence& one : *evidence) {
    const auto name = [&](TermId id) { return ToNotation(answers.snapshot->Name(id)); };
    const std::vector<Name> fact = {name(one.fact.subject), name(one.fact.relation),
                                    name(one.fact.object)};
    ASSERT_TRUE(facts.insert(fact).second) << text;
    ASSERT_FALSE(one.sources.empty());
    for (TermId source : one.sources) {
      const Statement s{fact[0], fact[1], fact[2], name(source)};
      ASSERT_TRUE(world.statements.contains(s)) << text;
      cited.statements.insert(s);
    }
  }
  const Rows again = Project(Evaluator(&cited, true).Run(c.clauses, {}), c.head, {});
  std::vector<Name> values;
  for (TermId id : answers.rows[row].values) values.push_back(ToNotation(answers.Name(id)));
  ASSERT_TRUE(std::find(again.begin(), again.end(), values) != again.end())
      << text << "\nrow " << row << " is not derived by its " << facts.size() << " facts";
}

class LockstepTest : public ::testing::TestWithParam<int> {};

TEST_P(LockstepTest, AnswersAreThoseOfTheDoubleInAnyOrderOfClauses) {
  Random random(static_cast<unsigned>(GetParam()));
  for (int round = 0; round < 12; ++round) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    for (int i = 0; i < 12; ++i) {
      const Case c = RandomCase(&random);
      const Rows expected = Cut(
          Project(Evaluator(&world, false).Run(c.clauses, {}), c.head, c.order), c.offset, c.limit);
      for (int shuffle = 0; shuffle < 3; ++shuffle) {
        const std::string text = c.Text(shuffle == 0 ? nullptr : &random);
        const auto query = Query::Parse(text);
        ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
        const auto answers = query->Run(snapshot, {});
        ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
        ASSERT_EQ(ToRows(*answers), expected) << text;
        for (size_t row = 0; row < answers->rows.size() && row < 5; ++row) {
          CheckEvidence(c, world, *query, *answers, row, text);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

TEST_P(LockstepTest, GivenValuesSelectAnswers) {
  Random random(static_cast<unsigned>(1000 + GetParam()));
  for (int i = 0; i < 60; ++i) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    Case c = RandomCase(&random);
    c.tail.clear();
    if (c.head.empty()) continue;
    const size_t column = Pick(&random, c.head.size());
    const Name value = Pick(&random, 5) == 0 ? "unheard_of" : PickOf(&random, kSymbols);
    Rows expected = Project(Evaluator(&world, false).Run(c.clauses, {}), c.head, {});
    std::erase_if(expected, [&](const auto& row) { return row[column] != value; });
    const std::string text = c.Text(nullptr);
    const auto query = Query::Parse(text);
    ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
    const Term term = ToTerm(value);
    const Binding binding{std::string_view(c.head[column]).substr(1), term};
    const auto answers = query->Run(snapshot, {}, {&binding, 1});
    ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
    ASSERT_EQ(ToRows(*answers), expected) << text << " with " << c.head[column] << " = " << value;
  }
}

TEST_P(LockstepTest, WalksCitedAreShortest) {
  Random random(static_cast<unsigned>(2000 + GetParam()));
  for (int i = 0; i < 60; ++i) {
    World world;
    const auto snapshot = RandomMemory(&random, &world);
    DoubleClause c;
    c.kind = DoubleClause::kPath;
    c.left = "?x";
    c.right = "?y";
    c.path = RandomPath(&random, 3);
    const std::string text = Print({c}, nullptr);
    const auto query = Query::Parse(text);
    ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
    const auto answers = query->Run(snapshot, {});
    ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
    for (size_t row = 0; row < answers->rows.size(); ++row) {
      const auto evidence = query->Explain(*answers, row, {});
      ASSERT_TRUE(evidence.ok()) << text << "\n" << evidence.error().message;
      World cited;
      cited.nodes = world.nodes;
      for (const Evidence& one : *evidence) {
        const auto name = [&](TermId id) { return ToNotation(snapshot->Name(id)); };
        cited.statements.insert({name(one.fact.subject), name(one.fact.relation),
                                 name(one.fact.object), name(one.sources[0])});
      }
      const Name a = ToNotation(answers->Name(answers->rows[row].values[0]));
      const Name b = answers->variables.size() == 1
                         ? a
                         : ToNotation(answers->Name(answers->rows[row].values[1]));
      const int least = Evaluator(&world, false).Length(c, a, b);
      EXPECT_EQ(Evaluator(&cited, false).Length(c, a, b), least) << text << " " << a << " " << b;
      EXPECT_LE(static_cast<int>(evidence->size()), least) << text << " " << a << " " << b;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, LockstepTest, ::testing::Range(0, 5));

}  // namespace
}  // namespace loci::query::testing
