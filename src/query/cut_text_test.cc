// SPDX-License-Identifier: Apache-2.0
#include "query/cut_text.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/unicode.h"

namespace loci::query {
namespace {

std::vector<recall::Span> SpansOf(std::string_view text, std::string_view word) {
  std::vector<recall::Span> spans;
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    spans.push_back({at, at + word.size()});
  }
  return spans;
}

std::string Cut(std::string_view text, std::string_view word, size_t most) {
  const recall::Span cut = CutText(text, SpansOf(text, word), most);
  return std::string(text.substr(cut.begin, cut.end - cut.begin));
}

TEST(CutTextTest, ShowsTheWordsAndALittleBefore) {
  EXPECT_EQ(Cut("all of it", "it", 9), "all of it");
  EXPECT_EQ(Cut("all of it", "it", 8), "it");
  EXPECT_EQ(Cut("one two three four five six", "one", 10), "one two");
  EXPECT_EQ(Cut("one two three four five six", "five", 15), "five six");
  EXPECT_EQ(Cut("one two three four five six", "none", 15), "one two three");
  EXPECT_EQ(Cut("one two three four five six", "three", 25), "one two three four five");
  EXPECT_EQ(Cut("abcdefghijklmnop", "x", 5), "abcde");
  EXPECT_EQ(Cut("\xC3\xA9\xC3\xA9\xC3\xA9", "x", 3), "\xC3\xA9");
  EXPECT_EQ(Cut("one two", "x", 0), "");
}

// Against every window there is: none has more different words than the one chosen by much of its
// room; and what is cut is whole words, valid UTF-8, and never too long.
TEST(CutTextTest, IsNoWorseThanAnyPart) {
  std::mt19937 random(1);
  const std::vector<std::string> words = {"a", "bc", "d\xC3\xA9j\xC3\xA0", "long", "longer", "\n"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t i = 1 + random() % 40; i > 0; --i) text += words[random() % words.size()] + " ";
    std::vector<recall::Span> spans;
    for (size_t at = 0; at < text.size(); ++at) {
      const bool begins = at == 0 || text[at - 1] == ' ';
      if (!begins || text[at] == '\n' || random() % 3 != 0) continue;
      spans.push_back({at, text.find(' ', at)});
    }
    const size_t most = 8 + random() % 60;
    const recall::Span cut = CutText(text, spans, most);
    ASSERT_LE(cut.end - cut.begin, most);
    ASSERT_LE(cut.end, text.size());
    ASSERT_FALSE(FindInvalidUtf8(std::string_view(text).substr(cut.begin, cut.end - cut.begin)));
    const auto count = [&](size_t begin, size_t end) {
      std::set<std::string> different;
      for (const recall::Span& span : spans) {
        if (span.begin >= begin && span.end <= end) {
          different.insert(text.substr(span.begin, span.end - span.begin));
        }
      }
      return different.size();
    };
    // What stands before the first word, and the word cut off at the end, take room.
    size_t best = 0;
    for (const recall::Span& span : spans) {
      best = std::max(best, count(span.begin, span.begin + most - most / 5));
    }
    ASSERT_GE(count(cut.begin, cut.end), best) << text << " in " << most;
  }
}

}  // namespace
}  // namespace loci::query
