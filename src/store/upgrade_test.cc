// SPDX-License-Identifier: Apache-2.0
//
// Memories of another Unicode, made by hand: in an older one the names below were in normal form;
// and memories of the first format of images.
#include "store/upgrade.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "memory/testing.h"
#include "store/current.h"
#include "store/log.h"
#include "store/testing.h"

namespace loci {
namespace {

using test::Statement;
using test::Symbol;
using ::testing::HasSubstr;

// As an older Unicode would have left it, had it not known the accent.
Term Raw(std::string bytes, Kind kind = Kind::kSymbol) {
  return {kind, std::move(bytes)};
}

class UpgradeTest : public ::testing::Test {
 protected:
  UpgradeTest() : files_(directory_.files()) {}

  // A memory whose image knows the first half of the statements and whose log the rest.
  void Make(const std::string& unicode, const std::vector<Statement>& statements,
            uint32_t version = kImageVersion) {
    Current current;
    current.generation = 2;
    current.settings = {{"slow_query_ms", "7"}, {"unicode", unicode}};
    current.log = "log-2";
    Batch tail;
    for (size_t i = statements.size() / 2; i < statements.size(); ++i) {
      tail.Add(statements[i].view(), false);
    }
    std::string log = LogHeader(2);
    if (!tail.empty()) log += EncodeFrame(tail, 1, 2);
    Write("log-2", log);
    if (statements.size() > 1) {
      current.image = "image-1";
      test::Said said;
      for (size_t i = 0; i < statements.size() / 2; ++i) said[statements[i]] = false;
      Write("image-1", test::WriteSlowly(said, current.ImageSettings(), version));
    }
    bool unknown;
    ASSERT_TRUE(ReplaceCurrent(current, files_.get(), &unknown).ok());
  }
  void Write(const std::string& name, std::string_view bytes) {
    const auto file = files_->OpenForWriting(name, true).take();
    ASSERT_TRUE(file->WriteAt(0, bytes).ok());
  }
  Result<UpgradeReport> Upgrade(const ProgressFn& progress = {}) {
    LOCI_ASSIGN(const auto store, Store::Open(directory_.path(), {.upgrade = true}));
    return store->Upgrade(progress);
  }
  // The memory's one image is that of the statements, by the slow way, and nothing else is there.
  void ExpectIs(const std::vector<Statement>& statements) {
    const auto store = Store::Open(directory_.path(), {}).take();
    const Result<void> checked = store->Check({});
    ASSERT_TRUE(checked.ok()) << checked.error().message;
    const StoreStats stats = *store->Stats();
    ASSERT_EQ(stats.settings.at("unicode"), ProgramUnicode());
    ASSERT_EQ(stats.settings.at("slow_query_ms"), "7");
    ASSERT_EQ(stats.layers.size(), 1u);
    test::Said said;
    for (const Statement& s : statements) said[s] = false;
    ASSERT_TRUE(*files_->Read(stats.layers[0].name) ==
                test::WriteSlowly(said, "unicode " + ProgramUnicode() + "\n"));
    ASSERT_EQ(files_->List()->size(), 4u);  // CURRENT, image, lock, log
  }

