// SPDX-License-Identifier: Apache-2.0
#include "render/caret.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "base/unicode.h"
#include "render/table.h"

namespace loci {
namespace {

// Characters shown before and after the fault: with the indent, less than a terminal's 80.
constexpr size_t kBefore = 50;
constexpr size_t kAfter = 20;

}  // namespace

size_t FaultColumn(std::string_view message) {
  constexpr std::string_view kPrefix = "column ";
  if (!message.starts_with(kPrefix)) return 0;
  message.remove_prefix(kPrefix.size());
  size_t column = 0;
  const auto [stop, code] =
      std::from_chars(message.data(), message.data() + message.size(), column);
  return code == std::errc() ? column : 0;
}

Error WithCaret(const Error& error, std::string_view text) {
  const size_t column = FaultColumn(error.message);
  if (column == 0 || text.empty() || FindInvalidUtf8(text).has_value()) return error;
  std::vector<std::string> characters;  // what each is shown as: those that move the cursor, not
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = FirstCodePoint(text.substr(at));
    const bool control = point.value < 0x20 || (point.value >= 0x7f && point.value < 0xa0);
    characters.emplace_back(control ? " " : text.substr(at, point.length));
    at += point.length;
  }
  if (column > characters.size() + 1) return error;
  const size_t fault = column - 1;
  const size_t begin = fault - std::min(fault, kBefore);
  const size_t end = std::min(characters.size(), fault + kAfter);
  std::string shown = begin > 0 ? "..." : "";
  size_t indent = shown.size();
  for (size_t i = begin; i < end; ++i) {
    if (i < fault) indent += DisplayWidth(characters[i]);
    shown += characters[i];
  }
  if (end < characters.size()) shown += "...";
  return {error.kind, error.message + "\n  " + shown + "\n  " + std::string(indent, ' ') + '^'};
}

}  // namespace loci
