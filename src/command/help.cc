// SPDX-License-Identifier: Apache-2.0
//
// Help is laid out for 80 columns, as terminals and manuals are.
#include "command/help.h"

#include <algorithm>
#include <ostream>
#include <utility>

#include <fmt/format.h>

#include "base/unicode.h"
#include "command/completion.h"
#include "render/nearest.h"

namespace loci {
namespace {

constexpr size_t kColumns = 80;

// Fills words into lines of kColumns from column `indent` on; `at` is where the cursor stands.
// An empty line in the text starts a paragraph; a line that begins with a space is kept as it is.
std::string Fill(std::string_view text, size_t indent, size_t at) {
  std::string out;
  const auto newline = [&] {
    out += '\n';
    at = 0;
  };
  const auto word = [&](std::string_view w) {
    if (at > indent && at + 1 + w.size() > kColumns) newline();
    if (at < indent) {
      out.append(indent - at, ' ');
      at = indent;
    } else if (at > indent) {
      out += ' ';
      ++at;
    }
    out += w;
    at += w.size();
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) {
      if (at > 0) newline();
      newline();
    } else if (line.front() == ' ') {
      if (at > 0) newline();
      out.append(indent, ' ');
      out += line;
      newline();
    } else {
      while (!line.empty()) {
        const size_t space = std::min(line.find(' '), line.size());
        word(line.substr(0, space));
        line.remove_prefix(std::min(space + 1, line.size()));
      }
    }
  }
  if (at > 0) newline();
  return out;
}

std::string Entry(std::string_view left, std::string_view right, size_t column) {
  std::string out = fmt::format("  {}", left);
  if (out.size() + 2 > column) out += "\n";
  return out + Fill(right, column, out.back() == '\n' ? 0 : out.size());
}

std::string FlagSpelling(const Flag& flag) {
  std::string out = flag.letter == 0 ? "" : fmt::format("-{}, ", flag.letter);
  out += fmt::format("--{}", flag.name);
  if (flag.type != Flag::Type::kSwitch) out += fmt::format(" {}", flag.value);
  return out;
}

std::string ArgumentSpelling(const Argument& argument, bool optional) {
  if (argument.count == Argument::Count::kAny) return fmt::format("[{}...]", argument.name);
  return optional ? fmt::format("[{}]", argument.name) : std::string(argument.name);
}

}  // namespace

std::string Synopsis(const Verb& verb) {
  std::string out(verb.name);
  for (const Argument& argument : verb.arguments) {
    // A member of a group stands beside the flags that take its place.
    std::string alternatives;
    for (const Flag& flag : verb.flags) {
      if (!argument.group.empty() && flag.group == argument.group) {
        alternatives += fmt::format(" | --{} {}", flag.name, flag.value);
      }
    }
    const bool optional = argument.count == Argument::Count::kOptional;
    out += ' ' + (alternatives.empty() ? ArgumentSpelling(argument, optional)
                                       : fmt::format("{}{}", argument.name, alternatives));
  }
  std::vector<std::string_view> done;
  for (const Flag& flag : verb.flags) {
    if (std::find(done.begin(), done.end(), flag.group) != done.end()) continue;
    const bool beside_argument =
        std::any_of(verb.arguments.begin(), verb.arguments.end(), [&](const Argument& argument) {
          return !flag.group.empty() && argument.group == flag.group;
        });
    if (beside_argument) continue;
    std::string spelling = FlagSpelling(flag);
    if (flag.letter != 0) spelling.erase(2, 4 + flag.name.size());  // the short form is enough
    if (!flag.group.empty()) {
      done.push_back(flag.group);
      for (const Flag& other : verb.flags) {
        if (other.group == flag.group && other.name != flag.name) {
          spelling += " | " + FlagSpelling(other);
        }
      }
    }
    out += fmt::format(" [{}]", spelling);
  }
  return out;
}

std::string HelpOverview() {
  std::string out =
      "loci: a learning engine that needs no GPU. It learns by writing statements to\n"
      "a memory and answers by retrieving them, each answer with its sources.\n"
      "\n"
      "Usage: loci VERB MEMORY ...\n"
      "\n";
  for (const Verb& verb : Verbs()) out += Entry(verb.name, verb.summary, 15);
  out +=
      "\n"
      "A MEMORY is a directory, made by the first learn. 'loci help VERB' tells more,\n"
      "with examples; 'loci --version' names the version.\n"
      "\n"
      "Exit codes: 0 answer found, 1 nothing found, 2 usage, 3 bad data or memory,\n"
      "4 out of memory, space or work, 130 interrupted.\n";
  return out;
}

std::string HelpFor(const Verb& verb) {
  std::string out = fmt::format("loci {}: {}\n\n", verb.name, verb.summary);
  out += "Usage: " + Fill("loci " + Synopsis(verb), 7, 7);
  out += '\n';
  for (const Argument& argument : verb.arguments) out += Entry(argument.name, argument.help, 22);
  for (const Flag& flag : verb.flags) {
    std::string help(flag.help);
    if (!flag.fallback.empty()) help += fmt::format(" (default: {})", flag.fallback);
    out += Entry(FlagSpelling(flag), help, 22);
  }
  if (!verb.details.empty()) out += '\n' + Fill(verb.details, 0, 0);
  out += "\nExamples:\n";
  for (const Example& example : verb.examples) {
    out += fmt::format("  loci {}\n", example.command) + Fill(example.what, 6, 0);
  }
  return out;
}

Error UnknownVerb(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Verb& verb : Verbs()) names.push_back(verb.name);
  const std::string_view nearest = Nearest(word, names);
  return {ErrorKind::kUsage,
          fmt::format("there is no verb '{}';{} 'loci help' lists them", Excerpt(word),
                      nearest.empty() ? "" : fmt::format(" did you mean '{}'?", nearest))};
}

Result<ExitCode> RunHelp(const Invocation& invocation, Io* io) {
  for (const auto& [flag, print] :
       {std::pair{"man", &ManualPage}, std::pair{"bash", &BashCompletion},
        std::pair{"zsh", &ZshCompletion}}) {
    if (!invocation.Has(flag)) continue;
    if (!invocation.arguments.empty()) {
      return Error{ErrorKind::kUsage, fmt::format("help: --{} is about all verbs; leave out '{}'",
                                                  flag, Excerpt(invocation.arguments[0]))};
    }
    *io->out << print();
    return ExitCode::kFound;
  }
  if (invocation.arguments.empty()) {
    *io->out << HelpOverview();
    return ExitCode::kFound;
  }
  const Verb* verb = FindVerb(invocation.arguments.front());
  if (verb == nullptr) return UnknownVerb(invocation.arguments.front());
  *io->out << HelpFor(*verb);
  return ExitCode::kFound;
}

}  // namespace loci
