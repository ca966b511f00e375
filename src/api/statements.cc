// SPDX-License-Identifier: Apache-2.0
#include "api/statements.h"

#include "api/convert.h"
#include "api/guarded.h"

namespace loci {

Statements::Statements(std::unique_ptr<State> state) : state_(std::move(state)) {}
Statements::~Statements() = default;
Statements::Statements(Statements&&) noexcept = default;
Statements& Statements::operator=(Statements&&) noexcept = default;

Result<std::vector<Statement>> Statements::Next(std::size_t least) {
  return Guarded([&]() -> Result<std::vector<Statement>> {
    const Snapshot& snapshot = *state_->snapshot;
    StatementWalk& walk = state_->walk;
    std::vector<Statement> out;
    while (out.size() < least && walk.Next()) {
      for (const TermId source : walk.sources()) {
        out.push_back(ToStatement(snapshot, walk.fact(), source));
      }
    }
    LOCI_TRY(snapshot.damage());
    return out;
  });
}

}  // namespace loci
