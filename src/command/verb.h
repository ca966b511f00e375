// SPDX-License-Identifier: Apache-2.0
//
// The table of verbs: the one description of the command line. The parser, the help texts and
// whatever else needs to know the commands (completion, man page) are made from it; nothing about
// a verb is said anywhere else.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "command/exit_code.h"
#include "command/io.h"
#include "loci/result.h"

namespace loci {

// An argument known by its place.
struct Argument {
  enum class Count { kOne, kOptional, kAny };
  std::string_view name;  // as help shows it: MEMORY
  Count count = Count::kOne;
  std::string_view group;  // as in Flag
  std::string_view help;
};

struct Flag {
  enum class Type { kSwitch, kText, kCount };  // kCount: a whole number from 1
  std::string_view name;                       // without the dashes
  char letter = 0;                             // the short form, 0 none
  Type type = Type::kSwitch;
  std::string_view value;     // as help shows it: NAME; none for a switch
  std::string_view group;     // flags of one group exclude each other; an argument may be a member
  std::string_view fallback;  // what holds where it is not given, in words
  std::string_view help;
  std::vector<std::string_view> choices = {};  // the values that there are, where they are few
};

struct Example {
  std::string_view command;  // after "loci "
  std::string_view what;
};

struct Verb;

// A command line that fits its verb.
class Invocation {
 public:
  const Verb* verb = nullptr;
  std::vector<std::string> arguments;        // by place; optional ones may be missing
  std::map<std::string, std::string> flags;  // by name; a switch has the value ""
  std::map<std::string, uint64_t> counts;    // the values of Type::kCount

  bool Has(const std::string& flag) const { return flags.count(flag) != 0; }
  std::string Text(const std::string& flag) const {
    auto found = flags.find(flag);
    return found == flags.end() ? std::string() : found->second;
  }
  uint64_t CountOr(const std::string& flag, uint64_t fallback) const {
    auto found = counts.find(flag);
    return found == counts.end() ? fallback : found->second;
  }
};

struct Verb {
  std::string_view name;
  std::string_view summary;  // one line, no full stop
  std::vector<Argument> arguments;
  std::vector<Flag> flags;
  std::string_view details;  // paragraphs for `help VERB`
  std::array<Example, 2> examples;
  Result<ExitCode> (*run)(const Invocation&, Io*);
};

const std::vector<Verb>& Verbs();
const Verb* FindVerb(std::string_view name);

// What the table's functions are; each lives in the file of its name, or in upkeep.cc.
Result<ExitCode> RunLearn(const Invocation& invocation, Io* io);
Result<ExitCode> RunAsk(const Invocation& invocation, Io* io);
Result<ExitCode> RunRecall(const Invocation& invocation, Io* io);
Result<ExitCode> RunWhy(const Invocation& invocation, Io* io);
Result<ExitCode> RunForget(const Invocation& invocation, Io* io);
Result<ExitCode> RunConsolidate(const Invocation& invocation, Io* io);
Result<ExitCode> RunExport(const Invocation& invocation, Io* io);
Result<ExitCode> RunStats(const Invocation& invocation, Io* io);
Result<ExitCode> RunDigest(const Invocation& invocation, Io* io);
Result<ExitCode> RunCheck(const Invocation& invocation, Io* io);
Result<ExitCode> RunCopy(const Invocation& invocation, Io* io);
Result<ExitCode> RunConfig(const Invocation& invocation, Io* io);
Result<ExitCode> RunUpgrade(const Invocation& invocation, Io* io);
Result<ExitCode> RunEval(const Invocation& invocation, Io* io);
Result<ExitCode> RunMcp(const Invocation& invocation, Io* io);
Result<ExitCode> RunShell(const Invocation& invocation, Io* io);
Result<ExitCode> RunHelp(const Invocation& invocation, Io* io);

}  // namespace loci
