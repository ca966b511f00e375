// SPDX-License-Identifier: Apache-2.0
//
// query, head, order, key and rule of the grammar, and the single fact of `forget` and `why`.
#include <fmt/format.h>

#include <algorithm>

#include "base/unicode.h"
#include "query/parser.h"
#include "query/query.h"
#include "query/rule.h"

namespace loci::query {
namespace {

bool StartsHead(const TokenStream& in) {
  const Token& first = in.Peek();
  return first.kind == TokenKind::kOpen && first.match != 0 &&
         in.PeekAt(first.match + 1).kind == TokenKind::kArrow;
}

Result<void> ParseHead(TokenStream* in, QueryTree* tree) {
  tree->has_head = true;
  in->Take();
  do {
    LOCI_ASSIGN(const Operand variable, in->TakeVariable("a variable of the head"));
    for (const Operand& other : tree->head) {
      if (other.index == variable.index) {
        return in->ErrorAtOffset(variable.at,
                                 fmt::format("found \"?{}\" a second time in the head, expected "
                                             "each variable once",
                                             in->names().variables[variable.index]));
      }
    }
    tree->head.push_back(variable);
  } while (in->TakeIf(TokenKind::kComma));
  LOCI_TRY(in->Expect(TokenKind::kClose, "\",\" or the \")\" that ends the head"));
  return in->Expect(TokenKind::kArrow, "\"<-\"");
}

Result<void> ParseOrder(TokenStream* in, QueryTree* tree) {
  if (!in->TakeIfWord("by")) return in->Unexpected("\"by\"");
  do {
    OrderKey key;
    key.at = in->offset();
    key.by_score = in->TakeIfWord("score");
    if (!key.by_score) {
      LOCI_ASSIGN(const Operand variable, in->TakeVariable("a variable or \"score\" to order by"));
      key.variable = variable.index;
    }
    key.descending = in->TakeIfWord("desc");
    if (!key.descending) in->TakeIfWord("asc");
    tree->order.push_back(key);
  } while (in->TakeIf(TokenKind::kComma));
  return {};
}

Result<void> ParseTail(TokenStream* in, QueryTree* tree) {
  if (in->IsWord("with")) {
    tree->infer_at = in->Take().begin;
    if (!in->TakeIfWord("infer")) return in->Unexpected("\"infer\"");
  }
  if (in->TakeIfWord("order")) LOCI_TRY(ParseOrder(in, tree));
  if (in->TakeIfWord("limit")) {
    LOCI_ASSIGN(tree->limit, in->TakeCount("the number of answers, in digits"));
  }
  if (in->TakeIfWord("offset")) {
    LOCI_ASSIGN(tree->offset, in->TakeCount("the number of answers to skip, in digits"));
  }
  // What stands here either continues the body or belongs to the tail, whose parts have an order.
  if (in->kind() == TokenKind::kEnd) return {};
  const bool tail = tree->infer_at || !tree->order.empty() || tree->limit || tree->offset;
  return in->Unexpected(tail ? "the end; the order is: with infer, order by, limit, offset"
                             : "\",\", \"or\", \"order by\", \"limit\", \"offset\" or the end");
}

Result<RuleTree> TakeRule(TokenStream* in) {
  RuleTree rule;
  rule.at = in->offset();
  if (in->kind() == TokenKind::kName && in->Slice(in->Peek()).starts_with('<')) {
    return in->Unexpected("a bare name; the relation that a rule concludes is written without <>");
  }
  const uint32_t at = in->offset();
  LOCI_ASSIGN(rule.relation, in->TakeName("the relation that the rule concludes"));
  if (in->names().constants[rule.relation].bytes == kRuleWord) {
    return in->ErrorAtOffset(at,
                             "found \"rule\", expected another relation; \"rule\" keeps the rules");
  }
  LOCI_TRY(in->Expect(TokenKind::kOpen, "\"(\" and two variables"));
  LOCI_ASSIGN(rule.subject, in->TakeVariable("a variable"));
  LOCI_TRY(in->Expect(TokenKind::kComma, "\",\" and a second variable"));
  LOCI_ASSIGN(rule.object, in->TakeVariable("a variable"));
  LOCI_TRY(in->Expect(TokenKind::kClose, "\")\""));
  LOCI_TRY(in->Expect(TokenKind::kArrow, "\"<-\" and the body of the rule"));
  BodyParser parser(in);
  LOCI_ASSIGN(rule.body, parser.ParseBody());
  if (in->TakeIfWord("conf")) {
    const Token token = in->Peek();
    if (token.kind != TokenKind::kNumber) return in->Unexpected("a confidence such as 0.9");
    LOCI_ASSIGN(const Operand number, in->TakeOperand("a confidence such as 0.9"));
    LOCI_ASSIGN(const Term zero, MakeNumber("0"));
    LOCI_ASSIGN(const Term one, MakeNumber("1"));
    const Term& value = in->names().constants[number.index];
    if (value.kind != Kind::kNumber || CompareTerms(value, zero) <= 0 ||
        CompareTerms(value, one) > 0) {
      return in->ErrorAtOffset(token.begin, fmt::format("found \"{}\", expected a confidence "
                                                        "above 0 and at most 1",
                                                        in->Slice(token)));
    }
    rule.confidence = number.index;
  }
  LOCI_TRY(in->Expect(TokenKind::kSemicolon,
                      "\",\", \"or\", \"conf\" or the \";\" that ends the "
                      "rule"));
  rule.names = in->TakeNames();
  return rule;
}

}  // namespace

Result<QueryTree> ParseQuery(std::string_view text) {
  LOCI_ASSIGN(TokenStream in, TokenStream::Open(text, false));
  QueryTree tree;
  if (StartsHead(in)) LOCI_TRY(ParseHead(&in, &tree));
  BodyParser parser(&in);
  LOCI_ASSIGN(tree.body, parser.ParseBody());
  LOCI_TRY(ParseTail(&in, &tree));
  tree.names = in.TakeNames();
  return tree;
}

Result<std::vector<RuleTree>> ParseRules(std::string_view text) {
  LOCI_ASSIGN(TokenStream in, TokenStream::Open(text, true));
  std::vector<RuleTree> rules;
  while (in.kind() != TokenKind::kEnd) {
    LOCI_ASSIGN(rules.emplace_back(), TakeRule(&in));
  }
  return rules;
}

Result<FactPattern> ParseFact(std::string_view text) {
  LOCI_ASSIGN(TokenStream in, TokenStream::Open(text, false));
  const auto constant = [&in](std::string_view what) -> Result<Term> {
    if (in.kind() == TokenKind::kVariable || in.kind() == TokenKind::kAnonymous) {
      return in.Unexpected(
          fmt::format("{}, for a fact has no variables; to choose many statements "
                      "at once use --subject or --source",
                      what));
    }
    LOCI_ASSIGN(const Operand operand, in.TakeOperand(what));
    return in.names().constants[operand.index];
  };
  const auto symbol = [&](std::string_view what) -> Result<Term> {
    const uint32_t at = in.offset();
    LOCI_ASSIGN(Term term, constant(what));
    if (term.kind == Kind::kSymbol) return term;
    return in.ErrorAtOffset(at,
                            fmt::format("found {}, expected {}; as a name it is written <{}>",
                                        Excerpt(ToNotation(term)), what, Excerpt(ToPlain(term))));
  };
  FactPattern fact;
  LOCI_ASSIGN(fact.relation, symbol("a fact such as relation(subject, object)"));
  LOCI_TRY(
      in.Expect(TokenKind::kOpen, "\"(\" and the subject: a fact is relation(subject, object)"));
  LOCI_ASSIGN(fact.subject, symbol("the name of the subject"));
  LOCI_TRY(in.Expect(TokenKind::kComma, "\",\" and the object"));
  LOCI_ASSIGN(fact.object, constant("the object"));
  LOCI_TRY(in.Expect(TokenKind::kClose, "\")\": a fact is relation(subject, object)"));
  if (in.TakeIfWord("from")) {
    fact.has_source = true;
    LOCI_ASSIGN(fact.source, symbol("the name of a source"));
  }
  LOCI_TRY(in.Expect(TokenKind::kEnd, "\"from\" and a source, or the end"));
  return fact;
}

}  // namespace loci::query
