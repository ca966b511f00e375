// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <regex>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(Ntriples, ReadsEveryKindOfTerm) {
  const auto all = Collect(
      "# a comment\n"
      "<http://e/s> <http://e/p> <http://e/o> .\n"
      "\t_:b1  <http://e/p>\t_:b.2. # why not\r\n"
      "\n"
      "<http://e/s><http://e/p>\"a \\\"text\\\"\\n\\u00e9\\U0001F600\".\n"
      "<http://e/s> <http://e/p> \"chien\"@fr-CA .\n"
      "<http://e/s> <http://e/p> \"\"^^<http://www.w3.org/2001/XMLSchema#string> .\n"
      "<http://e/s> <http://e/p> \"05\"^^<http://www.w3.org/2001/XMLSchema#int> .\n"
      "<http://e/s> <http://e/p> \"x\"^^<http://e/t\\u00e9> .\n"
      "<http://e/s> <http://e/p> \"2024-05-17\"^^<http://www.w3.org/2001/XMLSchema#date> .\n"
      "<urn:loci:name:New%20York> <urn:loci:name:in> <urn:loci:name:us\\u0061> .",
      "ntriples", false, "d.nt");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(
      all.statements,
      (Lines{"http://e/s\thttp://e/p\thttp://e/o\td.nt", "_:b1@d.nt\thttp://e/p\t_:b.2@d.nt\td.nt",
             "http://e/s\thttp://e/p\t\"a \\\"text\\\"\\n\u00e9\U0001F600\"\td.nt",
             "http://e/s\thttp://e/p\t\"chien\"@fr-CA\td.nt", "http://e/s\thttp://e/p\t\"\"\td.nt",
             "http://e/s\thttp://e/p\t\"5\"^^number\td.nt",
             "http://e/s\thttp://e/p\t\"x\"^^<http://e/t\u00e9>\td.nt",
             "http://e/s\thttp://e/p\t\"2024-05-17\"^^date\td.nt", "New York\tin\tusa\td.nt"}));
}

TEST(Nquads, TheGraphIsTheSource) {
  const auto all = Collect(
      "<a:s> <a:p> <a:o> <a:g> .\n"
      "<a:s> <a:p> \"x\"@en<urn:loci:name:my%20file>.\n"
      "<a:s> <a:p> _:b _:g .\n"
      "<a:s> <a:p> _:b .\n",
      "nquads", false, "d.nq");
  EXPECT_EQ(all.error, "");
  // A blank node is the same in all graphs of a document.
  EXPECT_EQ(all.statements, (Lines{"a:s\ta:p\ta:o\ta:g", "a:s\ta:p\t\"x\"@en\tmy file",
                                   "a:s\ta:p\t_:b@d.nq\t_:g@d.nq", "a:s\ta:p\t_:b@d.nq\td.nq"}));
}

