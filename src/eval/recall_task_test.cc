// SPDX-License-Identifier: Apache-2.0
#include "eval/recall_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/testing.h"

namespace loci::eval {
namespace {

using ::testing::ElementsAre;

Term Text(std::string_view text) {
  return *MakeText(text);
}
Term Symbol(std::string_view name) {
  return *MakeSymbol(name);
}

std::shared_ptr<const Snapshot> Memory() {
  Batch batch;
  const auto add = [&](std::string_view subject, std::string_view relation, const Term& object) {
    batch.Add({Symbol(subject), Symbol(relation), object, Symbol("s")}, false);
  };
  add("d1", "text", Text("The pot was glazed in a kiln."));
  add("d2", "text", Text("A kiln is an oven."));
  add("d2", "title", Text("Kiln"));
  add("q1", "text", Text("kiln kiln kiln"));
  add("d1", "speaker", Symbol("Kiln"));  // a symbol that no judgement names
  add("Kiln", "in", Symbol("pottery"));
  auto image = BuildImage(batch, Words::kLastCounts, "");
  return std::make_shared<Snapshot>(std::vector<std::shared_ptr<const Image>>{image.take()});
}

TEST(RecallTask, RanksDocumentsButNotTheQueryItself) {
  Task task;
  task.queries = {{"q1", "kiln", ""}, {"q2", "unheard of", ""}};
  task.judgements = {{"q1", {{"d2", 1}}}, {"q2", {{"d1", 1}}}};
  AskOptions options;
  std::vector<uint64_t> told;
  options.progress = [&](uint64_t done, uint64_t total) {
    told.push_back(done);
    return total == 2;
  };
  const auto snapshot = Memory();
  const auto asked = AskAll(snapshot, task, options);
  ASSERT_TRUE(asked.ok()) << asked.error().message;
  std::vector<std::string> documents;
  for (const Hit& hit : asked->run.at("q1")) documents.push_back(hit.document);
  EXPECT_THAT(documents, ::testing::UnorderedElementsAre("d1", "d2"));
  EXPECT_TRUE(asked->run.at("q2").empty());
  EXPECT_EQ(asked->milliseconds.size(), 2u);
  EXPECT_THAT(told, ElementsAre(0, 1));
  EXPECT_EQ(CountDocuments(*snapshot), 3u);

  options.depth = 1;
  EXPECT_EQ(AskAll(snapshot, task, options)->run.at("q1").size(), 1u);
  options.progress = [](uint64_t, uint64_t) { return false; };
  EXPECT_EQ(AskAll(snapshot, task, options).error().kind, ErrorKind::kCancelled);
}

TEST(RecallTask, WhatARunLacksCountsAsNothingFound) {
  Task task;
  task.queries = {{"q1", "", ""}, {"q2", "", ""}};
  task.judgements = {{"q1", {{"d", 1}}}, {"q2", {{"d", 1}}}};
  const eval::Run run = {{"q2", {{"q2", 3}, {"d", 2}}}, {"q9", {{"d", 1}}}};
  const auto figures = ScoreRun(task, run);
  ASSERT_EQ(figures.size(), 2u);
  for (size_t i = 0; i < kMeasures.size(); ++i) {
    EXPECT_EQ(figures[0][i], 0) << kMeasures[i].name;
    EXPECT_EQ(figures[1][i], 1) << kMeasures[i].name;  // the query's own id does not count
  }
}

}  // namespace
}  // namespace loci::eval
