// SPDX-License-Identifier: Apache-2.0
#include "store/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/testing.h"
#include "store/current.h"
#include "store/store.h"
#include "store/testing.h"

namespace loci {
namespace {

using ::testing::HasSubstr;

TEST(Settings, TheTableIsSortedAndItsFallbacksAreValues) {
  std::string_view last;
  for (const SettingInfo& info : KnownSettings()) {
    EXPECT_LT(last, info.key);
    last = info.key;
    EXPECT_EQ(FindSetting(info.key), &info);
    EXPECT_FALSE(info.meaning.empty());
    if (!info.read_only) {
      const auto checked = CheckSetting(info, info.fallback);
      ASSERT_TRUE(checked.ok()) << checked.error().message;
      EXPECT_EQ(*checked, info.fallback);
    }
  }
  EXPECT_EQ(FindSetting("slow_query"), nullptr);
}

TEST(Settings, ACountIsDigits) {
  const SettingInfo& slow = *FindSetting(kSlowQuerySetting);
  EXPECT_EQ(*CheckSetting(slow, "007"), "7");
  EXPECT_EQ(*CheckSetting(slow, "0"), "0");
  for (const char* bad : {"", "-1", "1.5", "ten", "1 ", " 1", "9007199254740993"}) {
    const auto checked = CheckSetting(slow, bad);
    ASSERT_FALSE(checked.ok()) << bad;
    EXPECT_THAT(checked.error().message, HasSubstr("slow_query_ms takes a whole number"));
  }
}

TEST(Settings, ThoseThatUpgradeChangesAreNotForUsers) {
  const auto checked = CheckSetting(*FindSetting(kUnicodeSetting), "15.0.0");
  ASSERT_FALSE(checked.ok());
  EXPECT_THAT(checked.error().message, HasSubstr("unicode cannot be set"));
}

TEST(Settings, FallbacksFillWhatIsNotGiven) {
  EXPECT_EQ(EffectiveSettings({{"unicode", "9.0.0"}}),
            (Settings{{"slow_query_ms", "100"}, {"stemmer", "english"}, {"unicode", "9.0.0"}}));
  EXPECT_EQ(EffectiveSettings({{"slow_query_ms", "5"}}),
            (Settings{{"slow_query_ms", "5"}, {"stemmer", "english"}}));
  EXPECT_EQ(CountSetting({}, kSlowQuerySetting), 100u);
  EXPECT_EQ(CountSetting({{"slow_query_ms", "5"}}, kSlowQuerySetting), 5u);
}

// What takes effect at once must not be in an image, whose bytes are those of its statements.
TEST(Settings, OnlyWhatShapesImagesIsInThem) {
  Current current;
  current.settings = {{"slow_query_ms", "5"}, {"stemmer", "porter"}, {"unicode", "15.0.0"}};
  EXPECT_EQ(current.ImageSettings(), "stemmer porter\nunicode 15.0.0\n");
}

// A change goes through CURRENT: another store sees it, a second one to the same value writes
// nothing, and the fallback leaves no trace.
TEST(Settings, AreSetForAll) {
  test::TemporaryDirectory directory;
  const auto store = Store::Open(directory.path(), {.create = true}).take();
  const auto other = Store::Open(directory.path(), {.read_only = true}).take();
  const std::string before = FormatCurrent(*ReadCurrent(directory.files().get()));
  ASSERT_TRUE(store->Configure("slow_query_ms", "0100").ok());
  EXPECT_EQ(FormatCurrent(*ReadCurrent(directory.files().get())), before);
  for (const char* value : {"20", "30", "30"}) {
    ASSERT_TRUE(store->Configure("slow_query_ms", value).ok());
    EXPECT_EQ(other->Stats()->settings.at("slow_query_ms"), value);
  }
  EXPECT_EQ(store->Stats()->generation, 3u);
  test::Random random(1);
  test::Knowledge knowledge;
  ASSERT_TRUE(store->Apply(test::BatchOf(knowledge.Steps(random, 20))).ok());
  ASSERT_TRUE(store->Configure("slow_query_ms", "40").ok());
  ASSERT_TRUE(store->Consolidate({}).ok());
  ASSERT_TRUE(store->Check({}).ok());
  EXPECT_EQ((*other->Read())->statements(), knowledge.live().size());
  EXPECT_EQ(other->Stats()->settings.at("slow_query_ms"), "40");
  ASSERT_TRUE(store->Configure("slow_query_ms", "100").ok());
  EXPECT_EQ(ReadCurrent(directory.files().get())->settings.size(), 1u);

  for (const auto& [key, value] : {std::pair("slow_query", "1"), std::pair("unicode", "15.0.0"),
                                   std::pair("slow_query_ms", "x")}) {
    const Result<void> refused = store->Configure(key, value);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  }
  EXPECT_FALSE(other->Configure("slow_query_ms", "1").ok()) << "opened for reading only";
}

// To set what shapes images is to write these anew: the bytes are those of a memory that had the
// setting from the first, for all who have it open; cancelled, nothing has happened.
TEST(Settings, ALanguageIndexesAllTextsAnew) {
  test::TemporaryDirectory directory;
  const auto store = Store::Open(directory.path(), {.create = true}).take();
  const auto other = Store::Open(directory.path(), {}).take();
  ASSERT_TRUE(store->Configure("stemmer", "french").ok()) << "of an empty memory";
  EXPECT_EQ(store->Stats()->layers.size(), 0u);
  ASSERT_TRUE(store->Configure("stemmer", "english").ok());
  EXPECT_EQ(ReadCurrent(directory.files().get())->settings.size(), 1u);

  test::Said said;
  const auto learn = [&](const std::string& text) {
    const test::Statement s{test::Symbol("doc"), test::Symbol("text"), test::Made(MakeText(text)),
                            test::Symbol("s")};
    said[s] = false;
    ASSERT_TRUE(store->Apply(test::BatchOf({{{s, false}}})).ok());
  };
  learn("Die H\u00e4user und Katzen");
  ASSERT_TRUE(store->Consolidate({}).ok());
  learn("Zwei Katzen schlafen");  // in the tail
  const auto indexed = [](Store& by, const char* word) {
    const auto snapshot = by.Read().take();
    for (const auto& layer : snapshot->layers()) {
      if (layer->text().Find(word)) return true;
    }
    return false;
  };
  EXPECT_FALSE(indexed(*store, "katz"));
  const auto cancel = [](const char*, uint64_t, uint64_t) { return false; };
  const std::string before = FormatCurrent(*ReadCurrent(directory.files().get()));
  const Result<void> cancelled = store->Configure("stemmer", "german", cancel);
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(FormatCurrent(*ReadCurrent(directory.files().get())), before);

  ASSERT_TRUE(store->Configure("stemmer", "german").ok());
  EXPECT_EQ(other->Stats()->settings.at("stemmer"), "german");
  EXPECT_TRUE(indexed(*other, "katz"));
  EXPECT_FALSE(indexed(*other, "katzen"));
  learn("Noch mehr Katzen");  // by the new setting
  ASSERT_TRUE(store->Consolidate({}).ok());
  const Result<void> checked = other->Check({});
  ASSERT_TRUE(checked.ok()) << checked.error().message;
  const auto image = *directory.files()->Read(other->Stats()->layers[0].name);
  const auto unicode = other->Stats()->settings.at("unicode");
  EXPECT_TRUE(image == test::WriteSlowly(said, "stemmer german\nunicode " + unicode + "\n"));

  ASSERT_TRUE(store->Configure("stemmer", "english").ok());
  EXPECT_TRUE(*directory.files()->Read(other->Stats()->layers[0].name) ==
              test::WriteSlowly(said, "unicode " + unicode + "\n"))
      << "the fallback leaves no trace";
  const Result<void> unknown = store->Configure("stemmer", "klingon");
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(unknown.error().message,
              HasSubstr("there is no stemmer 'klingon'; there are arabic"));
}

}  // namespace
}  // namespace loci
