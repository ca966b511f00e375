// SPDX-License-Identifier: Apache-2.0
//
// The public API as a program uses it: what it promises of values, receipts, errors, threads, fork,
// cancellation and limits. What the engine does with a question is tested where it does it.
#include "loci/memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "store/testing.h"

namespace loci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MemoryTest : public ::testing::Test {
 protected:
  std::string path() const { return directory_.path() + "/memory"; }
  Memory Open(const OpenOptions& options = {}) {
    auto memory = Memory::Open(path(), options);
    EXPECT_TRUE(memory.ok()) << memory.error().message;
    return memory.take();
  }
  std::string File(const std::string& name, const std::string& content) {
    const std::string file = directory_.path() + "/" + name;
    std::ofstream(file, std::ios::binary) << content;
    return file;
  }

 private:
  test::TemporaryDirectory directory_;
};

const Statement kParis{"paris", "capital_of", Value::Symbol("france"), "atlas"};
const Statement kRome{"rome", "capital_of", Value::Symbol("italy"), "atlas"};

std::vector<std::string> FirstColumn(const Result<Answers>& answers) {
  if (!answers.ok()) return {answers.error().message};
  std::vector<std::string> column;
  for (const Answer& answer : answers->rows) column.push_back(answer.values.at(0).text);
  return column;
}

TEST_F(MemoryTest, LearnsAnswersAndCites) {
  Memory memory = Open();
  const auto receipt = memory.Learn({kParis, kRome, {"paris", "capital_of", kParis.object, ""}});
  ASSERT_TRUE(receipt.ok()) << receipt.error().message;
  EXPECT_EQ(receipt->learned, 3u);
  EXPECT_EQ(receipt->digest, *memory.Digest());
  EXPECT_EQ(memory.Learn({kRome})->known, 1u);

  const auto answers = memory.Ask("capital_of(?city, ?land)", {.evidence = true});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_THAT(answers->variables, ElementsAre("city", "land"));
  ASSERT_EQ(answers->rows.size(), 2u);
  const Answer& paris = answers->rows[0];
  EXPECT_THAT(paris.values, ElementsAre(Value::Symbol("paris"), Value::Symbol("france")));
  EXPECT_EQ(paris.score, 1);
  ASSERT_EQ(paris.evidence.size(), 1u);
  EXPECT_EQ(paris.evidence[0].relation, "capital_of");
  EXPECT_THAT(paris.evidence[0].sources, ElementsAre("api", "atlas"));

  // An address of the evidence is what Forget takes.
  const auto gone = memory.Forget(Selector::Fact(paris.evidence[0].addresses.at(0)));
  ASSERT_TRUE(gone.ok()) << gone.error().message;
  EXPECT_EQ(gone->forgotten, 1u);
  EXPECT_EQ(gone->facts_kept, 1u);
  EXPECT_EQ(gone->digest, *memory.Digest());
}

TEST_F(MemoryTest, KeepsEveryKindOfValue) {
  Memory memory = Open();
  const std::vector<Value> values = {
      Value::Number("-12.5"),        Value::Number(std::int64_t{1998}),
      Value::Date("2024-05"),        Value::Text("a \"text\"\n"),
      Value::TextIn("en", "a text"), Value::TypedText("code", "x\ty"),
      Value::Symbol("New York")};
  std::vector<Statement> statements;
  for (const Value& value : values) statements.push_back({"s", "r", value, "t"});
  ASSERT_TRUE(memory.Learn(statements).ok());
  const auto query = Query::Prepare("r(?s, ?o)");
  ASSERT_TRUE(query.ok());
  for (const Value& value : values) {
    const auto notation = value.Notation();
    ASSERT_TRUE(notation.ok()) << notation.error().message;
    EXPECT_EQ(*Value::FromNotation(*notation), value) << *notation;
    const auto answers = memory.Ask(*query, {{"o", value}});
    ASSERT_TRUE(answers.ok()) << answers.error().message;
    ASSERT_EQ(answers->rows.size(), 1u) << *notation;
    EXPECT_EQ(answers->rows[0].values[1], value);
  }
}