TEST(Ntriples, FaultsHaveLineAndColumn) {
  const struct {
    std::string_view line, error;
  } cases[] = {
      {"<a:s> <a:p> <a:o>", "in:1:18: the line ends here; expected the \".\" that ends a triple"},
      {"<a:s> <a:p> <a:o> <a:g> .",
       "in:1:19: found \"<a:g> .\", expected the \".\" that ends a triple"},
      {"<a:s> <a:p> .", "in:1:13: found \".\", expected the object: <iri>, _:label or \"text\""},
      {"a:s <a:p> <a:o> .",
       "in:1:1: found \"a:s <a:p> <a:o> .\", expected the subject: <iri> or _:label"},
      {"<a:s> _:p <a:o> .", "in:1:7: found \"_:p <a:o> .\", expected the predicate: <iri>"},
      {"<a:s> <a:p> <a o> .", "in:1:15: \" \" cannot stand in an IRI; percent-encode it"},
      {"<a:s> <a:p> <a:\\u0020> .", "in:1:16: \\u0020 cannot stand in an IRI; percent-encode it"},
      {"<a:s> <a:p> <a:o .", "in:1:17: \" \" cannot stand in an IRI; percent-encode it"},
      {"<a:s> <a:p> <a:o", "in:1:13: <a:o is not closed; end it with >"},
      {"<a:s> <p> <a:o> .", "in:1:7: <p> is a relative IRI; write all of it, as in <http://...>"},
      {"<a:s> <a:\u00e9> \"x .", "in:1:13: \"x . is not closed; end it with \""},
      {"<a:s> <a:p> \"\\x\" .",
       "in:1:14: \"\\x\" is not an escape; write \\t \\b \\n \\r \\f \\\" \\' \\\\ \\uXXXX or "
       "\\UXXXXXXXX"},
      {"<a:s> <a:p> \"\\uD800\" .",
       "in:1:14: \"\\uD800\" is no character: a surrogate, or above U+10FFFF"},
      {"<a:s> <a:p> \"\\u12\" .", "in:1:14: \"\\u12\" \" needs 4 hexadecimal digits"},
      {"<a:s> <a:p> \"a\xff\" .", "in:1:15: not UTF-8 here; convert the input, e.g. with iconv"},
      {"<a:s> <a:\xc3> \"a\" .", "in:1:10: not UTF-8 here; convert the input, e.g. with iconv"},
      {"<a:s> <a:p> \"a\"@ .",
       "in:1:17: found \" .\", expected a language tag: letters, then -letters or digits, as in "
       "pt-BR"},
      {"<a:s> <a:p> \"a\"^^a .", "in:1:18: found \"a .\", expected the datatype: <iri>"},
      {"<a:s> <a:p> \"a\"^a .", "in:1:16: found \"^a .\", expected ^^ and a datatype: ^^<iri>"},
      {"<a:s> <a:p> _: .",
       "in:1:15: found \" .\", expected a blank node's label: letters, digits and _ after _:"},
      {"<a:s> <a:p> <a:o> . x",
       "in:1:21: found \"x\", expected the end of the line or a # comment; one statement a line"},
      {"<a:s> <a:p> <urn:loci:name:%> .",
       "in:1:13: \"%\" needs two hexadecimal digits after %; a % itself is %25"},
      {"<a:s> <a:p> \"x\"^^<urn:loci:number> .",
       "in:1:13: \"x\" is not a number: write digits as in -12.5 or 3e8 (NaN and infinities are "
       "not kept)"},
  };
  for (const auto& c : cases) EXPECT_EQ(Collect(c.line, "ntriples").error, c.error) << c.line;
  EXPECT_EQ(Collect("<a:s> <a:p> <a:o> x\n", "nquads").error,
            "in:1:19: found \"x\", expected a graph or the \".\" that ends a quad");
  EXPECT_EQ(Collect("<a:s> <a:p> <a:o> <a:g> <a:h> .\n", "nquads").error,
            "in:1:25: found \"<a:h> .\", expected the \".\" that ends a quad");
  const auto skipped =
      Collect("x\n<a:s> <a:p> <a:o> .\n_:b\r<a:s> <a:p> _:x .\r\n", "ntriples", true);
  EXPECT_EQ(skipped.bad.size(), 2u);
  EXPECT_EQ(skipped.bad[1].substr(0, 8), "in:3:4: ");
  EXPECT_EQ(skipped.statements, (Lines{"a:s\ta:p\ta:o\tin", "a:s\ta:p\t_:x@in\tin"}));
}

