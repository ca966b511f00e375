// SPDX-License-Identifier: Apache-2.0
#include "query/line.h"

#include <algorithm>

#include "query/query.h"

namespace loci::query {
namespace {

using Layout = std::vector<Variable>;

bool Contains(const Layout& layout, Variable v) {
  return std::find(layout.begin(), layout.end(), v) != layout.end();
}

class LineMaker {
 public:
  LineMaker(const Variant& variant, Mode mode, const RunState* run,
            const std::function<bool(uint32_t)>& is_member)
      : rule_(variant.rule), is_member_(is_member) {
    line_->variant = &variant;
    line_->mode = mode;
    line_->context = std::make_unique<Context>(run, &rule_.program);
  }

  Result<std::unique_ptr<Line>> Make() {
    Layout in;
    const Slot& input = line_->mode == Mode::kInverse ? rule_.object : rule_.subject;
    if (line_->mode != Mode::kAll) {
      line_->input = Constant(input);
      if (input.kind == Slot::Kind::kVariable) {
        line_->input.role = End::Role::kBound;
        in.push_back(input.index);
      }
    }
    LOCI_TRY(Order(in));
    for (size_t at = 0;;) {
      size_t end = at;
      while (end < order_.size() && !IsMember(*order_[end])) ++end;
      LOCI_TRY(AddSegment(at, end, &in));
      if (end == order_.size()) break;
      AddJoin(end, &in);
      at = end + 1;
    }
    const bool inverse = line_->mode == Mode::kInverse;
    line_->first = ToEnd(rule_.subject, in);
    line_->second = ToEnd(inverse ? rule_.subject : rule_.object, in);
    return std::move(line_);
  }

 private:
  // Carried behind all variables: no planner of a branch takes its number.
  Variable Activation() const { return rule_.program.variables + kMaxQueryDepth + 1; }

  bool IsMember(const Goal& goal) const {
    return goal.kind == Goal::Kind::kFact && !goal.source &&
           goal.relation.kind == Slot::Kind::kConstant && is_member_(goal.relation.index);
  }

  End Constant(const Slot& slot) const {
    End end;
    if (slot.kind != Slot::Kind::kConstant) return end;
    end.role = End::Role::kConstant;
    end.value = line_->context->constant(slot.index);
    return end;
  }

  End ToEnd(const Slot& slot, const Layout& layout) const {
    End end = Constant(slot);
    if (slot.kind != Slot::Kind::kVariable) return end;
    const auto at = std::find(layout.begin(), layout.end(), slot.index);
    if (at == layout.end()) return end;
    end.role = End::Role::kBound;
    end.column = static_cast<uint32_t>(at - layout.begin());
    return end;
  }

  // The planner's order of all goals, and behind which each variable is read no more.
  Result<void> Order(const Layout& seed) {
    Layout out;
    for (const Slot& slot : {rule_.subject, rule_.object}) {
      if (slot.kind == Slot::Kind::kVariable && !Contains(out, slot.index))
        out.push_back(slot.index);
    }
    LOCI_ASSIGN(const Plan plan, MakePlan(*line_->context, rule_.program.root, seed, out));
    for (const query::Stage& stage : plan.stages) {
      if (stage.generate) order_.push_back(stage.generate->goal);
      for (const Operation& filter : stage.filters) order_.push_back(filter.goal);
    }
    last_use_.assign(Activation() + 1, 0);
    for (size_t i = 0; i < order_.size(); ++i) {
      for (Variable v : order_[i]->variables) last_use_[v] = i + 1;
    }
    const auto is_output = [&](const Slot& slot) {
      if (slot.kind == Slot::Kind::kVariable) last_use_[slot.index] = SIZE_MAX;
    };
    if (line_->mode != Mode::kForward) is_output(rule_.subject);
    if (line_->mode != Mode::kInverse) is_output(rule_.object);
    return {};
  }

  // Read by the goal at this place of the order, or behind it.
  bool IsReadFrom(size_t place, Variable v) const { return last_use_[v] > place; }

  Result<void> AddSegment(size_t begin, size_t end, Layout* layout) {
    auto segment = std::make_unique<Segment>();
    Layout bound = *layout;
    for (size_t i = begin; i < end; ++i) {
      segment->goals.goals.push_back(*order_[i]);
      for (Variable v : order_[i]->binds) {
        if (!Contains(bound, v)) bound.push_back(v);
      }
    }
    Layout out;
    for (Variable v : bound) {
      if (IsReadFrom(end, v)) out.push_back(v);
    }
    Layout seed = *layout;
    *layout = out;
    if (begin == end) {
      for (Variable v : out)
        segment->kept.push_back(ToEnd({Slot::Kind::kVariable, v}, seed).column);
    } else {
      seed.push_back(Activation());
      out.push_back(Activation());
      LOCI_ASSIGN(segment->plan, MakePlan(*line_->context, segment->goals, seed, out));
      segment->pipeline.emplace(&segment->plan, line_->context.get());
    }
    line_->segments.push_back(std::move(segment));
    return {};
  }

  void AddJoin(size_t place, Layout* layout) {
    const Goal& goal = *order_[place];
    auto join = std::make_unique<Join>();
    join->line = line_.get();
    join->segment = static_cast<uint32_t>(line_->segments.size());
    join->relation = goal.relation.index;
    const Layout rows = *layout;
    const End start = ToEnd(goal.start, rows), end = ToEnd(goal.end, rows);
    join->mode = start.known() ? Mode::kForward : end.known() ? Mode::kInverse : Mode::kAll;
    if (join->mode == Mode::kForward) {
      join->node = start;
      join->other = end;
    } else if (join->mode == Mode::kInverse) {
      join->node = end;
    } else {
      join->same = goal.start.kind == Slot::Kind::kVariable && goal.end.is(goal.start.index);
    }
    layout->clear();
    using From = Join::Pick::From;
    const auto pick = [&](Variable v, From from, uint32_t column) {
      if (!IsReadFrom(place + 1, v) || Contains(*layout, v)) return;
      layout->push_back(v);
      join->picks.push_back({from, column});
    };
    for (uint32_t i = 0; i < rows.size(); ++i) pick(rows[i], From::kRow, i);
    if (goal.start.kind == Slot::Kind::kVariable) {
      pick(goal.start.index, join->mode == Mode::kAll ? From::kFirst : From::kSecond, 0);
    }
    if (goal.end.kind == Slot::Kind::kVariable) pick(goal.end.index, From::kSecond, 0);
    const Slot& output = line_->mode == Mode::kInverse ? rule_.subject : rule_.object;
    join->tail = place + 1 == order_.size() && line_->mode != Mode::kAll &&
                 join->mode != Mode::kAll && output.kind == Slot::Kind::kVariable &&
                 layout->size() == 1 && join->picks[0].from == From::kSecond;
    join->rows.SetWidth(rows.size() + 1);
    join->out.columns.resize(layout->size() + 1);
    line_->joins.push_back(std::move(join));
  }

  const RuleProgram& rule_;
  const std::function<bool(uint32_t)>& is_member_;
  std::unique_ptr<Line> line_ = std::make_unique<Line>();
  std::vector<const Goal*> order_;
  std::vector<size_t> last_use_;  // by variable: the place behind its last goal
};

}  // namespace

Result<std::unique_ptr<Line>> MakeLine(const Variant& variant, Mode mode, const RunState* run,
                                       const std::function<bool(uint32_t)>& is_member) {
  return LineMaker(variant, mode, run, is_member).Make();
}

}  // namespace loci::query
