// SPDX-License-Identifier: Apache-2.0
//
// loci shell: queries typed bare, and dot-commands. Those that are verbs come from the table of
// verbs and run as they do on a command line, with the memory put in; the few of the shell's own
// are in a table below. So what a verb learns, the shell can.
//
// From a terminal it edits lines (line_editor.h) and never ends by an error; from elsewhere it is a
// script and stops at the first one with its exit code, unless .bail is off.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/unicode.h"
#include "command/help.h"
#include "command/line_editor.h"
#include "command/open.h"
#include "command/run.h"
#include "command/shell_names.h"
#include "command/shell_words.h"
#include "command/verb.h"
#include "query/query.h"
#include "render/caret.h"
#include "render/nearest.h"
#include "render/table.h"

namespace loci {
namespace {

constexpr int kMostNested = 16;  // .read within .read
constexpr std::string_view kModes[] = {"auto", "tsv", "json", "jsonl"};

class Shell;

struct Command {
  std::string_view name, arguments, summary;
  Result<void> (Shell::*run)(const std::vector<std::string>& words);
};

// Whether the verb works on a memory: then it is a dot-command.
bool IsCommand(const Verb& verb) {
  // Not those that take the standard input for themselves.
  return verb.name != "shell" && verb.name != "mcp" && !verb.arguments.empty() &&
         verb.arguments[0].name == "MEMORY";
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

class Shell {
 public:
  Shell(std::string memory, std::shared_ptr<Store> store, Io* io)
      : memory_(std::move(memory)), store_(std::move(store)), outer_(io), io_(*io) {}

  ExitCode RunTerminal();
  ExitCode RunScript(std::istream& in, const std::string& name);

 private:
  static const std::vector<Command>& Own();
  static std::vector<std::string> CommandNames();

  // A whole query or dot-command. at: where it came from, for errors of a script.
  ExitCode Run(const std::string& text, const std::string& at);
  Result<ExitCode> Dispatch(const std::string& text);
  Result<ExitCode> DispatchCommand(const std::string& line);
  Result<ExitCode> Ask(const std::string& query);
  Completion Complete(std::string_view line);

  Result<void> Bail(const std::vector<std::string>& words);
  Result<void> Evidence(const std::vector<std::string>& words);
  Result<void> Help(const std::vector<std::string>& words);
  Result<void> Limit(const std::vector<std::string>& words);
  Result<void> Mode(const std::vector<std::string>& words);
  Result<void> Output(const std::vector<std::string>& words);
  Result<void> Quit(const std::vector<std::string>& words);
  Result<void> Read(const std::vector<std::string>& words);
  Result<void> Schema(const std::vector<std::string>& words);
  Result<void> Timer(const std::vector<std::string>& words);
  Result<void> Switch(const std::vector<std::string>& words, bool* on);

  const std::string memory_;
  const std::shared_ptr<Store> store_;
  Io* const outer_;
  Io io_;                                  // where commands write: outer_, or .output
  std::ofstream output_;                   // of .output
  ExitCode read_code_ = ExitCode::kFound;  // how the last .read ended
  std::string mode_ = "auto";
  std::string limit_;  // of answers, empty for none
  bool bail_ = true, evidence_ = false, timer_ = false, quit_ = false;
  int nested_ = 0;
};

// More of a query is to come where the parser expected something at its end.
bool IsUnfinished(const std::string& text) {
  const auto query = query::Query::Parse(text);
  if (query.ok()) return false;
  const size_t column = FaultColumn(query.error().message);
  const size_t end = text.find_last_not_of(" \t\r\n") + 1;
  return column > CountCodePoints(text.substr(0, end));
}

// Puts lines together to what is to be run: a dot-command is a line, a query may be several.
class Gatherer {
 public:
  // True where text() is whole.
  bool Add(const std::string& line, uint64_t number) {
    if (text_.empty()) {
      if (IsBlank(line)) return false;
      begin_ = number;
      text_ = line;
      const size_t first = text_.find_first_not_of(" \t");
      if (text_[first] == '.') return true;
      if (text_[first] == '#') return text_.clear(), false;  // a comment of a script
    } else {
      if (IsBlank(line)) return true;  // enough: let the error be told
      text_ += '\n' + line;
    }
    // Whoever comes from SQL ends it so; the language itself has no use for the sign there.
    if (const size_t last = text_.find_last_not_of(" \t\r\n"); text_[last] == ';') {
      text_.resize(last);
      if (!IsBlank(text_)) return true;
      text_.clear();
      return false;
    }
    return !IsUnfinished(text_);
  }
  bool empty() const { return text_.empty(); }
  uint64_t begin() const { return begin_; }
  std::string Take() { return std::exchange(text_, {}); }

 private:
  std::string text_;
  uint64_t begin_ = 0;
};

const std::vector<Command>& Shell::Own() {
  static const std::vector<Command> own = {
      {"bail", "on|off", "whether a script stops at its first error", &Shell::Bail},
      {"evidence", "on|off", "add the facts behind each answer", &Shell::Evidence},
      {"help", "[COMMAND]", "tell about the commands or one of them", &Shell::Help},
      {"limit", "[N]", "print the first N answers; without N all", &Shell::Limit},
      {"mode", "auto|tsv|json|jsonl", "how answers are printed", &Shell::Mode},
      {"output", "[FILE]", "write what is printed to FILE, or no longer", &Shell::Output},
      {"quit", "", "leave the shell, as Ctrl-D does", &Shell::Quit},
      {"read", "FILE", "run the queries and commands in FILE", &Shell::Read},
      {"schema", "", "list the relations with their numbers of facts", &Shell::Schema},
      {"timer", "on|off", "print the time that each command takes", &Shell::Timer},
  };
  return own;
}

std::vector<std::string> Shell::CommandNames() {
  std::vector<std::string> names;
  for (const Command& command : Own()) names.push_back(fmt::format(".{}", command.name));
  for (const Verb& verb : Verbs()) {
    if (IsCommand(verb)) names.push_back(fmt::format(".{}", verb.name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// --- running ---

ExitCode Shell::RunTerminal() {
  LineEditor editor(
      HistoryPath(), [this](std::string_view line) { return Complete(line); },
      [this] { return outer_->interrupted(); });
  *outer_->err << "Type a query, or .help for commands.\n";
  Gatherer gatherer;
  while (!quit_) {
    outer_->err->flush();
    std::string line;
    outer_->ClearInterrupt();  // and not after: what is pressed once a query was entered is for it
    const auto got = editor.Read(gatherer.empty() ? "loci> " : "  ...> ", &line);
    if (got == LineEditor::Got::kEnd) break;
    if (got == LineEditor::Got::kInterrupt) {
      (void)gatherer.Take();
      continue;
    }
    if (!gatherer.Add(line, 0)) continue;
    Run(gatherer.Take(), {});
  }
  return ExitCode::kFound;
}

ExitCode Shell::RunScript(std::istream& in, const std::string& name) {
  ExitCode worst = ExitCode::kFound;  // of the first error
  Gatherer gatherer;
  uint64_t number = 0;
  for (bool more = true; more && !quit_;) {
    std::string line;
    more = static_cast<bool>(std::getline(in, line));
    ++number;
    if (more ? !gatherer.Add(line, number) : gatherer.empty()) continue;
    const std::string at = fmt::format("{}:{}: ", name, gatherer.begin());
    const ExitCode code = Run(gatherer.Take(), at);
    const bool failed = code != ExitCode::kFound && code != ExitCode::kNothing;
    if (failed && worst == ExitCode::kFound) worst = code;
    if (code == ExitCode::kInterrupted || (failed && bail_)) return code;
  }
  return worst;
}

ExitCode Shell::Run(const std::string& text, const std::string& at) {
  const bool timed = timer_;
  const auto start = std::chrono::steady_clock::now();
  const Result<ExitCode> result = CheckOutput(Dispatch(text), &io_);
  if (timed) {
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    *io_.err << fmt::format("time: {:.3f} s\n", time.count());
  }
  if (result.ok()) return *result;
  return TellError(result.error(), at, &io_);
}

Result<ExitCode> Shell::Dispatch(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t");
  return text[first] == '.' ? DispatchCommand(text.substr(first + 1)) : Ask(text);
}

Result<ExitCode> Shell::Ask(const std::string& query) {
  std::vector<std::string> words{"ask", memory_};
  if (mode_ != "auto") words.push_back("--" + mode_);
  if (evidence_) words.push_back("--evidence");
  if (!limit_.empty()) words.insert(words.end(), {"--limit", limit_});
  words.insert(words.end(), {"--", query});
  return Execute(words, &io_);
}

Result<ExitCode> Shell::DispatchCommand(const std::string& line) {
  LOCI_ASSIGN(std::vector<std::string> words, SplitWords(line));
  const std::string name = words.empty() ? "" : words.front();
  for (const Command& command : Own()) {
    if (command.name != name) continue;
    read_code_ = ExitCode::kFound;
    LOCI_TRY((this->*command.run)(words));
    return read_code_;
  }
  const Verb* const verb = FindVerb(name);
  if (verb == nullptr || !IsCommand(*verb)) {
    const std::vector<std::string> names = CommandNames();
    const std::string_view nearest = Nearest("." + name, {names.begin(), names.end()});
    return Error{ErrorKind::kUsage,
                 fmt::format("there is no command '.{}';{} '.help' lists them", Excerpt(name),
                             nearest.empty() ? "" : fmt::format(" did you mean '{}'?", nearest))};
  }
  words = JoinText(*verb, {words.begin() + 1, words.end()});
  words.insert(words.begin(), {name, memory_});
  return Execute(words, &io_);
}

// --- the shell's own commands ---

Result<void> Shell::Switch(const std::vector<std::string>& words, bool* on) {
  if (words.size() == 2 && (words[1] == "on" || words[1] == "off")) {
    *on = words[1] == "on";
    return {};
  }
  return Error{ErrorKind::kUsage, fmt::format("write .{} on, or .{} off", words[0], words[0])};
}

Result<void> Shell::Bail(const std::vector<std::string>& words) {
  return Switch(words, &bail_);
}

Result<void> Shell::Evidence(const std::vector<std::string>& words) {
  return Switch(words, &evidence_);
}

Result<void> Shell::Timer(const std::vector<std::string>& words) {
  return Switch(words, &timer_);
}

Result<void> Shell::Quit(const std::vector<std::string>&) {
  quit_ = true;
  return {};
}

Result<void> Shell::Limit(const std::vector<std::string>& words) {
  const std::string limit = words.size() > 1 ? words[1] : "";
  if (words.size() > 2 || limit.find_first_not_of("0123456789") != std::string::npos ||
      limit == "0") {
    return Error{ErrorKind::kUsage, ".limit takes a whole number from 1, or nothing"};
  }
  limit_ = limit;
  return {};
}

Result<void> Shell::Mode(const std::vector<std::string>& words) {
  if (words.size() != 2 ||
      std::find(std::begin(kModes), std::end(kModes), words[1]) == std::end(kModes)) {
    return Error{ErrorKind::kUsage,
                 fmt::format("write .mode and one of {}",
                             fmt::join(std::begin(kModes), std::end(kModes), ", "))};
  }
  mode_ = words[1];
  return {};
}

Result<void> Shell::Help(const std::vector<std::string>& words) {
  if (words.size() > 1) {
    const std::string name = words[1].substr(words[1].starts_with('.') ? 1 : 0);
    if (const Verb* const verb = FindVerb(name); verb != nullptr && IsCommand(*verb)) {
      *io_.out << HelpFor(*verb);
      return {};
    }
  }
  *io_.out << "A query is typed as it is and may span lines: it ends where it is whole, at a\n"
              "semicolon or at an empty line. Tab completes names. Commands:\n\n";
  std::vector<TableRow> rows;
  for (const Command& command : Own()) {
    rows.push_back(
        {fmt::format("  .{} {}", command.name, command.arguments), std::string(command.summary)});
  }
  for (const Verb& verb : Verbs()) {
    if (IsCommand(verb))
      rows.push_back({fmt::format("  .{}", verb.name), std::string(verb.summary)});
  }
  std::sort(rows.begin(), rows.end());
  *io_.out
      << AlignedTable(rows)
      << "\nThose that are verbs of loci take what the verb takes behind MEMORY; '.help learn'\n"
         "tells more.\n";
  return {};
}

Result<void> Shell::Output(const std::vector<std::string>& words) {
  if (words.size() > 2) return Error{ErrorKind::kUsage, ".output takes one file"};
  output_.close();
  output_.clear();
  io_.out = outer_->out;
  io_.out_is_terminal = outer_->out_is_terminal;
  io_.color = outer_->color;
  io_.out_errno = outer_->out_errno;
  if (words.size() < 2) return {};
  output_.open(words[1], std::ios::binary | std::ios::trunc);
  if (!output_) {
    return Error{ErrorKind::kIo, fmt::format("cannot write '{}'", Excerpt(words[1]))};
  }
  io_.out = &output_;
  io_.out_is_terminal = io_.color = false;
  io_.out_errno = nullptr;
  return {};
}

Result<void> Shell::Read(const std::vector<std::string>& words) {
  if (words.size() != 2) return Error{ErrorKind::kUsage, ".read takes one file"};
  if (nested_ == kMostNested) {
    return Error{ErrorKind::kLimit, fmt::format(".read is nested {} deep", kMostNested)};
  }
  std::ifstream file(words[1]);
  if (!file) return Error{ErrorKind::kNotFound, fmt::format("cannot read '{}'", Excerpt(words[1]))};
  ++nested_;
  const ExitCode code = RunScript(file, words[1]);
  --nested_;
  read_code_ = code;  // its error has been told
  return {};
}

// Exact: of one layer the image's own counts, else each fact is looked at.
Result<void> Shell::Schema(const std::vector<std::string>&) {
  LOCI_ASSIGN(const auto snapshot, store_->Read());
  std::vector<TermId> relations;
  snapshot->Relations(&relations);
  std::sort(relations.begin(), relations.end(),
            [&](TermId a, TermId b) { return snapshot->Compare(a, b) < 0; });
  std::vector<TableRow> rows;
  for (const TermId relation : relations) {
    uint64_t facts = 0;
    if (snapshot->layers().size() == 1) {
      facts = snapshot->SizeOf(relation).facts;
    } else {
      std::vector<TermId> subjects, objects;
      snapshot->SubjectsOf(relation, &subjects);
      for (const TermId subject : subjects) {
        if (io_.interrupted()) return Error{ErrorKind::kCancelled, "interrupted"};
        objects.clear();
        snapshot->Objects(subject, relation, &objects);
        facts += objects.size();
      }
    }
    rows.push_back({ToNotation(snapshot->Name(relation)), std::to_string(facts)});
  }
  LOCI_TRY(snapshot->damage());
  std::string text;
  if (io_.out_is_terminal) {
    text = AlignedTable(rows);
  } else {
    for (const TableRow& row : rows) AppendTsv(row, &text);
  }
  *io_.out << text;
  return {};
}

// --- completion ---

Completion Shell::Complete(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  if (first != std::string_view::npos && line[first] == '.' &&
      line.find_first_of(" \t", first) == std::string_view::npos) {
    Completion completion{first, {}};
    for (const std::string& name : CommandNames()) {
      if (name.starts_with(line.substr(first))) completion.candidates.push_back(name + " ");
    }
    return completion;
  }
  const auto snapshot = store_->Read();
  return snapshot.ok() ? CompleteQuery(**snapshot, line) : Completion();
}

}  // namespace

Result<ExitCode> RunShell(const Invocation& invocation, Io* io) {
  const std::string& memory = invocation.arguments[0];
  LOCI_ASSIGN(std::shared_ptr<Store> store, OpenToRead(memory));
  const bool is_script = !io->in_is_terminal || !io->err_is_terminal;
  io->in_is_script = is_script;
  Shell shell(memory, std::move(store), io);
  if (!is_script) return shell.RunTerminal();
  return shell.RunScript(std::cin, "stdin");
}

}  // namespace loci
