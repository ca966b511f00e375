// SPDX-License-Identifier: Apache-2.0
//
// The loader against Batch::Add, statement by statement: the same rows of the same names, whatever
// repeats and wherever a window ends.
#include "memory/batch_loader.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace loci {
namespace {

std::vector<std::vector<std::string>> Rows(const Batch& batch) {
  std::vector<std::vector<std::string>> rows;
  for (const Batch::Row& row : batch.rows()) {
    auto& out = rows.emplace_back();
    for (Batch::Ref ref : {row.subject, row.relation, row.object, row.source}) {
      const TermView term = batch.Name(ref);
      out.push_back(std::to_string(static_cast<int>(term.kind)) + std::string(term.bytes));
    }
  }
  return rows;
}

TEST(BatchLoader, EqualsAddingOneByOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    Batch fast, slow;
    BatchLoader loader(&fast);
    const size_t count = random() % 200;
    const auto names = 1 + random() % 50;
    for (size_t i = 0; i < count; ++i) {
      std::string name[4];
      for (std::string& n : name) n = "n" + std::to_string(random() % names);
      if (random() % 50 == 0) name[2].assign(2 << 20, 'x');  // longer than a window's bytes
      const StatementView s{{Kind::kSymbol, name[0]},
                            {Kind::kSymbol, name[1]},
                            {random() % 2 ? Kind::kText : Kind::kSymbol, name[2]},
                            {Kind::kSymbol, name[3]}};
      loader.Learn(s);
      slow.Add(s, false);
    }
    loader.Flush();
    ASSERT_EQ(Rows(fast), Rows(slow));
    ASSERT_EQ(fast.terms(), slow.terms());
  }
}

}  // namespace
}  // namespace loci
