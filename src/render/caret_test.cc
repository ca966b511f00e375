// SPDX-License-Identifier: Apache-2.0
#include "render/caret.h"

#include <string>

#include <gtest/gtest.h>

namespace loci {
namespace {

std::string Pointed(std::string_view message, std::string_view text) {
  return WithCaret({ErrorKind::kUsage, std::string(message)}, text).message;
}

TEST(Caret, PointsAtTheColumn) {
  EXPECT_EQ(Pointed("column 1: no", "abc"), "column 1: no\n  abc\n  ^");
  EXPECT_EQ(Pointed("column 4: no", "abc"), "column 4: no\n  abc\n     ^");
}

TEST(Caret, CountsCharactersAndShowsTheirWidth) {
  // Two wide characters, then a combining accent, then the fault.
  EXPECT_EQ(Pointed("column 5: no", "\u6771\u4eace\u0301x"),
            "column 5: no\n  \u6771\u4eace\u0301x\n       ^");
  EXPECT_EQ(Pointed("column 3: no", "a\nb\x1b"), "column 3: no\n  a b \n    ^");
}

TEST(Caret, CutsLongTexts) {
  const std::string text = std::string(100, 'a') + "!" + std::string(100, 'b');
  EXPECT_EQ(Pointed("column 101: no", text), "column 101: no\n  ..." + std::string(50, 'a') + "!" +
                                                 std::string(19, 'b') + "...\n" +
                                                 std::string(55, ' ') + "^");
}

TEST(Caret, LeavesOtherErrorsAlone) {
  for (const char* message : {"no", "column x: no", "column 9: no", "column 0: no"}) {
    EXPECT_EQ(Pointed(message, "abc"), message);
  }
  EXPECT_EQ(Pointed("column 1: no", "\xff"), "column 1: no");
  EXPECT_EQ(Pointed("column 1: no", ""), "column 1: no");
}

}  // namespace
}  // namespace loci
