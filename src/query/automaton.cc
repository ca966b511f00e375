// SPDX-License-Identifier: Apache-2.0
#include "query/automaton.h"

#include <bit>

namespace loci::query {
namespace {

struct Part {
  uint64_t first = 0, last = 0;
  bool nullable = false;
};

class Builder {
 public:
  explicit Builder(Automaton* out) : out_(*out) {}

  Part Build(const Path& path, bool reversed) {
    const bool flipped = reversed != path.inverse;
    switch (path.kind) {
      case Path::Kind::kRelation: {
        const uint64_t bit = uint64_t{1} << out_.steps.size();
        out_.steps.push_back({path.relation, flipped});
        out_.follow.push_back(0);
        return {bit, bit, false};
      }
      case Path::Kind::kAlternative: {
        Part all;
        for (const Path& part : path.parts) {
          const Part one = Build(part, flipped);
          all = {all.first | one.first, all.last | one.last, all.nullable || one.nullable};
        }
        return all;
      }
      case Path::Kind::kSequence: {
        Part all{0, 0, true};
        for (size_t i = 0; i < path.parts.size(); ++i) {
          const Part one = Build(path.parts[i], flipped);
          all = flipped ? Join(one, all) : Join(all, one);
        }
        return all;
      }
      case Path::Kind::kPlus:
      case Path::Kind::kStar:
      case Path::Kind::kOptional: {
        Part part = Build(path.parts[0], flipped);
        if (path.kind != Path::Kind::kOptional) Link(part.last, part.first);
        if (path.kind != Path::Kind::kPlus) part.nullable = true;
        return part;
      }
    }
    return {};
  }

 private:
  void Link(uint64_t from, uint64_t to) {
    for (; from != 0; from &= from - 1) out_.follow[std::countr_zero(from)] |= to;
  }

  Part Join(const Part& a, const Part& b) {
    Link(a.last, b.first);
    return {a.first | (a.nullable ? b.first : 0), b.last | (b.nullable ? a.last : 0),
            a.nullable && b.nullable};
  }

  Automaton& out_;
};

}  // namespace

size_t CountSteps(const Path& path) {
  if (path.kind == Path::Kind::kRelation) return 1;
  size_t steps = 0;
  for (const Path& part : path.parts) steps += CountSteps(part);
  return steps;
}

Automaton MakeAutomaton(const Path& path, bool reversed) {
  Automaton automaton;
  const Part whole = Builder(&automaton).Build(path, reversed);
  automaton.first = whole.first;
  automaton.last = whole.last;
  automaton.nullable = whole.nullable;
  return automaton;
}

}  // namespace loci::query
