// SPDX-License-Identifier: Apache-2.0
#include "formats/gloss.h"

#include <algorithm>

namespace loci {
namespace {

std::string_view Trim(std::string_view s, std::string_view characters) {
  const size_t first = s.find_first_not_of(characters);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(characters) - first + 1);
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<signed char>(c) < 0;
}

// Where the next example opens at or after `from`, or npos. before: the text since the last one.
size_t FindExample(std::string_view gloss, size_t from) {
  int depth = 0;
  char last = ';';
  for (size_t i = from; i < gloss.size(); ++i) {
    const char c = gloss[i];
    if (c == '"') {
      if (depth == 0 && !IsWordCharacter(last)) return i;
      // A quotation within the definition: skip it.
      i = std::min(gloss.find('"', i + 1), gloss.size() - 1);
      last = 'x';
      continue;
    }
    // A parenthesis that is never closed reaches no further than its clause.
    if (c == '(') ++depth;
    if (c == ')') depth = std::max(0, depth - 1);
    if (c == ';') depth = 0;
    if (c != ' ') last = c;
  }
  return std::string_view::npos;
}

void AppendDefinition(std::string_view more, std::string* definition) {
  more = Trim(more, " ;:,");
  if (more.empty()) return;
  if (!definition->empty()) *definition += "; ";
  *definition += more;
}

// What stands between an example's closing quote and the next semicolon or quote.
std::string WithRemark(std::string_view quoted, std::string_view remark) {
  std::string example(Trim(quoted, " "));
  remark = Trim(remark, " ,:.");
  if (remark.empty() || remark == "or" || remark == "and") return example;
  if (remark[0] == '-') {
    return example.append(" - ").append(Trim(remark, "- "));
  }
  return example.append(" ").append(remark);
}

}  // namespace

Gloss ParseGloss(std::string_view gloss) {
  Gloss result;
  size_t at = 0;
  while (true) {
    const size_t open = FindExample(gloss, at);
    if (open == std::string_view::npos) break;
    AppendDefinition(gloss.substr(at, open - at), &result.definition);
    const size_t close = std::min(gloss.find('"', open + 1), gloss.size());
    const std::string_view quoted = gloss.substr(open + 1, close - open - 1);
    at = std::min(close + 1, gloss.size());
    const size_t stop = std::min(gloss.find_first_of(";\"", at), gloss.size());
    if (std::string example = WithRemark(quoted, gloss.substr(at, stop - at)); !example.empty()) {
      result.examples.push_back(std::move(example));
    }
    at = stop;
  }
  AppendDefinition(gloss.substr(at), &result.definition);
  return result;
}

}  // namespace loci
