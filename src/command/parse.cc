// SPDX-License-Identifier: Apache-2.0
//
// CLI11 splits the words into flags and arguments, as the table of verbs says; types, groups and
// messages are ours. CLI11 speaks by exceptions, none of which leave this file.
#include "command/parse.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/unicode.h"
#include "render/nearest.h"

namespace loci {
namespace {

Error Usage(const Verb& verb, const std::string& what) {
  return {ErrorKind::kUsage, fmt::format("{}: {}{} 'loci help {}' tells more", verb.name, what,
                                         what.ends_with('?') ? "" : ";", verb.name)};
}

// The members of the group that are given, arguments included, as the user wrote them.
std::vector<std::string> Given(const Verb& verb, const Invocation& invocation,
                               std::string_view group) {
  std::vector<std::string> given;
  for (size_t i = 0; i < std::min(verb.arguments.size(), invocation.arguments.size()); ++i) {
    if (verb.arguments[i].group == group) given.emplace_back(verb.arguments[i].name);
  }
  for (const Flag& flag : verb.flags) {
    if (flag.group == group && invocation.Has(std::string(flag.name))) {
      given.push_back(fmt::format("--{}", flag.name));
    }
  }
  return given;
}

Result<void> CheckGroups(const Verb& verb, const Invocation& invocation) {
  for (const Flag& flag : verb.flags) {
    if (flag.group.empty()) continue;
    const auto given = Given(verb, invocation, flag.group);
    if (given.size() > 1) {
      return Usage(verb, fmt::format("{} and {} exclude each other", given[0], given[1]));
    }
  }
  return {};
}

Result<uint64_t> ParseCount(const Verb& verb, const Flag& flag, const std::string& word) {
  uint64_t count = 0;
  const char* end = word.data() + word.size();
  const auto [stop, code] = std::from_chars(word.data(), end, count);
  if (code != std::errc() || stop != end || count == 0) {
    return Usage(
        verb, fmt::format("--{} takes a whole number from 1, not '{}'", flag.name, Excerpt(word)));
  }
  return count;
}

Error UnknownFlag(const Verb& verb, const std::string& word) {
  std::vector<std::string_view> names;
  for (const Flag& known : verb.flags) names.push_back(known.name);
  std::string_view name = word;
  name.remove_prefix(std::min(name.find_first_not_of('-'), name.size()));
  const std::string_view nearest = Nearest(name.substr(0, name.find('=')), names);
  if (nearest.empty()) return Usage(verb, fmt::format("there is no flag '{}'", Excerpt(word)));
  return Usage(verb,
               fmt::format("there is no flag '{}'; did you mean --{}?", Excerpt(word), nearest));
}

}  // namespace

Result<Invocation> ParseInvocation(const Verb& verb, const std::vector<std::string>& words) {
  Invocation invocation;
  invocation.verb = &verb;

  CLI::App app;
  app.set_help_flag();  // help is a verb and a word of its own (run.cc)
  app.allow_extras();
  std::vector<CLI::Option*> options;
  for (const Flag& flag : verb.flags) {
    const std::string names = flag.letter == 0 ? fmt::format("--{}", flag.name)
                                               : fmt::format("-{},--{}", flag.letter, flag.name);
    if (flag.type == Flag::Type::kSwitch) {
      options.push_back(app.add_flag(names));
    } else {
      options.push_back(
          app.add_option(names)->expected(1)->allow_extra_args(false)->multi_option_policy(
              CLI::MultiOptionPolicy::TakeAll));
    }
  }
  try {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view what = error.what();  // "--name: 1 required  missing"
    return Usage(verb, fmt::format("{} needs a value", what.substr(0, what.find(':'))));
  } catch (const CLI::Error& error) {
    return Usage(verb, error.what());
  }

  // Arguments are what no flag has claimed. CLI11's own positional options are not used: they take
  // a value such as [a,b] apart, which is a valid name of a file.
  bool may_be_flag = true;
  for (const std::string& word : app.remaining()) {
    if (may_be_flag && word == "--") {
      may_be_flag = false;  // what follows is an argument, whatever it looks like
    } else if (may_be_flag && word.size() > 1 && word[0] == '-') {
      return UnknownFlag(verb, word);
    } else {
      invocation.arguments.push_back(word);
    }
  }

  size_t least = 0, most = 0;
  for (const Argument& argument : verb.arguments) {
    least += argument.count == Argument::Count::kOne;
    most = argument.count == Argument::Count::kAny ? SIZE_MAX : most + 1;
  }
  if (invocation.arguments.size() < least) {
    return Usage(verb,
                 fmt::format("{} is missing", verb.arguments[invocation.arguments.size()].name));
  }
  if (invocation.arguments.size() > most) {
    return Usage(verb,
                 fmt::format("'{}' is one argument too many", Excerpt(invocation.arguments[most])));
  }

  for (size_t i = 0; i < verb.flags.size(); ++i) {
    const Flag& flag = verb.flags[i];
    if (options[i]->count() == 0) continue;
    const std::string name(flag.name);
    if (flag.type == Flag::Type::kSwitch) {
      invocation.flags[name] = "";
      continue;
    }
    if (options[i]->count() > 1) {
      return Usage(verb, fmt::format("--{} is given {} times", name, options[i]->count()));
    }
    invocation.flags[name] = options[i]->results().front();
    if (flag.type == Flag::Type::kCount) {
      LOCI_ASSIGN(invocation.counts[name], ParseCount(verb, flag, invocation.flags[name]));
    }
  }
  LOCI_TRY(CheckGroups(verb, invocation));
  return invocation;
}

}  // namespace loci
