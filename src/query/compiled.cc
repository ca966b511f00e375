// SPDX-License-Identifier: Apache-2.0
#include "query/compiled.h"

#include "query/rule_graph.h"

namespace loci::query {

Session::Session(const Graph& stored, const Program& program, const Prepared& prepared,
                 Meter* meter, Ranking ranking)
    : run_{&stored,
           &stored,
           &prepared.constants,
           meter,
           program.recalls || prepared.rules ? ranking : Ranking::kNone,
           prepared.as_written,
           &more_own_,
           &recaller_} {
  if (!prepared.rules) return;
  derived_ = std::make_unique<RuleGraph>(prepared.rules.get(), run_);
  run_.graph = derived_.get();
}

Session::~Session() = default;

Result<std::shared_ptr<const Prepared>> Compiled::Prepare(
    const std::shared_ptr<const Snapshot>& snapshot, const Graph& stored, Meter* meter,
    const std::vector<Variable>& bound, bool as_written) const {
  {
    const std::lock_guard lock(mutex_);
    if (last_ && last_->IsFor(snapshot) && last_->bound == bound &&
        last_->as_written == as_written) {
      return last_;
    }
  }
  auto made = std::make_shared<Prepared>();
  made->snapshot = snapshot;
  made->bound = bound;
  made->as_written = as_written;
  LOCI_ASSIGN(made->rules, LoadRules(stored, program_));
  LOCI_ASSIGN(made->constants,
              FindConstants(stored, made->rules ? made->rules->constants : program_.constants));
  const Session session(stored, program_, *made, meter, Ranking::kByScore);
  const Context context(&session.run(), &program_);
  LOCI_ASSIGN(made->plan, MakePlan(context, program_.root, bound, program_.head));
  const std::lock_guard lock(mutex_);
  last_ = made;
  return std::shared_ptr<const Prepared>(std::move(made));
}

}  // namespace loci::query
