// SPDX-License-Identifier: Apache-2.0
#include "query/collector.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "base/fixed.h"

namespace loci::query {
namespace {

constexpr size_t kFirstCompaction = 8 * kBatchRows;

// Numbers that a proof amounts to.
size_t Ranks(Ranking ranking) {
  switch (ranking) {
    case Ranking::kNone:
      return 0;
    case Ranking::kByScore:
      return 1;
    case Ranking::kByProof:
      return 2;
  }
  return 0;
}

}  // namespace

Collector::Collector(const Context* context, size_t columns, const std::vector<SortKey>& order,
                     uint64_t most)
    : context_(*context),
      columns_(columns),
      width_(columns + Ranks(context->ranking())),
      most_(most),
      place_of_(width_, UINT32_MAX),
      compact_at_(kFirstCompaction) {
  // A rank is small where the score is high. Without ranks a key of score decides nothing.
  const auto put_ranks = [this](bool best_first) {
    for (size_t rank = columns_; rank < width_; ++rank) {
      Put(static_cast<uint32_t>(rank), !best_first);
    }
  };
  for (const SortKey& key : order) {
    if (key.by_score) {
      put_ranks(key.descending);
    } else {
      Put(key.column, key.descending);
    }
  }
  put_ranks(true);
  for (uint32_t column = 0; column < columns; ++column) Put(column, false);
}

void Collector::Put(uint32_t column, bool descending) {
  if (place_of_[column] != UINT32_MAX) return;
  place_of_[column] = static_cast<uint32_t>(column_at_.size());
  column_at_.push_back(column);
  descending_.push_back(descending);
}

Result<void> Collector::Add(const RowBatch& rows) {
  if (width_ == 0) {
    rows_ = std::min<uint64_t>(most_, rows_ + rows.rows > 0);
    return {};
  }
  const size_t from = cells_.size();
  cells_.resize(from + rows.rows * width_);
  for (size_t place = 0; place < width_; ++place) {
    if (IsRank(place)) continue;
    const std::vector<TermId>& column = rows.columns[column_at_[place]];
    TermId* to = &cells_[from + place];
    for (size_t row = 0; row < rows.rows; ++row) to[row * width_] = column[row];
  }
  if (!rows.proofs.empty()) AddRanks(rows, from);
  rows_ += rows.rows;
  LOCI_TRY(context_.meter().CheckMemory(cells_.size() * sizeof(TermId)));
  if (rows_ >= compact_at_) Compact();
  return {};
}

// Where there are no proofs, all is stored and every rank is 0.
void Collector::AddRanks(const RowBatch& rows, size_t from) {
  if (context_.ranking() == Ranking::kByScore) {
    const size_t place = from + place_of_[columns_];
    uint64_t weight = 0, rank = 0;
    for (size_t row = 0; row < rows.rows; ++row) {
      if (rows.proofs[row].weight != weight) {
        weight = rows.proofs[row].weight;
        rank = kScoreOne - ScoreOfWeight(weight);
      }
      cells_[place + row * width_] = rank;
    }
  } else if (context_.ranking() == Ranking::kByProof) {
    for (size_t row = 0; row < rows.rows; ++row) {
      cells_[from + row * width_ + place_of_[columns_]] = rows.proofs[row].weight;
      cells_[from + row * width_ + place_of_[columns_ + 1]] = rows.proofs[row].size;
    }
  }
}

uint64_t Collector::score(size_t row) const {
  return context_.ranking() == Ranking::kNone ? kScoreOne : kScoreOne - at(row, columns_);
}

Proof Collector::proof(size_t row) const {
  if (context_.ranking() == Ranking::kNone) return {};
  return {at(row, columns_), at(row, columns_ + 1)};
}

Result<void> Collector::Finish() {
  if (width_ > 0) Compact();
  return {};
}

void Collector::Compact() {
  if (width_ > columns_) KeepBest();
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

// Of rows that differ in nothing but their ranks the one with the least.
void Collector::KeepBest() {
  const auto at = [this](uint32_t row, size_t column) { return this->at(row, column); };
  std::vector<uint32_t> order(rows_);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    for (size_t column = 0; column < width_; ++column) {
      if (at(a, column) != at(b, column)) return at(a, column) < at(b, column);
    }
    return false;
  });
  order.erase(std::unique(order.begin(), order.end(),
                          [&](uint32_t a, uint32_t b) {
                            for (size_t column = 0; column < columns_; ++column) {
                              if (at(a, column) != at(b, column)) return false;
                            }
                            return true;
                          }),
              order.end());
  Reorder(order);
}

void Collector::Reorder(const std::vector<uint32_t>& order) {
  std::vector<TermId> cells;
  cells.reserve(order.size() * width_);
  for (uint32_t row : order) {
    const auto begin = cells_.begin() + static_cast<ptrdiff_t>(row * width_);
    cells.insert(cells.end(), begin, begin + static_cast<ptrdiff_t>(width_));
  }
  rows_ = order.size();
  cells_ = std::move(cells);
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
  Reorder(order);
}

template <class Visit>
void Collector::ForEachName(Visit visit) {
  for (size_t place = 0; place < width_; ++place) {
    if (IsRank(place)) continue;
    for (size_t i = place; i < cells_.size(); i += width_) visit(cells_[i]);
  }
}

void Collector::ToRanks() {
  by_rank_.clear();
  const TermId ordered = context_.graph().ordered_ids();
  bool all_ordered = true;
  ForEachName([&](TermId& cell) { all_ordered = all_ordered && cell < ordered; });
  if (all_ordered) return;
  DenseTable terms;
  std::vector<uint32_t> number_of;
  number_of.reserve(cells_.size());
  ForEachName([&](TermId& cell) { number_of.push_back(terms.Insert(cell)); });
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
  size_t next = 0;
  ForEachName([&](TermId& cell) { cell = rank_of[number_of[next++]]; });
}

void Collector::FromRanks() {
  if (by_rank_.empty()) return;
  ForEachName([&](TermId& cell) { cell = by_rank_[cell]; });
}

}  // namespace loci::query
