// SPDX-License-Identifier: Apache-2.0
#include "formats/csv_map.h"

#include <gtest/gtest.h>

#include <random>

#include "formats/collect_for_test.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

// The map, written out in one fixed way.
std::string Described(std::string_view text) {
  const auto map = ParseCsvMap(text);
  if (!map.ok()) return map.error().message;
  const auto form = [](const CellForm& f) {
    constexpr const char* kNames[] = {"", ":symbol", ":text", ":number", ":date"};
    return kNames[static_cast<int>(f.kind)] + (f.language.empty() ? "" : "@" + f.language);
  };
  const auto cell = [&](const CsvCell& c) {
    const std::string from = c.from == CsvCell::From::kNumber    ? "#" + std::to_string(c.number)
                             : c.from == CsvCell::From::kLiteral ? "'" + c.text + "'"
                                                                 : "[" + c.text + "]";
    return from + form(c.form);
  };
  std::string out = map->has_header ? "header" : "rows";
  if (map->subject) out += " s=" + cell(*map->subject);
  if (map->relation) out += " r=" + cell(*map->relation);
  if (map->object) out += " o=" + cell(*map->object);
  if (map->source) out += " src=" + cell(*map->source);
  for (const CsvCell& c : map->columns) out += " " + cell(c);
  if (map->the_rest) out += " *" + form(*map->the_rest);
  return out;
}

TEST(CsvMap, SaysWhatEachPartIs) {
  EXPECT_EQ(Described("subject=id,relation='is_a',object=class"),
            "header s=[id] r='is_a' o=[class]");
  EXPECT_EQ(Described("subject=1,relation=2,object:number=3,source=4"),
            "rows s=#1 r=#2 o=#3:number src=#4");
  EXPECT_EQ(Described(" object:text@pt-BR = First Name , subject = 2,relation='a ''b''' "),
            "header s=#2 r='a 'b'' o=[First Name]:text@pt-BR");
  EXPECT_EQ(Described("subject=id,*"), "header s=[id] *");
  EXPECT_EQ(Described("subject=id,*:text,age:number,\"a:b,\"\"c\"\"=\":date,3"),
            "header s=[id] [age]:number [a:b,\"c\"=]:date #3 *:text");
  EXPECT_EQ(Described("subject=1,relation=2,object=3,header=yes"), "header s=#1 r=#2 o=#3");
  EXPECT_EQ(Described("subject=\"1\",relation='r',object='x'"), "header s=[1] r='r' o='x'");
  EXPECT_EQ(Described("subject:symbol='x',relation=1,object:symbol=2,header=no"),
            "rows s='x':symbol r=#1 o=#2:symbol");
}

TEST(CsvMap, FaultsHaveTheirPlace) {
  const std::string form =
      "write subject=COLUMN,relation=COLUMN or 'name',object=COLUMN[,source=COLUMN], or "
      "subject=COLUMN,*";
  const struct {
    std::string map, error;
  } cases[] = {
      {"", "character 1: found the end, expected a role or a column; " + form},
      {"subject=", "character 9: found the end, expected a column or a 'literal'; " + form},
      {"subject=a,,*", "character 11: found \",*\", expected a role or a column; " + form},
      {"subject=a b c=d", "character 14: found \"=d\", expected \",\" or the end; " + form},
      {"*", "character 2: there is no subject; " + form},
      {"subject=a", "character 10: there is no relation; " + form},
      {"subject=a,relation=b", "character 21: there is no object; " + form},
      {"subject=a,*,object=b",
       "character 21: columns of their own are relations, which leaves no place for relation= and "
       "object=; drop these or those"},
      {"subject=a,subject=b", "character 11: the subject is given twice; give it once"},
      {"subject=a,*,*", "character 13: * is given twice; give it once"},
      {"key=a",
       "character 1: \"key\" is no part of a statement; write subject, relation, object, "
       "source or header before the ="},
      {"subject:number=a,*",
       "character 1: a subject is a symbol; only an object may be a text, number or date"},
      {"subject=a,b:int",
       "character 13: \"int\" is no kind of field; write symbol, text, text@LANGUAGE, number or "
       "date (a header that holds a colon is written in double quotes)"},
      {"subject=a,b:text@e_n",
       "character 18: \"e_n\" is not a language tag; write letters, digits and -, as in en or "
       "pt-BR"},
      {"subject=0,*",
       "character 9: \"0\" is not the number of a column; they count from 1 to 4096 "
       "(a header of digits is written in double quotes)"},
      {"subject=99999999999999999999,*", "character 9: \"99999999999999999999\" is not the number"},
      {"subject='a,*", "character 9: the ' is not closed; end it with another"},
      {"\u00e9\u00e9=\"", "character 1: \"\u00e9\u00e9\" is no part of a statement"},
      {"subject=a,'x'",
       "character 11: 'x' is no column; a header is written as it is, or in "
       "double quotes"},
      {"subject=1,*,header=no",
       "character 22: header=no, but columns are named by their headers; "
       "number them"},
      {"subject=1,*,header=maybe", "character 20: write yes or no"},
      {"subject=\xff,*", "character 9: not UTF-8 here"},
  };
  for (const auto& c : cases) {
    const std::string message = Described(c.map);
    const size_t place = message.find("character ");
    ASSERT_NE(place, std::string::npos) << c.map << ": " << message;
    const bool whole = c.error.back() != '"' && c.error.size() > 60;
    EXPECT_EQ(
        message.substr(place, whole ? std::string::npos : c.error.size()).substr(0, c.error.size()),
        c.error);
  }
}

