// SPDX-License-Identifier: Apache-2.0
//
// What a command line does to streams and exit code, without a memory.
#include "command/run.h"

#include <atomic>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "command/progress.h"
#include "command/verb.h"

namespace loci {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Outcome {
  ExitCode code;
  std::string out, err;
};

Outcome RunWords(const std::vector<std::string>& words) {
  std::ostringstream out, err;
  Io io;
  io.out = &out;
  io.err = &err;
  const ExitCode code = RunCommand(words, &io);
  return {code, out.str(), err.str()};
}

TEST(Run, HelpIsDataOnStdout) {
  for (const auto& words : std::vector<std::vector<std::string>>{{"help"}, {"--help"}, {"-h"}}) {
    const Outcome outcome = RunWords(words);
    EXPECT_EQ(outcome.code, ExitCode::kFound);
    EXPECT_THAT(outcome.err, IsEmpty());
    for (const Verb& verb : Verbs()) {
      EXPECT_THAT(outcome.out, HasSubstr("\n  " + std::string(verb.name) + " "));
    }
  }
}

TEST(Run, EachVerbHelpsInThreeWaysWithinEightyColumns) {
  for (const Verb& verb : Verbs()) {
    const std::string name(verb.name);
    const Outcome outcome = RunWords({"help", name});
    EXPECT_EQ(outcome.code, ExitCode::kFound);
    for (const Example& example : verb.examples) {
      EXPECT_THAT(outcome.out, HasSubstr("loci " + std::string(example.command)));
    }
    std::istringstream lines(outcome.out);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80u) << line;
      EXPECT_THAT(line, Not(testing::EndsWith(" ")));
    }
    EXPECT_EQ(RunWords({name, "--help"}).out, outcome.out);
    EXPECT_EQ(RunWords({name, "x", "-h", "--bad"}).out, outcome.out);
  }
}

TEST(Run, UnknownVerbNamesTheNearest) {
  const Outcome outcome = RunWords({"laern", "m"});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("did you mean 'learn'?"));
  EXPECT_EQ(RunWords({"frobnicate"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunWords({"help", "laern"}).code, ExitCode::kUsage);
}

TEST(Run, NoWordsIsUsage) {
  const Outcome outcome = RunWords({});
  EXPECT_EQ(outcome.code, ExitCode::kUsage);
  EXPECT_THAT(outcome.out, IsEmpty());
  EXPECT_THAT(outcome.err, HasSubstr("Usage: loci"));
}

TEST(Run, UrlsAreRefusedWithTheNextStep) {
  const Outcome outcome = RunWords({"stats", "redis://localhost:6379/world"});
  EXPECT_EQ(outcome.code, ExitCode::kBadData);
  EXPECT_THAT(outcome.err, HasSubstr("not yet in this version; name a directory"));
}

TEST(Run, OutputThatCannotBeWrittenIsAnError) {
  std::ostringstream out, err;
  out.setstate(std::ios::badbit);
  Io io;
  io.out = &out;
  io.err = &err;
  EXPECT_EQ(RunCommand({"help"}, &io), ExitCode::kBadData);
  EXPECT_THAT(err.str(), StartsWith("loci: cannot write to standard output"));
}

TEST(ExitCodes, EveryKindOfErrorHasOne) {
  EXPECT_EQ(ExitCodeFor(ErrorKind::kUsage), ExitCode::kUsage);
  EXPECT_EQ(ExitCodeFor(ErrorKind::kBadInput), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeFor(ErrorKind::kDamaged), ExitCode::kBadData);
  EXPECT_EQ(ExitCodeFor(ErrorKind::kNoSpace), ExitCode::kNoRoom);
  EXPECT_EQ(ExitCodeFor(ErrorKind::kLimit), ExitCode::kNoRoom);
  EXPECT_EQ(ExitCodeFor(ErrorKind::kCancelled), ExitCode::kInterrupted);
}

TEST(Progress, DrawsOnlyOnATerminalAndCleansUp) {
  std::ostringstream err;
  std::atomic<bool> interrupt{false};
  Io io;
  io.err = &err;
  io.interrupt = &interrupt;
  {
    Progress progress(&io);
    EXPECT_TRUE(progress.Update("step", 1, 2));
  }
  EXPECT_THAT(err.str(), IsEmpty());
  io.err_is_terminal = true;
  {
    Progress progress(&io);
    EXPECT_TRUE(progress.Update("step", 1, 2));
    EXPECT_THAT(err.str(), HasSubstr("step [===============               ]  50 %"));
    const size_t drawn = err.str().size();
    EXPECT_TRUE(progress.Update("step", 1, 2));
    EXPECT_EQ(err.str().size(), drawn) << "nothing changed, nothing drawn";
    interrupt = true;
    EXPECT_FALSE(progress.Update("step", 2, 2));
  }
  EXPECT_THAT(err.str(), testing::EndsWith("\r\x1b[K"));
}

}  // namespace
}  // namespace loci
