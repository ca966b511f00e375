// SPDX-License-Identifier: Apache-2.0
#include "query/like.h"

#include <algorithm>
#include <numeric>

#include "query/recaller.h"

namespace loci::query {
namespace {

TermId ValueOf(const End& end, const RowBatch& rows, size_t row) {
  return end.role == End::Role::kConstant ? end.value : rows.columns[end.column][row];
}

class LikeSource : public Source {
 public:
  LikeSource(const Stage& stage, Context* context) : stage_(stage), context_(*context) {}

  // Rows of one cue come together, so that no other cue's hits drive its own out in between.
  Result<void> Open(RowBatch rows) override {
    rows_ = std::move(rows);
    order_.resize(rows_.rows);
    std::iota(order_.begin(), order_.end(), 0u);
    if (stage_.generate->end.role == End::Role::kBound) {
      const std::vector<TermId>& cues = rows_.columns[stage_.generate->end.column];
      std::stable_sort(order_.begin(), order_.end(),
                       [&](uint32_t a, uint32_t b) { return cues[a] < cues[b]; });
    }
    at_ = 0;
    return FindHits();
  }

  Result<bool> Next(RowBatch* out) override {
    out->rows = 0;
    out->columns.assign(stage_.carried.size() + stage_.added, {});
    out->proofs.clear();
    while (at_ < order_.size() && out->rows < kBatchRows) {
      Emit(out);
      if (hit_ < hits_->symbols.size()) continue;
      ++at_;
      LOCI_TRY(FindHits());
    }
    LOCI_TRY(context_.meter().Charge(out->rows));
    return out->rows > 0;
  }

 private:
  Result<void> FindHits() {
    hit_ = 0;
    if (at_ == order_.size()) return {};
    const TermId cue = ValueOf(stage_.generate->end, rows_, order_[at_]);
    LOCI_ASSIGN(hits_, context_.run().recaller->Of(context_, cue, stage_.generate->goal->by_words));
    return {};
  }

  // As many hits of the row at hand as there is room for.
  void Emit(RowBatch* out) {
    const uint32_t row = order_[at_];
    const size_t n = std::min(kBatchRows - out->rows, hits_->symbols.size() - hit_);
    for (size_t i = 0; i < stage_.carried.size(); ++i) {
      out->columns[i].insert(out->columns[i].end(), n, rows_.columns[stage_.carried[i]][row]);
    }
    const auto begin = hits_->symbols.begin() + static_cast<ptrdiff_t>(hit_);
    std::vector<TermId>& found = out->columns[stage_.generate->start.column];
    found.insert(found.end(), begin, begin + static_cast<ptrdiff_t>(n));
    const Proof before = rows_.proofs.empty() ? Proof() : rows_.proofs[row];
    for (size_t i = hit_; i < hit_ + n; ++i) {
      out->proofs.push_back(before + Proof{hits_->weights[i], 0});
    }
    out->rows += n;
    hit_ += n;
  }

  const Stage& stage_;
  Context& context_;
  RowBatch rows_;
  std::vector<uint32_t> order_;  // of rows
  size_t at_ = 0;                // in order_
  std::shared_ptr<const Hits> hits_;
  size_t hit_ = 0;
};

class LikeFilter : public Filter {
 public:
  LikeFilter(const Operation& operation, Context* context)
      : operation_(operation), context_(*context) {}

  Result<void> Test(const RowBatch& rows, Marks* marks) override {
    marks->holds.assign(rows.rows, 0);
    marks->proofs.assign(rows.rows, {});
    LOCI_TRY(context_.meter().Charge(rows.rows));
    std::vector<uint32_t> order(rows.rows);
    std::iota(order.begin(), order.end(), 0u);
    if (operation_.end.role == End::Role::kBound) {
      const std::vector<TermId>& cues = rows.columns[operation_.end.column];
      std::sort(order.begin(), order.end(),
                [&](uint32_t a, uint32_t b) { return cues[a] < cues[b]; });
    }
    const auto best_of = [](const Hits& hits) {
      return hits.Find(hits.ranking.hits().front().item);
    };
    for (const uint32_t row : order) {
      LOCI_ASSIGN(const auto hits,
                  context_.run().recaller->Of(context_, ValueOf(operation_.end, rows, row),
                                              operation_.goal->by_words));
      if (hits->symbols.empty()) continue;
      std::optional<size_t> at = best_of(*hits);
      if (operation_.start.known()) at = hits->Find(ValueOf(operation_.start, rows, row));
      if (!at) continue;
      marks->holds[row] = 1;
      marks->proofs[row].weight = hits->weights[*at];
    }
    return {};
  }

 private:
  const Operation& operation_;
  Context& context_;
};

}  // namespace

std::unique_ptr<Source> MakeLikeSource(const Stage& stage, Context* context) {
  return std::make_unique<LikeSource>(stage, context);
}

std::unique_ptr<Filter> MakeLikeFilter(const Operation& operation, Context* context) {
  return std::make_unique<LikeFilter>(operation, context);
}

}  // namespace loci::query
