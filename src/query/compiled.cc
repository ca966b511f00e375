// SPDX-License-Identifier: Apache-2.0
#include "query/compiled.h"

namespace loci::query {

Result<std::shared_ptr<const Prepared>> Compiled::Prepare(
    const std::shared_ptr<const Snapshot>& snapshot, const Graph& graph, Meter* meter,
    const std::vector<Variable>& bound) const {
  {
    const std::lock_guard lock(mutex_);
    if (last_ && last_->IsFor(snapshot) && last_->bound == bound) return last_;
  }
  auto made = std::make_shared<Prepared>();
  made->snapshot = snapshot;
  made->bound = bound;
  LOCI_ASSIGN(made->constants, FindConstants(graph, program_));
  const Context context(&graph, &program_, &made->constants, meter);
  LOCI_ASSIGN(made->plan, MakePlan(context, program_.root, bound, program_.head));
  const std::lock_guard lock(mutex_);
  last_ = made;
  return std::shared_ptr<const Prepared>(std::move(made));
}

}  // namespace loci::query
