// SPDX-License-Identifier: Apache-2.0
//
// remember MEMORY: what an assistant was told, asked again with the sources of each answer.
//
//   $ remember assistant.loci
//   alice: tea (said by chat-1, chat-2)
//   bob: coffee (said by chat-2)
//   paris is in europe: yes
#include <cstdio>

#include "loci/memory.h"

namespace {

using loci::Value;

int Complain(const loci::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: remember MEMORY\n");
    return 2;
  }
  auto memory = loci::Memory::Open(arguments[1]);
  if (!memory.ok()) return Complain(memory.error());

  // One call is one atomic, durable write. To learn what is known already changes nothing.
  const auto learned = memory->Learn({
      {"alice", "likes", Value::Symbol("tea"), "chat-1"},
      {"alice", "likes", Value::Symbol("tea"), "chat-2"},
      {"bob", "likes", Value::Symbol("coffee"), "chat-2"},
      {"paris", "in", Value::Symbol("france"), "atlas"},
      {"france", "in", Value::Symbol("europe"), "atlas"},
  });
  if (!learned.ok()) return Complain(learned.error());

  // A question that is asked often is prepared once, and given its values when it runs.
  const auto likes = loci::Query::Prepare("likes(?who, ?what)");
  if (!likes.ok()) return Complain(likes.error());
  for (const char* who : {"alice", "bob"}) {
    const auto answers = memory->Ask(*likes, {{"who", Value::Symbol(who)}}, {.evidence = true});
    if (!answers.ok()) return Complain(answers.error());
    for (const loci::Answer& answer : answers->rows) {
      std::printf("%s: %s (said by", who, answer.values[1].text.c_str());
      const char* separator = " ";
      for (const std::string& source : answer.evidence[0].sources) {
        std::printf("%s%s", separator, source.c_str());
        separator = ", ";
      }
      std::printf(")\n");
    }
  }

  // A question without variables has the answer yes, one row, or no, none.
  const auto there = memory->Ask("in+(paris, europe)");
  if (!there.ok()) return Complain(there.error());
  std::printf("paris is in europe: %s\n", there->empty() ? "no" : "yes");
  return 0;
}