// The cases of the W3C test suites for N-Triples and N-Quads, written after their descriptions.
// Both formats take or refuse each.
TEST(Ntriples, TheCasesOfTheW3cSuite) {
  const std::string sp = "<http://example/s> <http://example/p> ";
  const std::string xsd = "<http://www.w3.org/2001/XMLSchema#";
  const std::string good[] = {
      "",
      "# Empty file.",
      "# One comment, one empty line.\n\n",
      sp + "<http://example/o> .",
      "<http://example/\\u0053> <http://example/p> <http://example/o> .",
      "<http://example/\\U00000053> <http://example/p> <http://example/o> .",
      sp + "<scheme:!$%25&'()*+,-./0123456789:/@ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
           "abcdefghijklmnopqrstuvwxyz~?#> .",
      sp + "\"string\" .",
      sp + "\"string\"@en .",
      sp + "\"string\"@en-uk .",
      sp + "\"a\\n\" .",
      sp + "\"a\\u0020b\" .",
      sp + "\"a\\U00000020b\" .",
      "_:a <http://example/p> <http://example/o> .",
      sp + "_:a .\n_:a <http://example/p> <http://example/o> .",
      sp + "_:1a .\n_:1a <http://example/p> <http://example/o> .",
      sp + "\"123\"^^" + xsd + "byte> .",
      sp + "\"123\"^^" + xsd + "string> .",
      sp + "<http://example/o> . # comment",
      sp + "<http://example/o> .# comment",
      sp + "_:o . # comment",
      sp + "\"o\"@en . # comment",
      "<http://a.example/s><http://a.example/p><http://a.example/o>.",
      "<http://a.example/s><http://a.example/p>\"Alice\".",
      "<http://a.example/s><http://a.example/p>_:o.",
      "_:s<http://a.example/p>_:bnode1.",
      sp + "\"" + std::string("\0\x01\x02\x03\x04\x05\x06\x07\x08\t\x0b\x0c\x0e\x0f\x1f", 15) +
          "\" .",
      sp + "\" !\\\"#$%&():;<=>?@[]^_`{|}~\" .",
      sp + "\"x\\\"\\\"y\" .",
      sp + "\"x''y\" .",
      sp + "\"\\b\\t\\n\\r\\f\\\\\" .",
      sp + "\"test-\\\\\" .",
      sp + "\"\u0080\u07ff\u0800\u0fff\u1000\ucfff\ud000\ud7ff\ue000\ufffd\U00010000\U0003fffd"
           "\U00040000\U000ffffd\U00100000\U0010fffd\" .",
  };
  const std::string bad[] = {
      "<http://example/ space> <http://example/p> <http://example/o> .",
      "<http://example/\\u00ZZ11> <http://example/p> <http://example/o> .",
      "<http://example/\\U00ZZ1111> <http://example/p> <http://example/o> .",
      "<http://example/\\n> <http://example/p> <http://example/o> .",
      "<http://example/\\/> <http://example/p> <http://example/o> .",
      "<s> <http://example/p> <http://example/o> .",
      "<http://example/s> <p> <http://example/o> .",
      sp + "<o> .",
      sp + "\"foo\"^^<dt> .",
      "@prefix : <http://example/> .",
      "@base <http://example/> .",
      sp + "<http://example/o>, <http://example/o2> .",
      sp + "<http://example/o>; <http://example/p2>, <http://example/o2> .",
      sp + "\"string\"@1 .",
      sp + "\"a\\zb\" .",
      sp + "\"\\uWXYZ\" .",
      sp + "\"\\U0000WXYZ\" .",
      sp + "\"abc' .",
      sp + "1.0 .",
      sp + "1.0e1 .",
      sp + "'abc' .",
      sp + "'''abc''' .",
      sp + "\"\"\"abc\"\"\" .",
      sp + "\"abc .",
      sp + "abc\" .",
      sp + "1 .",
      "_::a <http://example/p> <http://example/o> .",
      "_:abc:def <http://example/p> <http://example/o> .",
      "\"s\" <http://example/p> <http://example/o> .",
      "<http://example/s> \"p\" <http://example/o> .",
      "<http://example/s> _:p <http://example/o> .",
  };
  for (const char* format : {"ntriples", "nquads"}) {
    for (const std::string& text : good) EXPECT_EQ(Collect(text, format).error, "") << text;
    for (const std::string& text : bad) EXPECT_NE(Collect(text, format).error, "") << text;
  }
  for (const std::string graph : {"<http://example/g>", "_:g", "<scheme:!$%25&'()*+,-./:/@~?#>",
                                  "<http://example/\\u0053>"}) {
    EXPECT_EQ(Collect(sp + "<http://example/o> " + graph + " .", "nquads").error, "");
    EXPECT_EQ(Collect("_:s <http://example/p> _:o " + graph + " .", "nquads").error, "");
    EXPECT_NE(Collect(sp + "<http://example/o> " + graph + " .", "ntriples").error, "");
  }
  const std::string not_graphs[] = {"\"o\"", "\"o\"@en", "\"o\"^^" + xsd + "string>", "<g>",
                                    "<http://example/g> <http://example/n>"};
  for (const std::string& graph : not_graphs) {
    EXPECT_NE(Collect(sp + "<http://example/o> " + graph + " .", "nquads").error, "") << graph;
  }
}

