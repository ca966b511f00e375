// SPDX-License-Identifier: Apache-2.0
#include "query/context.h"

#include <algorithm>

namespace loci::query {

Result<Constants> FindConstants(const Graph& graph, std::span<const Term> constants) {
  const std::vector<TermView> terms(constants.begin(), constants.end());
  Constants found;
  found.ids.resize(terms.size());
  LOCI_TRY(graph.Find(terms, found.ids.data()));
  for (size_t i = 0; i < terms.size(); ++i) {
    if (found.ids[i] != kNoTerm) continue;
    found.ids[i] = kOwnTerms + found.own.size();
    found.own.push_back(constants[i]);
  }
  return found;
}

Result<void> Context::Find(std::span<const TermView> terms, TermId* out) {
  LOCI_TRY(graph().Find(terms, out));
  const std::vector<Term>& own = run_.constants->own;
  std::vector<Term>& more = *run_.more_own;
  for (size_t i = 0; i < terms.size(); ++i) {
    if (out[i] != kNoTerm) continue;
    const auto at = [&](const std::vector<Term>& list) {
      return std::find_if(list.begin(), list.end(),
                          [&](const Term& term) { return term.view() == terms[i]; }) -
             list.begin();
    };
    size_t number = static_cast<size_t>(at(own));
    if (number == own.size()) {
      number += static_cast<size_t>(at(more));
      if (number == own.size() + more.size()) {
        more.push_back({terms[i].kind, std::string(terms[i].bytes)});
      }
    }
    out[i] = kOwnTerms + number;
  }
  return {};
}

TermView Context::OwnName(TermId id) const {
  const size_t number = id - kOwnTerms, constants = run_.constants->own.size();
  return number < constants ? run_.constants->own[number] : (*run_.more_own)[number - constants];
}

std::vector<Term> Context::OwnTerms() const {
  std::vector<Term> own = run_.constants->own;
  own.insert(own.end(), run_.more_own->begin(), run_.more_own->end());
  return own;
}

}  // namespace loci::query