TEST_F(MemoryTest, RefusesWhatIsNoTermByName) {
  Memory memory = Open();
  const struct {
    Statement statement;
    const char* message;
  } kBad[] = {
      {{"", "r", Value::Symbol("o"), "t"}, "statement 1: subject: "},
      {{"s", "\xFF", Value::Symbol("o"), "t"}, "statement 1: relation: "},
      {{"s", "r", Value::Number("12a"), "t"}, "statement 1: object: "},
      {{"s", "r", Value::Date("2024-13"), "t"}, "statement 1: object: "},
      {{"s", "r", Value{Value::Kind::kText, "x", "en", "code"}, "t"}, "not both"},
      {{"s", "r", Value{Value::Kind::kSymbol, "x", "en", ""}, "t"}, "only a text has a language"},
      {{"s", "r", Value{static_cast<Value::Kind>(9), "x", "", ""}, "t"}, "no kind 9"},
  };
  for (const auto& bad : kBad) {
    const auto receipt = memory.Learn({kParis, bad.statement});
    ASSERT_FALSE(receipt.ok());
    EXPECT_THAT(receipt.error().message, HasSubstr(bad.message));
  }
  EXPECT_EQ(memory.Stats()->statements, 0u);  // all or nothing
  const auto query = Query::Prepare("r(?s, ?o)");
  const auto answers = memory.Ask(*query, {{"o", Value::Number("12a")}});
  ASSERT_FALSE(answers.ok());
  EXPECT_THAT(answers.error().message, HasSubstr("?o: "));
  EXPECT_EQ(Query::Prepare("r(?s").error().message.substr(0, 7), "column ");
  EXPECT_EQ(Memory::Open("/proc/none", {.create = false}).error().kind, ErrorKind::kNotFound);
}

