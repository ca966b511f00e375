// SPDX-License-Identifier: Apache-2.0
#include "formats/rapper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "formats/collect_for_test.h"
#include "formats/filter_process.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(RapperFault, HasTheReasonOfTheFirstErrorAndItsPlace) {
  auto fault = ParseRapperFault(
      "rapper: Warning - URI file:///x:1 - something odd\n"
      "rapper: Error -  - The namespace prefix in \"q:b\" was not declared.\n"
      "rapper: Error - URI file:///a:7/b.ttl:3 - Failed to convert qname q:b to URI\n"
      "rapper: Error - URI file:///a:7/b.ttl:9 - syntax error, unexpected $end\n");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "The namespace prefix in \"q:b\" was not declared.");
  EXPECT_EQ(fault->line, 3u);
  EXPECT_EQ(fault->column, 0u);
  fault =
      ParseRapperFault("rapper: Error - URI file:///b.rdf:12 column 5 - XML parser error - bad");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->reason, "XML parser error - bad");
  EXPECT_EQ(fault->line, 12u);
  EXPECT_EQ(fault->column, 5u);
  fault = ParseRapperFault("rapper: Error - URI file:///b - out of luck");
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->line, 0u);
  EXPECT_EQ(fault->reason, "out of luck");
  EXPECT_FALSE(ParseRapperFault("Segmentation fault\n"));
  EXPECT_FALSE(ParseRapperFault(""));
}

TEST(RapperMissing, TheErrorNamesThePackage) {
  const char* const path = std::getenv("PATH");
  const std::string saved = path == nullptr ? "" : path;
  ::setenv("PATH", "/nonexistent", 1);
  const auto all = Collect("@prefix a: <http://a/> .\n", "", false, "x.ttl");
  ::setenv("PATH", saved.c_str(), 1);
  EXPECT_EQ(all.error,
            "x.ttl: Turtle is read through the program rapper, which is not here; install Debian's "
            "package raptor2-utils, or convert the file to N-Triples");
  EXPECT_EQ(all.kind, ErrorKind::kUnsupported);
}

class Rapper : public testing::Test {
 protected:
  void SetUp() override {
    if (!FilterProcess::Start({"rapper", "--version"}, FromBytes("")).ok()) {
      GTEST_SKIP() << "rapper is not here (Debian's raptor2-utils)";
    }
  }
};

TEST_F(Rapper, ReadsTurtle) {
  const auto all = Collect(
      "# people\n"
      "@prefix e: <http://e/> .\n"
      "e:ada e:knows [ e:name \"Bob\"@EN-us ] ; e:born \"1815-12-10\"^^"
      "<http://www.w3.org/2001/XMLSchema#date> ; e:children 3 .\n"
      "_:x e:see <#me>, <other> .\n",
      "", false, "people.ttl");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.report.format, "turtle");
  Lines sorted = all.statements;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (Lines{"_:genid1@people.ttl\thttp://e/name\t\"Bob\"@EN-us\tpeople.ttl",
                           "_:x@people.ttl\thttp://e/see\tfile:///other\tpeople.ttl",
                           "_:x@people.ttl\thttp://e/see\tfile:///people.ttl#me\tpeople.ttl",
                           "http://e/ada\thttp://e/born\t\"1815-12-10\"^^date\tpeople.ttl",
                           "http://e/ada\thttp://e/children\t\"3\"^^number\tpeople.ttl",
                           "http://e/ada\thttp://e/knows\t_:genid1@people.ttl\tpeople.ttl"}));
}

TEST_F(Rapper, ReadsRdfXmlAndNothingBesides) {
  const auto all = Collect(
      "<?xml version=\"1.0\"?>\n"
      "<!DOCTYPE r [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n"
      "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:e=\"http://e/\">\n"
      "<rdf:Description rdf:about=\"http://s\"><e:p xml:lang=\"EN\">a&e;b</e:p>"
      "</rdf:Description></rdf:RDF>\n",
      "");
  EXPECT_EQ(all.error, "");
  EXPECT_EQ(all.report.format, "rdfxml");
  EXPECT_EQ(all.statements, Lines{"http://s\thttp://e/p\t\"ab\"@EN\tin"});
}

TEST_F(Rapper, AWordThatWouldTakeHoursIsRefusedAtOnce) {
  const std::string word(100 << 20, 'a');
  const auto all = Collect(word, "turtle", true, "x.ttl");
  EXPECT_EQ(all.kind, ErrorKind::kLimit);
  EXPECT_EQ(all.error,
            "x.ttl: a word of more than 262144 bytes, too long for Turtle to be read here; convert "
            "the file to N-Triples, which has no such limit");
  // A long text of many words is none.
  std::string text;
  while (text.size() < 1 << 20) text += "some words ";
  EXPECT_EQ(Collect("<a:s> <a:p> \"" + text + "\" .", "turtle").statements.size(), 1u);
}

TEST_F(Rapper, AFaultIsAtItsLine) {
  const std::string bytes =
      "@prefix e: <http://e/> .\n"
      "e:a e:b 1 .\n"
      "e:a e:b \"unclosed .\n";
  const std::string error = Collect(bytes, "turtle", false, "x.ttl").error;
  EXPECT_EQ(error.substr(0, 9), "x.ttl:3: ") << error;
  EXPECT_NE(error.find("syntax error"), std::string::npos) << error;
  const auto skipped = Collect(bytes, "turtle", true, "x.ttl");
  EXPECT_EQ(skipped.error, "");
  EXPECT_EQ(skipped.bad.size(), 1u);
  EXPECT_EQ(skipped.statements.size(), 1u);
  // What is wrong with a statement itself has no line of the file.
  const auto unnamed = Collect("@prefix e: <http://e/> .\n\n\ne:a e:b \"x\"^^<urn:loci:number> .\n",
                               "turtle", false, "x.ttl");
  EXPECT_EQ(unnamed.error,
            "x.ttl: \"x\" is not a number: write digits as in -12.5 or 3e8 (NaN and infinities are "
            "not kept)");
}

}  // namespace
}  // namespace loci
