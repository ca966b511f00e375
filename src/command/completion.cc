// SPDX-License-Identifier: Apache-2.0
//
// Both scripts are a fixed frame around one line or function per verb. They read no memory: a Tab
// must not wait for a disk. The shell of loci completes names (shell_names.h).
#include "command/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "command/verb.h"
#include "store/settings.h"

namespace loci {
namespace {

constexpr std::string_view kTasks = "recall";  // of eval

// What an argument is of, as the name by which help shows it says.
enum class Kind { kFolder, kFile, kVerb, kSetting, kTask, kOther };

Kind KindOf(std::string_view argument) {
  if (argument == "MEMORY" || argument == "NEW" || argument == "DIR") return Kind::kFolder;
  if (argument == "FILE") return Kind::kFile;
  if (argument == "VERB") return Kind::kVerb;
  if (argument == "KEY") return Kind::kSetting;
  if (argument == "TASK") return Kind::kTask;
  return Kind::kOther;
}

std::string VerbNames() {
  std::string names;
  for (const Verb& verb : Verbs()) names += fmt::format("{} ", verb.name);
  return names.substr(0, names.size() - 1);
}

std::string SettingNames() {
  std::string names;
  for (const SettingInfo& info : KnownSettings()) names += fmt::format("{} ", info.key);
  return names.substr(0, names.size() - 1);
}

// --- bash ---

std::string_view BashKind(Kind kind) {
  switch (kind) {
    case Kind::kFolder:
      return "folder";
    case Kind::kFile:
      return "file";
    case Kind::kVerb:
      return "verb";
    case Kind::kSetting:
      return "setting";
    case Kind::kTask:
      return "task";
    case Kind::kOther:
      break;
  }
  return "other";
}

// One branch: the verb's flags, those that take a value, and its arguments' kinds.
std::string BashVerb(const Verb& verb) {
  std::string flags, valued, kinds;
  for (const Flag& flag : verb.flags) {
    flags += fmt::format(" --{}", flag.name);
    if (flag.type == Flag::Type::kSwitch) continue;
    valued += fmt::format(" --{}", flag.name);
    if (flag.letter != 0) valued += fmt::format(" -{}", flag.letter);
  }
  for (const Argument& argument : verb.arguments) {
    kinds += fmt::format(" {}", BashKind(KindOf(argument.name)));
    if (argument.count == Argument::Count::kAny) kinds += " more";
  }
  return fmt::format("    {}) flags='{} --help' valued='{} ' kinds='{}' ;;\n", verb.name, flags,
                     valued, kinds);
}

constexpr std::string_view kBashBegin =
    R"(# bash completion for loci, printed by `loci help --bash`.

_loci() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local flags valued kinds kind word i place=0
  COMPREPLY=()
  # --flag=value comes as three words.
  [[ $current == '=' ]] && current=''
  [[ $previous == '=' ]] && previous=${COMP_WORDS[COMP_CWORD - 2]}
)";

constexpr std::string_view kBashEnd = R"(  if [[ $valued == *" $previous "* ]]; then return; fi
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    word=${COMP_WORDS[i]}
    if [[ $valued == *" $word "* ]]; then
      [[ ${COMP_WORDS[i + 1]} == '=' ]] && ((++i))
      ((++i))
    elif [[ $word != -?* ]]; then
      ((++place))
    fi
  done
  kinds=($kinds)
  kind=${kinds[place]}
  # The last argument may be repeated.
  if ((${#kinds[@]} > 0 && place >= ${#kinds[@]} - 1)) && [[ ${kinds[-1]} == more ]]; then
    kind=${kinds[-2]}
  fi
  case $kind in
    folder) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    file) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
)";

// --- zsh ---

// Within single quotes, as a part of an _arguments specification.
std::string ZshText(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string ZshAction(Kind kind) {
  switch (kind) {
    case Kind::kFolder:
      return "_files -/";
    case Kind::kFile:
      return "_files";
    case Kind::kVerb:
      return fmt::format("({})", VerbNames());
    case Kind::kSetting:
      return fmt::format("({})", SettingNames());
    case Kind::kTask:
      return fmt::format("({})", kTasks);
    case Kind::kOther:
      break;
  }
  return "()";  // none, and no word about it: zsh would not insert a flag beside that
}

std::string ZshFlag(const Verb& verb, const Flag& flag) {
  std::string excluded = fmt::format("--{}", flag.name);
  if (flag.letter != 0) excluded += fmt::format(" -{}", flag.letter);
  for (const Flag& other : verb.flags) {
    if (!flag.group.empty() && other.group == flag.group && other.name != flag.name) {
      excluded += fmt::format(" --{}", other.name);
    }
  }
  std::string value;
  if (flag.type != Flag::Type::kSwitch) {
    value =
        fmt::format(":{}:{}", ZshText(flag.value),
                    flag.choices.empty() ? " " : fmt::format("({})", fmt::join(flag.choices, " ")));
  }
  const auto spec = [&](const std::string& spelling) {
    return fmt::format(" \\\n    '({}){}[{}]{}'", excluded, spelling, ZshText(flag.help), value);
  };
  // After a short flag the value is another word; after a long one it may follow an equals sign.
  std::string out = spec(fmt::format("--{}{}", flag.name, value.empty() ? "" : "="));
  if (flag.letter != 0) out += spec(fmt::format("-{}", flag.letter));
  return out;
}

std::string ZshVerb(const Verb& verb) {
  std::string out = fmt::format("_loci_{}() {{\n  _arguments -S", verb.name);
  for (const Flag& flag : verb.flags) out += ZshFlag(verb, flag);
  out += " \\\n    '(- *)--help[tell about the verb]'";
  int place = 0;
  for (const Argument& argument : verb.arguments) {
    ++place;
    const bool any = argument.count == Argument::Count::kAny;
    const bool optional = argument.count == Argument::Count::kOptional;
    out +=
        fmt::format(" \\\n    '{}:{}{}:{}'", any ? "*" : std::to_string(place), optional ? ":" : "",
                    ZshText(argument.name), ZshAction(KindOf(argument.name)));
  }
  return out + "\n}\n\n";
}

constexpr std::string_view kZshBegin = R"(#compdef loci
# zsh completion for loci, printed by `loci help --zsh`.

)";

constexpr std::string_view kZshEnd = R"(  )
  _arguments -C '(- *)--help[list the verbs]' '(- *)--version[name the version]' \
    '1:verb:->verb' '*::argument:->argument' && return
  case $state in
    verb) _describe -t verbs verb verbs ;;
    argument) (( $+functions[_loci_$words[1]] )) && _loci_$words[1] ;;
  esac
}