TEST_F(MemoryTest, LearnsFilesWholeOrNotAtAll) {
  Memory memory = Open();
  const std::string bad = File("facts.tsv", "a\tr\tb\nno tabs\nc\tr\td\n");
  const auto refused = memory.LearnFile(bad);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(refused.error().message, HasSubstr("facts.tsv:2"));
  EXPECT_EQ(memory.Stats()->statements, 0u);

  const auto learned = memory.LearnFile(bad, {.skip_bad = true});
  ASSERT_TRUE(learned.ok()) << learned.error().message;
  EXPECT_EQ(learned->write.learned, 2u);
  EXPECT_EQ(learned->skipped, 1u);
  EXPECT_EQ(learned->format, "tsv");
  ASSERT_EQ(learned->bad.size(), 1u);
  EXPECT_THAT(learned->bad[0], HasSubstr("facts.tsv:2"));

  std::string many;
  for (int i = 0; i < 5000; ++i) many += "s" + std::to_string(i) + "\tr\to\n";
  const auto too_many = memory.LearnFile(File("many.tsv", many), {.max_memory = 100'000});
  ASSERT_FALSE(too_many.ok());
  EXPECT_EQ(too_many.error().kind, ErrorKind::kNoMemory);
  Cancellation stop;
  stop.Cancel();
  EXPECT_EQ(memory.LearnFile(File("many.tsv", many), {.cancellation = stop}).error().kind,
            ErrorKind::kCancelled);
  EXPECT_EQ(memory.Stats()->statements, 2u);
}

TEST_F(MemoryTest, ForgetsByEverySelector) {
  Memory memory = Open();
  const Statement about_paris{"seine", "flows_through", Value::Symbol("paris"), "paris"};
  ASSERT_TRUE(memory.Learn({kParis, kRome, about_paris}).ok());
  const std::string before = *memory.Digest();

  const auto dry =
      memory.Forget(Selector::Source("atlas"), {.dry_run = true, .list_statements = true});
  ASSERT_TRUE(dry.ok());
  EXPECT_THAT(dry->statements, ElementsAre(kParis, kRome));
  EXPECT_EQ(dry->digest, before);

  const auto subject = memory.Forget(Selector::Subject("paris"));
  ASSERT_TRUE(subject.ok());
  EXPECT_EQ(subject->forgotten, 1u);
  EXPECT_EQ(subject->still_named, 1u);
  EXPECT_EQ(subject->still_source, 1u);
  EXPECT_EQ(memory.Forget(Selector::Naming("paris"))->forgotten, 1u);
  EXPECT_EQ(memory.Forget(Selector::Fact("capital_of(rome, italy) from atlas"))->facts_gone, 1u);
  EXPECT_EQ(memory.Forget(Selector::Fact("capital_of(rome, italy)"))->forgotten, 0u);
  EXPECT_FALSE(memory.Forget(Selector::Fact("capital_of(rome")).ok());
  ASSERT_TRUE(memory.Learn({kParis, kRome, about_paris}).ok());
  EXPECT_EQ(*memory.Digest(), before);
}

TEST_F(MemoryTest, TellsWhyDownToRulesAndStatements) {
  Memory memory = Open();
  ASSERT_TRUE(memory
                  .Learn({{"a", "parent", Value::Symbol("b"), "tree"},
                          {"b", "parent", Value::Symbol("c"), "tree"}})
                  .ok());
  const auto learned = memory.LearnRules(
      "older(?x, ?y) <- parent(?x, ?y) conf 0.5;\n"
      "older(?x, ?z) <- older(?x, ?y), older(?y, ?z);\n",
      "me");
  ASSERT_TRUE(learned.ok()) << learned.error().message;
  EXPECT_EQ(learned->learned, 2u);
  const auto answers = memory.Ask("older(a, ?x)", {.evidence = true, .why = true});
  ASSERT_TRUE(answers.ok()) << answers.error().message;
  EXPECT_THAT(FirstColumn(answers), ElementsAre("b", "c"));
  const Answer& c = answers->rows[1];
  EXPECT_EQ(c.score, 0.25);
  ASSERT_GE(c.why.size(), 2u);
  EXPECT_EQ(c.why[0].kind, Step::Kind::kDerived);
  EXPECT_EQ(c.why[0].clause, "older(a, c)");
  EXPECT_EQ(c.why[1].kind, Step::Kind::kRule);
  EXPECT_EQ(c.why[1].level, 1u);
  EXPECT_THAT(c.why[1].sources, ElementsAre("me"));
  size_t statements = 0;
  for (const Step& step : c.why) statements += step.kind == Step::Kind::kStatement;
  EXPECT_EQ(statements, 2u);
  EXPECT_EQ(c.evidence.size(), 4u);  // two facts, two rules
  // A rule's address is a statement's: to forget one is to take back what it derives.
  ASSERT_TRUE(memory.Forget(Selector::Fact(c.why[1].addresses.at(0))).ok());
  EXPECT_THAT(FirstColumn(memory.Ask("older(a, ?x)")), ElementsAre("b"));
  EXPECT_FALSE(memory.LearnRules("older(?x, ?y) <- not older(?x, ?y);").ok());
  EXPECT_EQ(memory.LearnRules("older(?x, ?y) <-").error().message.substr(0, 5), "line ");
}

TEST_F(MemoryTest, RecallsByACueWithFiltersAndPages) {
  Memory memory = Open();
  ASSERT_TRUE(memory
                  .Learn({{"log#1", "text", Value::Text("we talked about the old boat"), "chat"},
                          {"log#1", "part_of", Value::Symbol("log"), "chat"},
                          {"log#1", "time", Value::Date("2024-05-17"), "chat"},
                          {"log#2", "text", Value::Text("the boat was sold"), "chat"},
                          {"log#2", "part_of", Value::Symbol("log"), "chat"},
                          {"b1", "name", Value::Text("the boat"), "register"},
                          {"b1", "owner", Value::Symbol("ann"), "register"},
                          {"tree", "text", Value::Text("an oak"), "chat"}})
                  .ok());
  const auto sold = memory.Recall("who sold it?", {.limit = 1, .evidence = true});
  ASSERT_TRUE(sold.ok()) << sold.error().message;
  ASSERT_EQ(sold->memories.size(), 1u);
  const Recalled& one = sold->memories[0];
  EXPECT_EQ(one.name, "log#2");
  EXPECT_EQ(one.text, "the boat was sold");
  ASSERT_EQ(one.spans.size(), 1u);
  EXPECT_EQ(one.text.substr(one.spans[0].begin, one.spans[0].end - one.spans[0].begin), "sold");
  ASSERT_FALSE(one.words.empty());
  EXPECT_EQ(one.words[0].word, "sold");
  EXPECT_GT(one.score, 0);
  EXPECT_LE(one.score, 1);
  EXPECT_THAT(one.sources, ElementsAre("chat"));
  ASSERT_EQ(one.evidence.size(), 1u);
  EXPECT_EQ(one.evidence[0].relation, "text");
  // What is cited can be forgotten by it.
  EXPECT_EQ(one.addresses, one.evidence[0].addresses);

  const auto names = [&memory](const RecallOptions& options) {
    std::vector<std::string> found;
    const auto recalled = memory.Recall("boat", options);
    if (!recalled.ok()) return std::vector<std::string>{recalled.error().message};
    for (const Recalled& hit : recalled->memories) found.push_back(hit.name);
    return found;
  };
  EXPECT_THAT(names({.where = "owner(?x, _)"}), ElementsAre("b1"));
  EXPECT_THAT(names({.source = "register"}), ElementsAre("b1"));
  EXPECT_THAT(names({.since = "2024-05", .until = "2024-05"}), ElementsAre("log#1"));
  EXPECT_THAT(names({.until = "2024-04"}), ElementsAre());
  EXPECT_THAT(names({.within = "log", .unlike = "sold"}), ElementsAre("log#1"));
  EXPECT_THAT(names({.since = "May"}), ElementsAre(HasSubstr("since: ")));
  EXPECT_THAT(names({.where = "owner(?x"}), ElementsAre(HasSubstr("column 9: ")));
  const std::vector<std::string> all = names({});
  std::vector<std::string> paged;
  for (size_t i = 0; i < all.size(); ++i) {
    paged.push_back(names({.limit = 1, .offset = i}).at(0));
  }
  EXPECT_EQ(paged, all);
  EXPECT_TRUE(memory.Recall("", {})->empty());
}

TEST_F(MemoryTest, FrozenRepeatsItsAnswers) {
  Memory memory = Open();
  ASSERT_TRUE(memory.Learn({kParis}).ok());
  auto frozen = memory.Freeze();
  ASSERT_TRUE(frozen.ok());
  const std::string digest = *memory.Digest();
  ASSERT_TRUE(memory.Learn({kRome}).ok());
  ASSERT_TRUE(memory.Consolidate().ok());
  EXPECT_THAT(FirstColumn(frozen->Ask("capital_of(?x, _)")), ElementsAre("paris"));
  EXPECT_EQ(*frozen->Digest(), digest);
  EXPECT_THAT(FirstColumn(memory.Ask("capital_of(?x, _)")), ElementsAre("paris", "rome"));
  const auto written = frozen->Learn({kRome});
  ASSERT_FALSE(written.ok());
  EXPECT_THAT(written.error().message, HasSubstr("frozen"));
}

TEST_F(MemoryTest, ExportIsLearnedBack) {
  Memory memory = Open();
  ASSERT_TRUE(memory.Learn({kParis, {"a b", "r", Value::TextIn("en", "x\ty"), "me"}}).ok());
  std::string bytes;
  const auto records = memory.Export("jsonl", [&](std::string_view block) {
    bytes += block;
    return true;
  });
  ASSERT_TRUE(records.ok()) << records.error().message;
  EXPECT_EQ(*records, 2u);
  auto other = Memory::Open(path() + "2");
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(other->LearnFile(File("all.jsonl", bytes)).ok());
  EXPECT_EQ(*other->Digest(), *memory.Digest());
  EXPECT_EQ(memory.Export("tsv", [](std::string_view) { return false; }).error().kind,
            ErrorKind::kCancelled);
  EXPECT_FALSE(memory.Export("word", [](std::string_view) { return true; }).ok());
}

TEST_F(MemoryTest, StopsAtLimitsAndWhenCancelled) {
  Memory memory = Open();
  std::vector<Statement> many;
  for (int i = 0; i < 2000; ++i) {
    many.push_back({"s" + std::to_string(i), "r", Value::Number(std::int64_t{i}), "t"});
  }
  ASSERT_TRUE(memory.Learn(many).ok());
  const std::string_view product = "r(?a, ?x), r(?b, ?y), r(?c, ?z)";
  EXPECT_EQ(memory.Ask(product, {.max_work = 100'000}).error().kind, ErrorKind::kLimit);
  EXPECT_EQ(memory.Ask(product, {.max_memory = 1 << 20}).error().kind, ErrorKind::kNoMemory);
  Cancellation stop;
  std::thread canceller([stop] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    stop.Cancel();
  });
  EXPECT_EQ(
      memory.Ask(product, {.max_work = UINT64_MAX, .max_memory = UINT64_MAX, .cancellation = stop})
          .error()
          .kind,
      ErrorKind::kCancelled);
  canceller.join();
  EXPECT_EQ(memory.Consolidate(stop).error().kind, ErrorKind::kCancelled);
  EXPECT_TRUE(memory.Check().ok());
  EXPECT_EQ(memory.Ask("r(?a, ?x)", {.limit = 3})->rows.size(), 3u);
}

TEST_F(MemoryTest, AsksATokenMadeOfAFunction) {
  Memory memory = Open();
  std::vector<Statement> many;
  for (int i = 0; i < 20'000; ++i) {
    many.push_back({"s" + std::to_string(i), "r", Value::Number(std::int64_t{i}), "t"});
  }
  // Learning looks at least once every 4,096 statements; what was cancelled has changed nothing.
  int looks = 0;
  const Cancellation third([&looks] { return ++looks == 3; });
  EXPECT_EQ(memory.Learn(many, {.cancellation = third}).error().kind, ErrorKind::kCancelled);
  EXPECT_EQ(looks, 3);
  EXPECT_TRUE(third.cancelled());  // and stays so
  EXPECT_EQ(looks, 3);
  EXPECT_EQ(memory.Stats()->statements, 0u);

  const Cancellation never([] { return false; });
  ASSERT_TRUE(memory.Learn(many, {.cancellation = never}).ok());
  const auto start = std::chrono::steady_clock::now();
  const Cancellation soon(
      [start] { return std::chrono::steady_clock::now() - start > std::chrono::milliseconds(20); });
  const auto asked =
      memory.Ask("r(?a, ?x), r(?b, ?y), r(?c, ?z)",
                 {.max_work = UINT64_MAX, .max_memory = UINT64_MAX, .cancellation = soon});
  EXPECT_EQ(asked.error().kind, ErrorKind::kCancelled);
  const Cancellation given_up([] { return false; });
  const Cancellation copy = given_up;
  copy.Cancel();
  EXPECT_EQ(memory.Consolidate(given_up).error().kind, ErrorKind::kCancelled);
}

TEST_F(MemoryTest, TellsEveryStatementInOrder) {
  Memory memory = Open();
  EXPECT_TRUE(memory.All()->Next(10)->empty());
  const Statement first{"a", "r", Value::Number(std::int64_t{1}), "s1"};
  const Statement same_fact{"a", "r", Value::Number(std::int64_t{1}), "s2"};
  const Statement text{"a", "r", Value::TextIn("en", "b"), "s1"};
  ASSERT_TRUE(memory.Learn({kRome, text, kParis, same_fact, first}).ok());
  auto all = memory.All();
  ASSERT_TRUE(all.ok()) << all.error().message;
  ASSERT_TRUE(memory.Forget(Selector::Source("atlas")).ok());  // after the moment of All
  EXPECT_THAT(*all->Next(1), ElementsAre(first, same_fact));   // a fact with its sources
  EXPECT_THAT(*all->Next(2), ElementsAre(text, kParis));
  EXPECT_THAT(*all->Next(100), ElementsAre(kRome));
  EXPECT_TRUE(all->Next(100)->empty());
}

TEST_F(MemoryTest, TellsWhyAFactHolds) {
  Memory memory = Open();
  ASSERT_TRUE(memory.Learn({kParis, {"france", "in", Value::Symbol("europe"), "atlas"}}).ok());
  const auto path = memory.Why("capital_of/in(paris, europe)");
  ASSERT_TRUE(path.ok()) << path.error().message;
  ASSERT_EQ(path->size(), 3u);
  EXPECT_EQ(path->at(0).kind, Step::Kind::kPath);
  EXPECT_EQ(path->at(1).clause, "capital_of(paris, france)");
  EXPECT_EQ(path->at(1).level, 1u);
  ASSERT_EQ(path->at(1).addresses.size(), 1u);

  const auto stated = memory.Why(path->at(1).addresses[0]);
  ASSERT_TRUE(stated.ok()) << stated.error().message;
  ASSERT_EQ(stated->size(), 1u);
  EXPECT_EQ(stated->at(0).kind, Step::Kind::kStatement);
  EXPECT_THAT(stated->at(0).sources, ElementsAre("atlas"));

  EXPECT_TRUE(memory.Why("capital_of(rome, italy)")->empty());
  EXPECT_TRUE(memory.Why("0123456789abcdef")->empty());
  EXPECT_EQ(memory.Why("capital_of(?x, france)").error().kind, ErrorKind::kUsage);
}

TEST_F(MemoryTest, ServesManyThreads) {
  Memory memory = Open();
  const auto query = Query::Prepare("r(?s, ?o)");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = "s" + std::to_string(t) + "_" + std::to_string(i);
        EXPECT_TRUE(memory.Learn({{name, "r", Value::Symbol("o"), "t"}}).ok());
        EXPECT_EQ(memory.Ask(*query, {{"s", Value::Symbol(name)}})->rows.size(), 1u);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(memory.Stats()->statements, 200u);
}

TEST_F(MemoryTest, IsRefusedAfterFork) {
  Memory memory = Open();
  ASSERT_TRUE(memory.Learn({kParis}).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto asked = memory.Ask("capital_of(?x, _)");
    const auto learned = memory.Learn({kRome});
    const bool refused = !asked.ok() && asked.error().kind == ErrorKind::kUsage &&
                         asked.error().message.find("after fork") != std::string::npos &&
                         !learned.ok() && !memory.Freeze().ok() && !memory.Check().ok();
    auto again = Memory::Open(path());
    ::_exit(refused && again.ok() && again->Learn({kRome}).ok() ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(FirstColumn(memory.Ask("capital_of(?x, _)")), ElementsAre("paris", "rome"));
}

TEST_F(MemoryTest, ReadOnlyWritesNothing) {
  EXPECT_FALSE(Memory::Open(path(), {.read_only = true}).ok());
  EXPECT_FALSE(std::filesystem::exists(path()));
  ASSERT_TRUE(Open().Learn({kParis}).ok());
  Memory memory = Open({.read_only = true});
  EXPECT_THAT(FirstColumn(memory.Ask("capital_of(?x, _)")), ElementsAre("paris"));
  EXPECT_FALSE(memory.Learn({kRome}).ok());
  EXPECT_FALSE(memory.Consolidate().ok());
}

}  // namespace
}  // namespace loci
