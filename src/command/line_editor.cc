// SPDX-License-Identifier: Apache-2.0
#include "command/line_editor.h"

#include <fcntl.h>
#include <histedit.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cwchar>
#include <deque>
#include <filesystem>
#include <fstream>

#include "render/table.h"

namespace loci {
namespace {

constexpr int kLinesKept = 1000;     // of history, in memory; the file is cut to them at twice that
constexpr size_t kColumns = 80;      // of a list of candidates
constexpr size_t kMostListed = 100;  // candidates

std::string CommonBeginning(const std::vector<std::string>& candidates) {
  std::string common = candidates.front();
  for (const std::string& candidate : candidates) {
    const auto [end, other] =
        std::mismatch(common.begin(), common.end(), candidate.begin(), candidate.end());
    common.erase(end, common.end());
  }
  // Not in the middle of a character.
  while (!common.empty() && common.size() < candidates.front().size() &&
         (candidates.front()[common.size()] & 0xC0) == 0x80) {
    common.pop_back();
  }
  return common;
}

std::string InColumns(const std::vector<std::string>& candidates) {
  const size_t shown = std::min(candidates.size(), kMostListed);
  size_t width = 0;
  for (size_t i = 0; i < shown; ++i) width = std::max(width, DisplayWidth(candidates[i]) + 2);
  const size_t per_line = std::max<size_t>(1, kColumns / width);
  std::string out;
  for (size_t i = 0; i < shown; ++i) {
    out += candidates[i];
    const bool last = i + 1 == shown || (i + 1) % per_line == 0;
    last ? out += '\n' : out.append(width - DisplayWidth(candidates[i]), ' ');
  }
  if (shown < candidates.size()) out += "...\n";
  return out;
}

}  // namespace

struct LineEditor::State {
  std::string prompt;
  std::string history_path;
  CompleteFn complete;
  std::function<bool()> interrupted;
  EditLine* editor = nullptr;
  History* history = nullptr;
  HistEvent event{};

  void LoadHistory();
  void Keep(const std::string& line);

