// SPDX-License-Identifier: Apache-2.0
#include "formats/markdown_line.h"

#include <algorithm>

namespace loci {
namespace {

std::string_view TrimmedRight(std::string_view s) {
  const size_t last = s.find_last_not_of(" \t");
  return s.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string_view Trimmed(std::string_view s) {
  s = TrimmedRight(s);
  return s.substr(std::min(s.find_first_not_of(" \t"), s.size()));
}

// Without up to three spaces of indentation; empty where it is deeper, which makes code.
std::string_view Unindented(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || indent > 3) return {};
  return line.substr(indent);
}

size_t RunLength(std::string_view s) {
  return s.empty() ? 0 : std::min(s.find_first_not_of(s[0]), s.size());
}

}  // namespace

AtxHeading ParseAtx(std::string_view line) {
  line = Unindented(line);
  if (line.empty() || line[0] != '#') return {};
  const size_t level = RunLength(line);
  if (level > 6 || (line.size() > level && line[level] != ' ' && line[level] != '\t')) return {};
  std::string_view title = Trimmed(line.substr(level));
  // A closing run of # counts only after a space, or alone.
  const size_t last = title.find_last_not_of('#');
  if (last == std::string_view::npos) {
    title = {};
  } else if (last + 1 < title.size() && (title[last] == ' ' || title[last] == '\t')) {
    title = TrimmedRight(title.substr(0, last));
  }
  return {static_cast<int>(level), title};
}

int SetextLevel(std::string_view line) {
  line = TrimmedRight(Unindented(line));
  if (line.empty() || (line[0] != '=' && line[0] != '-') || RunLength(line) != line.size())
    return 0;
  return line[0] == '=' ? 1 : 2;
}

bool IsThematicBreak(std::string_view line) {
  line = Unindented(line);
  if (line.empty() || (line[0] != '*' && line[0] != '-' && line[0] != '_')) return false;
  const char character = line[0];
  const auto spaces = std::ranges::count_if(line, [](char c) { return c == ' ' || c == '\t'; });
  return std::ranges::count(line, character) >= 3 &&
         std::ranges::count(line, character) + spaces == std::ssize(line);
}

bool MayBeSetextTitle(std::string_view first_line) {
  const std::string_view line = Unindented(first_line);
  if (line.empty() || line[0] == '>' || line[0] == '|') return false;
  const size_t digits = std::min(line.find_first_not_of("0123456789"), line.size());
  const std::string_view marker = line.substr(digits);
  const bool ordered = digits > 0 && (marker.starts_with(". ") || marker.starts_with(") "));
  const bool bullet = line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ");
  return !ordered && !bullet;
}

Fence OpeningFence(std::string_view line) {
  line = Unindented(line);
  if (line.empty() || (line[0] != '`' && line[0] != '~')) return {};
  const size_t length = RunLength(line);
  if (length < 3) return {};
  if (line[0] == '`' && line.find('`', length) != std::string_view::npos) return {};
  return {line[0], length};
}

bool ClosesFence(std::string_view line, const Fence& fence) {
  line = TrimmedRight(Unindented(line));
  return !line.empty() && line[0] == fence.character && RunLength(line) == line.size() &&
         line.size() >= fence.length;
}

}  // namespace loci
