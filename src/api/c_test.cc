// SPDX-License-Identifier: Apache-2.0
//
// The C API: each function once as it should be called and once as it should not.
#include "loci/c.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <memory>

#include "store/testing.h"

namespace loci {
namespace {

using ::testing::HasSubstr;

loci_string Str(const char* s) {
  return {s, std::strlen(s)};
}
loci_value Symbol(const char* s) {
  return {LOCI_SYMBOL, Str(s), {}, {}};
}
std::string ToString(loci_string s) {
  return {s.data, s.size};
}

// An error that must be there, as its message.
std::string Take(loci_error* error) {
  const std::string message = loci_error_message(error);
  loci_error_free(error);
  return message;
}

class CTest : public ::testing::Test {
 protected:
  CTest() {
    loci_error* error = nullptr;
    EXPECT_EQ(loci_open((directory_.path() + "/memory").c_str(), LOCI_CREATE, &memory_, &error),
              LOCI_OK);
    const loci_statement statements[] = {
        {Str("paris"), Str("capital_of"), Symbol("france"), Str("atlas")},
        {Str("paris"), Str("people"), {LOCI_NUMBER, Str("2102650"), {}, {}}, {}},
        {Str("paris"), Str("motto"), {LOCI_TEXT, Str("Fluctuat"), Str("la"), {}}, Str("atlas")}};
    loci_receipt receipt;
    EXPECT_EQ(loci_learn(memory_, statements, 3, &receipt, &error), LOCI_OK);
    EXPECT_EQ(receipt.learned, 3u);
    EXPECT_EQ(std::strlen(receipt.digest), 64u);
  }
  ~CTest() override { loci_memory_free(memory_); }

  loci_code Ask(const char* text, const loci_parameter* parameters, size_t count,
                const loci_ask_options* options, loci_answers** answers, loci_error** error) {
    loci_query* query = nullptr;
    if (const loci_code code = loci_prepare(text, &query, error); code != LOCI_OK) return code;
    const loci_code code = loci_ask(memory_, query, parameters, count, options, answers, error);
    loci_query_free(query);
    return code;
  }

