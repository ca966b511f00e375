// SPDX-License-Identifier: Apache-2.0
#include "store/counters.h"

namespace loci {
namespace {

constexpr int kBootWord = 8;

}  // namespace

int Counters::WordOf(Counter counter) {
  return kBootWord + 1 + static_cast<int>(counter);
}

void Counters::ClearThoseOfAnotherBoot() {
  const uint64_t found = page_->Load(kBootWord);
  if (found == boot_id_ || !page_->CompareExchange(kBootWord, found, boot_id_)) return;
  for (int i = 0; i < kCounters; ++i) {
    const int word = WordOf(static_cast<Counter>(i));
    page_->Add(word, 0 - page_->Load(word));  // what another adds meanwhile stays
  }
}

void Counters::Add(Counter counter, uint64_t n) {
  if (page_ == nullptr) return;
  ClearThoseOfAnotherBoot();
  page_->Add(WordOf(counter), n);
}

void Counters::Max(Counter counter, uint64_t value) {
  if (page_ == nullptr) return;
  ClearThoseOfAnotherBoot();
  // A page that may not be written never exchanges: three attempts lose to others, not for ever.
  for (int i = 0; i < 3; ++i) {
    const uint64_t found = page_->Load(WordOf(counter));
    if (found >= value || page_->CompareExchange(WordOf(counter), found, value)) return;
  }
}

void Counters::AddSync(std::chrono::nanoseconds time) {
  const auto nanos = static_cast<uint64_t>(time.count());
  Add(Counter::kSyncs);
  Add(Counter::kSyncNanos, nanos);
  Max(Counter::kLongestSync, nanos);
}

uint64_t Counters::Get(Counter counter) const {
  if (page_ == nullptr || page_->Load(kBootWord) != boot_id_) return 0;
  return page_->Load(WordOf(counter));
}

}  // namespace loci
