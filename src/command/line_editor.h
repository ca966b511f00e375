// SPDX-License-Identifier: Apache-2.0
//
// A line from a person at a terminal, with editing, history and completion by libedit (BSD; the
// GPL's readline must not be linked into what is Apache-2.0). It draws on standard error.
//
// History is a plain file of lines, to which each line is appended as it is entered, so that
// several shells share it. A line that begins with a space is not kept.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace loci {

// What could stand in place of the end of a line.
struct Completion {
  size_t begin = 0;  // what is completed: from this byte of the line to its end
  std::vector<std::string> candidates;
};
using CompleteFn = std::function<Completion(std::string_view line)>;

class LineEditor {
 public:
  // history: a file's path, made where it is not there; empty: none is kept.
  // interrupted: whether Ctrl-C was pressed since it was last cleared.
  LineEditor(std::string history, CompleteFn complete, std::function<bool()> interrupted);
  ~LineEditor();

  enum class Got { kLine, kInterrupt, kEnd };
  // Without the newline.
  Got Read(const std::string& prompt, std::string* line);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Where the shell's history belongs: loci/history in XDG_STATE_HOME, or ~/.local/state; empty where
// neither is known.
std::string HistoryPath();

}  // namespace loci