// The double: the grammar as a regular expression, for ASCII without escapes, which have their
// cases above. A label is as long as it can be.
TEST(Ntriples, AgreesWithTheGrammarAsARegularExpression) {
  const std::string iri = "<[a-z][a-z0-9.+-]*:[^ \\t<>\"{}|^`\\\\\\r\\n]*>";
  const std::string blank = "_:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_-])?(?!\\.*[a-z0-9_-])";
  const std::string node = "(?:" + iri + "|" + blank + ")";
  const std::string literal = "\"[^\"\\\\\\r\\n]*\"(?:@[a-z]+(?:-[a-z0-9]+)*|\\^\\^" + iri + ")?";
  const std::string ws = "[ \\t]*";
  const std::regex quad(ws + node + ws + iri + ws + "(?:" + node + "|" + literal + ")" + ws + "(" +
                        node + ")?" + ws + "\\." + ws + "(?:#.*)?");
  const std::regex nothing(ws + "(?:#.*)?");
  std::mt19937 random(31);
  const char* pieces[] = {"<a:b>", "<a:>", "<b>", "<",    ">", "_:a", "_:a.", "_", ":",
                          "\"x\"", "\"",   "@en", "@",    "-", "1",   "^^",   "^", ".",
                          " ",     "#",    "\t",  "<a:b", "a", "|",   "a:"};
  int statements = 0, quads = 0, faults = 0;
  for (int round = 0; round < 60'000; ++round) {
    // A good line, of which something is then changed or not.
    std::vector<std::string> parts = {random() % 2 ? "<a:b>" : "_:a", "<a:p>",
                                      random() % 2 ? "\"x\"@en-1" : "_:b", ""};
    if (random() % 2) parts[3] = random() % 2 ? "<a:g>" : "_:g";
    parts.push_back(".");
    for (size_t n = random() % 3; n > 0; --n) {
      std::string& part = parts[random() % parts.size()];
      const std::string piece = pieces[random() % std::size(pieces)];
      part = random() % 2 ? piece : part.insert(random() % (part.size() + 1), piece);
    }
    std::string line;
    for (const std::string& part : parts) line += part + (random() % 2 ? " " : "");
    for (const bool graphs : {false, true}) {
      std::smatch match;
      bool expected = std::regex_match(line, match, quad);
      const bool has_graph = expected && match[1].matched;
      if (has_graph && !graphs) expected = false;
      const bool empty = std::regex_match(line, nothing);
      const auto all = Collect(line, graphs ? "nquads" : "ntriples", false, "in", 1 + random() % 9);
      ASSERT_EQ(all.error.empty(), expected || empty) << line << "\n" << all.error;
      ASSERT_EQ(all.statements.size(), expected ? 1u : 0u) << line;
      if (expected) {
        ASSERT_EQ(all.statements[0].ends_with("\tin"), !has_graph) << line;
      }
      statements += expected;
      quads += has_graph && graphs;
      faults += !expected && !empty;
    }
  }
  EXPECT_GT(statements, 10'000);
  EXPECT_GT(quads, 5'000);
  EXPECT_GT(faults, 10'000);
}

}  // namespace
}  // namespace loci
