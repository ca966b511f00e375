// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "formats/collect_for_test.h"
#include "formats/wordnet_tables.h"

namespace loci {
namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

constexpr std::string_view kLicense = "  1 A license.  \n  2   \n";

// A database of seven synsets that has one of everything.
const std::map<std::string, std::string> kMiniature = {
    {"data.noun",
     "00000010 05 n 01 Canine 0 001 ~ 00000020 n 0000 | a mammal  \n"
     "00000020 05 n 03 dog 0 Domestic_Dog a Dog b 004 @ 00000010 n 0000 + 00000010 v 0201 + "
     "00000010 v 0301 ;u "
     "00000010 n 0000 | a canine; \"the dog barked\"  \n"},
    {"index.noun",
     "canine n 1 1 ~ 1 0 00000010  \n"
     "dog n 1 2 @ + 1 1 00000020  \n"
     "domestic_dog n 1 2 @ + 1 0 00000020  \n"},
    {"data.verb",
     "00000010 38 v 02 dog 3 chase 0 001 + 00000020 n 0102 02 + 08 00 + 02 02 | go after  \n"
     "00000015 38 v 01 chase 1 000 00 | run  \n"},
    {"index.verb",
     "chase v 2 0 2 1 00000015 00000010  \n"
     "dog v 1 1 + 1 0 00000010  \n"},
    {"data.adj",
     "00000010 00 a 01 fast(p) 1 001 & 00000020 a 0000 | quick  \n"
     "00000020 00 s 02 swift 0 galore(ip) 2 001 & 00000010 a 0000 | very quick  \n"},
    {"index.adj",
     "fast a 1 1 & 1 0 00000010  \n"
     "galore a 1 1 & 1 0 00000020  \n"
     "swift a 1 1 & 1 1 00000020  \n"},
    {"data.adv", "00000010 02 r 01 fast 0 001 \\ 00000010 a 0101 | quickly  \n"},
    {"index.adv", "fast r 1 1 \\ 1 0 00000010  \n"},
    {"cntlist.rev",
     "chase%2:38:01:: 1 7\ndog%1:05:00:: 1 42\ngone%1:05:00:: 1 3\nswift%5:00:00:fast(p):01 1 2\n"},
    {"frames.vrb", "2  Somebody ----s\n8  Somebody ----s something\n"},
    {"sents.vrb", "1 They %s the cat\n10 Cats %s  \n"},
    {"sentidx.vrb", "chase%2:38:00:: 1,10\ndog%2:38:03:: \n"},
    {"noun.exc", "dogges dog\noxen ox cattle\n"},
    {"adv.exc", "faster fast\n"},
};

class WordNet : public testing::Test {
 protected:
  WordNet()
      : root_(fs::path(testing::TempDir()) / ("loci_wordnet_" + std::to_string(::getpid()))),
        dir_(root_ / "mini") {
    fs::create_directories(dir_);
    for (const auto& [name, lines] : kMiniature) Write(name, lines);
  }
  ~WordNet() override { fs::remove_all(root_); }

  void Write(const std::string& name, const std::string& lines) {
    const bool license = name.starts_with("data.") || name.starts_with("index.");
    std::ofstream(dir_ / name, std::ios::binary) << (license ? kLicense : "") << lines;
  }
  // The file with `from` replaced.
  void Damage(const std::string& name, const std::string& from, const std::string& to) {
    std::string lines = kMiniature.at(name);
    const size_t at = lines.find(from);
    ASSERT_NE(at, std::string::npos) << name << ": " << from;
    Write(name, lines.replace(at, from.size(), to));
  }
  Collected Read(bool skip = false, size_t block_bytes = 1 << 20) {
    ReadOptions options;
    options.block_bytes = block_bytes;
    return CollectBy(options, skip, [&](const ReadOptions& o, StatementSink* sink) {
      return ReadStatements(dir_.string() + "/", o, sink);
    });
  }
  // The error without the directory.
  std::string ErrorOf() {
    const std::string error = Read().error, prefix = dir_.string() + "/";
    return error.starts_with(prefix) ? error.substr(prefix.size()) : error;
  }

