// SPDX-License-Identifier: Apache-2.0
#include "query/parser.h"

#include <gtest/gtest.h>

#include <random>

#include "query/query.h"

namespace loci::query {
namespace {

std::string MessageOf(std::string_view text) {
  const auto query = Query::Parse(text);
  return query.ok() ? "ok" : query.error().message;
}

TEST(ParserTest, AcceptsTheWholeGrammar) {
  for (const char* text : {
           "capital_of(?x, france)",
           "hypernym+(dog, ?x)",
           "born_in(?p, ?c), in_country(?c, france), not died_in(?p, ?c)",
           "?r(dog, ?x)",
           "(?x) <- r(?x, _) or s(?x, _) order by ?x desc, score limit 3 offset 1",
           "(?x, ?y) <- (r|^s)*/t?(?x, ?y) from <my file.tsv>",
           "((r))(a, b), ((r(a, b) or (s|t)(a, ?x), t(?x, ?y))), not (r(a, ?y) or s(?y, a))"
           ", t(?x, ?y)",
           "r(a, \"text\"), r(a, \"Text\"@fr-CA), r(a, \"5\"^^<my type>), r(a, \"5\"^^number)",
           "r(a, -1.5e3), r(a, +2), r(a, .5), r(a, 2024-05-17), r(a, 2024-05-17T08:30:00Z)",
           "r(<New York>, ?x), r(<1998>, ?y), r(<a \\> b>, <\\u00e9>), r(< x>, <= y>)",
           "r(?x, ?y), ?x != ?y, ?y >= 3, 2 < ?y, ?y <= 7, ?x = \"a\", ?y > 1",
           "age(?x, ?y), ?y < 3 # a comment\n, ?y > 2 # another",
           "_:b1@source(dog.n.01, doc#000017)",
           "near_to(a, b), <near>(a, b), like = ?x, r(next, ?x)",
           "not not r(a, b)",
           "gr\u00f6\u00dfe(?\u00e4, \u65e5\u672c)",
           "^r(5, a), r?(\"text\", ?x), (r|^s)(5, ?x)",
       }) {
    EXPECT_EQ(MessageOf(text), "ok") << text;
  }
}

struct Golden {
  const char* text;
  const char* message;
};

TEST(ParserTest, PointsAtTheColumnAndSaysWhatWasExpected) {
  for (const Golden& golden : {
           Golden{"",
                  "column 1: found the end of the text, expected a clause such as "
                  "relation(subject, ?x), ?x < 5, not ... or (...)"},
           {"dog",
            "column 4: found the end of the text, expected \"(\" and the two ends, as in "
            "relation(subject, ?x)"},
           {"hypernym(dog ?x)", "column 14: found \"?x\", expected \",\" and the other end"},
           {"r(a, b", "column 7: found the end of the text, expected \")\": an atom has two ends"},
           {"r(a, b))",
            "column 8: found \")\", expected \",\", \"or\", \"order by\", \"limit\", "
            "\"offset\" or the end"},
           {"(r(a, ?x)",
            "column 10: found the end of the text, expected \",\", \"or\" or the "
            "\")\" that ends the group"},
           {"r(a, ?x),",
            "column 10: found the end of the text, expected a clause such as "
            "relation(subject, ?x), ?x < 5, not ... or (...)"},
           {"hypernym(1998, ?x)",
            "column 10: found 1998, expected a name, for subjects are "
            "symbols; as a name it is written <1998>"},
           {"^r(?x, \"t\")",
            "column 8: found \"t\", expected a name, for subjects are symbols; as "
            "a name it is written <t>"},
           {"?r(2, ?x)",
            "column 4: found 2, expected a name, for subjects are symbols; as a name "
            "it is written <2>"},
           {"1998(dog, ?x)",
            "column 1: found \"1998\", expected the name of a relation; a name of "
            "digits is written <1998>"},
           {"a(?x, ?y), ?y <5",
            "column 15: found \"<5\", expected \">\" at the end of the name; "
            "as a comparison, \"<\" needs a space behind it"},
           {"a(?x, ?y), ?y <5>",
            "column 15: found \"<5>\", expected \"(\" and the ends of an "
            "atom, or a comparison; in a path every relation is named"},
           {"r(?x, \"open)", "column 7: found \"open), expected '\"' at the end of the text"},
           {"r(?x, b) !",
            "column 10: found \"!\", expected \"!=\"; negation is written: not "
            "clause"},
           {"or(a, b)",
            "column 1: found \"or\", expected a clause such as relation(subject, ?x), "
            "?x < 5, not ... or (...); \"or\" is a word of the language, as a name it "
            "is written <or>"},
           {"r(a, infer)",
            "column 6: found \"infer\", expected a term: ?x, a name, <a name>, \"a "
            "text\", a number; \"infer\" is a word of the language, as a name it is "
            "written <infer>"},
           {"r+*(a, b)",
            "column 3: found \"*\", expected \"(\" and the two ends, as in "
            "relation(subject, ?x)"},
           {"(r/?s)(a, b)",
            "column 4: found \"?s\", expected the name of a relation; a variable "
            "stands for a relation only alone"},
           {"r(a, b) from ?s", "column 14: found \"?s\", expected the name of a source"},
           {"(r(a, b)) from s",
            "column 11: found \"from\", expected \",\", \"or\" or the end; "
            "\"from\" follows a single atom"},
           {"r(a, ?x) limit -1",
            "column 16: found \"-1\", expected the number of answers, in "
            "digits"},
           {"r(a, ?x) offset 1 limit 1",
            "column 19: found \"limit\", expected the end; the order "
            "is: with infer, order by, limit, offset"},
           {"r(a, ?x) order ?x", "column 16: found \"?x\", expected \"by\""},
           {"r(a, ?x) order by ?y",
            "column 19: found ?y, expected a variable of the head or "
            "\"score\" to order by"},
           {"(?x, ?x) <- r(?x, b)",
            "column 6: found \"?x\" a second time in the head, expected "
            "each variable once"},
           {"(?z) <- r(?x, b)",
            "column 2: found ?z, expected a variable of the body outside of "
            "\"not\""},
           {"r(?x, b), ?z < 5",
            "column 11: ?z is compared, but no atom binds it; add one such as "
            "relation(?subject, ?z)"},
           {"r(?x, b), ?x = _",
            "column 16: found \"_\", expected a term; \"_\" has no value to "
            "compare, name the variable"},
           {"not r(?x, b), ?x = 3",
            "column 1: ?x occurs inside and outside of this \"not\", but "
            "no atom outside binds it; add one, or give it another name "
            "inside"},
           {"a(?x, ?y) or b(?x, c)",
            "column 7: ?y is not bound in every branch of \"or\"; bind it "
            "in each, or give the query a head such as (?x) <- without "
            "it"},
           {"gr\u00f6\u00dfe(?x, b) und",
            "column 14: found \"und\", expected \",\", \"or\", "
            "\"order by\", \"limit\", \"offset\" or the end"},
           {"r(?x, 2024-13-01)",
            "column 7: \"2024-13-01\" is not a date: the month must be from "
            "01 to 12"},
           {"like(?x)", "column 8: found \")\", expected \",\": like takes 2 terms"},
       }) {
    EXPECT_EQ(MessageOf(golden.text), golden.message) << golden.text;
  }
}

TEST(ParserTest, SaysNotYetAtTheOperator) {
  for (const Golden& golden :
       {Golden{
            "r(?x, b), phrase(?x, \"small cat\")",
            "column 11: \"phrase\" is not yet in this version; a relation of that name is written "
            "<phrase>"},
        {"not near(?x, dog)",
         "column 5: \"near\" is not yet in this version; a relation of that name is written "
         "<near>"},
        {"analogy(a, b, c, ?x)",
         "column 1: \"analogy\" is not yet in this version; a relation of that name is written "
         "<analogy>"},
        {"r(?x, b) with infer limit 3", "column 10: \"with infer\" is not yet in this version"}}) {
    const auto query = Query::Parse(golden.text);
    ASSERT_FALSE(query.ok());
    EXPECT_EQ(query.error().kind, ErrorKind::kUnsupported);
    EXPECT_EQ(query.error().message, golden.message);
  }
}

TEST(ParserTest, NamesInNotationAreReadBackAnywhereInAQuery) {
  for (const char* name : {"dog", "New York", "1998", "< 5", "= x", "- y", " lead", "or", "like",
                           "a>b\\c", "_", "?x", "dog.", "_:b@s", "\"q\"", "x\ny"}) {
    const auto symbol = MakeSymbol(name);
    ASSERT_TRUE(symbol.ok()) << name;
    const std::string n = ToNotation(*symbol);
    const std::string text = "<r>(?x, " + n + "), ?x != " + n + ", <r>/<r>(" + n + ", ?y) from " +
                             n + ", <r>(" + n + ", _)";
    EXPECT_EQ(MessageOf(text), "ok") << text;
    EXPECT_EQ(MessageOf(n + " = ?x, r(?x, _)"), "ok") << n;
    // An operator's name is a relation only between angle brackets.
    const std::string relation = std::string_view(name) == "like" ? "<like>" : n;
    EXPECT_EQ(MessageOf(relation + "(?x, _)"), "ok") << n;
  }
}

TEST(ParserTest, RulesHaveLinesAndColumns) {
  const auto rules = ParseRules(
      "# grandparents\n"
      "grandparent(?x, ?z) <- parent(?x, ?y), parent(?y, ?z) conf 0.9;\n"
      "ancestor(?x, ?y) <- parent(?x, ?y) or (parent(?x, ?z), ancestor(?z, ?y));\n");
  ASSERT_TRUE(rules.ok()) << rules.error().message;
  ASSERT_EQ(rules->size(), 2u);
  const RuleTree& first = (*rules)[0];
  EXPECT_EQ(ToPlain(first.names.constants[first.relation]), "grandparent");
  EXPECT_EQ(first.names.variables, (std::vector<std::string>{"x", "z", "y"}));
  EXPECT_EQ(ToPlain(first.names.constants[*first.confidence]), "0.9");
  EXPECT_EQ(first.body.branches[0].size(), 2u);
  EXPECT_FALSE((*rules)[1].confidence);
  EXPECT_EQ((*rules)[1].body.branches.size(), 2u);

  for (const Golden& golden : {
           Golden{"p(?x, ?y) <- q(?x, ?y)",
                  "line 1, column 23: found the end of the text, "
                  "expected \",\", \"or\", \"conf\" or the \";\" that "
                  "ends the rule"},
           {"\n p(?x, a) <- q(?x, ?y);", "line 2, column 8: found \"a\", expected a variable"},
           {"p(?x, ?y) <- q(?x, ?y) conf 1.5;",
            "line 1, column 29: found \"1.5\", expected a "
            "confidence above 0 and at most 1"},
           {"<p>(?x, ?y) <- q(?x, ?y);",
            "line 1, column 1: found \"<p>\", expected a bare name; "
            "the relation that a rule concludes is written without "
            "<>"},
       }) {
    const auto bad = ParseRules(golden.text);
    ASSERT_FALSE(bad.ok()) << golden.text;
    EXPECT_EQ(bad.error().message, golden.message);
  }
}

TEST(ParserTest, AFactHasNoVariables) {
  const auto fact = ParseFact("capital_of(<New York>, \"x\"@en) from <my file>");
  ASSERT_TRUE(fact.ok()) << fact.error().message;
  EXPECT_EQ(ToNotation(fact->relation), "capital_of");
  EXPECT_EQ(ToNotation(fact->subject), "<New York>");
  EXPECT_EQ(ToNotation(fact->object), "\"x\"@en");
  EXPECT_TRUE(fact->has_source);
  EXPECT_EQ(ToNotation(fact->source), "<my file>");
  const auto near = ParseFact("near(a, 5)");  // an operator's name is a name here
  ASSERT_TRUE(near.ok());
  EXPECT_FALSE(near->has_source);

  for (const Golden& golden : {
           Golden{"r(?x, b)",
                  "column 3: found \"?x\", expected the name of the subject, for a "
                  "fact has no variables; to choose many statements at once use "
                  "--subject or --source"},
           {"r(a, _)",
            "column 6: found \"_\", expected the object, for a fact has no variables; "
            "to choose many statements at once use --subject or --source"},
           {"r(5, b)",
            "column 3: found 5, expected the name of the subject; as a name it is "
            "written <5>"},
           {"r(a, b) or s(a, b)",
            "column 9: found \"or\", expected \"from\" and a source, or the "
            "end"},
           {"r+(a, b)",
            "column 2: found \"+\", expected \"(\" and the subject: a fact is "
            "relation(subject, object)"},
       }) {
    const auto bad = ParseFact(golden.text);
    ASSERT_FALSE(bad.ok()) << golden.text;
    EXPECT_EQ(bad.error().message, golden.message);
  }
}

TEST(ParserTest, InvalidUtf8IsAnErrorWithItsColumn) {
  const auto query = Query::Parse("r(\u00e9, \"\xff\")");
  ASSERT_FALSE(query.ok());
  EXPECT_EQ(query.error().message, "column 7: not UTF-8 here; convert the text, e.g. with iconv");
}

// Found by fuzz/parse_fuzz.cc: a text in place of a name came to the terminal as it was.
TEST(ParserTest, AMessageShowsNoControlCharacterOfAFact) {
  const auto fact = ParseFact("\"a\r\x1b[2J" + std::string(10000, 'b') + "\"(x, y)");
  ASSERT_FALSE(fact.ok());
  EXPECT_TRUE(fact.error().message.starts_with("column 1: found \"a\\r\\u001B[2Jbbb"))
      << fact.error().message;
  EXPECT_LT(fact.error().message.size(), 400u);
}

// Whatever the bytes, there is an answer and no crash; with the alphabet of the language most texts
// get far into the parser.
TEST(ParserTest, RandomTextsEndInAnErrorOrAQuery) {
  std::mt19937 random(7);
  const std::vector<std::string> pieces = {
      "r",   "?x",  "(",     ")",    ",",  "|",  "/",     "^", "+",     "*",
      "?",   "or ", " not ", "from", " ",  "< ", "<a",    ">", "\"t\"", "5",
      "@en", "^^",  "=",     "_",    "<-", "\"", "limit", "#", "\n",    "s(?x, ?y)"};
  int good = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (size_t n = random() % 12; n > 0; --n) text += pieces[random() % pieces.size()];
    const auto query = Query::Parse(text);
    good += query.ok();
    EXPECT_TRUE(query.ok() || query.error().message.starts_with("column ")) << text;
    (void)ParseFact(text);
    (void)ParseRules(text);
  }
  EXPECT_GT(good, 50);
}

}  // namespace
}  // namespace loci::query
