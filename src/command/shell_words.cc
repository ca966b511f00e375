// SPDX-License-Identifier: Apache-2.0
#include "command/shell_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/unicode.h"

namespace loci {
namespace {

constexpr std::string_view kSpaces = " \t";

// Where the quoted part that begins at `at` ends, behind its closing quote; npos where it does not.
// Only the notation's double quotes and brackets know a backslash.
size_t EndOfQuoted(std::string_view line, size_t at) {
  const char close = line[at] == '<' ? '>' : line[at];
  for (size_t i = at + 1; i < line.size(); ++i) {
    if (line[i] == '\\' && close != '\'') {
      ++i;
    } else if (line[i] == close) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

const Flag* FindFlag(const Verb& verb, std::string_view word) {
  for (const Flag& flag : verb.flags) {
    if (word == fmt::format("--{}", flag.name)) return &flag;
    if (flag.letter != 0 && word == fmt::format("-{}", flag.letter)) return &flag;
  }
  return nullptr;
}

}  // namespace

Result<std::vector<std::string>> SplitWords(std::string_view line) {
  std::vector<std::string> words;
  for (size_t at = 0; (at = line.find_first_not_of(kSpaces, at)) != std::string_view::npos;) {
    const size_t begin = at;
    size_t depth = 0;
    bool whole = false;  // so far the word is one quoted part
    while (at < line.size() && (depth > 0 || kSpaces.find(line[at]) == std::string_view::npos)) {
      const char c = line[at];
      // An apostrophe or a less-than within a word is a character like any other.
      const bool opens = c == '"' || ((c == '\'' || c == '<') && (at == begin || depth > 0));
      if (!opens) {
        depth += c == '(';
        depth -= c == ')' && depth > 0;
        whole = false;
        ++at;
        continue;
      }
      const size_t end = EndOfQuoted(line, at);
      if (end == std::string_view::npos) {
        return Error{ErrorKind::kUsage, fmt::format("{} is not closed; end it with {}",
                                                    Excerpt(line.substr(at)), c == '<' ? '>' : c)};
      }
      whole = at == begin && c != '<';
      at = end;
    }
    const std::string_view word = line.substr(begin, at - begin);
    words.emplace_back(whole ? word.substr(1, word.size() - 2) : word);
  }
  return words;
}

std::vector<std::string> JoinText(const Verb& verb, std::vector<std::string> words) {
  if (verb.arguments.size() != 2 || verb.arguments[1].count == Argument::Count::kAny) return words;
  std::vector<std::string> joined;
  std::string text;
  bool any = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].size() > 1 && words[i][0] == '-') {
      const Flag* const flag = FindFlag(verb, words[i]);
      joined.push_back(words[i]);
      if (flag != nullptr && flag->type != Flag::Type::kSwitch && i + 1 < words.size()) {
        joined.push_back(words[++i]);
      }
      continue;
    }
    text += (any ? " " : "") + words[i];
    any = true;
  }
  if (any) joined.push_back(std::move(text));
  return joined;
}

}  // namespace loci
