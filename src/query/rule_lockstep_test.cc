// SPDX-License-Identifier: Apache-2.0
//
// Rules in lockstep with their double (rule_testing.h): random small memories of several layers,
// random rules (recursive through facts, paths, `or` and variable relations; with confidence; with
// `not` between strata), random queries. The same answers with the same scores in the same order,
// whatever the order of rules and clauses and whether the memory is of several layers or one; and
// derivations in which everything follows from what stands below it.
#include "base/fixed.h"
#include "query/query.h"
#include "query/random_testing.h"
#include "query/rule.h"
#include "query/rule_testing.h"

#include <gtest/gtest.h>

namespace loci::query::testing {
namespace {

// d and t are derived in stratum 0 (t has stored facts too), e and f in stratum 1.
const std::vector<Name> kAll = {"r", "s", "t", "d", "e", "f"};

// Clauses that lead from one variable to another: what rules are mostly made of, and often true.
struct Links {
  Random* random;
  std::vector<Name> relations, negated;
  bool variable_relations;

  DoubleClause Link(const std::string& from, const std::string& to, int depth, int number) const {
    DoubleClause c;
    const bool turned = Pick(random, 4) == 0;
    c.left = turned ? to : from;
    c.right = turned ? from : to;
    switch (Pick(random, 8)) {
      case 0:
      case 1:
        c.kind = DoubleClause::kPath;
        c.path = RandomPath(random, 2, relations);
        return c;
      case 2:
        if (depth == 0) break;
        c.kind = DoubleClause::kOr;
        for (int i = 0; i < 2; ++i) {
          c.branches.push_back({Link(from, to, depth - 1, number)});
          if (Pick(random, 4) == 0) c.branches.back().push_back(Test(from, to));
        }
        return c;
      case 3:
        if (!variable_relations) break;
        c.relation = "?p" + std::to_string(number);
        return c;
      default:
        break;
    }
    c.relation = PickOf(random, relations);
    if (Pick(random, 10) == 0) c.source = PickOf(random, kSources);
    return c;
  }

  DoubleClause Test(const std::string& a, const std::string& b) const {
    DoubleClause c;
    if (Pick(random, 2) == 0) {
      c.kind = DoubleClause::kCompare;
      c.left = a;
      c.relation = PickOf(random, std::vector<std::string>{"!=", "<", ">="});
      c.right = Pick(random, 3) == 0 ? PickOf(random, kSymbols) : b;
      return c;
    }
    c.kind = DoubleClause::kNot;
    DoubleClause atom;
    atom.left = a;
    atom.right = Pick(random, 2) == 0 ? b : Pick(random, 2) == 0 ? "_" : "?n";
    atom.relation = PickOf(random, negated);
    if (Pick(random, 3) == 0) {
      atom.kind = DoubleClause::kPath;
      atom.path = RandomPath(random, 2, negated);
    }
    c.branches.push_back({atom});
    return c;
  }

