// SPDX-License-Identifier: Apache-2.0
#include "render/table.h"

#include <gtest/gtest.h>

namespace loci {
namespace {

TEST(Table, AlignsColumnsOfAnyScript) {
  EXPECT_EQ(
      AlignedTable({{"?x", "?y"}, {"caf\u00e9", "1"}, {"\u6771\u4eac", "22"}, {"e\u0301", "3"}}),
      "?x    ?y\ncaf\u00e9  1\n\u6771\u4eac  22\ne\u0301     3\n");
}

TEST(Table, LeavesNoSpacesAtTheEndOfALine) {
  EXPECT_EQ(AlignedTable({{"long name", "x"}, {"a", ""}, {"b", "y"}}),
            "long name  x\na\nb          y\n");
  EXPECT_EQ(AlignedTable({}), "");
}

TEST(Table, SeparatesByTabs) {
  std::string out;
  AppendTsv({"?x", "?y"}, &out);
  AppendTsv({"", "b"}, &out);
  EXPECT_EQ(out, "?x\t?y\n\tb\n");
}

}  // namespace
}  // namespace loci
