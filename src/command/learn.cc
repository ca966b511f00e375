// SPDX-License-Identifier: Apache-2.0
//
// loci learn: all files of one command are one batch, which becomes visible at its end or not at
// all; with --every N each N statements are a batch, acknowledged as soon as it is on disk.
#include <algorithm>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "command/learn_rules.h"
#include "command/open.h"
#include "command/progress.h"
#include "command/verb.h"
#include "formats/format.h"
#include "memory/batch_loader.h"
#include "render/plural.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kBadRecordsShown = 20;  // of --skip-bad, on stderr; all are counted

// Gathers statements and commits them.
class Learner : public StatementSink {
 public:
  Learner(const Invocation& invocation, Progress* progress, Io* io)
      : io_(io),
        progress_(progress),
        memory_(invocation.arguments.front()),
        every_(invocation.CountOr("every", UINT64_MAX)),
        json_(invocation.Has("json")) {}

  // Refuses what is not a memory, or not ours to write, before anything is read. A new memory is
  // made only by the first commit, so that a failed first learn leaves nothing behind.
  Result<void> Begin() {
    auto store = OpenMemory(memory_, {});
    if (store.ok()) {
      store_ = store.take();
    } else if (store.error().kind != ErrorKind::kNotFound) {
      return store.error();
    }
    return {};
  }

  Result<void> Add(const StatementView& statement) override {
    loader_.Learn(statement);
    if (++pending_ < every_) return {};
    LOCI_TRY(Commit());
    Acknowledge();
    return {};
  }

  // Commits the rest; the memory exists afterwards even where nothing was read.
  Result<void> Finish() {
    const bool acknowledge = every_ != UINT64_MAX && pending_ > 0;
    LOCI_TRY(Commit());
    if (acknowledge) Acknowledge();
    return {};
  }

  const Receipt& total() const { return total_; }
  uint64_t committed() const { return committed_; }

 private:
  Result<void> Commit() {
    if (io_->interrupted()) return Error{ErrorKind::kCancelled, "interrupted"};
    if (store_ == nullptr) {
      StoreOptions options;
      options.create = true;
      LOCI_ASSIGN(store_, OpenMemory(memory_, options));
    }
    loader_.Flush();
    auto applied = store_->Apply(batch_, progress_->ForStore());
    progress_->Clear();
    if (!applied.ok()) {
      if (committed_ == 0) store_->RemoveUnwritten();
      return applied.error();
    }
    const Receipt receipt = applied.take();
    total_.learned += receipt.learned;
    total_.known += receipt.known;
    total_.digest_after = receipt.digest_after;
    committed_ += batch_.size();
    batch_.Clear();
    pending_ = 0;
    return {};
  }

  // One line per commit, in statements of the input so far: whoever must resume starts behind it.
  void Acknowledge() {
    if (json_) {
      *io_->out << Json{{"committed", committed_}}.dump() << "\n";
    } else {
      *io_->out << fmt::format("committed {}\n", committed_);
    }
    io_->out->flush();
  }

  Io* io_;
  Progress* progress_;
  std::string memory_;
  uint64_t every_;
  bool json_;
  std::unique_ptr<Store> store_;
  Batch batch_;
  BatchLoader loader_{&batch_};
  uint64_t pending_ = 0;  // statements in batch and loader
  Receipt total_;
  uint64_t committed_ = 0;
};

struct Input {
  std::string name;
  ReadReport report;
};

// What failed, then what that means for the memory.
// may_skip: the error is about one record, which --skip-bad would leave out.
Error WithOutcome(const Error& error, const Learner& learner, bool may_skip) {
  std::string outcome = learner.committed() == 0
                            ? "nothing was learned"
                            : fmt::format("the {} acknowledged before {} learned",
                                          Plural(learner.committed(), "statement"),
                                          learner.committed() == 1 ? "is" : "are");
  if (may_skip) outcome += "; --skip-bad learns the rest";
  return {error.kind, fmt::format("{}\n{}", error.message, outcome)};
}