Collected Mapped(std::string_view bytes, const std::string& map, bool skip = false,
                 size_t block_bytes = 1 << 20, const std::string& format = "") {
  ReadOptions options;
  options.map = map;
  options.format = format;
  options.block_bytes = block_bytes;
  return CollectBy(options, skip, [&](const ReadOptions& o, StatementSink* sink) {
    return ReadStatementsFromBytes(bytes, "in", o, sink);
  });
}

TEST(CsvMap, ARowIsAStatement) {
  const std::string csv =
      "id,class,n,when,said,by\r\n"
      "rex,dog,4,2024-05,\"<\"\"hi\"\">\",\"a, b\"\n"
      "New York,city,-1.50,2024,\"two\nlines\",x\n";
  EXPECT_EQ(Mapped(csv, "subject=id,relation='is_a',object=class").statements,
            (Lines{"rex\tis_a\tdog\tin", "New York\tis_a\tcity\tin"}));
  EXPECT_EQ(Mapped(csv, "subject=id,relation=class,object:number=n,source=6").statements,
            (Lines{"rex\tdog\t\"4\"^^number\ta, b", "New York\tcity\t\"-1.5\"^^number\tx"}));
  EXPECT_EQ(
      Mapped(csv, "subject=1,relation='said',object:text@en=said").statements,
      (Lines{"rex\tsaid\t\"<\\\"hi\\\">\"@en\tin", "New York\tsaid\t\"two\\nlines\"@en\tin"}));
  EXPECT_EQ(Mapped(csv, "object:date=when,subject='it',relation='was on'").statements,
            (Lines{"it\twas on\t\"2024-05\"^^date\tin", "it\twas on\t\"2024\"^^date\tin"}));
  // Without a kind, fields are in the notation; without a header, the first row is data.
  EXPECT_EQ(
      Mapped("b,<a \\u0020>,\"\"\"5\"\"^^number\"\n", "subject=2,relation=1,object=3").statements,
      Lines{"a  \tb\t\"5\"^^number\tin"});
  EXPECT_EQ(Mapped("", "subject=1,relation=2,object=3").statements, Lines{});
}

TEST(CsvMap, TheWideFormMakesAStatementOfEachColumn) {
  const std::string csv =
      "id,name,born,tag,tag\n"
      "p1,Ada,1815-12-10,x,y\n"
      "p2,,,,z\n";
  EXPECT_EQ(Mapped(csv, "subject=id,*").statements,
            (Lines{"p1\tname\tAda\tin", "p1\tborn\t1815-12-10\tin", "p1\ttag\tx\tin",
                   "p1\ttag\ty\tin", "p2\ttag\tz\tin"}));
  EXPECT_EQ(
      Mapped(csv, "subject=id,*:symbol,born:date,name:text@en,source=5").statements,
      (Lines{"p1\tborn\t\"1815-12-10\"^^date\ty", "p1\tname\t\"Ada\"@en\ty", "p1\ttag\tx\ty"}))
      << "an empty field says nothing";
  EXPECT_EQ(Mapped(csv, "subject=id,2:text").statements, (Lines{"p1\tname\t\"Ada\"\tin"}));
}

