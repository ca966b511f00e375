// SPDX-License-Identifier: Apache-2.0
//
// erase MEMORY: somebody withdraws what they said. What is forgotten leaves the answers and the
// digest at once, as if it had never been learned, and the bytes on disk with Consolidate.
//
//   $ erase people.loci
//   would forget born_in(carol, lyon) from survey
//   would forget likes(carol, jazz) from survey
//   forgot 2 statements: 1 fact gone, 1 kept because others said it too
//   the digest is as if the survey had never been
//   answers that still name the survey: 0
#include <cstdio>

#include "loci/memory.h"

namespace {

using loci::Selector;
using loci::Statement;
using loci::Value;

int Complain(const loci::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: erase MEMORY\n");
    return 2;
  }
  auto memory = loci::Memory::Open(arguments[1]);
  if (!memory.ok()) return Complain(memory.error());

  const auto base = memory->Learn({{"carol", "born_in", Value::Symbol("lyon"), "register"}});
  if (!base.ok()) return Complain(base.error());
  const auto survey = memory->Learn({{"carol", "born_in", Value::Symbol("lyon"), "survey"},
                                     {"carol", "likes", Value::Symbol("jazz"), "survey"}});
  if (!survey.ok()) return Complain(survey.error());

  const auto dry =
      memory->Forget(Selector::Source("survey"), {.dry_run = true, .list_statements = true});
  if (!dry.ok()) return Complain(dry.error());
  for (const Statement& s : dry->statements) {
    std::printf("would forget %s(%s, %s) from %s\n", s.relation.c_str(), s.subject.c_str(),
                s.object.text.c_str(), s.source.c_str());
  }

  const auto gone = memory->Forget(Selector::Source("survey"));
  if (!gone.ok()) return Complain(gone.error());
  std::printf("forgot %llu statements: %llu fact gone, %llu kept because others said it too\n",
              static_cast<unsigned long long>(gone->forgotten),
              static_cast<unsigned long long>(gone->facts_gone),
              static_cast<unsigned long long>(gone->facts_kept));
  if (gone->digest == base->digest) std::printf("the digest is as if the survey had never been\n");

  const auto erased = memory->Consolidate();
  if (!erased.ok()) return Complain(erased.error());
  const auto left = memory->Ask("?r(?s, ?o) from survey");
  if (!left.ok()) return Complain(left.error());
  std::printf("answers that still name the survey: %zu\n", left->rows.size());
  return 0;
}
