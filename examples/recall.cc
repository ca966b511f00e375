// SPDX-License-Identifier: Apache-2.0
//
// recall MEMORY CUE BYTES: what a program that writes prompts needs, the memories that a question
// brings to mind, with their sources, in so many bytes at most.
//
//   $ recall chat.loci 'is the boat in the harbour?' 120
//   [chat-1] Ann said the boat is in the harbour now
//   [chat-2] the harbour is closed in winter
#include <cstdio>
#include <cstdlib>

#include "loci/memory.h"

namespace {

using loci::Value;

int Complain(const loci::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) {
    std::fprintf(stderr, "usage: recall MEMORY CUE BYTES\n");
    return 2;
  }
  auto memory = loci::Memory::Open(arguments[1]);
  if (!memory.ok()) return Complain(memory.error());
  const auto learned = memory->Learn({
      {"talk#1", "text", Value::Text("Ann said the boat is in the harbour now"), "chat-1"},
      {"talk#1", "part_of", Value::Symbol("talk"), "chat-1"},
      {"talk#2", "text", Value::Text("the harbour is closed in winter"), "chat-2"},
      {"talk#2", "part_of", Value::Symbol("talk"), "chat-2"},
      {"talk#9", "text", Value::Text("dinner was late"), "chat-2"},
      {"talk#9", "part_of", Value::Symbol("talk"), "chat-2"},
  });
  if (!learned.ok()) return Complain(learned.error());

  // Each has the statement behind it: whoever doubts a line can be told who said it.
  const auto recalled = memory->Recall(arguments[2], {.limit = 20, .within = "talk"});
  if (!recalled.ok()) return Complain(recalled.error());
  size_t left = std::strtoul(arguments[3], nullptr, 10);
  for (const loci::Recalled& one : recalled->memories) {
    const std::string line = "[" + one.sources.at(0) + "] " + one.text + "\n";
    if (line.size() > left) break;
    left -= line.size();
    std::fputs(line.c_str(), stdout);
  }
  return 0;
}
