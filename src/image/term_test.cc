// SPDX-License-Identifier: Apache-2.0
//
// The order of terms, the parts of texts, and the hashes of the worked example that
// docs/image-format.md gives to those who read images in another language.
#include "image/term.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "image/testing.h"

namespace loci {
namespace {

using test::Made;
using test::Symbol;

TEST(TermTest, AscendsByKindThenValueThenBytes) {
  const std::vector<Term> ascending = {
      Made(MakeNumber("-1e10")),
      Made(MakeNumber("-2.5")),
      Made(MakeNumber("-2")),
      Made(MakeNumber("0")),
      Made(MakeNumber("0.1")),
      Made(MakeNumber("9")),
      Made(MakeNumber("10")),
      Made(MakeDate("-0044-03-15")),
      Made(MakeDate("1999")),
      Made(MakeDate("1999-01")),
      Made(MakeDate("2024-05-17")),
      Made(MakeDate("2024-05-17T08:30Z")),
      Made(MakeText("")),
      Made(MakeTaggedText("", '@', "en")),
      Made(MakeText(std::string("\0", 1))),
      Made(MakeText("a")),
      Made(MakeTaggedText("a", '@', "de")),
      Made(MakeTaggedText("a", '@', "en")),
      Made(MakeTaggedText("a", '^', "kg")),
      Made(MakeText(std::string("a\0", 2))),
      Made(MakeText("ab")),
      Made(MakeText("é")),
      Symbol("a"),
      Symbol("ab"),
      Symbol("b"),
      Symbol("é"),
  };
  for (size_t i = 0; i < ascending.size(); ++i) {
    for (size_t j = 0; j < ascending.size(); ++j) {
      const int order = CompareTerms(ascending[i], ascending[j]);
      EXPECT_EQ(order < 0, i < j) << ToNotation(ascending[i]) << " " << ToNotation(ascending[j]);
      EXPECT_EQ(order > 0, i > j);
    }
  }
}

// Texts as the definition has them: by characters, then without a tag before with one, then by tag.
TEST(TermTest, TextsCompareAsTheirParts) {
  test::Random random(1);
  const auto some = [&] {
    std::string text;
    for (uint64_t n = random() % 4; n > 0; --n) text += "\0ab"[random() % 3];
    const uint64_t tag = random() % 4;
    return tag < 2 ? Made(MakeText(text))
                   : Made(MakeTaggedText(text, tag == 2 ? '@' : '^', random() % 2 ? "x" : "xy"));
  };
  for (int i = 0; i < 20000; ++i) {
    const Term a = some(), b = some();
    const auto key = [](const Term& term) {
      const TextParts parts = SplitText(term.bytes);
      return std::tuple(parts.text, parts.tag_kind, parts.tag);
    };
    const int order = CompareTerms(a, b);
    ASSERT_EQ(order < 0, key(a) < key(b)) << ToNotation(a) << " " << ToNotation(b);
    ASSERT_EQ(order == 0, a == b);
  }
}

TEST(TermTest, SplitsTexts) {
  const TextParts plain = SplitText("a@en");
  EXPECT_EQ(plain.text, "a@en");
  EXPECT_EQ(plain.tag_kind, 0);
  const TextParts tagged = SplitText("a\xFF@en");
  EXPECT_EQ(tagged.text, "a");
  EXPECT_EQ(tagged.tag_kind, '@');
  EXPECT_EQ(tagged.tag, "en");
}

// One kind's bytes are never another's identity.
TEST(TermTest, TheKindIsPartOfTheIdentity) {
  EXPECT_NE(NameId({Kind::kText, "dog"}), NameId({Kind::kSymbol, "dog"}));
  const Hash128 a = NameId(Symbol("a")), b = NameId(Symbol("b"));
  EXPECT_NE(StatementHash(a, b, a, a), StatementHash(b, a, a, a));
  EXPECT_NE(StatementHash(a, a, b, a), StatementHash(a, a, a, b));
}

// The document's examples: lines "label ... hex" and the dump of an image.
class FormatDocument {
 public:
  FormatDocument() {
    std::ifstream file(std::filesystem::path(__FILE__).parent_path() /
                       "../../docs/image-format.md");
    for (std::string line; std::getline(file, line);) lines_.push_back(line);
  }
  // The last word of the last line that begins with the label.
  std::string Value(const std::string& label) const {
    std::string value = "(no line \"" + label + "\")";
    for (const std::string& line : lines_) {
      if (line.starts_with("    " + label + " ")) value = line.substr(line.find_last_of(' ') + 1);
    }
    return value;
  }
  // "    00a0   64 6f 67 ..." are bytes, up to a word of another length; what is left out is zeros.
  std::string Dump() const {
    std::string bytes;
    for (const std::string& line : lines_) {
      std::istringstream in(line);
      std::string offset, hex;
      if (!line.starts_with("    0") || !(in >> offset) || offset.size() != 4) continue;
      const size_t at = std::stoul(offset, nullptr, 16);
      bytes.resize(at, '\0');
      while (in >> hex && hex.size() == 2) {
        bytes += static_cast<char>(std::stoul(hex, nullptr, 16));
      }
    }
    return bytes;
  }

