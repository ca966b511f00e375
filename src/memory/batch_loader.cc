// SPDX-License-Identifier: Apache-2.0
#include "memory/batch_loader.h"

#include "image/image.h"

namespace loci {

void BatchLoader::Learn(const StatementView& s) {
  const TermView terms[] = {s.subject, s.relation, s.object, s.source};
  for (size_t f = 0; f < 4; ++f) {
    Field& field = window_[filled_][f];
    if (filled_ > 0 && Term(window_[filled_ - 1][f]) == terms[f]) {
      field = window_[filled_ - 1][f];
      field.repeated = true;
      continue;
    }
    const auto begin = static_cast<uint32_t>(bytes_.size());
    const uint64_t hash = Image::NameHash(terms[f]);
    field = {terms[f].kind, begin, static_cast<uint32_t>(terms[f].bytes.size()), hash, false};
    bytes_.append(terms[f].bytes);
    batch_->PrefetchSlot(hash);
  }
  constexpr size_t kManyBytes = 1 << 20;
  if (++filled_ == kWindow || bytes_.size() > kManyBytes) Flush();
}

void BatchLoader::Flush() {
  for (const auto step : {&Batch::PrefetchEntry, &Batch::PrefetchName}) {
    for (size_t i = 0; i < filled_; ++i) {
      for (const Field& field : window_[i]) {
        if (!field.repeated) (batch_->*step)(field.hash);
      }
    }
  }
  Batch::Ref refs[4] = {};
  for (size_t i = 0; i < filled_; ++i) {
    for (size_t f = 0; f < 4; ++f) {
      const Field& field = window_[i][f];
      if (!field.repeated) refs[f] = batch_->Intern(Term(field), field.hash);
    }
    batch_->Add({refs[0], refs[1], refs[2], refs[3]}, false);
  }
  filled_ = 0;
  bytes_.clear();
}

}  // namespace loci