  // From the first to the last variable, through those between.
  DoubleConjunction Chain(const std::vector<std::string>& variables) const {
    DoubleConjunction out;
    for (size_t i = 0; i + 1 < variables.size(); ++i) {
      out.push_back(Link(variables[i], variables[i + 1], 1, static_cast<int>(i)));
    }
    if (Pick(random, 3) == 0) out.push_back(Test(variables.front(), variables.back()));
    return out;
  }
};

DoubleRule RandomRule(Random* random) {
  DoubleRule rule;
  rule.stratum = static_cast<int>(Pick(random, 2));
  rule.relation = rule.stratum == 0 ? PickOf(random, std::vector<Name>{"d", "t"})
                                    : PickOf(random, std::vector<Name>{"e", "f"});
  rule.left = "?x";
  rule.right = Pick(random, 8) == 0 ? "?x" : "?y";
  const std::vector<Name> relations =
      rule.stratum == 0 ? std::vector<Name>{"r", "s", "t", "d", "d"} : kAll;
  const std::vector<Name> negated =
      rule.stratum == 0 ? std::vector<Name>{"r", "s"} : std::vector<Name>{"r", "s", "t", "d"};
  if (Pick(random, 4) == 0) {
    Generator generator(random, true);
    generator.relations = relations;
    generator.negated = negated;
    generator.variable_relations = rule.stratum == 1;
    generator.variables_in_not = false;
    generator.literals = {"1", "20", "2024-05-01"};
    // Large bodies hold of nothing, and take the double long.
    do {
      rule.body = generator.Make({rule.left, rule.right}, {}, 2, "?m");
    } while (Print(rule.body, nullptr).size() > 120);
  } else {
    std::vector<std::string> variables = {rule.left, rule.right};
    if (Pick(random, 2) == 0) variables.insert(variables.begin() + 1, "?m");
    rule.body = Links{random, relations, negated, rule.stratum == 1}.Chain(variables);
  }
  if (Pick(random, 2) == 0) {
    rule.confidence = PickOf(random, std::vector<std::string>{"0.5", "0.9", "0.25", "0.000001"});
    const double value = std::stod(rule.confidence);
    rule.weight = WeightOfScore(static_cast<uint64_t>(value * 4294967296.0 + 0.5));
  }
  return rule;
}

Case RandomQuery(Random* random) {
  Case c;
  if (Pick(random, 3) == 0) {
    do {
      c = RandomCase(random, kAll);
    } while (c.Text(nullptr).size() > 200);
    return c;
  }
  c = RandomCase(random, {"r"});  // for order, limit and offset, where its head fits
  const bool fits = c.head.size() == 2;
  if (!fits) c = {};
  if (!fits) c.head = {"?w", "?z"};
  std::vector<std::string> variables = c.head;
  if (Pick(random, 2) == 0) variables.insert(variables.begin() + 1, "?v");
  c.clauses = Links{random, kAll, kAll, true}.Chain(variables);
  if (Pick(random, 2) == 0) {  // one end given
    DoubleClause given;
    given.kind = DoubleClause::kCompare;
    given.left = c.head[Pick(random, 2)];
    given.relation = "=";
    given.right = PickOf(random, kSymbols);
    c.clauses.push_back(given);
  }
  return c;
}

struct RuledMemory {
  World world;
  std::vector<DoubleRule> rules;
  Facts facts;
  std::map<std::string, const DoubleRule*> by_text;  // canonical
  std::shared_ptr<const Snapshot> layers, shuffled, whole;
};

// Statements of the rules, in this order of rules and clauses. (Shuffled clauses are another text.)
std::vector<std::pair<Statement, bool>> RuleStatements(RuledMemory* memory, Random* shuffle) {
  std::vector<std::pair<Statement, bool>> words;
  for (const DoubleRule& rule : memory->rules) {
    const std::string text = rule.Text(shuffle);
    const auto read = ReadRules(text);
    EXPECT_TRUE(read.ok()) << text << "\n" << read.error().message;
    if (!read.ok()) continue;
    memory->by_text[std::string(SplitText(read->at(0).text.bytes).text)] = &rule;
    const Statement s{rule.relation, "rule", ToNotation(read->at(0).text), "rules"};
    if (!memory->world.statements.contains(s)) words.emplace_back(s, false);
    memory->world.statements.insert(s);
  }
  return words;
}

void MakeMemory(Random* random, RuledMemory* memory) {
  for (size_t i = 1 + Pick(random, 5); i > 0; --i) memory->rules.push_back(RandomRule(random));
  World plain;
  (void)RandomMemory(random, &plain);
  const std::vector<Statement> statements(plain.statements.begin(), plain.statements.end());
  memory->world.statements = plain.statements;
  const auto words = RuleStatements(memory, nullptr);
  Layers layers, whole;
  World ignored;
  const auto add = [&](Layers* to, size_t begin, size_t end, bool with_rules) {
    std::vector<std::pair<Statement, bool>> some;
    for (size_t i = begin; i < end; ++i) some.emplace_back(statements[i], false);
    if (with_rules) some.insert(some.end(), words.begin(), words.end());
    if (!some.empty()) to->Add(some, &ignored);
  };
  const size_t half = statements.size() / 2;
  add(&layers, half, statements.size(), false);
  add(&layers, 0, half, true);
  add(&whole, 0, statements.size(), true);
  memory->layers = layers.Read();
  memory->whole = whole.Read();
  memory->world.FindNodes();
  memory->facts = AllFacts(memory->world, memory->rules);
}

struct Scored {
  std::vector<Name> row;
  uint64_t score;
  friend bool operator==(const Scored&, const Scored&) = default;
};

void PrintTo(const Scored& scored, std::ostream* out) {
  for (const Name& name : scored.row) *out << name << " ";
  *out << scored.score;
}

std::vector<Scored> Expected(const RuledMemory& memory, const Case& c) {
  std::map<std::vector<Name>, uint64_t> best;
  for (const auto& [env, weight] :
       WeightedEvaluator(&memory.world, &memory.facts, false).Run(c.clauses, {})) {
    std::vector<Name> row;
    for (const auto& v : c.head) row.push_back(env.at(v));
    Improve(row, weight, &best);
  }
  std::vector<Scored> rows;
  for (const auto& [row, weight] : best) rows.push_back({row, ScoreOfWeight(weight)});
  std::sort(rows.begin(), rows.end(), [&](const Scored& a, const Scored& b) {
    if (!c.order.keys.empty()) {  // RandomCase orders by score first, the worst first
      if (a.score != b.score) return a.score < b.score;
      return c.order(a.row, b.row);
    }
    if (a.score != b.score) return a.score > b.score;
    return c.order(a.row, b.row);
  });
  std::vector<Scored> cut;
  for (size_t i = c.offset; i < rows.size() && cut.size() < c.limit; ++i) cut.push_back(rows[i]);
  return cut;
}

std::vector<Scored> ToRows(const Answers& answers) {
  std::vector<Scored> rows;
  for (const Answer& answer : answers.rows) {
    Scored& scored = rows.emplace_back();
    scored.score = answer.score;
    for (TermId id : answer.values) scored.row.push_back(ToNotation(answers.Name(id)));
  }
  return rows;
}

std::string ToText(const Derivation& tree, const Snapshot& snapshot) {
  std::string out;
  for (const Derivation::Node& node : tree.nodes) {
    out += std::string(node.level * 2, ' ') + std::to_string(static_cast<int>(node.kind)) + " " +
           node.clause + " " + std::to_string(node.score);
    for (TermId source : node.sources) out += " " + ToNotation(snapshot.Name(source));
    out += "\n";
  }
  return out;
}

// relation(subject, object); a text may hold anything between its quotes.
Fact3 ParseFact3(const std::string& text) {
  const size_t open = text.find('(');
  size_t comma = open + 1;
  for (bool quoted = false; quoted || text[comma] != ','; ++comma) {
    if (text[comma] == '\\') {
      ++comma;
    } else if (text[comma] == '"') {
      quoted = !quoted;
    }
  }
  return {text.substr(open + 1, comma - open - 1), text.substr(0, open),
          text.substr(comma + 2, text.size() - comma - 3)};
}

// Every leaf is stated; every derived fact follows, with its score, by its rule from the facts that
// stand directly below it, and is not among those above it.
void CheckTree(const RuledMemory& memory, const Derivation& tree, const Snapshot& snapshot,
               int* derived_facts) {
  ASSERT_TRUE(tree.whole);
  std::vector<Fact3> above;  // by level
  std::set<Fact3> told;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const Derivation::Node& node = tree.nodes[i];
    above.resize(node.level);
    above.push_back({});
    if (node.kind == Derivation::Kind::kStatement || node.kind == Derivation::Kind::kRule) {
      ASSERT_FALSE(node.sources.empty());
      for (TermId source : node.sources) {
        const auto name = [&](TermId id) { return ToNotation(snapshot.Name(id)); };
        const Statement s{name(node.fact.subject), name(node.fact.relation), name(node.fact.object),
                          name(source)};
        ASSERT_TRUE(memory.world.statements.contains(s));
      }
    }
    if (node.kind != Derivation::Kind::kDerived && node.kind != Derivation::Kind::kAgain) continue;
    const Fact3 fact = ParseFact3(node.clause);
    ASSERT_TRUE(memory.facts.contains(fact)) << node.clause;
    ASSERT_EQ(node.score, ScoreOfWeight(memory.facts.at(fact)));
    ASSERT_EQ(std::count(above.begin(), above.end(), fact), 0) << "a circle";
    if (node.kind == Derivation::Kind::kAgain) {
      ASSERT_TRUE(told.contains(fact)) << "refers to what was not told";
      continue;
    }
    above.back() = fact;
    ++*derived_facts;
    told.insert(fact);
    ASSERT_EQ(tree.nodes[i + 1].kind, Derivation::Kind::kRule);
    const DoubleRule& rule = *memory.by_text.at(tree.nodes[i + 1].clause);
    Facts below;
    uint32_t inside = UINT32_MAX;  // below a derived fact, whose own premises do not count
    for (size_t j = i + 2; j < tree.nodes.size() && tree.nodes[j].level > node.level; ++j) {
      const Derivation::Node& premise = tree.nodes[j];
      if (premise.level > inside) continue;
      inside = UINT32_MAX;
      const bool derived = premise.kind == Derivation::Kind::kDerived;
      if (derived) inside = premise.level;
      if (derived || premise.kind == Derivation::Kind::kStatement ||
          premise.kind == Derivation::Kind::kAgain) {
        const Fact3 one = ParseFact3(premise.clause);
        below[one] = memory.facts.at(one);
      }
    }
    const Facts derived = Apply(rule, memory.world, below, true);
    ASSERT_TRUE(derived.contains(fact)) << node.clause;
    ASSERT_EQ(derived.at(fact), memory.facts.at(fact)) << node.clause;
  }
}

class RuleLockstepTest : public ::testing::TestWithParam<int> {};

TEST_P(RuleLockstepTest, AnswersScoresAndDerivationsAreThoseOfTheDouble) {
  Random random(static_cast<unsigned>(GetParam()));
  int derived_facts = 0, uncertain = 0;
  for (int round = 0; round < 60; ++round) {
    RuledMemory memory;
    MakeMemory(&random, &memory);
    std::string rules;
    for (const DoubleRule& rule : memory.rules) rules += rule.Text(nullptr) + "\n";
    for (int i = 0; i < 8; ++i) {
      const Case c = RandomQuery(&random);
      const std::vector<Scored> expected = Expected(memory, c);
      for (int shuffle = 0; shuffle < 2; ++shuffle) {
        const std::string text = c.Text(shuffle == 0 ? nullptr : &random);
        const std::string told = rules + text;
        const auto query = Query::Parse(text);
        ASSERT_TRUE(query.ok()) << told << "\n" << query.error().message;
        const auto answers = query->Run(memory.layers, {});
        ASSERT_TRUE(answers.ok()) << told << "\n" << answers.error().message;
        ASSERT_EQ(ToRows(*answers), expected) << told;
        for (const Scored& one : expected) uncertain += one.score != kScoreOne;
        const auto whole = query->Run(memory.whole, {});
        ASSERT_TRUE(whole.ok()) << told << "\n" << whole.error().message;
        ASSERT_EQ(ToRows(*whole), expected) << told;
        for (size_t row = 0; row < answers->rows.size() && row < 3; ++row) {
          const DerivationLimits all{SIZE_MAX, 256};
          const auto tree = query->Derive(*answers, row, {}, all);
          ASSERT_TRUE(tree.ok()) << told << "\n" << tree.error().message;
          const auto again = query->Derive(*whole, row, {}, all);
          ASSERT_TRUE(again.ok()) << told << "\n" << again.error().message;
          ASSERT_EQ(ToText(*tree, *memory.layers), ToText(*again, *memory.whole)) << told;
          CheckTree(memory, *tree, *memory.layers, &derived_facts);
          if (HasFatalFailure()) {
            ADD_FAILURE() << told << "\n" << ToText(*tree, *memory.layers);
            return;
          }
        }
      }
    }
  }
  // The test is about something.
  EXPECT_GT(derived_facts, 100);
  EXPECT_GT(uncertain, 100);
}

// The same rules with other clauses first, given in another order, derive the same.
TEST_P(RuleLockstepTest, TheOrderOfClausesInRulesChangesNothing) {
  Random random(static_cast<unsigned>(500 + GetParam()));
  for (int round = 0; round < 15; ++round) {
    RuledMemory memory;
    MakeMemory(&random, &memory);
    std::vector<std::pair<Statement, bool>> words;
    for (const Statement& s : memory.world.statements) {
      if (s.relation != "rule") words.emplace_back(s, false);
    }
    RuledMemory other;
    other.rules = memory.rules;
    std::shuffle(other.rules.begin(), other.rules.end(), random);
    for (const auto& word : RuleStatements(&other, &random)) words.push_back(word);
    Layers layers;
    World ignored;
    layers.Add(words, &ignored);
    const auto shuffled = layers.Read();
    for (const Name& relation : kAll) {
      const auto query = Query::Parse(relation + "(?x, ?y)");
      const auto a = query->Run(memory.layers, {}), b = query->Run(shuffled, {});
      ASSERT_TRUE(a.ok() && b.ok());
      // The texts of rules are nodes, and differ; no rule of the generator reaches them but by
      // walks of no step and variables, so rows with a text are left out.
      const auto rows = [](const Answers& answers) {
        auto out = ToRows(answers);
        std::erase_if(out, [](const Scored& one) {
          return std::any_of(one.row.begin(), one.row.end(),
                             [](const Name& name) { return name.find("^^rule") != Name::npos; });
        });
        return out;
      };
      ASSERT_EQ(rows(*a), rows(*b)) << relation;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RuleLockstepTest, ::testing::Range(0, 8));

}  // namespace
}  // namespace loci::query::testing
