// SPDX-License-Identifier: Apache-2.0
#include "query/context.h"

#include <algorithm>

namespace loci::query {

Result<Constants> FindConstants(const Graph& graph, const Program& program) {
  const std::vector<TermView> terms(program.constants.begin(), program.constants.end());
  Constants found;
  found.ids.resize(terms.size());
  LOCI_TRY(graph.Find(terms, found.ids.data()));
  for (size_t i = 0; i < terms.size(); ++i) {
    if (found.ids[i] != kNoTerm) continue;
    found.ids[i] = kOwnTerms + found.own.size();  // the program's constants are distinct
    found.own.push_back(program.constants[i]);
  }
  return found;
}

Result<void> Context::Find(std::span<const TermView> terms, TermId* out) {
  LOCI_TRY(graph_.Find(terms, out));
  for (size_t i = 0; i < terms.size(); ++i) {
    if (out[i] != kNoTerm) continue;
    const auto at = [&](const std::vector<Term>& own) {
      return std::find_if(own.begin(), own.end(),
                          [&](const Term& term) { return term.view() == terms[i]; }) -
             own.begin();
    };
    size_t number = static_cast<size_t>(at(constants_.own));
    if (number == constants_.own.size()) {
      number += static_cast<size_t>(at(more_own_));
      if (number == constants_.own.size() + more_own_.size()) {
        more_own_.push_back({terms[i].kind, std::string(terms[i].bytes)});
      }
    }
    out[i] = kOwnTerms + number;
  }
  return {};
}

TermView Context::OwnName(TermId id) const {
  const size_t number = id - kOwnTerms, constants = constants_.own.size();
  return number < constants ? constants_.own[number] : more_own_[number - constants];
}

std::vector<Term> Context::OwnTerms() const {
  std::vector<Term> own = constants_.own;
  own.insert(own.end(), more_own_.begin(), more_own_.end());
  return own;
}

}  // namespace loci::query