  test::TemporaryDirectory directory_;
  loci_memory* memory_ = nullptr;
};

TEST_F(CTest, AnswersWithEvidence) {
  loci_ask_options options = {};
  options.evidence = 1;
  const loci_parameter parameter = {"s", Symbol("paris")};
  loci_answers* answers = nullptr;
  ASSERT_EQ(Ask("?r(?s, ?o)", &parameter, 1, &options, &answers, nullptr), LOCI_OK);
  ASSERT_EQ(loci_answers_rows(answers), 3u);
  ASSERT_EQ(loci_answers_variables(answers), 3u);
  EXPECT_EQ(ToString(loci_answers_variable(answers, 2)), "o");
  const loci_value number = loci_answers_value(answers, 2, 2);
  EXPECT_EQ(number.kind, LOCI_NUMBER);
  EXPECT_EQ(ToString(number.text), "2102650");
  const loci_value text = loci_answers_value(answers, 1, 2);
  EXPECT_EQ(ToString(text.language), "la");
  EXPECT_EQ(text.text.data[text.text.size], '\0');
  EXPECT_EQ(loci_answers_score(answers, 0), 1);
  ASSERT_EQ(loci_answers_evidence(answers, 2), 1u);
  ASSERT_EQ(loci_answers_sources(answers, 2, 0), 1u);
  const loci_statement statement = loci_answers_statement(answers, 2, 0, 0);
  EXPECT_EQ(ToString(statement.relation), "people");
  EXPECT_EQ(ToString(statement.source), "api");

  EXPECT_EQ(loci_answers_value(answers, 3, 0).text.size, 0u);
  EXPECT_EQ(loci_answers_variable(answers, 3).size, 0u);
  EXPECT_EQ(loci_answers_score(answers, 3), 0);
  EXPECT_EQ(loci_answers_evidence(answers, 3), 0u);
  EXPECT_EQ(loci_answers_sources(answers, 0, 1), 0u);
  EXPECT_EQ(loci_answers_statement(answers, 0, 0, 9).subject.size, 0u);
  loci_answers_free(answers);
}

TEST_F(CTest, TellsWhy) {
  loci_receipt receipt;
  ASSERT_EQ(loci_learn_rules(memory_, "rules(?y, ?x) <- capital_of(?x, ?y) conf 0.5;", "me",
                             &receipt, nullptr),
            LOCI_OK);
  EXPECT_EQ(receipt.learned, 1u);
  loci_error* error = nullptr;
  EXPECT_EQ(loci_learn_rules(memory_, "rules(?y", nullptr, nullptr, &error), LOCI_USAGE);
  EXPECT_THAT(Take(error), HasSubstr("line 1"));
  loci_ask_options options = {};
  options.why = 1;
  loci_answers* answers = nullptr;
  ASSERT_EQ(Ask("rules(france, ?x)", nullptr, 0, &options, &answers, nullptr), LOCI_OK);
  ASSERT_EQ(loci_answers_steps(answers, 0), 3u);
  const loci_step derived = loci_answers_step(answers, 0, 0);
  EXPECT_EQ(derived.kind, LOCI_STEP_DERIVED);
  EXPECT_EQ(derived.score, 0.5);
  const loci_step statement = loci_answers_step(answers, 0, 2);
  EXPECT_EQ(statement.kind, LOCI_STEP_STATEMENT);
  EXPECT_EQ(statement.level, 1u);
  EXPECT_EQ(ToString(statement.clause), "capital_of(paris, france)");
  ASSERT_EQ(statement.sources, 1u);
  EXPECT_EQ(ToString(loci_answers_step_source(answers, 0, 2, 0)), "atlas");
  EXPECT_EQ(loci_answers_step_source(answers, 0, 2, 1).size, 0u);
  EXPECT_EQ(loci_answers_step(answers, 0, 3).kind, LOCI_STEP_MORE);
  EXPECT_EQ(loci_answers_steps(answers, 1), 0u);
  loci_answers_free(answers);
}

TEST_F(CTest, Recalls) {
  loci_value text = {LOCI_TEXT, Str("the old boat was sold"), {}, {}};
  const loci_statement statement = {Str("log#1"), Str("text"), text, Str("chat")};
  ASSERT_EQ(loci_learn(memory_, &statement, 1, nullptr, nullptr), LOCI_OK);
  loci_recollection* recollection = nullptr;
  ASSERT_EQ(loci_recall(memory_, Str("old boats"), nullptr, &recollection, nullptr), LOCI_OK);
  EXPECT_EQ(loci_recollection_found(recollection), 1u);
  ASSERT_EQ(loci_recollection_size(recollection), 1u);
  const loci_recalled one = loci_recollection_memory(recollection, 0);
  EXPECT_EQ(ToString(one.name), "log#1");
  EXPECT_EQ(ToString(one.text), "the old boat was sold");
  EXPECT_GT(one.score, 0);
  ASSERT_EQ(one.spans, 2u);
  size_t begin = 0, end = 0;
  loci_recollection_span(recollection, 0, 1, &begin, &end);
  EXPECT_EQ(ToString(one.text).substr(begin, end - begin), "boat");
  ASSERT_EQ(one.words, 2u);
  double weight = 0;
  EXPECT_GT(loci_recollection_word(recollection, 0, 0, &weight).size, 0u);
  EXPECT_GT(weight, 0);
  ASSERT_EQ(one.sources, 1u);
  EXPECT_EQ(ToString(loci_recollection_source(recollection, 0, 0)), "chat");
  EXPECT_EQ(loci_recollection_memory(recollection, 1).text.size, 0u);
  EXPECT_EQ(loci_recollection_link(recollection, 1, 0).size, 0u);
  loci_recollection_free(recollection);

  loci_recall_options options = {};
  options.unlike = Str("sold");
  ASSERT_EQ(loci_recall(memory_, Str("old boats"), &options, &recollection, nullptr), LOCI_OK);
  EXPECT_EQ(loci_recollection_size(recollection), 0u);
  loci_recollection_free(recollection);
  loci_error* error = nullptr;
  options.where = Str("r(?x");
  EXPECT_EQ(loci_recall(memory_, Str("x"), &options, &recollection, &error), LOCI_USAGE);
  EXPECT_THAT(Take(error), HasSubstr("column 5"));
}

TEST_F(CTest, ErrorsHaveCodeAndMessage) {
  loci_error* error = nullptr;
  loci_memory* none = nullptr;
  EXPECT_EQ(loci_open("/proc/none", 0, &none, &error), LOCI_NOT_FOUND);
  EXPECT_EQ(loci_error_code(error), LOCI_NOT_FOUND);
  EXPECT_THAT(Take(error), HasSubstr("/proc/none"));
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(loci_open("x", LOCI_CREATE | LOCI_READ_ONLY, &none, nullptr), LOCI_USAGE);

  loci_answers* answers = nullptr;
  EXPECT_EQ(Ask("capital_of(?x", nullptr, 0, nullptr, &answers, &error), LOCI_USAGE);
  EXPECT_THAT(Take(error), HasSubstr("column "));
  loci_ask_options options = {};
  options.max_work = 1;
  EXPECT_EQ(Ask("?r(?x, ?y)", nullptr, 0, &options, &answers, nullptr), LOCI_LIMIT);
  const loci_statement bad = {Str(""), Str("r"), Symbol("o"), {}};
  EXPECT_EQ(loci_learn(memory_, &bad, 1, nullptr, &error), LOCI_BAD_INPUT);
  EXPECT_THAT(Take(error), HasSubstr("subject"));
  EXPECT_EQ(loci_forget(memory_, 7, Str("x"), 0, nullptr, nullptr, nullptr), LOCI_USAGE);
  EXPECT_EQ(loci_error_code(nullptr), LOCI_OK);
  loci_error_free(nullptr);
}

TEST_F(CTest, ForgetsLearnsFilesAndStops) {
  loci_receipt receipt;
  ASSERT_EQ(
      loci_forget(memory_, LOCI_SOURCE, Str("atlas"), LOCI_DRY_RUN, nullptr, &receipt, nullptr),
      LOCI_OK);
  EXPECT_EQ(receipt.forgotten, 2u);
  loci_digest before, after;
  ASSERT_EQ(loci_memory_digest(memory_, before, nullptr), LOCI_OK);
  loci_memory* frozen = nullptr;
  ASSERT_EQ(loci_freeze(memory_, &frozen, nullptr), LOCI_OK);
  ASSERT_EQ(loci_forget(memory_, LOCI_SUBJECT, Str("paris"), 0, nullptr, &receipt, nullptr),
            LOCI_OK);
  EXPECT_EQ(receipt.forgotten, 3u);
  EXPECT_EQ(receipt.facts_gone, 3u);
  ASSERT_EQ(loci_memory_digest(memory_, after, nullptr), LOCI_OK);
  EXPECT_STREQ(receipt.digest, after);
  EXPECT_STRNE(before, after);
  ASSERT_EQ(loci_memory_digest(frozen, after, nullptr), LOCI_OK);
  EXPECT_STREQ(before, after);
  loci_memory_free(frozen);

  const std::string file = directory_.path() + "/facts";
  std::ofstream(file) << "a\tr\tb\nbad\n";
  EXPECT_EQ(loci_learn_file(memory_, file.c_str(), "tsv", "me", 0, 0, nullptr, nullptr, nullptr),
            LOCI_BAD_INPUT);
  ASSERT_EQ(loci_learn_file(memory_, file.c_str(), "tsv", "me", LOCI_SKIP_BAD, 0, nullptr, &receipt,
                            nullptr),
            LOCI_OK);
  EXPECT_EQ(receipt.learned, 1u);
  EXPECT_EQ(receipt.skipped, 1u);

  loci_cancellation* stop = loci_cancellation_new();
  ASSERT_NE(stop, nullptr);
  ASSERT_EQ(loci_consolidate(memory_, stop, nullptr), LOCI_OK);
  ASSERT_EQ(loci_check(memory_, stop, nullptr), LOCI_OK);
  loci_cancel(stop);
  EXPECT_EQ(loci_learn_file(memory_, file.c_str(), "tsv", nullptr, LOCI_SKIP_BAD, 0, stop, nullptr,
                            nullptr),
            LOCI_CANCELLED);
  loci_cancellation_free(stop);
  EXPECT_THAT(loci_version(), ::testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

}  // namespace
}  // namespace loci
