// SPDX-License-Identifier: Apache-2.0
#include "query/print.h"

namespace loci::query {
namespace {

constexpr std::string_view kComparisons[] = {"=", "!=", "<", "<=", ">", ">="};

class Printer {
 public:
  explicit Printer(const Wording& wording) : wording_(wording) {}

  std::string Take() { return std::move(out_); }

  void Print(const Conjunction& conjunction) {
    const bool alone = conjunction.goals.size() == 1;
    for (size_t i = 0; i < conjunction.goals.size(); ++i) {
      if (i > 0) out_ += ", ";
      Print(conjunction.goals[i], alone);
    }
  }

  // An `or` that stands alone needs no parentheses.
  void Print(const Goal& goal, bool alone) {
    switch (goal.kind) {
      case Goal::Kind::kFact:
      case Goal::Kind::kPath:
        return PrintAtom(goal);
      case Goal::Kind::kCompare:
        Print(goal.start);
        out_ += ' ';
        out_ += kComparisons[static_cast<int>(goal.comparison)];
        out_ += ' ';
        return Print(goal.end);
      case Goal::Kind::kLike:
        out_ += "like";
        return PrintEnds(goal);
      case Goal::Kind::kNot: {
        out_ += "not ";
        const bool one = goal.branches.size() == 1 && goal.branches[0].goals.size() == 1 &&
                         goal.branches[0].goals[0].kind != Goal::Kind::kOr;
        return PrintBranches(goal, !one);
      }
      case Goal::Kind::kOr:
        return PrintBranches(goal, !alone);
    }
  }

  // Alternatives always take parentheses, as hypernym|part(dog, ?x) reads wrongly.
  enum class Within { kAtom, kAlternative, kSequence, kRepetition };

  void Print(const Path& path, Within within) {
    if (path.inverse) {
      out_ += '^';
      if (path.kind != Path::Kind::kRelation) return Bracket(path);
    }
    const bool repeats = path.kind == Path::Kind::kPlus || path.kind == Path::Kind::kStar ||
                         path.kind == Path::Kind::kOptional;
    if (path.kind == Path::Kind::kAlternative ||
        (path.kind == Path::Kind::kSequence && within >= Within::kSequence) ||
        (repeats && within >= Within::kRepetition)) {
      return Bracket(path);
    }
    PrintOpen(path);
  }

 private:
  void Bracket(const Path& path) {
    out_ += '(';
    PrintOpen(path);
    out_ += ')';
  }

  void PrintOpen(const Path& path) {
    switch (path.kind) {
      case Path::Kind::kRelation:
        out_ += ToNotation(wording_.constant(path.relation));
        return;
      case Path::Kind::kSequence:
      case Path::Kind::kAlternative: {
        const bool sequence = path.kind == Path::Kind::kSequence;
        for (size_t i = 0; i < path.parts.size(); ++i) {
          if (i > 0) out_ += sequence ? '/' : '|';
          Print(path.parts[i], sequence ? Within::kSequence : Within::kAlternative);
        }
        return;
      }
      case Path::Kind::kPlus:
      case Path::Kind::kStar:
      case Path::Kind::kOptional:
        Print(path.parts[0], Within::kRepetition);
        out_ += path.kind == Path::Kind::kPlus ? '+' : path.kind == Path::Kind::kStar ? '*' : '?';
        return;
    }
  }

  void Print(const Slot& slot) {
    if (slot.kind == Slot::Kind::kNone) {
      out_ += '_';
    } else if (slot.kind == Slot::Kind::kConstant) {
      out_ += ToNotation(wording_.constant(slot.index));
    } else if (const auto value = wording_.value ? wording_.value(slot.index) : std::nullopt) {
      out_ += ToNotation(*value);
    } else {
      out_ += '?' + (*wording_.variables)[slot.name];
    }
  }

  void PrintAtom(const Goal& goal) {
    if (goal.kind == Goal::Kind::kPath) {
      Print(goal.path, Within::kAtom);
    } else {
      Print(goal.relation);
    }
    PrintEnds(goal);
    if (goal.source) out_ += " from " + ToNotation(wording_.constant(*goal.source));
  }

  void PrintEnds(const Goal& goal) {
    out_ += '(';
    Print(goal.start);
    out_ += ", ";
    Print(goal.end);
    out_ += ')';
  }

  void PrintBranches(const Goal& goal, bool bracket) {
    if (bracket) out_ += '(';
    for (size_t i = 0; i < goal.branches.size(); ++i) {
      if (i > 0) out_ += " or ";
      const auto& goals = goal.branches[i].goals;
      // A branch that is an `or` alone keeps its parentheses: it is a level of its own.
      if (goals.size() == 1) {
        Print(goals[0], false);
      } else {
        Print(goal.branches[i]);
      }
    }
    if (bracket) out_ += ')';
  }

  const Wording& wording_;
  std::string out_;
};

}  // namespace

std::string ToText(const Goal& goal, const Wording& wording) {
  Printer printer(wording);
  printer.Print(goal, true);
  return printer.Take();
}

std::string ToText(const Conjunction& conjunction, const Wording& wording) {
  Printer printer(wording);
  printer.Print(conjunction);
  return printer.Take();
}

std::string ToText(const Path& path, const Wording& wording) {
  Printer printer(wording);
  printer.Print(path, Printer::Within::kAtom);
  return printer.Take();
}

}  // namespace loci::query
