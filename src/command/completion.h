// SPDX-License-Identifier: Apache-2.0
//
// What shells need to complete the command line, and the manual page: made from the table of verbs,
// so that nothing about a verb is said twice. `loci help --bash`, `--zsh` and `--man` print them.
#pragma once

#include <string>

namespace loci {

std::string BashCompletion();
std::string ZshCompletion();

// In the man macros, which both groff and mandoc set.
std::string ManualPage();

}  // namespace loci
