// SPDX-License-Identifier: Apache-2.0
//
// A view over files that the test writes itself, as a writer in another process would: published or
// not, torn, of an older generation, damaged.
#include "store/view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/testing.h"
#include "store/testing.h"

namespace loci {
namespace {

using test::Random;
using test::Word;
using ::testing::HasSubstr;

class ViewTest : public ::testing::Test {
 protected:
  ViewTest() : files_(directory_.files()) {
    current_.generation = 1;
    Replace("log-1");
  }

  std::unique_ptr<View> NewView(bool page = true) {
    std::unique_ptr<SharedPage> mapped;
    if (page) mapped = files_->MapShared(kLockName, FileSystem::Mode::kWrite).take();
    return std::make_unique<View>(files_, std::move(mapped));
  }

  void Replace(const std::string& log) {
    current_.log = log;
    length_ = sequence_ = 0;
    Write(LogHeader(View::LogNumber(log)));
    bool unknown;
    ASSERT_TRUE(ReplaceCurrent(current_, files_.get(), &unknown).ok());
  }
  void Write(std::string_view bytes) {
    auto file = files_->OpenForWriting(current_.log, true).take();
    ASSERT_TRUE(file->WriteAt(length_, bytes).ok());
    length_ += bytes.size();
  }
  // A frame that changes the memory in a new way each time.
  std::string Frame() {
    const Word word = knowledge_.Step(random_);
    return EncodeFrame(test::BatchOf({{word}}), ++sequence_, View::LogNumber(current_.log));
  }
  void Publish() { NewView()->Publish(current_.generation, length_); }

  static uint64_t Statements(View* view) {
    const auto snapshot = view->Read();
    EXPECT_TRUE(snapshot.ok()) << snapshot.error().message;
    return snapshot.ok() ? (*snapshot)->statements() : UINT64_MAX;
  }
  uint64_t known() const { return knowledge_.live().size(); }

  test::TemporaryDirectory directory_;
  const std::shared_ptr<FileSystem> files_;
  Random random_{1};
  test::Knowledge knowledge_;
  Current current_;
  uint64_t length_ = 0, sequence_ = 0;
};

TEST_F(ViewTest, SeesWhatIsPublishedAndNoMore) {
  Publish();
  const auto view = NewView();
  EXPECT_EQ(Statements(view.get()), 0u);
  for (int i = 0; i < 40; ++i) {
    const uint64_t before = known();
    Write(Frame());
    ASSERT_EQ(Statements(view.get()), before);
    Publish();
    ASSERT_EQ(Statements(view.get()), known());
    ASSERT_EQ(Statements(NewView().get()), known());
  }
  // Nothing happened: the very same snapshot.
  EXPECT_EQ(*view->Read(), *view->Read());
}

TEST_F(ViewTest, WithoutAPageWholeFramesCount) {
  const auto view = NewView(false);
  for (int i = 0; i < 10; ++i) {
    Write(Frame());
    ASSERT_EQ(Statements(view.get()), known());
  }
  const std::string torn = Frame();
  const uint64_t before = view->current().generation;
  Write(torn.substr(0, torn.size() / 2));
  EXPECT_NE(Statements(view.get()), known());
  EXPECT_EQ(view->current().generation, before);
}

TEST_F(ViewTest, AWriterCutsOffWhatAKilledOneDidNotPublish) {
  Write(Frame());
  Publish();
  const uint64_t published = length_, published_known = known();
  Write(Frame());  // whole
  Write(Frame().substr(0, 30));
  const auto view = NewView();
  const auto end = view->Adopt();
  ASSERT_TRUE(end.ok()) << end.error().message;
  EXPECT_TRUE(end->excess);
  EXPECT_FALSE(end->unpublished);
  EXPECT_EQ(view->log_end(), published);
  EXPECT_EQ(view->next_sequence(), 2u);
  EXPECT_EQ(Statements(view.get()), published_known);
  ASSERT_TRUE(files_->OpenForWriting(current_.log, false).take()->Truncate(published).ok());
  const auto again = view->Adopt();
  EXPECT_FALSE(again->excess || again->unpublished);
}

TEST_F(ViewTest, AfterAnotherBootWholeFramesCount) {
  Write(Frame());
  Publish();
  files_->MapShared(kLockName, FileSystem::Mode::kWrite).take()->Store(2, 12345);
  Write(Frame());  // synced before the power went, but the page on disk is an older one
  const uint64_t whole = length_, whole_known = known();
  const std::string torn = Frame();
  Write(torn.substr(0, torn.size() - 1));
  EXPECT_EQ(Statements(NewView().get()), whole_known);
  const auto view = NewView();
  const auto end = view->Adopt();
  ASSERT_TRUE(end.ok()) << end.error().message;
  EXPECT_TRUE(end->excess);
  EXPECT_TRUE(end->unpublished);
  EXPECT_EQ(view->log_end(), whole);
  EXPECT_EQ(view->next_sequence(), 3u);
  EXPECT_EQ(Statements(view.get()), whole_known);
}

TEST_F(ViewTest, FollowsCurrentToAnotherLog) {
  Write(Frame());
  Publish();
  const auto view = NewView();
  EXPECT_EQ(Statements(view.get()), known());
  // What the tail held is an image now.
  const auto image = view->tail()[0];
  {
    auto file = files_->OpenForWriting("image-2", true).take();
    ASSERT_TRUE(file->WriteAt(0, AsChars(image->bytes())).ok());
  }
  current_.generation = 2;
  current_.image = "image-2";
  Replace("log-2");
  Publish();
  ASSERT_TRUE(files_->Remove("log-1").ok());
  Write(Frame());
  Publish();
  EXPECT_EQ(Statements(view.get()), known());
  EXPECT_EQ(view->current().log, "log-2");
  ASSERT_EQ(view->base().size(), 1u);
  // The next generation keeps the layer that is mapped already.
  const auto mapped = view->base()[0];
  current_.generation = 3;
  Replace("log-3");
  Publish();
  Statements(view.get());
  EXPECT_EQ(view->base()[0], mapped);
}

TEST_F(ViewTest, NamesWhatIsMissing) {
  current_.generation = 2;
  current_.image = "image-2";
  Replace("log-2");
  Publish();
  auto read = NewView()->Read();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::kDamaged);
  EXPECT_THAT(read.error().message, HasSubstr("CURRENT names image-2, which is missing"));
  current_.generation = 3;
  current_.image.clear();
  Replace("log-3");
  ASSERT_TRUE(files_->Remove("log-3").ok());
  Publish();
  read = NewView()->Read();
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("its log log-3 is missing"));
}