  static State* Of(EditLine* editor) {
    void* state = nullptr;
    el_get(editor, EL_CLIENTDATA, &state);
    return static_cast<State*>(state);
  }
  static char* Prompt(EditLine* editor) { return Of(editor)->prompt.data(); }
  bool Wait() const;
  static int ReadCharacter(EditLine* editor, wchar_t* character);
  static unsigned char Complete(EditLine* editor, int);
};

// Waits for input; false where Ctrl-C was or is pressed. Outside of the wait the signal is held
// back: one that comes after the look at the flag and before the wait would else wake nobody.
bool LineEditor::State::Wait() const {
  sigset_t held, before;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (!interrupted() && ::ppoll(&input, 1, nullptr, &before) < 0 && errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !interrupted();
}

// libedit's own reader swallows the first interrupted read.
int LineEditor::State::ReadCharacter(EditLine* editor, wchar_t* character) {
  std::mbstate_t state{};
  for (;;) {
    if (!Of(editor)->Wait()) return -1;
    char byte;
    const ssize_t got = ::read(STDIN_FILENO, &byte, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return static_cast<int>(got);
    const size_t used = std::mbrtowc(character, &byte, 1, &state);
    if (used == static_cast<size_t>(-1)) state = {};  // an invalid byte is left out
    if (used <= 1) return 1;
  }
}

unsigned char LineEditor::State::Complete(EditLine* editor, int) {
  const LineInfo* const info = el_line(editor);
  const std::string line(info->buffer, static_cast<size_t>(info->cursor - info->buffer));
  const Completion completion = Of(editor)->complete(line);
  if (completion.candidates.empty() || completion.begin > line.size()) return CC_REFRESH_BEEP;
  const std::string begun = line.substr(completion.begin);
  const std::string common = CommonBeginning(completion.candidates);
  if (common != begun) {
    el_deletestr(editor, static_cast<int>(std::mbstowcs(nullptr, begun.c_str(), 0)));
    if (el_insertstr(editor, common.c_str()) != 0) return CC_REFRESH_BEEP;
    return CC_REFRESH;
  }
  if (completion.candidates.size() == 1) return CC_REFRESH;
  std::fprintf(stderr, "\n%s", InColumns(completion.candidates).c_str());
  return CC_REDISPLAY;
}

// A file that has grown to twice the lines is replaced by its end.
void LineEditor::State::LoadHistory() {
  std::ifstream file(history_path);
  std::deque<std::string> lines;
  size_t all = 0;
  for (std::string line; std::getline(file, line); ++all) {
    lines.push_back(std::move(line));
    if (lines.size() > kLinesKept) lines.pop_front();
  }
  for (const std::string& line : lines) ::history(history, &event, H_ENTER, line.c_str());
  if (all < 2 * kLinesKept) return;
  const std::string shorter = history_path + ".new";
  const int fd = ::open(shorter.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return;
  ::close(fd);
  std::ofstream out(shorter);
  for (const std::string& line : lines) out << line << '\n';
  if (out.flush()) std::rename(shorter.c_str(), history_path.c_str());
}

void LineEditor::State::Keep(const std::string& line) {
  if (line.empty() || line.front() == ' ') return;
  ::history(history, &event, H_ENTER, line.c_str());
  if (history_path.empty()) return;
  const int fd = ::open(history_path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return;
  const std::string whole = line + '\n';
  [[maybe_unused]] const ssize_t written = ::write(fd, whole.data(), whole.size());
  ::close(fd);
}

LineEditor::LineEditor(std::string history, CompleteFn complete, std::function<bool()> interrupted)
    : state_(std::make_unique<State>()) {
  state_->history_path = std::move(history);
  state_->complete = std::move(complete);
  state_->interrupted = std::move(interrupted);
  // Only what a character is: numbers and order stay those of the C locale.
  std::setlocale(LC_CTYPE, "");
  if (MB_CUR_MAX == 1) std::setlocale(LC_CTYPE, "C.UTF-8");

  state_->history = history_init();
  ::history(state_->history, &state_->event, H_SETSIZE, kLinesKept);
  ::history(state_->history, &state_->event, H_SETUNIQUE, 1);
  if (!state_->history_path.empty()) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::path(state_->history_path).parent_path();
    if (std::filesystem::create_directories(folder, ignored)) ::chmod(folder.c_str(), 0700);
    state_->LoadHistory();
  }

  state_->editor = el_init("loci", stdin, stderr, stderr);
  el_set(state_->editor, EL_CLIENTDATA, state_.get());
  el_set(state_->editor, EL_EDITOR, "emacs");
  el_source(state_->editor, nullptr);  // ~/.editrc, which may say vi
  el_set(state_->editor, EL_SIGNAL, 0);
  el_set(state_->editor, EL_PROMPT, &State::Prompt);
  el_set(state_->editor, EL_HIST, &::history, state_->history);
  el_set(state_->editor, EL_GETCFN, &State::ReadCharacter);
  el_set(state_->editor, EL_ADDFN, "loci-complete", "complete a name or command", &State::Complete);
  el_set(state_->editor, EL_BIND, "\t", "loci-complete", nullptr);
}

LineEditor::~LineEditor() {
  el_end(state_->editor);
  history_end(state_->history);
}

LineEditor::Got LineEditor::Read(const std::string& prompt, std::string* line) {
  state_->prompt = prompt;
  el_resize(state_->editor);
  // Before the prompt shows: what is typed at once is ours to edit, not the terminal's.
  el_set(state_->editor, EL_PREP_TERM, 1);
  int count = 0;
  const char* const got = el_gets(state_->editor, &count);
  if (got == nullptr || count <= 0) {
    std::fputs("\n", stderr);
    return state_->interrupted() ? Got::kInterrupt : Got::kEnd;
  }
  line->assign(got, static_cast<size_t>(count));
  while (!line->empty() && (line->back() == '\n' || line->back() == '\r')) line->pop_back();
  state_->Keep(*line);
  return Got::kLine;
}

std::string HistoryPath() {
  const auto from = [](const char* variable, const char* below) -> std::string {
    const char* const value = std::getenv(variable);
    // As the specification has it, a relative path counts as none.
    return value == nullptr || value[0] != '/' ? std::string() : std::string(value) + below;
  };
  const std::string given = from("XDG_STATE_HOME", "/loci/history");
  return given.empty() ? from("HOME", "/.local/state/loci/history") : given;
}

}  // namespace loci