  fs::path root_, dir_;
};

TEST_F(WordNet, AMiniatureWhole) {
  Lines expected = {"canine.n.01\tpart_of_speech\tnoun",
                    "canine.n.01\tlexical_file\tnoun.animal",
                    "canine.n.01\tdefinition\t\"a mammal\"",
                    "canine\tmeans\tcanine.n.01",
                    "canine\tsense\tcanine%1:05:00::",
                    "canine%1:05:00::\tsense_of\tcanine.n.01",
                    "canine%1:05:00::\twritten_form\t\"Canine\"",
                    "canine%1:05:00::\tsense_number\t\"1\"^^number",
                    "canine.n.01\thyponym\tdog.n.01",

                    "dog.n.01\tpart_of_speech\tnoun",
                    "dog.n.01\tlexical_file\tnoun.animal",
                    "dog.n.01\tdefinition\t\"a canine\"",
                    "dog.n.01\texample\t\"the dog barked\"",
                    "dog\tmeans\tdog.n.01",
                    "dog\tsense\tdog%1:05:00::",
                    "dog%1:05:00::\tsense_of\tdog.n.01",
                    "dog%1:05:00::\twritten_form\t\"dog\"",
                    "dog%1:05:00::\tsense_number\t\"1\"^^number",
                    "dog%1:05:00::\tcount\t\"42\"^^number",
                    "domestic_dog\tmeans\tdog.n.01",
                    "domestic_dog\tsense\tdomestic_dog%1:05:10::",
                    "domestic_dog%1:05:10::\tsense_of\tdog.n.01",
                    "domestic_dog%1:05:10::\twritten_form\t\"Domestic_Dog\"",
                    "domestic_dog%1:05:10::\tsense_number\t\"1\"^^number",
                    "dog%1:05:00::\twritten_form\t\"Dog\"",
                    "dog.n.01\thypernym\tcanine.n.01",
                    "domestic_dog%1:05:10::\tderivationally_related\tdog%2:38:03::",
                    "dog%1:05:00::\tderivationally_related\tdog%2:38:03::",
                    "dog.n.01\tdomain_usage\tcanine.n.01",

                    "dog.v.01\tpart_of_speech\tverb",
                    "dog.v.01\tlexical_file\tverb.motion",
                    "dog.v.01\tdefinition\t\"go after\"",
                    "dog\tmeans\tdog.v.01",
                    "dog\tsense\tdog%2:38:03::",
                    "dog%2:38:03::\tsense_of\tdog.v.01",
                    "dog%2:38:03::\twritten_form\t\"dog\"",
                    "dog%2:38:03::\tsense_number\t\"1\"^^number",
                    "chase\tmeans\tdog.v.01",
                    "chase\tsense\tchase%2:38:00::",
                    "chase%2:38:00::\tsense_of\tdog.v.01",
                    "chase%2:38:00::\twritten_form\t\"chase\"",
                    "chase%2:38:00::\tsense_number\t\"2\"^^number",
                    "chase%2:38:00::\tverb_sentence\t\"They %s the cat\"",
                    "chase%2:38:00::\tverb_sentence\t\"Cats %s\"",
                    "dog%2:38:03::\tderivationally_related\tdomestic_dog%1:05:10::",
                    "dog%2:38:03::\tverb_frame\t\"Somebody ----s something\"",
                    "chase%2:38:00::\tverb_frame\t\"Somebody ----s something\"",
                    "chase%2:38:00::\tverb_frame\t\"Somebody ----s\"",

                    "chase.v.01\tpart_of_speech\tverb",
                    "chase.v.01\tlexical_file\tverb.motion",
                    "chase.v.01\tdefinition\t\"run\"",
                    "chase\tmeans\tchase.v.01",
                    "chase\tsense\tchase%2:38:01::",
                    "chase%2:38:01::\tsense_of\tchase.v.01",
                    "chase%2:38:01::\twritten_form\t\"chase\"",
                    "chase%2:38:01::\tsense_number\t\"1\"^^number",
                    "chase%2:38:01::\tcount\t\"7\"^^number",

                    "fast.a.01\tpart_of_speech\tadjective",
                    "fast.a.01\tlexical_file\tadj.all",
                    "fast.a.01\tdefinition\t\"quick\"",
                    "fast\tmeans\tfast.a.01",
                    "fast\tsense\tfast%3:00:01::",
                    "fast%3:00:01::\tsense_of\tfast.a.01",
                    "fast%3:00:01::\twritten_form\t\"fast\"",
                    "fast%3:00:01::\tsense_number\t\"1\"^^number",
                    "fast%3:00:01::\tadjective_position\tpredicative",
                    "fast.a.01\tsimilar_to\tswift.s.01",

                    "swift.s.01\tpart_of_speech\tadjective",
                    "swift.s.01\tlexical_file\tadj.all",
                    "swift.s.01\tdefinition\t\"very quick\"",
                    "swift.s.01\tsatellite_of\tfast.a.01",
                    "swift\tmeans\tswift.s.01",
                    "swift\tsense\tswift%5:00:00:fast:01",
                    "swift%5:00:00:fast:01\tsense_of\tswift.s.01",
                    "swift%5:00:00:fast:01\twritten_form\t\"swift\"",
                    "swift%5:00:00:fast:01\tsense_number\t\"1\"^^number",
                    "swift%5:00:00:fast:01\tcount\t\"2\"^^number",
                    "galore\tmeans\tswift.s.01",
                    "galore\tsense\tgalore%5:00:02:fast:01",
                    "galore%5:00:02:fast:01\tsense_of\tswift.s.01",
                    "galore%5:00:02:fast:01\twritten_form\t\"galore\"",
                    "galore%5:00:02:fast:01\tsense_number\t\"1\"^^number",
                    "galore%5:00:02:fast:01\tadjective_position\timmediately_postnominal",
                    "swift.s.01\tsimilar_to\tfast.a.01",

                    "fast.r.01\tpart_of_speech\tadverb",
                    "fast.r.01\tlexical_file\tadv.all",
                    "fast.r.01\tdefinition\t\"quickly\"",
                    "fast\tmeans\tfast.r.01",
                    "fast\tsense\tfast%4:02:00::",
                    "fast%4:02:00::\tsense_of\tfast.r.01",
                    "fast%4:02:00::\twritten_form\t\"fast\"",
                    "fast%4:02:00::\tsense_number\t\"1\"^^number",
                    "fast%4:02:00::\tderived_from_adjective\tfast%3:00:01::",

                    "dogges\tnoun_base_form\tdog",
                    "oxen\tnoun_base_form\tox",
                    "oxen\tnoun_base_form\tcattle",
                    "faster\tadverb_base_form\tfast"};
  for (std::string& line : expected) line += "\tmini";
  for (const size_t block : {1, 2, 3, 7, 17, 1 << 20}) {
    const auto all = Read(false, block);
    EXPECT_EQ(all.error, "");
    EXPECT_EQ(all.report.format, "wordnet");
    EXPECT_EQ(all.statements, expected);
  }
}

TEST_F(WordNet, FaultsHaveFileLineAndColumn) {
  const struct {
    const char *file, *from, *to, *error;
  } cases[] = {
      {"data.noun", "00000010 05", "0000001x 05",
       "data.noun:3:1: \"0000001x\" is not a synset offset: a decimal number from 0 to 4294967294"},
      {"data.noun", "05 n", "55 n",
       "data.noun:3:10: \"55\" is not a lexicographer file: a decimal number from 0 to 44"},
      {"data.noun", "05 n", "05 v", "data.noun:3:13: \"v\" is not the type of a noun"},
      {"data.noun", "001 ~", "002 ~", "data.noun:3:49: \"|\" is no pointer symbol of a noun"},
      {"data.noun", "0000 | a mammal", "0001 | a mammal",
       "data.noun:3:44: 0001 names no two words, nor is it 0000"},
      {"data.noun", "| a mammal", "a mammal", "data.noun:3:49: \"a\" where | opens the gloss"},
      {"data.noun", "a mammal", "a m\xff",
       "data.noun:3:54: not UTF-8 here; convert the files, e.g. with "
       "iconv"},
      {"data.noun", "00000020 05", "00000010 05",
       "data.noun:4:1: the synset offset 00000010 is not after the one before it, 00000010"},
      {"data.noun", "~ 00000020 n 0000", "~ 00000021 n 0000",
       "data.noun:3: the hyponym 00000021 n of \"canine.n.01\" is not in data.noun, or has no word "
       "0"},
      {"data.noun", "v 0201", "v 0209",
       "data.noun:4: the derivationally_related 00000010 v of \"dog.n.01\" is not in data.verb, or "
       "has no "
       "word 9"},
      {"data.verb", "02 + 08 00", "02 x 08 00", "data.verb:3:57: \"x\" where + opens a frame"},
      {"data.verb", "+ 08 00", "+ 09 00", "data.verb:3: frames.vrb has no frame 9"},
      {"data.adj", "fast(p)", "fast(q)",
       "data.adj:3:18: \"fast(q)\" ends in no marker of wninput(5WN): (a), (p) or (ip)"},
      {"data.adj", "& 00000010 a", "^ 00000010 a",
       "data.adj:4: the satellite 00000020 is similar to no "
       "head"},
      {"index.noun", "dog n 1 2", "dog n x 2",
       "index.noun:4:7: \"x\" is not a number of synsets: a decimal number from 1 to 9999"},
      {"index.noun", "1 1 00000020", "1 1 00000010",
       "index.noun:4: the synset 00000010 of \"dog\" is not in data.noun, or has no such word"},
      {"index.noun", "dog n 1 2 @ + 1 1 00000020", "dog n 1 2 @ + 1 1",
       "index.noun:4:19: a synset offset is missing here"},
      {"index.adv", "fast r 1 1 \\ 1 0 00000010  \n", "",
       "data.adv:3: the word \"fast\" of the synset 00000010 is not in index.adv"},
      {"cntlist.rev", "1 7", "1 -7",
       "cntlist.rev:1:19: \"-7\" is not a count: a decimal number from 0 to 999999999"},
      {"sents.vrb", "1 They %s the cat", "1 ", "sents.vrb:1:3: the text is missing here"},
      {"sentidx.vrb", "1,10", "1,11", "sentidx.vrb:1:19: sents.vrb has no sentence 11"},
      {"noun.exc", "dogges dog", "dogges", "noun.exc:1:7: a base form is missing here"},
  };
  for (const auto& c : cases) {
    Damage(c.file, c.from, c.to);
    EXPECT_EQ(ErrorOf(), c.error);
    const auto skipped = Read(true);
    EXPECT_EQ(skipped.error, "") << c.error;
    EXPECT_GE(skipped.report.skipped, 1u) << c.error;
    EXPECT_GT(skipped.statements.size(), 60u) << c.error;
    Write(c.file, kMiniature.at(c.file));
  }
  EXPECT_EQ(ErrorOf(), "");
}

TEST_F(WordNet, FilesThatMayAndMustBeThere) {
  for (const char* optional : {"cntlist.rev", "sents.vrb", "noun.exc", "adv.exc"}) {
    fs::remove(dir_ / optional);
  }
  fs::remove(dir_ / "sentidx.vrb");
  EXPECT_EQ(Read().error, "");
  fs::remove(dir_ / "index.adv");
  EXPECT_NE(Read().error.find("index.adv: No such file"), std::string::npos);
  for (const char* part : {"noun", "verb", "adj", "adv"})
    fs::remove(dir_ / (std::string("data.") + part));
  EXPECT_NE(Read().error.find("is a directory, and neither one of WordNet"), std::string::npos);
}

TEST(WordNetTables, EveryPointerOfTheManualHasARelation) {
  const std::pair<Part, std::string> symbols[] = {
      {Part::kNoun, "! @ @i ~ ~i #m #s #p %m %s %p = + ;c -c ;r -r ;u -u"},
      {Part::kVerb, "! @ ~ * > ^ $ + ;c ;r ;u"},
      {Part::kAdjective, "! & < \\ = ^ + ;c ;r ;u"},
      {Part::kAdverb, "! \\ + ;c ;r ;u"}};
  for (const auto& [part, list] : symbols) {
    std::istringstream each(list);
    std::set<std::string_view> relations;
    size_t count = 0;
    for (std::string symbol; each >> symbol; ++count) {
      const auto relation = PointerRelation(part, symbol);
      EXPECT_FALSE(relation.empty()) << symbol;
      relations.insert(relation);
    }
    EXPECT_EQ(relations.size(), count);
  }
  EXPECT_EQ(PointerRelation(Part::kAdjective, "\\"), "pertainym");
  EXPECT_EQ(PointerRelation(Part::kAdverb, "\\"), "derived_from_adjective");
  EXPECT_EQ(PointerRelation(Part::kNoun, "*"), "");
}

// The whole of WordNet 3.0, where it is installed, against counts made from the files in another
// way.
class RealWordNet : public testing::Test {
 protected:
  static constexpr const char* kDirectory = "/usr/share/wordnet";

