// SPDX-License-Identifier: Apache-2.0
#include "query/lookup.h"

#include <algorithm>
#include <numeric>

namespace loci::query {
namespace {

// Nodes whose lists are fetched together: of facts; of walks at first, at least and at most.
constexpr size_t kFactNodes = 4096;
constexpr size_t kFirstWalks = 256, kLeastWalks = 16, kMostWalks = 16384;
// A chunk of walks that visits more pairs than this makes the next one smaller, else larger.
constexpr uint64_t kWalkPairs = 1 << 20;

void KeepColumn(const std::vector<uint8_t>& marks, auto* column) {
  if (column->empty()) return;
  size_t to = 0;
  for (size_t i = 0; i < marks.size(); ++i) {
    (*column)[to] = (*column)[i];
    to += marks[i] != 0;
  }
  column->resize(to);
}

// What holds of the first row holds of all.
void Spread(size_t rows, Marks* marks) {
  marks->holds.assign(rows, marks->holds[0]);
  if (!marks->proofs.empty()) marks->proofs.assign(rows, marks->proofs[0]);
}

}  // namespace

void Matches::Clear() {
  rows.clear();
  starts.clear();
  relations.clear();
  ends.clear();
  proofs.clear();
}

void Matches::Keep(const std::vector<uint8_t>& marks) {
  KeepColumn(marks, &rows);
  KeepColumn(marks, &starts);
  KeepColumn(marks, &relations);
  KeepColumn(marks, &ends);
  KeepColumn(marks, &proofs);
}

Lookup::Lookup(const Operation* operation, Context* context)
    : operation_(*operation), context_(*context), graph_(context->graph_of(*operation->goal)) {
  if (operation_.goal->kind == Goal::Kind::kPath) {
    reach_.emplace(operation, context);
    chunk_size_ = kFirstWalks;
  } else {
    chunk_size_ = kFactNodes;
  }
  const Goal& goal = *operation_.goal;
  const auto same = [](const Slot& a, const Slot& b) {
    return a.kind == Slot::Kind::kVariable && b.is(a.index);
  };
  start_is_end_ = same(goal.start, goal.end);
  relation_is_start_ = same(goal.relation, goal.start);
  relation_is_end_ = same(goal.relation, goal.end);
}

bool Lookup::IsFixed() const {
  return operation_.start.role != End::Role::kBound && operation_.end.role != End::Role::kBound &&
         operation_.relation.role != End::Role::kBound;
}

bool Lookup::AllKnown() const {
  return operation_.goal->kind == Goal::Kind::kFact && operation_.start.known() &&
         operation_.end.known() && operation_.relation.known();
}

Result<void> Lookup::Open(const RowBatch* rows) {
  rows_ = rows;
  only_first_ = false;
  return Start(static_cast<uint32_t>(rows->rows));
}

Result<void> Lookup::Test(const RowBatch& rows, Marks* marks) {
  rows_ = &rows;
  marks->holds.assign(rows.rows, 0);
  marks->proofs.clear();
  if (AllKnown()) return TestFacts(marks);
  // With a source to test, the first match may not be the one that counts; with proofs, a later one
  // may be better.
  only_first_ = (!operation_.goal->source || reach_) && !context_.ranked();
  const bool fixed = IsFixed();
  LOCI_TRY(Start(fixed ? 1 : static_cast<uint32_t>(rows.rows)));
  if (context_.ranked()) marks->proofs.resize(rows.rows);
  Matches matches;
  for (bool more = true; more;) {
    LOCI_ASSIGN(more, Next(&matches));
    for (size_t i = 0; i < matches.rows.size(); ++i) {
      const uint32_t row = matches.rows[i];
      if (context_.ranked()) {
        const Proof proof = matches.proofs.empty() ? Proof() : matches.proofs[i];
        Proof& best = marks->proofs[row];
        best = marks->holds[row] ? std::min(best, proof) : proof;
      }
      marks->holds[row] = 1;
    }
    if (fixed && !matches.rows.empty() && !context_.ranked()) break;
  }
  if (fixed) Spread(rows.rows, marks);
  return {};
}

Result<void> Lookup::TestFacts(Marks* marks) {
  std::vector<Fact> facts;
  const bool fixed = IsFixed();
  for (uint32_t row = 0; row < (fixed ? 1 : rows_->rows); ++row) {
    facts.push_back({ValueOf(operation_.start, row), ValueOf(operation_.relation, row),
                     ValueOf(operation_.end, row)});
  }
  LOCI_TRY(context_.meter().Charge(facts.size()));
  if (operation_.goal->source) {
    LOCI_TRY(graph_.HasSource(facts, operation_.source, &marks->holds));
  } else {
    LOCI_TRY(graph_.Has(facts, marks));
  }
  if (fixed) Spread(rows_->rows, marks);
  return {};
}

uint32_t Lookup::CountDistinct(const End& end, uint32_t row_count) const {
  if (end.role == End::Role::kConstant) return 1;
  DenseTable distinct;
  for (uint32_t row = 0; row < row_count; ++row) distinct.Insert(ValueOf(end, row));
  return distinct.size();
}

Lookup::From Lookup::Choose(uint32_t row_count) {
  const Operation& op = operation_;
  if (op.goal->kind == Goal::Kind::kFact) {
    if (op.start.known()) return From::kStart;
    if (op.end.known()) return From::kEnd;
    return op.relation.role == End::Role::kBound ? From::kScanEach : From::kScan;
  }
  if (op.start.known() && op.end.known()) {
    const double forward = op.forward_fan * CountDistinct(op.start, row_count);
    const double backward = op.backward_fan * CountDistinct(op.end, row_count);
    return backward < forward ? From::kEnd : From::kStart;
  }
  if (op.start.known()) return From::kStart;
  return op.end.known() ? From::kEnd : From::kScan;
}

Result<void> Lookup::Start(uint32_t row_count) {
  row_count_ = row_count;
  nodes_.clear();
  order_.clear();
  groups_.clear();
  node_ = chunk_begin_ = chunk_end_ = 0;
  in_group_ = scan_row_ = 0;
  in_row_ = false;
  from_ = row_count == 0 ? From::kNothing : Choose(row_count);
  relation_known_ = operation_.relation.role == End::Role::kBound && from_ != From::kScanEach;
  other_known_ = from_ == From::kStart ? operation_.end.known()
                                       : from_ == From::kEnd && operation_.start.known();
  switch (from_) {
    case From::kStart:
      GroupRows(operation_.start, row_count);
      return {};
    case From::kEnd:
      GroupRows(operation_.end, row_count);
      return {};
    case From::kScan:
      order_.resize(row_count);
      std::iota(order_.begin(), order_.end(), 0u);
      return ListStarts();
    case From::kScanEach:
    case From::kNothing:
      return {};
  }
  return {};
}

// A counting sort of the rows by the node that each has in the key's column.
void Lookup::GroupRows(const End& key, uint32_t row_count) {
  if (key.role == End::Role::kConstant || row_count == 1) {
    nodes_.push_back(ValueOf(key, 0));
    groups_ = {0, row_count};
    order_.resize(row_count);
    std::iota(order_.begin(), order_.end(), 0u);
    return;
  }
  DenseTable table;
  std::vector<uint32_t> group_of(row_count);
  for (uint32_t row = 0; row < row_count; ++row) {
    group_of[row] = table.Insert(ValueOf(key, row));
    if (group_of[row] == nodes_.size()) nodes_.push_back(ValueOf(key, row));
  }
  groups_.assign(nodes_.size() + 1, 0);
  for (uint32_t group : group_of) ++groups_[group + 1];
  std::partial_sum(groups_.begin(), groups_.end(), groups_.begin());
  order_.resize(row_count);
  std::vector<uint32_t> at(groups_.begin(), groups_.end() - 1);
  for (uint32_t row = 0; row < row_count; ++row) order_[at[group_of[row]]++] = row;
}

Result<void> Lookup::ListStarts() {
  if (reach_) return reach_->Starts(&nodes_);
  LOCI_TRY(operation_.relation.role == End::Role::kConstant
               ? graph_.SubjectsOf(operation_.relation.value, &nodes_)
               : graph_.Subjects(&nodes_));
  return context_.meter().Charge(nodes_.size());
}

// The next row whose relation has subjects.
Result<bool> Lookup::NextScanRow() {
  nodes_.clear();
  while (nodes_.empty()) {
    if (scan_row_ == row_count_) return false;
    const TermId relation = ValueOf(operation_.relation, scan_row_);
    order_.assign(1, scan_row_++);
    LOCI_TRY(graph_.SubjectsOf(relation, &nodes_));
    LOCI_TRY(context_.meter().Charge(nodes_.size() + 1));
  }
  node_ = chunk_begin_ = chunk_end_ = 0;
  return true;
}

Result<bool> Lookup::NextChunk() {
  if (from_ == From::kNothing) return false;
  if (node_ == nodes_.size()) {
    if (from_ != From::kScanEach) return false;
    LOCI_ASSIGN(const bool more, NextScanRow());
    if (!more) return false;
  }
  chunk_begin_ = node_;
  chunk_end_ = std::min(nodes_.size(), node_ + chunk_size_);
  LOCI_TRY(Fetch({&nodes_[chunk_begin_], chunk_end_ - chunk_begin_}));
  LOCI_TRY(context_.meter().Charge(lists_.others.size() + lists_.ends.size()));
  LOCI_TRY(context_.meter().CheckMemory((lists_.others.size() + lists_.relations.size()) * 8));
  if (other_known_ || relation_known_) SortLists();
  return true;
}

Result<void> Lookup::Fetch(std::span<const TermId> nodes) {
  const bool backward = from_ == From::kEnd;
  if (reach_) {
    LOCI_TRY(reach_->Run(nodes, backward, &lists_));
    chunk_size_ = reach_->visited() > kWalkPairs ? std::max(kLeastWalks, chunk_size_ / 2)
                                                 : std::min(kMostWalks, chunk_size_ * 2);
    return {};
  }
  const Way way = backward ? Way::kInverse : Way::kForward;
  if (operation_.relation.role == End::Role::kConstant) {
    return graph_.Expand(nodes, operation_.relation.value, way, &lists_);
  }
  if (from_ == From::kScanEach) {
    return graph_.Expand(nodes, ValueOf(operation_.relation, order_[0]), way, &lists_);
  }
  return graph_.ExpandAll(nodes, way, &lists_);
}

// By the other end or the relation, whichever is known, so that a row finds its own there in
// logarithmic time.
void Lookup::SortLists() {
  for (size_t i = 0; i < lists_.ends.size(); ++i) {
    const auto begin = static_cast<ptrdiff_t>(lists_.begin(i));
    const auto end = static_cast<ptrdiff_t>(lists_.end(i));
    if (lists_.relations.empty() && lists_.proofs.empty()) {
      const auto from = lists_.others.begin() + begin, to = lists_.others.begin() + end;
      if (!std::is_sorted(from, to)) std::sort(from, to);
      continue;
    }
    SortEntries(begin, end);
  }
}

void Lookup::SortEntries(ptrdiff_t begin, ptrdiff_t end) {
  const bool relations = !lists_.relations.empty(), proofs = !lists_.proofs.empty();
  struct Entry {
    TermId relation, other;
    Proof proof;
  };
  std::vector<Entry> entries;
  for (ptrdiff_t e = begin; e < end; ++e) {
    entries.push_back({relations ? lists_.relations[e] : 0, lists_.others[e],
                       proofs ? lists_.proofs[e] : Proof()});
  }
  std::sort(entries.begin(), entries.end(), [this](const Entry& a, const Entry& b) {
    return other_known_ ? a.other < b.other : a.relation < b.relation;
  });
  for (ptrdiff_t e = begin; e < end; ++e) {
    const Entry& entry = entries[e - begin];
    lists_.others[e] = entry.other;
    if (relations) lists_.relations[e] = entry.relation;
    if (proofs) lists_.proofs[e] = entry.proof;
  }
}

// The part of a node's list that can match the row.
void Lookup::Narrow(uint32_t row, uint64_t* begin, uint64_t* end) const {
  if (!other_known_ && !relation_known_) return;
  const End& known = !other_known_           ? operation_.relation
                     : from_ == From::kStart ? operation_.end
                                             : operation_.start;
  const std::vector<TermId>& column = other_known_ ? lists_.others : lists_.relations;
  const auto [low, high] =
      std::equal_range(column.begin() + static_cast<ptrdiff_t>(*begin),
                       column.begin() + static_cast<ptrdiff_t>(*end), ValueOf(known, row));
  *begin = static_cast<uint64_t>(low - column.begin());
  *end = static_cast<uint64_t>(high - column.begin());
}

Result<bool> Lookup::Next(Matches* out) {
  out->Clear();
  while (out->rows.size() < kBatchRows) {
    if (node_ == chunk_end_) {
      LOCI_ASSIGN(const bool more, NextChunk());
      if (!more) {
        LOCI_TRY(FilterSource(out));
        return false;
      }
    }
    Emit(out);
    LOCI_TRY(context_.meter().Charge(std::exchange(touched_, 0) + 1));
  }
  LOCI_TRY(context_.meter().Charge(out->rows.size()));
  LOCI_TRY(FilterSource(out));
  return true;
}

// Goes on from the place at hand, through the node's rows, at most to the end of the node.
void Lookup::Emit(Matches* out) {
  const bool scan = groups_.empty();
  const uint32_t group_begin = scan ? 0 : groups_[node_];
  const uint32_t group_end = scan ? static_cast<uint32_t>(order_.size()) : groups_[node_ + 1];
  const size_t list = node_ - chunk_begin_;
  for (; group_begin + in_group_ < group_end; ++in_group_) {
    if (out->rows.size() >= kBatchRows || touched_ >= kBatchRows) return;
    uint64_t begin = lists_.begin(list), end = lists_.end(list);
    if (begin == end) break;
    const uint32_t row = order_[group_begin + in_group_];
    Narrow(row, &begin, &end);
    touched_ += end - begin;
    if (!EmitRow(row, nodes_[node_], begin, end, out)) return;
  }
  in_group_ = 0;
  ++node_;
}

// False where the batch is full before the row is done.
bool Lookup::EmitRow(uint32_t row, TermId node, uint64_t begin, uint64_t end, Matches* out) {
  const bool backward = from_ == From::kEnd;
  const bool has_relation = !lists_.relations.empty();
  const bool relation_bound = operation_.relation.role == End::Role::kBound;
  const TermId row_relation =
      relation_bound ? ValueOf(operation_.relation, row) : operation_.relation.value;
  for (uint64_t e = in_row_ ? entry_ : begin; e < end; ++e) {
    if (out->rows.size() >= kBatchRows) {
      in_row_ = true;
      entry_ = e;
      return false;
    }
    const TermId other = lists_.others[e];
    const TermId relation = has_relation ? lists_.relations[e] : row_relation;
    if (relation_known_ && relation != row_relation) continue;
    const TermId start = backward ? other : node, finish = backward ? node : other;
    if (start_is_end_ && start != finish) continue;
    if (relation_is_start_ && relation != start) continue;
    if (relation_is_end_ && relation != finish) continue;
    out->rows.push_back(row);
    out->starts.push_back(start);
    out->ends.push_back(finish);
    if (!reach_) out->relations.push_back(relation);
    if (!lists_.proofs.empty()) {
      out->proofs.resize(out->rows.size() - 1);
      out->proofs.push_back(lists_.proofs[e]);
    }
    if (only_first_) break;
  }
  in_row_ = false;
  return true;
}

Result<void> Lookup::FilterSource(Matches* out) {
  if (!out->proofs.empty()) out->proofs.resize(out->rows.size());
  if (!operation_.goal->source || reach_ || out->rows.empty()) return {};
  std::vector<Fact> facts;
  for (size_t i = 0; i < out->rows.size(); ++i) {
    facts.push_back({out->starts[i], out->relations[i], out->ends[i]});
  }
  std::vector<uint8_t> marks;
  LOCI_TRY(graph_.HasSource(facts, operation_.source, &marks));
  out->Keep(marks);
  return {};
}

}  // namespace loci::query
