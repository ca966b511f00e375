// SPDX-License-Identifier: Apache-2.0
#include "mcp/memory_tools.h"

#include <utility>

#include <fmt/format.h>

#include "render/caret.h"

namespace loci::mcp {

std::vector<Tool> MemoryTools() {
  return {RecallTool(), AskTool(), WhyTool(), LearnTool(), ForgetTool(), StatsTool()};
}

Result<Term> NameFrom(const std::string& text, const std::string& what) {
  size_t column = 0;
  const bool bracketed = text.size() > 2 && text.front() == '<' && text.back() == '>';
  auto name = bracketed ? ParseNotation(text, true, &column) : MakeSymbol(text);
  if (name.ok()) return name;
  return Error{ErrorKind::kUsage, fmt::format("{}: {}", what, name.error().message)};
}

Error InToolWords(Error error) {
  for (const auto& [flag, argument] :
       {std::pair{"--max-work", "max_work"}, std::pair{"--subject", "the argument subject"},
        std::pair{"--source", "source"}}) {
    for (size_t at; (at = error.message.find(flag)) != std::string::npos;) {
      error.message.replace(at, std::string_view(flag).size(), argument);
    }
  }
  return error;
}

Error InQuery(const Error& error, std::string_view text) {
  Error told = InToolWords(WithCaret(error, text));
  if (FaultColumn(error.message) > 0) {
    told.message +=
        "\nthe form is relation(subject, object), with ?x for what is unknown, <New York> for a "
        "name with a space and \"...\" for a text";
  }
  return told;
}

}  // namespace loci::mcp