  test::TemporaryDirectory directory_;
  const std::shared_ptr<FileSystem> files_;
};

const std::string kOldCafe = "cafe\u0301", kCafe = "caf\u00e9";

TEST_F(UpgradeTest, WritesNamesAnewAndTellsWhich) {
  Make("9.0.0",
       {{Symbol("x"), Symbol("in"), Raw(kOldCafe), Symbol("s")},
        {Raw(kOldCafe), Raw("re\u0301"), Raw("t\xff^type\u0301", Kind::kText), Symbol("s")},
        {Symbol("x"), Symbol("in"), Symbol(kCafe), Symbol("s")},
        {Raw(kOldCafe), Symbol("in"), Raw("e\u0301 as it was", Kind::kText), Raw("sou\u0308rce")}});
  const auto report = Upgrade();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->from, "9.0.0");
  EXPECT_EQ(report->to, ProgramUnicode());
  EXPECT_EQ(report->statements_before, 4u);
  EXPECT_EQ(report->statements_after, 3u);
  std::vector<std::pair<std::string, std::string>> renamed;
  for (const auto& [before, after] : report->renamed) {
    renamed.emplace_back(before.bytes, after.bytes);
  }
  EXPECT_EQ(renamed, (std::vector<std::pair<std::string, std::string>>{
                         {"t\xff^type\u0301", "t\xff^typ\u00e9"},
                         {kOldCafe, kCafe},
                         {"re\u0301", "r\u00e9"},
                         {"sou\u0308rce", "so\u00fcrce"}}));
  // A text is kept as given, its datatype is a name.
  ExpectIs({{Symbol("x"), Symbol("in"), Symbol(kCafe), Symbol("s")},
            {Symbol(kCafe), Symbol("r\u00e9"), Raw("t\xff^typ\u00e9", Kind::kText), Symbol("s")},
            {Symbol(kCafe), Symbol("in"), Raw("e\u0301 as it was", Kind::kText),
             Symbol("so\u00fcrce")}});
  EXPECT_EQ(Upgrade()->from, ProgramUnicode()) << "a second one has nothing to do";
}

TEST_F(UpgradeTest, OfNamesThatStayOnlyRewritesTheSettings) {
  test::Random random(3);
  std::set<Statement> statements;
  while (statements.size() < 300) statements.insert(test::RandomStatement(random, {}));
  const std::vector<Statement> list(statements.begin(), statements.end());
  Make("14.0.0", list);
  const auto report = Upgrade();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_TRUE(report->renamed.empty());
  EXPECT_EQ(report->statements_after, 300u);
  ExpectIs(list);
}

// An image of the first format is known, read, written beside and checked as it is, and what is
// written anew, by whatever comes first, is of this format.
TEST_F(UpgradeTest, WritesImagesOfAnOlderFormatAnew) {
  test::Random random(4);
  std::set<Statement> statements;
  while (statements.size() < 300) statements.insert(test::RandomStatement(random, {}));
  const std::vector<Statement> list(statements.begin(), statements.end());
  const auto version = [this] {
    const auto store = Store::Open(directory_.path(), {.read_only = true}).take();
    return (*store->Read())->layers()[0]->header().version;
  };
  for (const bool by_folding : {false, true}) {
    Make(ProgramUnicode(), list, kFirstImageVersion);
    EXPECT_EQ(version(), kFirstImageVersion);
    {
      const auto store = Store::Open(directory_.path(), {}).take();
      const Result<void> checked = store->Check({});
      ASSERT_TRUE(checked.ok()) << checked.error().message;
      EXPECT_EQ((*store->Read())->statements(), 300u);
      EXPECT_FALSE((*store->Read())->layers()[0]->text().present());
      EXPECT_TRUE((*store->Read())->layers()[1]->text().present()) << "the tail is of this program";
      if (by_folding) {
        ASSERT_TRUE(store->Consolidate({}).ok());
      }
    }
    if (!by_folding) {
      const std::string before = *files_->Read(kCurrentName);
      const auto cancelled = Upgrade([](const char*, uint64_t, uint64_t) { return false; });
      ASSERT_FALSE(cancelled.ok());
      EXPECT_EQ(*files_->Read(kCurrentName), before);
    }
    const auto report = Upgrade();
    ASSERT_TRUE(report.ok()) << report.error().message;
    EXPECT_EQ(report->changed(), !by_folding);
    EXPECT_EQ(report->format_from, by_folding ? kImageVersion : kFirstImageVersion);
    EXPECT_EQ(report->format_to, kImageVersion);
    EXPECT_TRUE(report->renamed.empty());
    EXPECT_EQ(version(), kImageVersion);
    ExpectIs(list);
    EXPECT_FALSE(Upgrade()->changed()) << "a second one has nothing to do";
    const std::vector<std::string> names = files_->List().take();
    for (const std::string& name : names) (void)files_->Remove(name);
  }
}

// Both at once: an older Unicode, whose names change, in images of an older format.
TEST_F(UpgradeTest, OfFormatAndNamesTogether) {
  Make("9.0.0",
       {{Symbol("x"), Symbol("in"), Raw(kOldCafe), Symbol("s")},
        {Symbol("y"), Symbol("in"), Raw(kOldCafe), Symbol("s")}},
       kFirstImageVersion);
  const auto report = Upgrade();
  ASSERT_TRUE(report.ok()) << report.error().message;
  EXPECT_EQ(report->format_from, kFirstImageVersion);
  EXPECT_EQ(report->renamed.size(), 1u);
  ExpectIs({{Symbol("x"), Symbol("in"), Symbol(kCafe), Symbol("s")},
            {Symbol("y"), Symbol("in"), Symbol(kCafe), Symbol("s")}});
}

TEST_F(UpgradeTest, OfAnEmptyMemory) {
  Make("14.0.0", {});
  ASSERT_TRUE(Upgrade().ok());
  const auto store = Store::Open(directory_.path(), {}).take();
  EXPECT_EQ((*store->Read())->statements(), 0u);
  EXPECT_EQ(store->Stats()->settings.at("unicode"), ProgramUnicode());
}

TEST_F(UpgradeTest, AnOlderOneIsReadAndNotWritten) {
  Make("14.0.0", {{Symbol("a"), Symbol("r"), Symbol("b"), Symbol("s")}});
  const auto reader = Store::Open(directory_.path(), {.read_only = true});
  ASSERT_TRUE(reader.ok()) << reader.error().message;
  EXPECT_EQ((*(*reader)->Read())->statements(), 1u);
  const auto writer = Store::Open(directory_.path(), {});
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().kind, ErrorKind::kUnsupported);
  EXPECT_THAT(writer.error().message, HasSubstr("is of Unicode 14.0.0"));
  EXPECT_THAT(writer.error().message, HasSubstr("loci upgrade"));
}

