// SPDX-License-Identifier: Apache-2.0
#include "formats/rdf.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/ntriples_line.h"

namespace loci::rdf {
namespace {

const std::string kXsd = "http://www.w3.org/2001/XMLSchema#";

std::string Literal(std::string_view text, const std::string& datatype) {
  const auto term = TermOfLiteral(text, '^', datatype);
  return term.ok() ? ToField(*term) : "error: " + term.error().message;
}

std::string Written(const Term& term) {
  std::string out;
  Append(term, &out);
  return out;
}

// What N-Triples makes of the term where an object stands.
Term ReadBack(const Term& term) {
  NtriplesLine line("d");
  const std::string text = "<a:s> <a:p> " + Written(term) + " .";
  if (line.Parse(text, false) != NtriplesLine::Found::kStatement) {
    ADD_FAILURE() << text << ": " << line.fault().reason;
    return {};
  }
  return {line.object().kind, std::string(line.object().bytes)};
}

TEST(Rdf, NumbersOfXmlSchemaAreNumbersWhereTheyFit) {
  const struct {
    const char *text, *type, *field;
  } cases[] = {
      {"5", "integer", "\"5\"^^number"},
      {"+007", "integer", "\"7\"^^number"},
      {"-0", "integer", "\"0\"^^number"},
      {"1.50", "decimal", "\"1.5\"^^number"},
      {".5", "decimal", "\"0.5\"^^number"},
      {"5.", "decimal", "\"5\"^^number"},
      {"127", "byte", "\"127\"^^number"},
      {"-128", "byte", "\"-128\"^^number"},
      {"0", "nonNegativeInteger", "\"0\"^^number"},
      {"-0", "unsignedByte", "\"0\"^^number"},
      {"0", "nonPositiveInteger", "\"0\"^^number"},
      {"1", "positiveInteger", "\"1\"^^number"},
      {"-1", "negativeInteger", "\"-1\"^^number"},
      {"18446744073709551615", "unsignedLong", "\"18446744073709551615\"^^number"},
      {"-9223372036854775808", "long", "\"-9223372036854775808\"^^number"},
      {"2147483647", "int", "\"2147483647\"^^number"},
      {"65535", "unsignedShort", "\"65535\"^^number"},
  };
  for (const auto& c : cases) EXPECT_EQ(Literal(c.text, kXsd + c.type), c.field) << c.type;
  const std::pair<const char*, const char*> texts[] = {
      {"128", "byte"},
      {"-129", "byte"},
      {"-1", "nonNegativeInteger"},
      {"1", "nonPositiveInteger"},
      {"0", "positiveInteger"},
      {"0", "negativeInteger"},
      {"18446744073709551616", "unsignedLong"},
      {"9223372036854775808", "long"},
      {"32768", "short"},
      {"256", "unsignedByte"},
      {"4294967296", "unsignedInt"},
      {"1.0", "integer"},
      {"1e3", "decimal"},
      {"1e3", "integer"},
      {"", "integer"},
      {"-", "integer"},
      {".", "decimal"},
      {"1.2.3", "decimal"},
      {" 1", "integer"},
      {"12345678901234567890123456789012345", "integer"},
      {"INF", "double"},
      {"1.5", "double"},
      {"true", "boolean"},
  };
  for (const auto& [text, type] : texts) {
    EXPECT_EQ(Literal(text, kXsd + type), "\"" + std::string(text) + "\"^^<" + kXsd + type + ">");
  }
  EXPECT_EQ(Literal("a", kXsd + "string"), "\"a\"");
  EXPECT_EQ(Literal("5", "http://other#integer"), "\"5\"^^<http://other#integer>");
}

TEST(Rdf, DatesOfXmlSchemaAreDatesWhereTheyFit) {
  const struct {
    const char *text, *type, *date;
  } cases[] = {
      {"2024", "gYear", "2024"},
      {"-0044", "gYear", "-0044"},
      {"12024", "gYear", "12024"},
      {"2024-05", "gYearMonth", "2024-05"},
      {"2024-05-17", "date", "2024-05-17"},
      {"2024-05-17T08:30:00", "dateTime", "2024-05-17T08:30:00"},
      {"2024-05-17T08:30:00Z", "dateTime", "2024-05-17T08:30:00Z"},
      {"2024-05-17T08:30:00.250+02:00", "dateTime", "2024-05-17T06:30:00.25Z"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Literal(c.text, kXsd + c.type), "\"" + std::string(c.date) + "\"^^date");
  }
  const std::pair<const char*, const char*> texts[] = {
      {"2024-05", "gYear"},
      {"2024", "date"},
      {"2024-05-17", "dateTime"},
      {"2024-02-30", "date"},
      {"2024Z", "gYear"},
      {"2024-05-17Z", "date"},
      {"2024-05-17-02:00", "date"},
      {"+2024", "gYear"},
      {"2024-05-17T24:00:00", "dateTime"},
      {"2024-05-17T08:30", "dateTime"},
      {"2024-05-17T08:30Z", "dateTime"},
      {"2016-12-31T23:59:60Z", "dateTime"},
      {"2024-05-17T08:30:00+02", "dateTime"},
      {"2024-05-17T08:30:00.1234567891", "dateTime"},
      {"", "date"},
      {"T", "dateTime"},
      {"08:30:00", "time"},
  };
  for (const auto& [text, type] : texts) {
    EXPECT_EQ(Literal(text, kXsd + type), "\"" + std::string(text) + "\"^^<" + kXsd + type + ">");
  }
}

TEST(Rdf, OnlyIrisOfWhichNobodyComplainsAreWrittenAsTheyAre) {
  for (const char* iri :
       {"http://example.org/a", "urn:isbn:0-486-27557-4", "mailto:a@b.c", "a:b",
        "x:", "http://u@h:80/p?q=1&r=2#f", "file:///a/b", "http://ex\u00e4mple/\u4e2d\u6587",
        "http://a/%20", "tel:+1-2", "h+.-2:$!'()*,;=~_"}) {
    EXPECT_TRUE(IsIri(iri)) << iri;
  }
  for (const char* name : {"",
                           "dog",
                           ":a",
                           "1a:b",
                           "New York",
                           "a b:c",
                           "a:b c",
                           "a:<b>",
                           "a:\"b\"",
                           "a:{b}",
                           "a:b|c",
                           "a:b^c",
                           "a:b`c",
                           "a:b\\c",
                           "a:%",
                           "a:%2",
                           "a:%zz",
                           "a:b#c#d",
                           "http://[::1]/",
                           "a:\x7f",
                           "a:\xc2\x80",
                           "a:\u200e",
                           "a:\u2028",
                           "a:\ufeff",
                           "a:\ufff0",
                           "a:\ue000",
                           "http://a:b/",
                           "http://a@b@c/",
                           "_:b@d",
                           "\u00e4:b",
                           "a\u00e4:b"}) {
    EXPECT_FALSE(IsIri(name)) << name;
  }
}

TEST(Rdf, WritesEveryKind) {
  const std::pair<Result<Term>, std::string> cases[] = {
      {MakeSymbol("http://a/b"), "<http://a/b>"},
      {MakeSymbol("New York"), "<urn:loci:name:New%20York>"},
      {MakeSymbol("caf\u00e9"), "<urn:loci:name:caf%C3%A9>"},
      {MakeSymbol("urn:loci:name:x"), "<urn:loci:name:urn%3Aloci%3Aname%3Ax>"},
      {MakeSymbol("_:b1@d.nt"), "<urn:loci:name:_%3Ab1%40d.nt>"},
      {MakeText("a\"\\\n\r\t\x01\u2028\u00e9"), "\"a\\\"\\\\\\n\\r\\t\\u0001\\u2028\u00e9\""},
      {MakeTaggedText("a", '@', "en-GB"), "\"a\"@en-GB"},
      {MakeTaggedText("a", '@', "1x"), "\"a\"^^<urn:loci:lang:1x>"},
      {MakeTaggedText("a", '@', "en-"), "\"a\"^^<urn:loci:lang:en->"},
      {MakeTaggedText("a", '^', "http://a/t"), "\"a\"^^<http://a/t>"},
      {MakeTaggedText("a", '^', "my type"), "\"a\"^^<urn:loci:name:my%20type>"},
      {MakeTaggedText("5", '^', kXsd + "integer"),
       "\"5\"^^<urn:loci:text:http%3A%2F%2Fwww.w3.org%2F2001%2FXMLSchema%23integer>"},
      {MakeTaggedText("x", '^', kXsd + "integer"), "\"x\"^^<" + kXsd + "integer>"},
      {MakeNumber("5"), "\"5\"^^<" + kXsd + "integer>"},
      {MakeNumber("-1.5"), "\"-1.5\"^^<" + kXsd + "decimal>"},
      {MakeNumber("1e300"), "\"1e300\"^^<urn:loci:number>"},
      {MakeDate("2024"), "\"2024\"^^<" + kXsd + "gYear>"},
      {MakeDate("2024-05"), "\"2024-05\"^^<" + kXsd + "gYearMonth>"},
      {MakeDate("2024-05-17"), "\"2024-05-17\"^^<" + kXsd + "date>"},
      {MakeDate("2024-05-17T08:30:01.5Z"), "\"2024-05-17T08:30:01.5Z\"^^<" + kXsd + "dateTime>"},
      {MakeDate("2024-05-17T08:30"), "\"2024-05-17T08:30\"^^<urn:loci:date>"},
      {MakeDate("2016-12-31T23:59:60Z"), "\"2016-12-31T23:59:60Z\"^^<urn:loci:date>"},
  };
  for (const auto& [term, written] : cases) {
    ASSERT_TRUE(term.ok()) << written;
    EXPECT_EQ(Written(*term), written);
    EXPECT_EQ(ReadBack(*term), *term) << written;
  }
}

TEST(Rdf, WhatTheSchemeOfOursCannotMeanIsRefused) {
  for (const char* iri : {"urn:loci:name:", "urn:loci:name:%", "urn:loci:name:%4",
                          "urn:loci:name:%4g", "urn:loci:name:%FF"}) {
    EXPECT_FALSE(SymbolOfIri(iri).ok()) << iri;
  }
  EXPECT_EQ(SymbolOfIri("urn:loci:name:%25%41b")->bytes, "%Ab");
  // Of what it does not say anything, an IRI is an IRI.
  EXPECT_EQ(SymbolOfIri("urn:loci:other")->bytes, "urn:loci:other");
  EXPECT_FALSE(TermOfLiteral("x", '^', "urn:loci:number").ok());
  EXPECT_FALSE(TermOfLiteral("x", '^', "urn:loci:date").ok());
  EXPECT_FALSE(TermOfLiteral("x", '^', "urn:loci:lang:%20").ok());
  EXPECT_FALSE(TermOfLiteral("x", '^', "urn:loci:text:").ok());
}

// Names and texts of what is hard to write, read back as they were.
TEST(Rdf, AnyTermComesBack) {
  std::mt19937 random(21);
  const std::string pieces[] = {
      "a",       "%",      "urn:loci:",  "name:", "http://", ":",
      "/",       " ",      "\"",         "\\",    "\n",      std::string(1, '\0'),
      "\u00e9",  "\u2028", "\U0001F600", "<",     ">",       "#",
      "\ufeff",  "@",      "_:",         "\t",    "number",  kXsd,
      "integer", "5",      "2024",       "date",  "\x7f",    "^^"};
  const auto any = [&](size_t most) {
    std::string text;
    for (size_t n = random() % (most + 1); n > 0; --n) text += pieces[random() % std::size(pieces)];
    return text;
  };
  const char* tags[] = {"en", "EN-us", "1", "-", "e-", "a1", "x-1"};
  for (int round = 0; round < 20'000; ++round) {
    Result<Term> term = Error{ErrorKind::kUsage, ""};
    switch (random() % 4) {
      case 0:
        term = MakeSymbol(any(6));
        break;
      case 1:
        term = MakeText(any(6));
        break;
      case 2:
        term = MakeTaggedText(any(4), '@', tags[random() % std::size(tags)]);
        break;
      default:
        term = MakeTaggedText(any(2), '^', any(3));
    }
    if (!term.ok()) continue;
    ASSERT_EQ(ReadBack(*term), *term) << Written(*term);
  }
}

}  // namespace
}  // namespace loci::rdf
