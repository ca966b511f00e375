// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "formats/collect_for_test.h"
#include "formats/csv_record.h"

namespace loci {
namespace {

using Lines = std::vector<std::string>;

TEST(Csv, ReadsQuotedFields) {
  const auto all = Collect(
      "Subject,RELATION,object,source\r\n"
      "dog,is_a,animal,zoo\r\n"
      "\r\n"
      "\"New York, NY\",says,\"\"\"a \"\"\"\"b\"\"\"\" \"\"@en\",x\n"
      "a,b,\"\"\"5\"\"^^number\",y\n"
      "\"two\nlines\",b,\"\"\"x\r\ny\"\"\",z\n",
      "csv");
  EXPECT_EQ(all.error,
            "in:4:28: \"\"a \"\"b\"\" \"@en\": unexpected \"\"b\"\" \"@en\" after the text; "
            "only @language or ^^datatype may follow");
  const auto good = Collect(
      "Subject,RELATION,object,source\r\n"
      "dog,is_a,animal,zoo\r\n"
      "\r\n"
      "\"New York, NY\",says,\"\"\"a \\\"\"b\\\"\"\"\"@en\"\n"
      "a,b,\"\"\"5\"\"^^number\",y\n"
      "\"two\nlines\",b,\"\"\"x\r\ny\"\"\",z",
      "csv");
  EXPECT_EQ(good.error, "");
  EXPECT_EQ(good.statements,
            (Lines{"dog\tis_a\tanimal\tzoo", "New York, NY\tsays\t\"a \\\"b\\\"\"@en\tin",
                   "a\tb\t\"5\"^^number\ty", "<two\\u000Alines>\tb\t\"x\\r\\ny\"\tz"}));
  EXPECT_EQ(Collect("subject,relation,object\n", "csv").statements, Lines{});
  EXPECT_EQ(Collect("subject,relation,cat\n", "csv").statements.size(), 1u);
}

TEST(Csv, FaultsHaveLineAndColumn) {
  const struct {
    std::string_view bytes, error;
  } cases[] = {
      {"a,b\n",
       "in:1:4: \"a,b\" has 2 fields; write subject,relation,object[,source], or say with "
       "--map what its columns are"},
      {"x,y,z\na,b,c,d,e\n",
       "in:2:9: \"a,b,c,d,e\" has 5 fields; write subject,relation,object[,source], or say "
       "with --map what its columns are"},
      {"a,,c\n", "in:1:3: the relation is empty; give it a name"},
      {"a,b,\"\"\n", "in:1:6: the object is empty; give it a name"},
      {"a,b\"x,c\n",
       "in:1:4: unexpected \"x,c here; a field that holds quotes is itself quoted, and "
       "each quote in it doubled"},
      {"\u00e9,\"b\"x,c\n",
       "in:1:6: unexpected x,c here; a field that holds quotes is itself quoted, "
       "and each quote in it doubled"},
      {"a,b,c\na,b,\"c\nd,e\n", "in:2:5: the quoted field \"c\\nd,e is not closed; add a quote"},
      {"\"a\nb\xff\",b,c\n",
       "in:2:2: \"a\\nb\\xFF\": not UTF-8 here; convert the input, e.g. with iconv"},
      {"\"a\n\u00e9\",b,\"<x\"\n", "in:2:7: \"<x\": <x is not closed; end it with >"},
  };
  for (const auto& c : cases) EXPECT_EQ(Collect(c.bytes, "csv").error, c.error);
  const auto skipped = Collect("a,b\nd,e,f\n\"x\ny\"z,b,c\ng,h,i\n", "csv", true);
  EXPECT_EQ(skipped.bad.size(), 2u);
  EXPECT_EQ(skipped.bad[1].substr(0, 8), "in:4:3: ");
  EXPECT_EQ(skipped.statements, (Lines{"d\te\tf\tin", "g\th\ti\tin"}));
}

// The double: a naive character by character automaton over the whole input. Nothing where it finds
// a fault.
std::optional<std::vector<Lines>> SlowCsv(const std::string& bytes) {
  std::vector<Lines> records;
  Lines record;
  std::string field;
  enum { kStart, kPlain, kIn, kAfter } state = kStart;
  const auto end_record = [&] {
    record.push_back(field);
    field.clear();
    if (record != Lines{""} || state == kAfter) records.push_back(record);
    record.clear();
    state = kStart;
  };
  for (size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (state == kIn) {
      if (c != '"') {
        field += c;
      } else if (i + 1 < bytes.size() && bytes[i + 1] == '"') {
        field += '"';
        ++i;
      } else {
        state = kAfter;
      }
    } else if (c == '\n') {
      end_record();
    } else if (c == ',') {
      record.push_back(field);
      field.clear();
      state = kStart;
    } else if (c == '"' && state == kStart) {
      state = kIn;
    } else if (c == '"' || state == kAfter) {
      return std::nullopt;
    } else {
      field += c;
      state = kPlain;
    }
  }
  if (state == kIn) return std::nullopt;
  end_record();
  return records;
}

TEST(Csv, AgreesWithANaiveAutomaton) {
  std::mt19937 random(11);
  int good = 0;
  for (int round = 0; round < 30'000; ++round) {
    std::string bytes(random() % 16, 'x');
    for (char& c : bytes) c = "ab,,\"\"\"\n"[random() % 8];
    const auto slow = SlowCsv(bytes);
    const auto fast = Collect(bytes, "csv", false, "in", 1 + random() % 17);
    Lines expected;
    bool valid = slow.has_value();
    for (size_t i = 0; valid && i < slow->size(); ++i) {
      const Lines& r = (*slow)[i];
      valid = r.size() == 3 || r.size() == 4;
      for (const std::string& field : r) valid = valid && !field.empty() && field[0] != '"';
      if (valid) {
        expected.push_back(ToField(*MakeSymbol(r[0])) + "\t" + ToField(*MakeSymbol(r[1])) + "\t" +
                           ToField(*MakeSymbol(r[2])) + "\t" +
                           ToField(*MakeSymbol(r.size() == 4 ? r[3] : "in")));
      }
    }
    // Fields that open with a quote are texts or errors of the notation: not this test's matter.
    if (slow && !valid) continue;
    ASSERT_EQ(fast.error.empty(), valid) << bytes << "\n" << fast.error;
    if (!valid) continue;
    good += !expected.empty();
    ASSERT_EQ(fast.statements, expected) << bytes;
  }
  EXPECT_GT(good, 20);
}

std::string Quoted(std::string_view field) {
  std::string out = "\"";
  for (char c : field) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

TEST(Csv, WhatIsWrittenIsReadInAnyBlocks) {
  std::mt19937 random(12);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    Lines expected;
    for (int i = 0; i < 4; ++i) {
      std::string text(random() % 8, 'x');
      for (char& c : text) c = "a,\"\n\r\\ 1"[random() % 8];
      const std::string object = ToField(*MakeText(text)), name = ToField(*MakeSymbol("n" + text));
      expected.push_back(name + "\tr\t" + object + "\tin");
      bytes += Quoted(name) + ",r," + Quoted(object) + (random() % 2 ? "\n" : "\r\n");
    }
    const auto all = Collect(bytes, "csv", false, "in", 1 + random() % 17);
    ASSERT_EQ(all.error, "");
    ASSERT_EQ(all.statements, expected);
  }
}

TEST(Csv, AStrayQuoteCostsNoQuadraticTime) {
  std::string bytes = "a,b,\"c\n";
  for (int i = 0; i < 400'000; ++i) bytes += "\"\"\n";
  EXPECT_EQ(Collect(bytes, "csv").error.substr(0, 8), "in:1:5: ");
}

}  // namespace
}  // namespace loci
