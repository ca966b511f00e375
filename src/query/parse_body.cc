// SPDX-License-Identifier: Apache-2.0
//
// body, conj and clause of the grammar; parse_atom.cc has the rest.
#include <fmt/format.h>

#include <iterator>

#include "query/parser.h"

namespace loci::query {
namespace {

constexpr std::string_view kClause =
    "a clause such as relation(subject, ?x), ?x < 5, not ... or (...)";

struct OperatorForm {
  std::string_view name;
  Operator op;
  size_t arguments;
};
constexpr OperatorForm kOperators[] = {
    {"like", Operator::kLike, 2},       {"near", Operator::kNear, 2},
    {"next", Operator::kNext, 2},       {"phrase", Operator::kPhrase, 2},
    {"analogy", Operator::kAnalogy, 4},
};

}  // namespace

std::string_view OperatorName(Operator op) {
  return kOperators[static_cast<int>(op)].name;
}

Result<Body> BodyParser::ParseBody() {
  Body body;
  do {
    LOCI_ASSIGN(body.branches.emplace_back(), ParseConjunction());
  } while (in_.TakeIfWord("or"));
  return body;
}

Result<std::vector<Clause>> BodyParser::ParseConjunction() {
  std::vector<Clause> clauses;
  do {
    LOCI_TRY(ParseClause(&clauses));
  } while (in_.TakeIf(TokenKind::kComma));
  return clauses;
}

// A parenthesis opens a path where the one that closes it is followed by more of a path or by the
// ends of an atom.
bool BodyParser::StartsGroup() const {
  if (in_.kind() != TokenKind::kOpen) return false;
  const uint32_t match = in_.Peek().match;
  if (match == 0) return true;
  switch (in_.PeekAt(match + 1).kind) {
    case TokenKind::kOpen:
    case TokenKind::kPipe:
    case TokenKind::kSlash:
    case TokenKind::kPlus:
    case TokenKind::kStar:
    case TokenKind::kQuestion:
      return false;
    default:
      return true;
  }
}

bool BodyParser::StartsCompare() const {
  switch (in_.Peek(1).kind) {
    case TokenKind::kEqual:
    case TokenKind::kNotEqual:
    case TokenKind::kLess:
    case TokenKind::kLessEqual:
    case TokenKind::kGreater:
    case TokenKind::kGreaterEqual:
      return true;
    default:
      return in_.kind() == TokenKind::kText || in_.kind() == TokenKind::kNumber ||
             in_.kind() == TokenKind::kAnonymous;
  }
}

Result<void> BodyParser::ParseClause(std::vector<Clause>* out) {
  if (StartsGroup()) return ParseGroup(out);
  if (in_.IsWord("not")) {
    LOCI_ASSIGN(out->emplace_back(), ParseNot());
    return {};
  }
  const bool operand = in_.kind() == TokenKind::kVariable || in_.kind() == TokenKind::kAnonymous ||
                       in_.kind() == TokenKind::kName || in_.kind() == TokenKind::kText ||
                       in_.kind() == TokenKind::kNumber;
  if (operand && StartsCompare() && in_.Peek(1).kind != TokenKind::kOpen) {
    LOCI_ASSIGN(out->emplace_back(), ParseCompare());
    return {};
  }
  if (in_.kind() == TokenKind::kName && in_.Peek(1).kind == TokenKind::kOpen) {
    for (const OperatorForm& form : kOperators) {
      if (in_.Slice(in_.Peek()) != form.name) continue;
      LOCI_ASSIGN(out->emplace_back(), ParseOperator(form.op));
      return {};
    }
  }
  if (!operand && in_.kind() != TokenKind::kCaret && in_.kind() != TokenKind::kOpen) {
    return in_.UnexpectedName(kClause);
  }
  LOCI_ASSIGN(out->emplace_back(), ParseAtom());
  return {};
}

// A group of one branch is no more than its clauses: they join those around it.
Result<void> BodyParser::ParseGroup(std::vector<Clause>* out) {
  const TokenStream::Level level(in_.depth());
  LOCI_TRY(in_.CheckDepth());
  Clause group;
  group.kind = Clause::Kind::kGroup;
  group.at = in_.Take().begin;
  LOCI_ASSIGN(group.body, ParseBody());
  LOCI_TRY(in_.Expect(TokenKind::kClose, "\",\", \"or\" or the \")\" that ends the group"));
  if (in_.IsWord("from")) {
    return in_.Unexpected("\",\", \"or\" or the end; \"from\" follows a single atom");
  }
  if (group.body.branches.size() > 1) {
    out->push_back(std::move(group));
  } else {
    std::vector<Clause>& inner = group.body.branches[0];
    out->insert(out->end(), std::make_move_iterator(inner.begin()),
                std::make_move_iterator(inner.end()));
  }
  return {};
}

Result<Clause> BodyParser::ParseNot() {
  const TokenStream::Level level(in_.depth());
  LOCI_TRY(in_.CheckDepth());
  Clause clause;
  clause.kind = Clause::Kind::kNot;
  clause.at = in_.Take().begin;
  std::vector<Clause> inner;
  LOCI_TRY(ParseClause(&inner));
  if (inner.size() == 1 && inner[0].kind == Clause::Kind::kGroup) {
    clause.body = std::move(inner[0].body);
  } else {
    clause.body.branches.push_back(std::move(inner));
  }
  return clause;
}

Result<Clause> BodyParser::ParseCompare() {
  Clause clause;
  clause.kind = Clause::Kind::kCompare;
  clause.at = in_.offset();
  LOCI_ASSIGN(clause.left, in_.TakeOperand("a term"));
  switch (in_.kind()) {
    case TokenKind::kEqual:
      clause.comparison = Comparison::kEqual;
      break;
    case TokenKind::kNotEqual:
      clause.comparison = Comparison::kNotEqual;
      break;
    case TokenKind::kLess:
      clause.comparison = Comparison::kLess;
      break;
    case TokenKind::kLessEqual:
      clause.comparison = Comparison::kLessEqual;
      break;
    case TokenKind::kGreater:
      clause.comparison = Comparison::kGreater;
      break;
    case TokenKind::kGreaterEqual:
      clause.comparison = Comparison::kGreaterEqual;
      break;
    default:
      return in_.Unexpected("a comparison, one of = != < <= > >= (\"<\" needs a space behind it)");
  }
  in_.Take();
  LOCI_ASSIGN(clause.right, in_.TakeOperand("a term to compare with"));
  for (const Operand& side : {clause.left, clause.right}) {
    if (side.kind == Operand::Kind::kAnonymous) {
      return in_.ErrorAtOffset(side.at,
                               "found \"_\", expected a term; \"_\" has no value to compare, name "
                               "the variable");
    }
  }
  return clause;
}

Result<Clause> BodyParser::ParseOperator(Operator op) {
  const OperatorForm& form = kOperators[static_cast<int>(op)];
  Clause clause;
  clause.kind = Clause::Kind::kOperator;
  clause.op = op;
  clause.at = in_.Take().begin;
  LOCI_TRY(in_.Expect(TokenKind::kOpen, "\"(\""));
  for (size_t i = 0; i < form.arguments; ++i) {
    if (i > 0) {
      LOCI_TRY(in_.Expect(TokenKind::kComma,
                          fmt::format("\",\": {} takes {} terms", form.name, form.arguments)));
    }
    LOCI_ASSIGN(clause.arguments.emplace_back(), in_.TakeOperand("a term"));
  }
  LOCI_TRY(in_.Expect(TokenKind::kClose,
                      fmt::format("\")\": {} takes {} terms", form.name, form.arguments)));
  if (op == Operator::kLike) LOCI_TRY(ArrangeLike(&clause));
  return clause;
}

// Which of the two terms is the cue is settled here, by what is written and not by what is bound:
// the second; but the first, where that alone is a constant, or a text beside a name.
Result<void> BodyParser::ArrangeLike(Clause* clause) const {
  const auto is_constant = [](const Operand& term) {
    return term.kind == Operand::Kind::kConstant;
  };
  const auto is_name = [&](const Operand& term) {
    return is_constant(term) && in_.names().constants[term.index].kind == Kind::kSymbol;
  };
  clause->left = clause->arguments[0];
  clause->right = clause->arguments[1];
  if (is_constant(clause->left) &&
      (!is_constant(clause->right) || (!is_name(clause->left) && is_name(clause->right)))) {
    std::swap(clause->left, clause->right);
  }
  clause->arguments.clear();
  if (clause->right.kind == Operand::Kind::kAnonymous) {
    return in_.ErrorAtOffset(clause->right.at,
                             "found \"_\", expected a cue: a text, a name, or a variable that "
                             "another clause binds");
  }
  if (is_constant(clause->left) && !is_name(clause->left)) {
    return in_.ErrorAtOffset(clause->left.at,
                             "found two texts, expected a variable or a name beside the cue: what "
                             "is recalled has a name");
  }
  if (in_.IsWord("from")) {
    return in_.Unexpected(
        "\",\", \"or\" or the end; like recalls by all that is known: add a clause such as "
        "?r(?x, _) from source");
  }
  return {};
}

}  // namespace loci::query
