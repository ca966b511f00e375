// SPDX-License-Identifier: Apache-2.0
//
// The parsers of the query language on any text: each answers or points at a column of it; what
// they take they take again, and facts and rules that are written out are read back.
#include <charconv>

#include "harness.h"
#include "query/parser.h"
#include "query/query.h"
#include "query/rule.h"

namespace loci {
namespace {

using fuzz::Require;

// "column N" or "line L, column N", within the text.
void RequirePlace(const Error& error, std::string_view text, bool lines) {
  fuzz::RequireClear(error, {ErrorKind::kUsage, ErrorKind::kLimit, ErrorKind::kUnsupported});
  const std::string_view message = error.message;
  if (text.size() > query::kMaxQueryBytes) return;
  uint64_t line = 1, column = 0;
  const char* at = message.data();
  const char* const end = at + message.size();
  if (lines) {
    Require(message.starts_with("line "), "an error has a line", message);
    at = std::from_chars(at + 5, end, line).ptr;
    Require(std::string_view(at, end).starts_with(", "), "an error has line and column", message);
    at += 2;
  }
  Require(std::string_view(at, end).starts_with("column "), "an error has a column", message);
  std::from_chars(at + 7, end, column);
  for (; line > 1; --line) {
    const size_t newline = text.find('\n');
    Require(newline != std::string_view::npos, "an error is at a line that exists", message);
    text.remove_prefix(newline + 1);
  }
  if (lines) text = text.substr(0, text.find('\n'));
  Require(line == 1 && column >= 1 && column <= CountCodePoints(text) + 1,
          "an error is at a column that exists", message);
}

void CheckFact(std::string_view text) {
  const Result<query::FactPattern> fact = query::ParseFact(text);
  if (!fact.ok()) return RequirePlace(fact.error(), text, false);
  std::string written = ToNotation(fact->relation) + "(" + ToNotation(fact->subject) + ", " +
                        ToNotation(fact->object) + ")";
  if (fact->has_source) written += " from " + ToNotation(fact->source);
  const query::FactPattern again = fuzz::Value(query::ParseFact(written), "a fact is read back");
  Require(again.relation == fact->relation && again.subject == fact->subject &&
              again.object == fact->object && again.has_source == fact->has_source &&
              (!again.has_source || again.source == fact->source),
          "a fact is read back as it was", written);
  Require(query::Query::Parse(written).ok(), "a fact is a query", written);
}

// What is kept of a rule is read again as the same.
void CheckRules(std::string_view text) {
  const auto rules = query::ReadRules(text);
  if (!rules.ok()) return RequirePlace(rules.error(), text, true);
  for (const query::NewRule& rule : *rules) {
    const std::string kept(SplitText(rule.text.bytes).text);
    // Printed with spaces, a rule may outgrow what is read.
    if (kept.size() + 1 > query::kMaxQueryBytes) continue;
    const auto again = fuzz::Value(query::ReadRules(kept + ";"), "a rule kept is read back");
    Require(again.size() == 1 && again[0].relation == rule.relation && again[0].text == rule.text,
            "a rule kept is read back as it was", kept);
  }
}

void Check(std::string_view text) {
  const auto query = query::Query::Parse(text);
  if (query.ok()) {
    Require(query::ParseQuery(text).ok(), "what has a meaning has a form", text);
    Require(query::Query::Parse(std::string(text) + " \n").ok(), "space at the end means nothing",
            text);
  } else {
    RequirePlace(query.error(), text, false);
  }
  const auto rules = query::ParseRules(text);
  if (!rules.ok()) RequirePlace(rules.error(), text, true);
  if (rules.ok()) {
    const auto twice = query::ParseRules(std::string(text) + "\n" + std::string(text));
    Require(twice.ok() && twice->size() == 2 * rules->size(), "rules follow rules", text);
  }
  CheckRules(text);
  CheckFact(text);
}

}  // namespace
}  // namespace loci

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  loci::Check(loci::AsChars({data, size}));
  return 0;
}
