// SPDX-License-Identifier: Apache-2.0
#include "query/rule.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/decimal.h"
#include "base/fixed.h"
#include "base/unicode.h"
#include "query/analysis.h"
#include "query/parser.h"
#include "query/print.h"
#include "query/snapshot_graph.h"
#include "query/strata.h"

namespace loci::query {
namespace {

// A recursive rule is taken apart so; beyond this, unfold.h refuses it.
constexpr uint64_t kMostAlternatives = 1000;

// A number above 0 and at most 1 to the nearest 2^-32, at least that: its decimal digits doubled,
// the carry of each doubling the next binary digit.
uint64_t ScoreOf(const Term& number) {
  std::string text = DecimalToText(number.bytes);
  int exponent = 0;
  if (const size_t e = text.find('e'); e != std::string::npos) {
    exponent = std::stoi(text.substr(e + 1));
    text.resize(e);
  }
  if (exponent < -20) return 1;
  std::string digits;  // behind the point
  const size_t point = text.find('.');
  const std::string whole = text.substr(0, point);
  if (point != std::string::npos) digits = text.substr(point + 1);
  if (exponent < 0) {
    digits = std::string(static_cast<size_t>(-exponent - 1), '0') + whole + digits;
  } else if (whole != "0") {
    return kScoreOne;
  }
  uint64_t score = 0;
  for (int bit = 0; bit < 33; ++bit) {
    int carry = 0;
    for (size_t i = digits.size(); i-- > 0;) {
      const int doubled = (digits[i] - '0') * 2 + carry;
      digits[i] = static_cast<char>('0' + doubled % 10);
      carry = doubled / 10;
    }
    score = score * 2 + static_cast<uint64_t>(carry);
  }
  return std::max<uint64_t>(1, (score + 1) >> 1);
}

// Into how many conjunctions a body falls where every `or` outside of `not` is taken apart. Ends at
// kMostAlternatives + 1.
uint64_t CountAlternatives(const Body& body) {
  uint64_t sum = 0;
  for (const auto& branch : body.branches) {
    uint64_t product = 1;
    for (const Clause& clause : branch) {
      if (clause.kind != Clause::Kind::kGroup) continue;
      product = std::min(product * CountAlternatives(clause.body), kMostAlternatives + 1);
    }
    sum = std::min(sum + product, kMostAlternatives + 1);
  }
  return sum;
}

}  // namespace

Result<RuleProgram> AnalyzeRule(std::string_view text, const RuleTree& tree, bool lines) {
  QueryTree query;
  query.names = tree.names;
  query.has_head = true;
  for (const Operand& end : {tree.subject, tree.object}) {
    const bool is_new = query.head.empty() || query.head[0].index != end.index;
    if (end.kind == Operand::Kind::kVariable && is_new) query.head.push_back(end);
  }
  query.body = tree.body;
  RuleProgram rule;
  LOCI_ASSIGN(rule.program, Analyze(text, std::move(query), lines));
  const auto slot_of = [&](const Operand& end) -> Slot {
    if (end.kind == Operand::Kind::kConstant) return {Slot::Kind::kConstant, end.index};
    const auto& names = rule.program.names;
    const auto at = std::find(names.begin(), names.end(), tree.names.variables[end.index]);
    return {Slot::Kind::kVariable, rule.program.head[at - names.begin()], end.index};
  };
  rule.subject = slot_of(tree.subject);
  rule.object = slot_of(tree.object);
  if (tree.confidence) {
    rule.weight = WeightOfScore(ScoreOf(tree.names.constants[*tree.confidence]));
  }
  return rule;
}

std::string RuleText(const RuleTree& tree, const RuleProgram& rule) {
  Wording wording;
  wording.variables = &tree.names.variables;
  wording.constant = [&](uint32_t index) { return tree.names.constants[index].view(); };
  const auto& names = tree.names.variables;
  std::string text = fmt::format("{}(?{}, ?{}) <- {}", tree.names.constants[tree.relation].bytes,
                                 names[tree.subject.index], names[tree.object.index],
                                 ToText(rule.program.root, wording));
  if (tree.confidence && rule.weight > 0) {
    text += " conf " + ToNotation(tree.names.constants[*tree.confidence]);
  }
  return text;
}

std::optional<std::string_view> TextOfRule(TermView object) {
  if (object.kind != Kind::kText) return std::nullopt;
  const TextParts parts = SplitText(object.bytes);
  if (parts.tag_kind != '^' || parts.tag != kRuleWord) return std::nullopt;
  return parts.text;
}

Result<RuleTree> ParseRule(std::string_view text) {
  // A comment at the end must not hide what is added.
  const size_t end = text.find_last_not_of(" \n\t");
  const bool ended = end != std::string_view::npos && text[end] == ';';
  const std::string whole = ended ? std::string(text) : std::string(text) + "\n;";
  LOCI_ASSIGN(std::vector<RuleTree> rules, ParseRules(whole));
  if (rules.size() != 1) {
    return Error{ErrorKind::kUsage, fmt::format("found {} rules, expected one", rules.size())};
  }
  return std::move(rules[0]);
}

Result<std::vector<NewRule>> ReadRules(std::string_view text) {
  LOCI_ASSIGN(const std::vector<RuleTree> trees, ParseRules(text));
  std::vector<NewRule> rules;
  for (const RuleTree& tree : trees) {
    LOCI_ASSIGN(const RuleProgram program, AnalyzeRule(text, tree, true));
    if (CountAlternatives(tree.body) > kMostAlternatives) {
      Error error = ErrorAt(text, tree.at,
                            fmt::format("the branches of \"or\" in this rule multiply to more than "
                                        "{} alternatives; name parts of it by rules of their own",
                                        kMostAlternatives),
                            true);
      error.kind = ErrorKind::kLimit;
      return error;
    }
    NewRule& rule = rules.emplace_back();
    rule.relation = tree.names.constants[tree.relation];
    LOCI_ASSIGN(rule.text, MakeTaggedText(RuleText(tree, program), '^', kRuleWord));
  }
  return rules;
}

Result<void> CheckRules(const Snapshot& snapshot, const std::vector<NewRule>& rules) {
  const SnapshotGraph graph(&snapshot);
  Strata strata;
  const auto add = [&](const std::string& relation, std::string_view text) -> Result<void> {
    auto tree = ParseRule(text);
    if (tree.ok()) strata.Add(relation, tree->body, tree->names.constants);
    return {};
  };
  TermId rule_id = kNoTerm;
  const TermView rule_name{Kind::kSymbol, kRuleWord};
  LOCI_TRY(graph.Find({&rule_name, 1}, &rule_id));
  std::vector<TermId> relations;
  if (rule_id != kNoTerm) LOCI_TRY(graph.SubjectsOf(rule_id, &relations));
  Lists lists;
  if (!relations.empty()) LOCI_TRY(graph.Expand(relations, rule_id, Way::kForward, &lists));
  for (size_t i = 0; i < relations.size(); ++i) {
    for (uint64_t e = lists.begin(i); e < lists.end(i); ++e) {
      const auto text = TextOfRule(graph.Name(lists.others[e]));
      if (text) LOCI_TRY(add(std::string(graph.Name(relations[i]).bytes), *text));
    }
  }
  for (const NewRule& rule : rules) {
    LOCI_TRY(add(rule.relation.bytes, SplitText(rule.text.bytes).text));
  }
  return strata.Arrange();
}

Result<void> AddRules(const Snapshot& snapshot, const std::vector<NewRule>& rules, TermView source,
                      Batch* batch) {
  LOCI_TRY(CheckRules(snapshot, rules));
  for (const NewRule& rule : rules) {
    batch->Add(StatementView{rule.relation, {Kind::kSymbol, kRuleWord}, rule.text, source}, false);
  }
  return {};
}

}  // namespace loci::query