TEST(CsvMap, FaultsNameTheColumn) {
  const std::string csv = "id,age,name\np1,7,x\np2,old,y\n";
  const struct {
    std::string csv, map, error;
  } cases[] = {
      {csv, "subject=id,*,age:number",
       "in:3:4: column 2, \"age\": \"old\" is not a number: write digits as in -12.5 or 3e8 (NaN "
       "and infinities are not kept)"},
      {csv, "subject=id,relation='age',object:number=2",
       "in:3:4: the object (column 2, \"age\"): \"old\" is not a number: write digits as in "
       "-12.5 or 3e8 (NaN and infinities are not kept)"},
      {csv, "subject=key,*",
       "in: --map: no column is called \"key\"; the header has id, age, name"},
      {csv, "subject=4,*", "in: --map: there is no column 4; the first row has 3"},
      {"a,b,a\n", "subject=a,*",
       "in: --map: several columns are called \"a\"; say which by its number"},
      {"id,\nx,y\n", "subject=id,*",
       "in: --map: column 2 makes no relation: the name is empty; give it at least one character; "
       "name the columns that do"},
      {"id,x\np1\n", "subject=id,*",
       "in:2:3: \"p1\" has 1 fields, the first row has 2; a row has "
       "as many"},
      {"id,x\np1,y,z\n", "subject=id,*",
       "in:2:6: \"p1,y,z\" has 3 fields, the first row has 2; a row has as many"},
      {"id,x\n,y\n", "subject=id,*",
       "in:2:1: the subject (column 1, \"id\"): the field is empty; give it a value"},
      {"id,x\n\"\"\"5\"\"^^number\",y\n", "subject=id,*",
       "in:2:2: the subject (column 1, \"id\"): \"5\"^^number is not a name; only an object "
       "may "
       "be a text, number or date"},
      {"a,b\n", "subject=1,relation='\"x\"',object=2",
       "in: --map: the relation '\"x\"': \"x\" is not a name; only an object may be a text, number "
       "or date"},
      {"id,x\np,a\xff\n", "subject=id,x:text",
       "in:2:4: column 2, \"x\": the text \"a\\xFF\" is not UTF-8 at byte 2; convert it, e.g. with "
       "iconv"},
      {"id,x\np,\"a\n", "subject=id,*", "in:2:3: the quoted field \"a is not closed; add a quote"},
  };
  for (const auto& c : cases) {
    const std::string error = Mapped(c.csv, c.map).error;
    EXPECT_EQ(error.substr(0, c.error.size()), c.error);
  }
  EXPECT_EQ(Mapped("a\tb\tc\n", "subject=1,*", false, 9, "tsv").error,
            "--map is for csv, not for tsv");
  // A bad field costs its row, all of it.
  const auto skipped = Mapped(csv, "subject=id,*,age:number", true);
  EXPECT_EQ(skipped.bad.size(), 1u);
  EXPECT_EQ(skipped.statements, (Lines{"p1\tage\t\"7\"^^number\tin", "p1\tname\tx\tin"}));
}

// The double: tables of random cells, and what their wide form says, cell by cell.
TEST(CsvMap, AgreesWithATableOfCells) {
  std::mt19937 random(51);
  for (int round = 0; round < 1500; ++round) {
    const size_t width = 1 + random() % 5, key = random() % width;
    const auto quoted = [&](const std::string& field) {
      std::string out;
      for (const char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
      return "\"" + out + "\"";
    };
    std::string bytes;
    Lines headers, expected;
    for (size_t c = 0; c < width; ++c) {
      headers.push_back("h,\"" + std::to_string(c));
      bytes += (c ? "," : "") + quoted(headers[c]);
    }
    bytes += "\n";
    for (size_t r = random() % 5; r > 0; --r) {
      Lines row;
      for (size_t c = 0; c < width; ++c) {
        std::string cell(random() % 4 + (c == key), 'x');
        for (char& x : cell) x = "a,\"\n<"[random() % 5];
        row.push_back(cell);
        bytes += (c ? "," : "") + quoted(cell);
      }
      bytes += random() % 2 ? "\n" : "\r\n";
      for (size_t c = 0; c < width; ++c) {
        if (c == key || row[c].empty()) continue;
        expected.push_back(ToField(*MakeSymbol(row[key])) + "\t" + headers[c] + "\t" +
                           ToField(*MakeText(row[c])) + "\tin");
      }
    }
    const auto all = Mapped(bytes, "subject:symbol=" + std::to_string(key + 1) + ",*:text", false,
                            1 + random() % 20);
    ASSERT_EQ(all.error, "") << bytes;
    ASSERT_EQ(all.statements, expected) << bytes;
  }
}

}  // namespace
}  // namespace loci