TEST_F(UpgradeTest, ANewerOneIsRefused) {
  for (const char* unicode : {"99.0.0", "15.0.0.1", "unknown", "", "1."}) {
    Make(unicode, {{Symbol("a"), Symbol("r"), Symbol("b"), Symbol("s")}});
    const auto before = *files_->Read(kCurrentName);
    const auto report = Upgrade();
    ASSERT_FALSE(report.ok()) << unicode;
    EXPECT_EQ(report.error().kind, ErrorKind::kUnsupported);
    EXPECT_THAT(report.error().message, HasSubstr("only by a program that has the newer one"));
    EXPECT_FALSE(Store::Open(directory_.path(), {}).ok());
    EXPECT_EQ(*files_->Read(kCurrentName), before);
  }
}

// A program that has the memory open while a newer one upgrades it must not go on writing.
TEST_F(UpgradeTest, AWriterOfTheOldUnicodeStops) {
  const auto old = Store::Open(directory_.path(), {.create = true}).take();
  Current current = *ReadCurrent(files_.get());
  current.settings["unicode"] = "99.0.0";
  ++current.generation;
  bool unknown;
  ASSERT_TRUE(ReplaceCurrent(current, files_.get(), &unknown).ok());
  const Statement s{Symbol("a"), Symbol("r"), Symbol("b"), Symbol("s")};
  const auto receipt = old->Apply(test::BatchOf({{{s, false}}}));
  ASSERT_FALSE(receipt.ok());
  EXPECT_EQ(receipt.error().kind, ErrorKind::kUnsupported);
}

TEST_F(UpgradeTest, CancelledLeavesTheMemoryAsItWas) {
  for (const bool changes : {false, true}) {
    std::vector<Statement> statements;
    for (int i = 0; i < 40000; ++i) {
      statements.push_back({Symbol(test::Numbered("s", static_cast<uint64_t>(i))), Symbol("r"),
                            changes ? Raw(kOldCafe) : Symbol("o"), Symbol("s")});
    }
    Make("14.0.0", statements);
    const std::string before = *files_->Read(kCurrentName);
    for (int allowed = 0;; ++allowed) {
      int calls = 0;
      const auto report =
          Upgrade([&](const char*, uint64_t, uint64_t) { return calls++ < allowed; });
      if (report.ok()) {
        EXPECT_GT(allowed, 0);
        break;
      }
      ASSERT_EQ(report.error().kind, ErrorKind::kCancelled);
      ASSERT_EQ(*files_->Read(kCurrentName), before);
    }
    for (Statement& s : statements) s.object = changes ? Symbol(kCafe) : Symbol("o");
    ExpectIs(statements);
  }
}

// What belongs to CURRENT is in each layer: a layer of another memory's settings is found.
TEST_F(UpgradeTest, CheckComparesTheSettingsOfLayers) {
  Make(ProgramUnicode(), {{Symbol("a"), Symbol("r"), Symbol("b"), Symbol("s")},
                          {Symbol("c"), Symbol("r"), Symbol("d"), Symbol("s")}});
  const auto store = Store::Open(directory_.path(), {}).take();
  ASSERT_TRUE(store->Check({}).ok());
  Current current = *ReadCurrent(files_.get());
  current.settings["stemmer"] = "porter";
  ++current.generation;
  bool unknown;
  ASSERT_TRUE(ReplaceCurrent(current, files_.get(), &unknown).ok());
  const Result<void> checked = store->Check({});
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("image-1 is damaged: its settings are not"));
}

// Another Unicode's normal form is not ours to judge.
TEST_F(UpgradeTest, CheckWantsTheUnicodeOfTheProgram) {
  Make("14.0.0", {{Symbol("a"), Symbol("r"), Raw(kOldCafe), Symbol("s")}});
  const auto store = Store::Open(directory_.path(), {.read_only = true}).take();
  const Result<void> checked = store->Check({});
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().kind, ErrorKind::kUnsupported);
}

}  // namespace
}  // namespace loci