  void SetUp() override {
    if (!fs::exists(fs::path(kDirectory) / "data.noun"))
      GTEST_SKIP() << kDirectory << " is not there";
  }

  template <class Use>
  static void EachLine(const std::string& name, Use use) {
    std::ifstream file(fs::path(kDirectory) / name);
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("  ")) use(line);
    }
  }
};

TEST_F(RealWordNet, EverySynsetWordSenseAndPointer) {
  struct Sink : StatementSink {
    Result<void> Add(const StatementView& s) override {
      const std::string relation(s.relation.bytes);
      ++relations[relation];
      const std::string subject(s.subject.bytes);
      if (relation == "sense_number") number[subject] = ToPlain(s.object);
      if (relation == "count") count[subject] = ToPlain(s.object);
      if (relation == "means") means.insert(subject + " " + std::string(s.object.bytes));
      if (relation == "definition") synsets.insert(subject);
      return {};
    }
    std::map<std::string, size_t> relations;
    std::map<std::string, std::string> number, count;
    std::set<std::string> means, synsets;
  } sink;
  const auto report = ReadStatements(kDirectory, {}, &sink);
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->skipped, 0u);

  EXPECT_EQ(sink.synsets.size(), 117'659u);
  EXPECT_EQ(sink.relations["part_of_speech"], 117'659u);
  EXPECT_EQ(sink.means.size(), 206'941u);
  EXPECT_EQ(sink.number.size(), 206'941u);
  EXPECT_EQ(sink.count.size(), 35'478u);

  // Words, by part of speech.
  size_t words = 0;
  std::map<std::string, size_t> pointers;
  for (const char* part : {"noun", "verb", "adj", "adv"}) {
    EachLine(std::string("index.") + part, [&](const std::string&) { ++words; });
    EachLine(std::string("data.") + part, [&](const std::string& line) {
      std::istringstream fields(line.substr(0, line.find(" | ")));
      std::string field;
      for (int i = 0; i < 4; ++i) fields >> field;
      for (long n = std::stol(field, nullptr, 16) * 2; n > 0; --n) fields >> field;
      fields >> field;
      for (int n = std::stoi(field); n > 0; --n) {
        std::string symbol;
        fields >> symbol >> field >> field >> field;
        ++pointers[symbol];
      }
    });
  }
  EXPECT_EQ(words, 155'287u);
  const std::pair<const char*, const char*> relations[] = {{"!", "antonym"},
                                                           {"@", "hypernym"},
                                                           {"@i", "instance_hypernym"},
                                                           {"~", "hyponym"},
                                                           {"~i", "instance_hyponym"},
                                                           {"#m", "member_holonym"},
                                                           {"#s", "substance_holonym"},
                                                           {"#p", "part_holonym"},
                                                           {"%m", "member_meronym"},
                                                           {"%s", "substance_meronym"},
                                                           {"%p", "part_meronym"},
                                                           {"=", "attribute"},
                                                           {"+", "derivationally_related"},
                                                           {"*", "entailment"},
                                                           {">", "cause"},
                                                           {"^", "also_see"},
                                                           {"$", "verb_group"},
                                                           {"&", "similar_to"},
                                                           {"<", "participle_of"},
                                                           {";c", "domain_topic"},
                                                           {";r", "domain_region"},
                                                           {";u", "domain_usage"},
                                                           {"-c", "member_of_domain_topic"},
                                                           {"-r", "member_of_domain_region"},
                                                           {"-u", "member_of_domain_usage"}};
  for (const auto& [symbol, relation] : relations) {
    EXPECT_EQ(sink.relations[relation], pointers[symbol]) << symbol;
    EXPECT_GT(pointers[symbol], 0u) << symbol;
  }
  EXPECT_EQ(sink.relations["pertainym"] + sink.relations["derived_from_adjective"], pointers["\\"]);

  // WordNet's own list of senses, which the reader does not read: keys, numbers and counts.
  if (!fs::exists(fs::path(kDirectory) / "index.sense")) return;
  size_t senses = 0;
  EachLine("index.sense", [&](const std::string& line) {
    std::istringstream fields(line);
    std::string key, offset, number, count;
    fields >> key >> offset >> number >> count;
    ++senses;
    ASSERT_EQ(sink.number[key], number) << key;
    ASSERT_EQ(sink.count.contains(key) ? sink.count[key] : "0", count) << key;
  });
  EXPECT_EQ(senses, 206'941u);
}

}  // namespace
}  // namespace loci
