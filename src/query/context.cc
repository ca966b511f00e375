// SPDX-License-Identifier: Apache-2.0
#include "query/context.h"

#include <algorithm>

namespace loci::query {

Result<void> Context::Resolve(std::span<const TermView> extra, std::vector<TermId>* extra_ids) {
  std::vector<TermView> terms(program_.constants.begin(), program_.constants.end());
  terms.insert(terms.end(), extra.begin(), extra.end());
  std::vector<TermId> ids(terms.size());
  LOCI_TRY(graph_.Find(terms, ids.data()));
  for (size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] != kNoTerm) continue;
    // Constants are distinct already; an extra term may equal one.
    size_t known = own_.size();
    if (i >= program_.constants.size()) {
      known = std::find_if(own_.begin(), own_.end(),
                           [&](const Term& own) { return own.view() == terms[i]; }) -
              own_.begin();
    }
    if (known == own_.size()) own_.push_back({terms[i].kind, std::string(terms[i].bytes)});
    ids[i] = kOwnTerms + known;
  }
  const auto middle = ids.begin() + static_cast<ptrdiff_t>(program_.constants.size());
  constants_.assign(ids.begin(), middle);
  extra_ids->assign(middle, ids.end());
  return {};
}

}  // namespace loci::query
