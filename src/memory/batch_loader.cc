// SPDX-License-Identifier: Apache-2.0
#include "memory/batch_loader.h"

#include "image/image.h"

namespace loci {

void BatchLoader::Learn(const StatementView& s) {
  const TermView terms[] = {s.subject, s.relation, s.object, s.source};
  for (size_t f = 0; f < 4; ++f) {
    if (filled_ > 0 && Term(names_[window_[filled_ - 1][f]]) == terms[f]) {
      window_[filled_][f] = window_[filled_ - 1][f];
      continue;
    }
    const uint64_t hash = Image::NameHash(terms[f]);
    window_[filled_][f] = static_cast<uint32_t>(known_);
    names_[known_++] = {terms[f].kind, static_cast<uint32_t>(bytes_.size()),
                        static_cast<uint32_t>(terms[f].bytes.size()), hash};
    bytes_.append(terms[f].bytes);
    batch_->PrefetchSlot(hash);
  }
  constexpr size_t kManyBytes = 1 << 20;
  if (++filled_ == kWindow || bytes_.size() > kManyBytes) Flush();
}

void BatchLoader::Flush() {
  std::array<Batch::Ref, 4 * kWindow> refs;  // at first the probable ones
  for (size_t i = 0; i < known_; ++i) {
    refs[i] = batch_->Probable(names_[i].hash);
    batch_->PrefetchEntry(refs[i]);
  }
  for (size_t i = 0; i < known_; ++i) batch_->PrefetchName(refs[i]);
  for (size_t i = 0; i < known_; ++i) refs[i] = batch_->Intern(Term(names_[i]), names_[i].hash);
  for (size_t i = 0; i < filled_; ++i) {
    const auto& [subject, relation, object, source] = window_[i];
    batch_->Add({refs[subject], refs[relation], refs[object], refs[source]}, false);
  }
  filled_ = known_ = 0;
  bytes_.clear();
}

}  // namespace loci
