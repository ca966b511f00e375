// SPDX-License-Identifier: Apache-2.0
//
// `like` in lockstep with the doubles (testing.h, rule_testing.h): what each cue recalls is asked
// of recall once and taken for a relation with weights; then random queries and rules that mix it
// with everything else give the same answers with the same scores, whatever the order of clauses
// and whether the planner or the text orders them; and what an answer cites is stated.
#include "base/fixed.h"
#include "query/query.h"
#include "query/random_testing.h"
#include "query/rule.h"
#include "query/rule_testing.h"
#include "query/snapshot_graph.h"

#include <gtest/gtest.h>

namespace loci::query::testing {
namespace {

const std::vector<Name> kTexts = {"\"red car\"",  "\"a red boat\"",        "\"blue boat\"",
                                  "\"old cars\"", "\"the boat was sold\"", "\"Blue\"@en"};
const std::vector<Name> kCues = {"\"red\"", "\"car boat\"", "\"old blue car\"", "\"the\"",
                                 "\"unheard of\""};

struct Memory {
  World world;
  std::vector<DoubleRule> rules;
  Facts facts;
  std::shared_ptr<const Snapshot> snapshot;
};

// d is derived by what is alike, e by walks over d.
std::vector<DoubleRule> RandomRules(Random* random) {
  std::vector<DoubleRule> rules;
  const auto link = [](DoubleClause::Kind kind, std::string relation, std::string left,
                       std::string right) {
    DoubleClause c;
    c.kind = kind;
    c.relation = std::move(relation);
    c.left = std::move(left);
    c.right = std::move(right);
    return c;
  };
  const auto add = [&](std::string relation, DoubleConjunction body, std::string confidence) {
    DoubleRule& rule = rules.emplace_back();
    rule.relation = std::move(relation);
    rule.left = "?x";
    rule.right = "?y";
    rule.body = std::move(body);
    rule.confidence = std::move(confidence);
    if (rule.confidence != "1") {
      rule.weight =
          WeightOfScore(static_cast<uint64_t>(std::stod(rule.confidence) * 4294967296.0 + 0.5));
    }
  };
  const auto atom = DoubleClause::kAtom, like = DoubleClause::kLike;
  if (Pick(random, 2) == 0) {
    add("d", {link(atom, "r", "?x", "?y"), link(like, "", "?x", PickOf(random, kCues))}, "0.5");
  }
  if (Pick(random, 2) == 0) {
    add("d", {link(atom, "s", "?x", "?t"), link(like, "", "?y", "?t")}, "1");
  }
  if (Pick(random, 2) == 0) {
    add("e", {link(atom, "d", "?x", "?m"), link(atom, "e", "?m", "?y")}, "0.9");
    add("e", {link(atom, "d", "?x", "?y")}, "1");
  }
  return rules;
}

Statement RandomFact(Random* random) {
  Statement s = RandomStatement(random);
  if (Pick(random, 2) == 0) s.object = PickOf(random, kTexts);
  return s;
}

void MakeMemory(Random* random, Memory* memory) {
  Layers layers;
  memory->rules = RandomRules(random);
  for (size_t layer = 0; layer < 2; ++layer) {
    std::vector<std::pair<Statement, bool>> words;
    std::set<Statement> said;
    for (size_t i = 0; i < 6 + Pick(random, 10); ++i) {
      const Statement s = RandomFact(random);
      const bool there = memory->world.statements.contains(s);
      if (!said.insert(s).second || (layer == 0 && there)) continue;
      words.emplace_back(s, there);
    }
    for (const DoubleRule& rule : memory->rules) {
      if (layer > 0) break;
      const auto read = ReadRules(rule.Text(nullptr));
      ASSERT_TRUE(read.ok()) << rule.Text(nullptr) << "\n" << read.error().message;
      const Statement s{rule.relation, "rule", ToNotation(read->at(0).text), "rules"};
      if (said.insert(s).second) words.emplace_back(s, false);
    }
    layers.Add(words, &memory->world);
  }
  memory->world.FindNodes();
  memory->snapshot = layers.Read();
  std::set<Name> cues(kCues.begin(), kCues.end());
  cues.insert(kSymbols.begin(), kSymbols.end());
  cues.insert(kLiterals.begin(), kLiterals.end());
  cues.insert(kRelations.begin(), kRelations.end());
  cues.insert({"unheard_of", "nowhere", "unknown", "d", "e"});
  for (const Statement& s : memory->world.statements) {
    cues.insert({s.subject, s.relation, s.object});
  }
  const SnapshotGraph graph(memory->snapshot.get());
  for (const Name& cue : cues) {
    for (const bool by_words : {false, true}) {
      const auto found = graph.Recall(ToTerm(cue), by_words, nullptr);
      ASSERT_TRUE(found.ok());
      auto& table = by_words ? memory->world.recalled_by_words : memory->world.recalled;
      for (const recall::Hit& hit : found->hits()) {
        table[{ToNotation(graph.Name(hit.item)), cue}] = WeightOfScore(hit.score);
      }
    }
  }
  memory->facts = AllFacts(memory->world, memory->rules);
}

// Two to four clauses as people write them, which mostly hold of something; or anything.
Case RandomQuery(Random* random) {
  if (Pick(random, 2) == 0) {
    Case any;
    do {
      any = RandomCase(random, {"r", "s", "t", "d", "e"}, kCues);
    } while (any.Text(nullptr).size() > 300);
    return any;
  }
  Case c = RandomCase(random, {"r"}, {});  // for order, limit and offset
  if (c.head.size() != 2) c = {};
  c.head = {"?x", "?y"};
  if (!c.order.keys.empty()) c = {c.head, {}, {}, "", 0, SIZE_MAX};
  const auto clause = [&](DoubleClause::Kind kind, const Name& left, const Name& right) {
    DoubleClause one;
    one.kind = kind;
    one.left = left;
    one.right = right;
    one.relation = PickOf(random, std::vector<Name>{"r", "s", "t", "d", "e"});
    return one;
  };
  const auto atom = DoubleClause::kAtom, like = DoubleClause::kLike;
  c.clauses = {clause(like, "?x", PickOf(random, kCues))};
  switch (Pick(random, 4)) {
    case 0:
      c.clauses.push_back(clause(like, "?y", "?x"));
      break;
    case 1:
      c.clauses.push_back(clause(atom, "?x", "?t"));
      c.clauses.push_back(clause(like, "?y", "?t"));
      break;
    case 2:
      c.clauses.push_back(clause(atom, "?y", "?x"));
      break;
    default:
      c.clauses.push_back(clause(atom, "?x", "?y"));
  }
  if (Pick(random, 3) == 0) {
    DoubleClause no;
    no.kind = DoubleClause::kNot;
    no.branches = {{clause(like, "?x", PickOf(random, kCues))}};
    no.branches[0][0].negated = true;
    c.clauses.push_back(no);
  } else if (Pick(random, 3) == 0) {
    DoubleClause either;
    either.kind = DoubleClause::kOr;
    either.branches = {{clause(like, "?x", PickOf(random, kCues))}, {clause(atom, "?x", "_")}};
    c.clauses.push_back(either);
  }
  return c;
}

using Scored = std::pair<std::vector<Name>, uint64_t>;

std::vector<Scored> Expected(const Memory& memory, const Case& c) {
  std::map<std::vector<Name>, uint64_t> best;
  for (const auto& [env, weight] :
       WeightedEvaluator(&memory.world, &memory.facts, false).Run(c.clauses, {})) {
    std::vector<Name> row;
    for (const auto& v : c.head) row.push_back(env.at(v));
    Improve(row, weight, &best);
  }
  std::vector<Scored> rows;
  for (const auto& [row, weight] : best) rows.emplace_back(row, ScoreOfWeight(weight));
  std::sort(rows.begin(), rows.end(), [&](const Scored& a, const Scored& b) {
    const bool worst_first = !c.order.keys.empty();  // RandomCase orders by score so
    if (a.second != b.second) return (a.second < b.second) == worst_first;
    return c.order(a.first, b.first);
  });
  std::vector<Scored> cut;
  for (size_t i = c.offset; i < rows.size() && cut.size() < c.limit; ++i) cut.push_back(rows[i]);
  return cut;
}

std::vector<Scored> ToRows(const Answers& answers) {
  std::vector<Scored> rows;
  for (const Answer& answer : answers.rows) {
    rows.push_back({{}, answer.score});
    for (TermId id : answer.values) rows.back().first.push_back(ToNotation(answers.Name(id)));
  }
  return rows;
}

// What is cited is stated; and from it, with what recall and rules do with it, the answer follows.
void CheckEvidence(const Memory& memory, const Case& c, const Query& query, const Answers& answers,
                   size_t row, int* recalls) {
  const auto tree = query.Derive(answers, row, {}, {SIZE_MAX, 256});
  ASSERT_TRUE(tree.ok()) << tree.error().message;
  World cited;
  cited.nodes = memory.world.nodes;
  cited.recalled = memory.world.recalled;
  cited.recalled_by_words = memory.world.recalled_by_words;
  const auto name = [&](TermId id) { return ToNotation(answers.Name(id)); };
  for (const Derivation::Node& node : tree->nodes) {
    *recalls += node.kind == Derivation::Kind::kLike;
    for (TermId source : node.sources) {
      const Statement s{name(node.fact.subject), name(node.fact.relation), name(node.fact.object),
                        name(source)};
      ASSERT_TRUE(memory.world.statements.contains(s));
      cited.statements.insert(s);
    }
  }
  const Facts facts = AllFacts(cited, memory.rules);
  std::vector<Name> values;
  for (TermId id : answers.rows[row].values) values.push_back(name(id));
  std::set<std::vector<Name>> again;
  for (const auto& [env, weight] : WeightedEvaluator(&cited, &facts, true).Run(c.clauses, {})) {
    std::vector<Name> one;
    for (const auto& v : c.head) one.push_back(env.at(v));
    again.insert(one);
  }
  ASSERT_TRUE(again.contains(values)) << "row " << row << " does not follow from what it cites";
}

class LikeLockstepTest : public ::testing::TestWithParam<int> {};

TEST_P(LikeLockstepTest, AnswersAndScoresAreThoseOfTheDoubleInAnyOrderOfClauses) {
  Random random(static_cast<unsigned>(GetParam()));
  int uncertain = 0, recalls = 0;
  for (int round = 0; round < 25; ++round) {
    Memory memory;
    MakeMemory(&random, &memory);
    if (HasFatalFailure()) return;
    for (int i = 0; i < 10; ++i) {
      const Case c = RandomQuery(&random);
      const std::vector<Scored> expected = Expected(memory, c);
      for (int shuffle = 0; shuffle < 3; ++shuffle) {
        const std::string text = c.Text(shuffle == 0 ? nullptr : &random);
        const auto query = Query::Parse(text);
        ASSERT_TRUE(query.ok()) << text << "\n" << query.error().message;
        QueryOptions options;
        options.as_written = shuffle == 2;
        const auto answers = query->Run(memory.snapshot, options);
        ASSERT_TRUE(answers.ok()) << text << "\n" << answers.error().message;
        ASSERT_EQ(ToRows(*answers), expected) << text;
        for (size_t row = 0; row < answers->rows.size() && row < 3; ++row) {
          uncertain += answers->rows[row].score != kScoreOne;
          CheckEvidence(memory, c, *query, *answers, row, &recalls);
          if (HasFatalFailure()) {
            ADD_FAILURE() << text;
            return;
          }
        }
      }
    }
  }
  // The test is about something.
  EXPECT_GT(uncertain, 100);
  EXPECT_GT(recalls, 100);
}

INSTANTIATE_TEST_SUITE_P(Seeds, LikeLockstepTest, ::testing::Range(0, 6));

}  // namespace
}  // namespace loci::query::testing