if [[ $funcstack[1] == _loci ]]; then _loci "$@"; else compdef _loci loci; fi
)";

}  // namespace

std::string BashCompletion() {
  std::string out(kBashBegin);
  out += fmt::format(
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n",
      VerbNames());
  for (const Verb& verb : Verbs()) out += BashVerb(verb);
  out +=
      "    *) return ;;\n"
      "  esac\n"
      "  case \"${COMP_WORDS[1]} $previous\" in\n";
  for (const Verb& verb : Verbs()) {
    for (const Flag& flag : verb.flags) {
      if (flag.choices.empty()) continue;
      out +=
          fmt::format("    '{} --{}') COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                      verb.name, flag.name, fmt::join(flag.choices, " "));
    }
  }
  out += "  esac\n";
  out += kBashEnd;
  out += fmt::format("    verb) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", VerbNames());
  out += fmt::format("    setting) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n",
                     SettingNames());
  out += fmt::format("    task) COMPREPLY=($(compgen -W '{}' -- \"$current\")) ;;\n", kTasks);
  return out + "  esac\n}\n\ncomplete -F _loci loci\n";
}

std::string ZshCompletion() {
  std::string out(kZshBegin);
  for (const Verb& verb : Verbs()) out += ZshVerb(verb);
  out += "_loci() {\n  local -a verbs state line\n  verbs=(\n";
  for (const Verb& verb : Verbs()) {
    out += fmt::format("    '{}:{}'\n", verb.name, ZshText(verb.summary));
  }
  return out + std::string(kZshEnd);
}

}  // namespace loci