 private:
  std::vector<std::string> lines_;
};

TEST(TermTest, TheDocumentedExampleHolds) {
  const FormatDocument document;
  const test::Statement s{Symbol("dog"), Symbol("is_a"), Symbol("animal"), Symbol("api")};
  EXPECT_EQ(document.Value("N(dog)"), Hex(NameId(s.subject).view()));
  EXPECT_EQ(document.Value("N(is_a)"), Hex(NameId(s.relation).view()));
  EXPECT_EQ(document.Value("N(animal)"), Hex(NameId(s.object).view()));
  EXPECT_EQ(document.Value("N(api)"), Hex(NameId(s.source).view()));
  const Hash256 hash = StatementHash(s.view());
  const std::string hex = Hex({reinterpret_cast<const char*>(hash.data()), hash.size()});
  EXPECT_EQ(document.Value("statement"), hex);
  EXPECT_EQ(document.Value("address"), hex.substr(0, 16));
  Sum256 digest;
  digest.Add(hash);
  EXPECT_EQ(document.Value("digest"), digest.Hex());
  EXPECT_EQ(document.Value("digest"), hex);  // a sum of one

  test::Statement other = s;
  other.subject = Symbol("cat");
  digest.Add(StatementHash(other.view()));
  EXPECT_EQ(document.Value("two-statement"), digest.Hex());

  const std::string image = test::WriteSlowly({{s, false}}, "unicode 15.0.0\n");
  EXPECT_EQ(Hex(document.Dump()), Hex(image));
}

// The normal bytes that the document lists.
TEST(TermTest, TheDocumentedNormalBytesHold) {
  const FormatDocument document;
  const std::pair<const char*, Term> examples[] = {
      {"0", Made(MakeNumber("0"))},
      {"1", Made(MakeNumber("1"))},
      {"-12.5", Made(MakeNumber("-12.5"))},
      {"1e300", Made(MakeNumber("1e300"))},
      {"2024", Made(MakeDate("2024"))},
      {"2024-05-17", Made(MakeDate("2024-05-17"))},
      {"2024-05-17T08:30:00.25+02:00", Made(MakeDate("2024-05-17T08:30:00.25+02:00"))},
      {"\"chien\"@fr", Made(MakeTaggedText("chien", '@', "fr"))},
      {"\"5\"^^kg", Made(MakeTaggedText("5", '^', "kg"))},
      {"dog", Symbol("dog")},
  };
  for (const auto& [label, term] : examples) {
    ASSERT_FALSE(term.bytes.empty());
    EXPECT_EQ(document.Value(label), Hex(term.bytes)) << label;
  }
}

}  // namespace
}  // namespace loci