std::string Parenthesis(const Receipt& receipt, uint64_t skipped) {
  std::string out;
  if (receipt.known > 0) out += fmt::format("{} already known", receipt.known);
  if (skipped > 0) {
    out += fmt::format("{}{} skipped", out.empty() ? "" : ", ", Plural(skipped, "bad record"));
  }
  return out.empty() ? out : fmt::format(" ({})", out);
}

void PrintReceipt(const std::vector<Input>& inputs, const Receipt& receipt, uint64_t skipped,
                  bool json, Io* io) {
  if (!json) {
    const std::string from =
        inputs.size() == 1 ? inputs.front().name : Plural(inputs.size(), "file");
    *io->out << fmt::format("learned {}{} from {}\n", Plural(receipt.learned, "statement"),
                            Parenthesis(receipt, skipped), from);
    return;
  }
  Json object = {{"learned", receipt.learned}, {"known", receipt.known}, {"skipped", skipped}};
  object["files"] = Json::array();
  for (const Input& input : inputs) {
    object["files"].push_back({{"file", input.name},
                               {"format", input.report.format},
                               {"statements", input.report.statements},
                               {"skipped", input.report.skipped}});
  }
  object["digest"] = receipt.digest_after.Hex();
  *io->out << object.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
}

}  // namespace

Result<ExitCode> RunLearn(const Invocation& invocation, Io* io) {
  std::vector<std::string> paths(invocation.arguments.begin() + 1, invocation.arguments.end());
  if (paths.empty()) paths.push_back("-");
  if (io->in_is_script && std::find(paths.begin(), paths.end(), "-") != paths.end()) {
    return Error{ErrorKind::kUsage, "learn: name a FILE; standard input is the shell's script"};
  }

  ReadOptions options;
  options.format = invocation.Text("format");
  options.map = invocation.Text("map");
  if (invocation.Has("source")) {
    // As in `forget --source`: a name as it stands, or in <...>.
    size_t column = 0;
    auto source = ParseNotation(invocation.Text("source"), true, &column);
    if (!source.ok() || source->kind != Kind::kSymbol) {
      return Error{ErrorKind::kUsage,
                   fmt::format("--source '{}' is not a name{}", Excerpt(invocation.Text("source")),
                               source.ok() ? "" : ": " + source.error().message)};
    }
    options.source = source->bytes;
  }

  if (invocation.Has("rules")) return LearnRules(invocation, options.source, io);

  Progress progress(io);
  Learner learner(invocation, &progress, io);
  LOCI_TRY(learner.Begin());

  uint64_t skipped = 0;
  bool stopped_at_record = false;
  const bool skip_bad = invocation.Has("skip-bad");
  options.on_bad = [&](const BadRecord& record) {
    stopped_at_record = !skip_bad;
    if (skip_bad && ++skipped <= kBadRecordsShown) {
      progress.Clear();
      *io->err << "loci: skipped " << record.ToString() << "\n";
    }
    return skip_bad;
  };

  std::vector<Input> inputs;
  for (const std::string& path : paths) {
    Input input{path == "-" ? "stdin" : path, {}};
    const std::string step = "reading " + Excerpt(input.name);
    options.on_progress = [&](uint64_t done, uint64_t total) {
      return progress.Update(step, done, total);
    };
    if (path == "-" && io->in_is_terminal) {
      *io->err << "reading statements from standard input; Ctrl-D ends it\n";
    }
    auto report = ReadStatements(path, options, &learner);
    progress.Clear();
    if (!report.ok()) return WithOutcome(report.error(), learner, stopped_at_record);
    input.report = report.take();
    inputs.push_back(std::move(input));
  }
  if (auto finished = learner.Finish(); !finished.ok()) {
    return WithOutcome(finished.error(), learner, false);
  }
  if (skipped > kBadRecordsShown) {
    *io->err << fmt::format("loci: and {} more\n",
                            Plural(skipped - kBadRecordsShown, "bad record"));
  }
  PrintReceipt(inputs, learner.total(), skipped, invocation.Has("json"), io);
  return ExitCode::kFound;
}

}  // namespace loci
