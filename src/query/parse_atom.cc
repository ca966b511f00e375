// SPDX-License-Identifier: Apache-2.0
//
// atom, path, seq and step of the grammar.
#include <fmt/format.h>

#include "base/unicode.h"
#include "query/parser.h"

namespace loci::query {
namespace {

// From which kinds of end a walk may begin or, reversed, end: a step forward leaves a symbol, an
// inverse one leaves anything.
struct Leaves {
  bool any = false;      // some walk begins with an inverse step
  bool nothing = false;  // the walk may be empty
};

Leaves StartOf(const Path& path, bool reversed) {
  const bool flipped = reversed != path.inverse;
  switch (path.kind) {
    case Path::Kind::kRelation:
      return {flipped, false};
    case Path::Kind::kPlus:
      return StartOf(path.parts[0], flipped);
    case Path::Kind::kStar:
    case Path::Kind::kOptional:
      return {true, true};
    case Path::Kind::kAlternative: {
      Leaves all;
      for (const Path& part : path.parts) {
        const Leaves one = StartOf(part, flipped);
        all = {all.any || one.any, all.nothing || one.nothing};
      }
      return all;
    }
    case Path::Kind::kSequence: {
      Leaves all{false, true};
      const size_t n = path.parts.size();
      for (size_t i = 0; i < n && all.nothing; ++i) {
        const Leaves one = StartOf(path.parts[flipped ? n - 1 - i : i], flipped);
        all = {all.any || one.any, one.nothing};
      }
      return all;
    }
  }
  return {};
}

}  // namespace

Result<Clause> BodyParser::ParseAtom() {
  Clause atom;
  atom.at = in_.offset();
  if (in_.kind() == TokenKind::kVariable) {
    LOCI_ASSIGN(atom.relation, in_.TakeVariable("a relation"));
    if (in_.kind() != TokenKind::kOpen) {
      return in_.Unexpected(
          "\"(\" and the ends of an atom, or a comparison; in a path every relation is named");
    }
  } else {
    LOCI_ASSIGN(atom.path, ParsePath());
  }
  LOCI_TRY(ParseEnds(&atom));
  LOCI_TRY(CheckEnds(atom));
  if (in_.TakeIfWord("from")) {
    LOCI_ASSIGN(atom.source, in_.TakeName("the name of a source"));
  }
  return atom;
}

Result<void> BodyParser::ParseEnds(Clause* atom) {
  LOCI_TRY(in_.Expect(TokenKind::kOpen, "\"(\" and the two ends, as in relation(subject, ?x)"));
  LOCI_ASSIGN(atom->left, in_.TakeOperand("a term: ?x, a name, <a name>, \"a text\", a number"));
  LOCI_TRY(in_.Expect(TokenKind::kComma, "\",\" and the other end"));
  LOCI_ASSIGN(atom->right, in_.TakeOperand("a term: ?x, a name, <a name>, \"a text\", a number"));
  LOCI_TRY(in_.Expect(TokenKind::kClose, "\")\": an atom has two ends"));
  return {};
}

// A subject is a symbol. `1998` in its place is most likely the name <1998>.
Result<void> BodyParser::CheckEnds(const Clause& atom) const {
  for (const bool right : {false, true}) {
    const Operand& end = right ? atom.right : atom.left;
    if (end.kind != Operand::Kind::kConstant) continue;
    const Term& term = in_.names().constants[end.index];
    if (term.kind == Kind::kSymbol) continue;
    if (atom.relation ? right : StartOf(atom.path, right).any) continue;
    return in_.ErrorAtOffset(
        end.at, fmt::format("found {}, expected a name, for subjects are symbols; as a name it is "
                            "written <{}>",
                            Excerpt(ToNotation(term), 40), Excerpt(ToPlain(term), 40)));
  }
  return {};
}

Result<Path> BodyParser::ParsePath() {
  Path path;
  path.kind = Path::Kind::kAlternative;
  path.at = in_.offset();
  do {
    LOCI_ASSIGN(path.parts.emplace_back(), ParseSequence());
  } while (in_.TakeIf(TokenKind::kPipe));
  if (path.parts.size() > 1) return path;
  return std::move(path.parts[0]);
}

Result<Path> BodyParser::ParseSequence() {
  Path path;
  path.kind = Path::Kind::kSequence;
  path.at = in_.offset();
  do {
    LOCI_ASSIGN(path.parts.emplace_back(), ParseStep());
  } while (in_.TakeIf(TokenKind::kSlash));
  if (path.parts.size() > 1) return path;
  return std::move(path.parts[0]);
}

Result<Path> BodyParser::ParseStep() {
  Path step;
  step.at = in_.offset();
  const bool inverse = in_.TakeIf(TokenKind::kCaret);
  if (in_.kind() == TokenKind::kOpen) {
    const TokenStream::Level level(in_.depth());
    LOCI_TRY(in_.CheckDepth());
    in_.Take();
    LOCI_ASSIGN(step, ParsePath());
    LOCI_TRY(in_.Expect(TokenKind::kClose, "\"|\", \"/\" or the \")\" that ends the path"));
  } else if (in_.kind() == TokenKind::kVariable) {
    return in_.Unexpected("the name of a relation; a variable stands for a relation only alone");
  } else {
    LOCI_ASSIGN(step.relation, in_.TakeName("the name of a relation"));
  }
  step.inverse = step.inverse != inverse;
  const TokenKind repeat = in_.kind();
  if (repeat != TokenKind::kPlus && repeat != TokenKind::kStar && repeat != TokenKind::kQuestion) {
    return step;
  }
  in_.Take();
  Path repeated;
  repeated.kind = repeat == TokenKind::kPlus   ? Path::Kind::kPlus
                  : repeat == TokenKind::kStar ? Path::Kind::kStar
                                               : Path::Kind::kOptional;
  repeated.at = step.at;
  repeated.parts.push_back(std::move(step));
  return repeated;
}

}  // namespace loci::query