TEST_F(ViewTest, AnAcknowledgedFrameThatDoesNotHoldIsDamage) {
  Write(Frame());
  const uint64_t second = length_;
  Write(Frame());
  Publish();
  auto file = files_->OpenForWriting("log-1", false).take();
  ASSERT_TRUE(file->WriteAt(length_ - 1, "\x55").ok());
  const auto read = NewView()->Read();
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::kDamaged);
  EXPECT_THAT(read.error().message, HasSubstr("frame 2 at byte " + std::to_string(second)));
  // Without the page only a whole frame after it would tell.
  EXPECT_TRUE(NewView(false)->Read().ok());
  ASSERT_TRUE(file->WriteAt(second - 1, "\x55").ok());
  ASSERT_TRUE(file->WriteAt(length_, Frame()).ok());
  EXPECT_FALSE(NewView(false)->Read().ok());
}

// Layers of the tail: each at least four times the one above it, so that there are few.
TEST_F(ViewTest, TheTailStaysAFewLayers) {
  const auto view = NewView();
  for (int i = 0; i < 600; ++i) {
    Write(Frame());
    Publish();
    ASSERT_EQ(Statements(view.get()), known());
    const auto& tail = view->tail();
    for (size_t k = 1; k < tail.size(); ++k) {
      ASSERT_GE(tail[k - 1]->facts(), 4 * tail[k]->facts());
    }
    ASSERT_LE(tail.size(), 6u);
  }
  // Words are what is counted, not what is left of them.
  EXPECT_EQ(view->tail_statements(), 600u);
}

TEST_F(ViewTest, AHalfStoredPageIsIgnored) {
  Write(Frame());
  Publish();
  const auto page = files_->MapShared(kLockName, FileSystem::Mode::kWrite).take();
  page->Store(0, 12345);  // its complement does not match
  EXPECT_EQ(Statements(NewView().get()), known());
  page->Store(1, ~uint64_t{12345});  // matches, of no generation that is
  EXPECT_EQ(Statements(NewView().get()), known());
}

TEST(ViewStaticTest, LogNumbers) {
  EXPECT_EQ(View::LogNumber("log-17"), 17u);
  EXPECT_EQ(View::LogNumber("log-18446744073709551615"), UINT64_MAX);
}

}  // namespace
}  // namespace loci
