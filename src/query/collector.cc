// SPDX-License-Identifier: Apache-2.0
#include "query/collector.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

namespace loci::query {
namespace {

constexpr size_t kFirstCompaction = 8 * kBatchRows;

}  // namespace

Collector::Collector(const Context* context, size_t columns, const std::vector<SortKey>& order,
                     uint64_t most)
    : context_(*context),
      width_(columns),
      most_(most),
      place_of_(columns, UINT32_MAX),
      compact_at_(kFirstCompaction) {
  const auto put = [this](uint32_t column, bool descending) {
    if (place_of_[column] != UINT32_MAX) return;
    place_of_[column] = static_cast<uint32_t>(column_at_.size());
    column_at_.push_back(column);
    descending_.push_back(descending);
  };
  // All facts score 1, so a key of score decides nothing.
  for (const SortKey& key : order) {
    if (!key.by_score) put(key.column, key.descending);
  }
  for (uint32_t column = 0; column < columns; ++column) put(column, false);
}

Result<void> Collector::Add(const RowBatch& rows) {
  if (width_ == 0) {
    rows_ = std::min<uint64_t>(most_, rows_ + rows.rows > 0);
    return {};
  }
  const size_t from = cells_.size();
  cells_.resize(from + rows.rows * width_);
  for (size_t place = 0; place < width_; ++place) {
    const std::vector<TermId>& column = rows.columns[column_at_[place]];
    TermId* to = &cells_[from + place];
    for (size_t row = 0; row < rows.rows; ++row) to[row * width_] = column[row];
  }
  rows_ += rows.rows;
  LOCI_TRY(context_.meter().CheckMemory(cells_.size() * sizeof(TermId)));
  if (rows_ >= compact_at_) Compact();
  return {};
}

Result<void> Collector::Finish() {
  if (width_ > 0) Compact();
  return {};
}

void Collector::Compact() {
  ToRanks();
  for (size_t place = 0; place < width_; ++place) {
    for (size_t i = place; descending_[place] && i < cells_.size(); i += width_) {
      cells_[i] = ~cells_[i];
    }
  }
  Sort();
  rows_ = std::min<uint64_t>(rows_, most_);
  cells_.resize(rows_ * width_);
  for (size_t place = 0; place < width_; ++place) {
    for (size_t i = place; descending_[place] && i < cells_.size(); i += width_) {
      cells_[i] = ~cells_[i];
    }
  }
  FromRanks();
  compact_at_ = std::max(kFirstCompaction, 2 * rows_);
}

void Collector::Sort() {
  switch (width_) {
    case 1:
      return SortFixed<1>();
    case 2:
      return SortFixed<2>();
    case 3:
      return SortFixed<3>();
    case 4:
      return SortFixed<4>();
    default:
      return SortAny();
  }
}

template <size_t kWidth>
void Collector::SortFixed() {
  using Row = std::array<TermId, kWidth>;
  std::vector<Row> sorted(rows_);
  if (rows_ == 0) return;
  std::memcpy(sorted.data(), cells_.data(), cells_.size() * sizeof(TermId));
  if (!std::is_sorted(sorted.begin(), sorted.end())) std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  rows_ = sorted.size();
  cells_.resize(rows_ * kWidth);
  std::memcpy(cells_.data(), sorted.data(), cells_.size() * sizeof(TermId));
}

void Collector::SortAny() {
  std::vector<uint32_t> order(rows_);
  std::iota(order.begin(), order.end(), 0u);
  const auto row = [this](uint32_t i) {
    return std::span<const TermId>(&cells_[i * width_], width_);
  };
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return std::ranges::lexicographical_compare(row(a), row(b));
  });
  order.erase(
      std::unique(order.begin(), order.end(),
                  [&](uint32_t a, uint32_t b) { return std::ranges::equal(row(a), row(b)); }),
      order.end());
  std::vector<TermId> sorted;
  sorted.reserve(order.size() * width_);
  for (uint32_t i : order) sorted.insert(sorted.end(), row(i).begin(), row(i).end());
  rows_ = order.size();
  cells_ = std::move(sorted);
}

void Collector::ToRanks() {
  by_rank_.clear();
  const TermId ordered = context_.graph().ordered_ids();
  if (std::all_of(cells_.begin(), cells_.end(), [=](TermId id) { return id < ordered; })) return;
  DenseTable terms;
  std::vector<uint32_t> number_of;
  number_of.reserve(cells_.size());
  for (TermId id : cells_) number_of.push_back(terms.Insert(id));
  std::vector<uint32_t> order(terms.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return context_.Compare(terms.node(a), terms.node(b)) < 0;
  });
  std::vector<uint32_t> rank_of(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) {
    rank_of[order[rank]] = rank;
    by_rank_.push_back(terms.node(order[rank]));
  }
  for (size_t i = 0; i < cells_.size(); ++i) cells_[i] = rank_of[number_of[i]];
}

void Collector::FromRanks() {
  if (by_rank_.empty()) return;
  for (TermId& cell : cells_) cell = by_rank_[cell];
}

}  // namespace loci::query
