// SPDX-License-Identifier: Apache-2.0
#include "render/memories.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "memory/build.h"

namespace loci {
namespace {

std::shared_ptr<const Snapshot> Passages() {
  Batch batch;
  const auto symbol = [&batch](const std::string& name) {
    return batch.Intern({Kind::kSymbol, name});
  };
  const auto add = [&](const std::string& name, const std::string& text) {
    batch.Add(Batch::Row{symbol(name), symbol("text"), batch.Intern({Kind::kText, text}),
                         symbol("a source")},
              false);
  };
  std::string longer;
  for (int i = 0; i < 300; ++i) longer += "d\xC3\xA9j\xC3\xA0 \"vu\"\n";
  add("p#1", "a vessel of clay");
  add("p#2", longer + "vessel " + longer);
  add("p#3", "vessel\x1b[31m and\tmore");
  add("p#4", longer + longer + " the last vessel");
  auto image = BuildImage(batch, Words::kLastCounts, "");
  EXPECT_TRUE(image.ok());
  return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{*image});
}

// However many bytes are allowed, no more come; more of them show no fewer memories; and JSON stays
// JSON.
TEST(MemoriesTest, NeverTakeMoreThanTheirBytes) {
  const auto snapshot = Passages();
  query::RecollectOptions options;
  options.evidence = true;
  const auto found = query::Recollect(snapshot, "vessel", options);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->memories.size(), 4u);
  for (const MemoryForm form : {MemoryForm::kText, MemoryForm::kJson, MemoryForm::kJsonl}) {
    for (const bool why : {false, true}) {
      MemoryStyle style;
      style.form = form;
      style.why = style.bold = why;
      size_t before = 0;
      for (uint64_t most = 0; most < 9000; most += most < 1000 ? 7 : 101) {
        style.max_bytes = most;
        const RenderedMemories out = RenderMemories(*found, style);
        ASSERT_LE(out.text.size(), most);
        ASSERT_FALSE(FindInvalidUtf8(out.text));
        ASSERT_GE(out.shown + 1, before) << most;
        before = out.shown;
        if (form != MemoryForm::kJson || out.text.empty()) continue;
        const auto json = nlohmann::json::parse(out.text, nullptr, false);
        ASSERT_FALSE(json.is_discarded()) << out.text;
        ASSERT_EQ(json["memories"].size(), out.shown);
        for (const auto& memory : json["memories"]) {
          const std::string text = memory["text"];
          for (const auto& span : memory["spans"]) {
            EXPECT_EQ(text.substr(span[0], span[1].get<size_t>() - span[0].get<size_t>()),
                      "vessel");
          }
        }
      }
      EXPECT_EQ(before, 4u);
    }
  }
}

TEST(MemoriesTest, ShowsWordsInBoldAndNothingThatATerminalObeys) {
  const auto snapshot = Passages();
  query::RecollectOptions options;
  options.where = "text(?x, ?t), ?x = <p#3>";
  const auto found = query::Recollect(snapshot, "vessel", options);
  ASSERT_TRUE(found.ok()) << found.error().message;
  MemoryStyle style;
  style.why = style.bold = true;
  const std::string bold = RenderMemories(*found, style).text;
  EXPECT_NE(bold.find("\x1b[1mvessel\x1b[0m [31m and more\n"), std::string::npos) << bold;
  style.bold = false;
  EXPECT_EQ(RenderMemories(*found, style).text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace loci
