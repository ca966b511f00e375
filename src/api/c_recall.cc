// SPDX-License-Identifier: Apache-2.0
//
// Recall in the C API.
#include "api/c_guard.h"
#include "loci/c.h"

struct loci_recollection {
  loci::Recollection recollection;
};

namespace {

using loci::c::kNoString;
using loci::c::Run;
using loci::c::ToC;
using loci::c::TokenOf;
using loci::c::View;

const loci::Recalled* MemoryOf(const loci_recollection* recollection, size_t memory) {
  const auto& all = recollection->recollection.memories;
  return memory < all.size() ? &all[memory] : nullptr;
}

loci_string At(const std::vector<std::string>& list, size_t i) {
  return i < list.size() ? ToC(list[i]) : kNoString;
}

}  // namespace

loci_code loci_recall(const loci_memory* memory, loci_string cue,
                      const loci_recall_options* options, loci_recollection** recollection,
                      loci_error** error) {
  return Run(error, [&]() -> loci::Result<void> {
    loci::RecallOptions recall;
    if (options != nullptr) {
      if (options->limit != 0) recall.limit = options->limit;
      if (options->max_work != 0) recall.max_work = options->max_work;
      recall.offset = options->offset;
      recall.where = View(options->where);
      recall.source = View(options->source);
      recall.within = View(options->within);
      recall.since = View(options->since);
      recall.until = View(options->until);
      recall.unlike = View(options->unlike);
      recall.associate = options->lexical == 0;
      recall.cancellation = TokenOf(options->cancellation);
    }
    LOCI_ASSIGN(loci::Recollection found, memory->memory.Recall(View(cue), recall));
    *recollection = new loci_recollection{std::move(found)};
    return {};
  });
}
void loci_recollection_free(loci_recollection* recollection) {
  delete recollection;
}

uint64_t loci_recollection_found(const loci_recollection* recollection) {
  return recollection->recollection.found;
}
size_t loci_recollection_size(const loci_recollection* recollection) {
  return recollection->recollection.memories.size();
}
loci_recalled loci_recollection_memory(const loci_recollection* recollection, size_t memory) {
  const loci::Recalled* const one = MemoryOf(recollection, memory);
  if (one == nullptr) return {kNoString, kNoString, kNoString, 0, 0, 0, 0, 0};
  return {ToC(one->name),    ToC(one->title),   ToC(one->text),    one->score,
          one->spans.size(), one->words.size(), one->links.size(), one->sources.size()};
}
void loci_recollection_span(const loci_recollection* recollection, size_t memory, size_t span,
                            size_t* begin, size_t* end) {
  const loci::Recalled* const one = MemoryOf(recollection, memory);
  const bool there = one != nullptr && span < one->spans.size();
  *begin = there ? one->spans[span].begin : 0;
  *end = there ? one->spans[span].end : 0;
}
loci_string loci_recollection_word(const loci_recollection* recollection, size_t memory,
                                   size_t word, double* weight) {
  const loci::Recalled* const one = MemoryOf(recollection, memory);
  const bool there = one != nullptr && word < one->words.size();
  if (weight != nullptr) *weight = there ? one->words[word].weight : 0;
  return there ? ToC(one->words[word].word) : kNoString;
}
loci_string loci_recollection_link(const loci_recollection* recollection, size_t memory,
                                   size_t link) {
  const loci::Recalled* const one = MemoryOf(recollection, memory);
  return one == nullptr ? kNoString : At(one->links, link);
}
loci_string loci_recollection_source(const loci_recollection* recollection, size_t memory,
                                     size_t source) {
  const loci::Recalled* const one = MemoryOf(recollection, memory);
  return one == nullptr ? kNoString : At(one->sources, source);
}
