// SPDX-License-Identifier: Apache-2.0
//
// Print: clauses as text of the language, in one canonical form: terms in notation, `^r(a, b)` as
// r(b, a), no parentheses beyond those that the grammar needs. What is printed is parsed again as
// the same clauses, so that it can be asked.
#pragma once

#include <functional>
#include <string>

#include "query/program.h"

namespace loci::query {

struct Wording {
  const std::vector<std::string>* variables;  // Program::written
  std::function<TermView(uint32_t)> constant;
  // What to write in place of a variable; none, or no name: the variable.
  std::function<std::optional<TermView>(Variable)> value;
};

std::string ToText(const Goal& goal, const Wording& wording);
std::string ToText(const Conjunction& conjunction, const Wording& wording);
std::string ToText(const Path& path, const Wording& wording);

}  // namespace loci::query
