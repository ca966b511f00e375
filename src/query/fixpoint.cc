// SPDX-License-Identifier: Apache-2.0
#include "query/fixpoint.h"

#include <algorithm>
#include <utility>

namespace loci::query {
namespace {

TermId ValueOf(const End& end, std::span<const TermId> row) {
  return end.role == End::Role::kConstant ? end.value : row[end.column];
}

TermId ValueOf(const End& end, const RowBatch& rows, size_t row) {
  return end.role == End::Role::kConstant ? end.value : rows.columns[end.column][row];
}

}  // namespace

Fixpoint::Fixpoint(const RuleSet* rules, uint32_t group, const RunState* run)
    : group_(rules->groups[group]), run_(*run) {
  for (uint32_t relation : group_.relations) {
    place_of_.emplace(relation, static_cast<uint32_t>(tables_.size() / kModes));
    for (uint32_t mode = 0; mode < kModes; ++mode) {
      Table& table = tables_.emplace_back();
      table.relation = relation;
      table.mode = static_cast<Mode>(mode);
    }
  }
}

Result<void> Fixpoint::Complete(uint32_t relation, Way way, std::span<const TermId> nodes) {
  const bool forward = way == Way::kForward;
  if (forward && tables_[TableOf(relation, Mode::kAll)].complete) return {};
  const uint32_t table = TableOf(relation, forward ? Mode::kForward : Mode::kInverse);
  const uint64_t before = run_.meter->work();
  for (TermId node : nodes) Ask(table, node);
  LOCI_TRY(Run());
  tables_[table].work += run_.meter->work() - before;
  return {};
}

Result<void> Fixpoint::CompleteAll(uint32_t relation) {
  const uint32_t table = TableOf(relation, Mode::kAll);
  AskAll(table);
  LOCI_TRY(Run());
  tables_[table].complete = true;
  return {};
}

std::optional<uint32_t> Fixpoint::SinkOf(uint32_t relation, Way way, TermId node) const {
  const bool forward = way == Way::kForward;
  const uint32_t all = TableOf(relation, Mode::kAll);
  if (forward && tables_[all].complete) return sink_numbers_.Find(node, all);
  return sink_numbers_.Find(node, TableOf(relation, forward ? Mode::kForward : Mode::kInverse));
}

void Fixpoint::List(uint32_t relation, Way way, TermId node, std::vector<TermId>* others,
                    std::vector<Proof>* proofs) const {
  const auto sink = SinkOf(relation, way, node);
  if (!sink) return;
  for (uint32_t answer : sinks_[*sink].answers) {
    others->push_back(answers_.node(answer));
    proofs->push_back(answer_proofs_[answer]);
  }
}

void Fixpoint::ListSubjects(uint32_t relation, std::vector<TermId>* out) const {
  const uint32_t table = TableOf(relation, Mode::kAll);
  for (uint32_t sink : tables_[table].sinks) out->push_back(sink_numbers_.node(sink));
}

std::optional<Proof> Fixpoint::Find(uint32_t relation, TermId subject, TermId object) const {
  auto sink = SinkOf(relation, Way::kForward, subject);
  TermId value = object;
  if (!sink) {
    sink = SinkOf(relation, Way::kInverse, object);
    value = subject;
  }
  if (!sink) return std::nullopt;
  const auto answer = answers_.Find(value, *sink);
  return answer ? std::optional(answer_proofs_[*answer]) : std::nullopt;
}

bool Fixpoint::WasAsked(uint32_t relation, Way way, TermId node) const {
  if (way == Way::kForward && tables_[TableOf(relation, Mode::kAll)].complete) return true;
  return SinkOf(relation, way, node).has_value();
}

double Fixpoint::ExpectedWork(uint32_t relation, Way way, size_t questions) const {
  const Table& table =
      tables_[TableOf(relation, way == Way::kForward ? Mode::kForward : Mode::kInverse)];
  return static_cast<double>(questions) * static_cast<double>(table.work + 1) /
         static_cast<double>(table.asked + 1);
}

// Rows first, as they are joined with all answers there are; then answers, many at a time.
Result<void> Fixpoint::Run() {
  while (true) {
    LOCI_TRY(run_.meter->Charge(1));
    LOCI_TRY(CheckMemory());
    if (!busy_tables_.empty()) {
      for (uint32_t table : std::exchange(busy_tables_, {})) LOCI_TRY(RunTable(table));
    } else if (!busy_joins_.empty()) {
      for (Join* join : std::exchange(busy_joins_, {})) LOCI_TRY(PlaceRows(join));
    } else if (!busy_sinks_.empty()) {
      for (uint32_t sink : std::exchange(busy_sinks_, {})) LOCI_TRY(TellAnswers(sink));
    } else {
      return {};
    }
    for (Join* join : std::exchange(full_joins_, {})) LOCI_TRY(Flush(join));
  }
}

Result<void> Fixpoint::Compile(Table* table) {
  if (std::exchange(table->compiled, true)) return {};
  const std::function<bool(uint32_t)> is_member = [this](uint32_t r) { return IsMember(r); };
  for (const Variant& variant : group_.variants) {
    if (variant.relation != table->relation) continue;
    LOCI_ASSIGN(table->lines.emplace_back(), MakeLine(variant, table->mode, &run_, is_member));
  }
  return {};
}

uint32_t Fixpoint::Ask(uint32_t table, TermId node) {
  const uint32_t sink = sink_numbers_.Insert(node, table);
  if (sink == sinks_.size()) {
    sinks_.emplace_back();
    ++tables_[table].asked;
    Activate(table, node, sink, {});
  }
  return sink;
}

void Fixpoint::AskAll(uint32_t table) {
  if (tables_[table].activations.size() == 0) Activate(table, kNoTerm, kNoSink, {});
}

void Fixpoint::Activate(uint32_t table, TermId node, uint32_t sink, const Proof& proof) {
  Table& t = tables_[table];
  const uint32_t activation = t.activations.Insert(node, sink);
  if (activation == t.proofs.size()) {
    t.proofs.push_back(proof);
    t.is_changed.push_back(0);
  } else if (proof < t.proofs[activation]) {
    t.proofs[activation] = proof;
  } else {
    return;
  }
  if (std::exchange(t.is_changed[activation], 1)) return;
  if (t.changed.empty()) busy_tables_.push_back(table);
  t.changed.push_back(activation);
}

Result<void> Fixpoint::RunTable(uint32_t table) {
  LOCI_TRY(Compile(&tables_[table]));
  const std::vector<uint32_t> changed = std::exchange(tables_[table].changed, {});
  for (uint32_t activation : changed) tables_[table].is_changed[activation] = 0;
  for (size_t i = 0; i < changed.size(); i += kBatchRows) {
    const std::span<const uint32_t> some(&changed[i], std::min(kBatchRows, changed.size() - i));
    LOCI_TRY(FindStored(table, some));
    for (const auto& line : tables_[table].lines) LOCI_TRY(RunLine(table, line.get(), some));
  }
  return {};
}

Result<void> Fixpoint::FindStored(uint32_t table, std::span<const uint32_t> activations) {
  const Table& t = tables_[table];
  const TermId relation = run_.constants->ids[t.relation];
  if (relation >= kOwnTerms) return {};
  std::vector<TermId> nodes;
  if (t.mode == Mode::kAll) {
    LOCI_TRY(run_.stored->SubjectsOf(relation, &nodes));
  } else {
    for (uint32_t activation : activations) nodes.push_back(t.activations.node(activation));
  }
  const Way way = t.mode == Mode::kInverse ? Way::kInverse : Way::kForward;
  Lists lists;
  LOCI_TRY(run_.stored->Expand(nodes, relation, way, &lists));
  LOCI_TRY(run_.meter->Charge(nodes.size() + lists.others.size()));
  for (size_t i = 0; i < nodes.size(); ++i) {
    const uint32_t activation = t.mode == Mode::kAll ? 0 : activations[i];
    const Proof proof = t.proofs[activation];
    for (uint64_t e = lists.begin(i); e < lists.end(i); ++e) {
      LOCI_TRY(Answer(table, t.activations.other(activation), nodes[i], lists.others[e], proof));
    }
  }
  return {};
}

Result<void> Fixpoint::RunLine(uint32_t table, Line* line, std::span<const uint32_t> activations) {
  const Table& t = tables_[table];
  RowBatch rows;
  const bool column = line->input.role == End::Role::kBound;
  rows.columns.resize(column ? 2 : 1);
  for (uint32_t activation : activations) {
    const TermId node = t.activations.node(activation);
    if (line->input.role == End::Role::kConstant && line->input.value != node) continue;
    if (column) rows.columns[0].push_back(node);
    rows.columns.back().push_back(activation);
    rows.proofs.push_back(t.proofs[activation]);
  }
  rows.rows = rows.proofs.size();
  return rows.rows == 0 ? Result<void>() : RunSegment(line, 0, std::move(rows));
}

Result<void> Fixpoint::RunSegment(Line* line, size_t segment, RowBatch rows) {
  Segment& s = *line->segments[segment];
  if (!s.pipeline) {
    RowBatch out;
    out.rows = rows.rows;
    out.proofs = std::move(rows.proofs);
    for (uint32_t column : s.kept) out.columns.push_back(rows.columns[column]);
    out.columns.push_back(std::move(rows.columns.back()));
    return TakeRows(line, segment, out);
  }
  s.pipeline->Open(std::move(rows));
  RowBatch out;
  while (true) {
    LOCI_ASSIGN(const bool more, s.pipeline->Next(&out));
    if (!more) return {};
    LOCI_TRY(TakeRows(line, segment, out));
  }
}

Result<void> Fixpoint::TakeRows(Line* line, size_t segment, const RowBatch& rows) {
  LOCI_TRY(run_.meter->Charge(rows.rows));
  if (segment == line->joins.size()) return Conclude(line, rows);
  Join& join = *line->joins[segment];
  std::vector<TermId> row(rows.columns.size());
  for (size_t i = 0; i < rows.rows; ++i) {
    for (size_t c = 0; c < row.size(); ++c) row[c] = rows.columns[c][i];
    const uint32_t number = join.rows.Insert(row);
    if (number == join.proofs.size()) {
      join.proofs.push_back(rows.proofs[i]);
      join.state.push_back(0);
    } else if (rows.proofs[i] < join.proofs[number]) {
      join.proofs[number] = rows.proofs[i];
    } else {
      continue;
    }
    if ((join.state[number] & Join::kChanged) != 0) continue;
    join.state[number] |= Join::kChanged;
    if (join.changed.empty()) busy_joins_.push_back(&join);
    join.changed.push_back(number);
  }
  return {};
}

Proof Fixpoint::CostOf(const Line& line) const {
  const bool counts = line.variant->counts && run_.ranking == Ranking::kByProof;
  return {line.variant->rule.weight, counts ? uint64_t{1} : 0};
}

Result<void> Fixpoint::Conclude(Line* line, const RowBatch& rows) {
  const uint32_t table = TableOf(line->variant->relation, line->mode);
  const Proof cost = CostOf(*line);
  for (size_t i = 0; i < rows.rows; ++i) {
    const auto activation = static_cast<uint32_t>(rows.columns.back()[i]);
    const TermId node = line->mode == Mode::kAll ? ValueOf(line->first, rows, i) : kNoTerm;
    LOCI_TRY(Answer(table, tables_[table].activations.other(activation), node,
                    ValueOf(line->second, rows, i), rows.proofs[i] + cost));
  }
  return {};
}

// In mode kAll the sink is that of the subject.
Result<void> Fixpoint::Answer(uint32_t table, uint32_t sink, TermId node, TermId value,
                              const Proof& proof) {
  LOCI_TRY(run_.meter->Charge(1));
  if (sink == kNoSink) {
    sink = sink_numbers_.Insert(node, table);
    if (sink == sinks_.size()) {
      sinks_.emplace_back();
      tables_[table].sinks.push_back(sink);
    }
  }
  const uint32_t answer = answers_.Insert(value, sink);
  if (answer == answer_proofs_.size()) {
    answer_proofs_.push_back(proof);
    answer_changed_.push_back(0);
    sinks_[sink].answers.push_back(answer);
  } else if (proof < answer_proofs_[answer]) {
    answer_proofs_[answer] = proof;
  } else {
    return {};
  }
  if (std::exchange(answer_changed_[answer], 1)) return {};
  if (sinks_[sink].changed.empty()) busy_sinks_.push_back(sink);
  sinks_[sink].changed.push_back(answer);
  return {};
}

Result<void> Fixpoint::PlaceRows(Join* join) {
  for (uint32_t row : std::exchange(join->changed, {})) {
    const bool placed = (join->state[row] & Join::kPlaced) != 0;
    join->state[row] = Join::kPlaced;
    if (join->tail) {
      const uint32_t asker = TableOf(join->line->variant->relation, join->line->mode);
      const auto cells = join->rows.row(row);
      const uint32_t sink = tables_[asker].activations.other(static_cast<uint32_t>(cells.back()));
      Activate(TableOf(join->relation, join->mode), ValueOf(join->node, cells), sink,
               join->proofs[row] + CostOf(*join->line));
      LOCI_TRY(run_.meter->Charge(1));
      continue;
    }
    LOCI_TRY(PlaceRow(join, row, placed));
  }
  return {};
}

// Joins the row with the answers that are there, and lets it wait for others.
Result<void> Fixpoint::PlaceRow(Join* join, uint32_t row, bool placed) {
  const uint32_t table = TableOf(join->relation, join->mode);
  const auto join_all = [&](uint32_t sink) -> Result<void> {
    const TermId node = sink_numbers_.node(sink);
    for (size_t i = 0; i < sinks_[sink].answers.size(); ++i) {
      const uint32_t answer = sinks_[sink].answers[i];
      LOCI_TRY(Emit(join, row, node, answers_.node(answer), answer_proofs_[answer]));
    }
    return {};
  };
  waiting_ += !placed;
  if (join->mode == Mode::kAll) {
    AskAll(table);
    if (!placed) tables_[table].waiting.push_back({join, row});
    for (size_t i = 0; i < tables_[table].sinks.size(); ++i) {
      LOCI_TRY(join_all(tables_[table].sinks[i]));
    }
    return {};
  }
  const uint32_t sink = Ask(table, ValueOf(join->node, join->rows.row(row)));
  if (!placed) sinks_[sink].waiting.push_back({join, row});
  return join_all(sink);
}

// What is told may lead to more answers of the same sink: they are told in their turn.
Result<void> Fixpoint::TellAnswers(uint32_t sink) {
  const std::vector<uint32_t> changed = std::exchange(sinks_[sink].changed, {});
  for (uint32_t answer : changed) answer_changed_[answer] = 0;
  const TermId node = sink_numbers_.node(sink);
  const auto tell = [&](const Waiting& waiting) -> Result<void> {
    for (uint32_t answer : changed) {
      LOCI_TRY(
          Emit(waiting.join, waiting.row, node, answers_.node(answer), answer_proofs_[answer]));
    }
    return {};
  };
  for (size_t i = 0; i < sinks_[sink].waiting.size(); ++i) {
    LOCI_TRY(tell(Waiting(sinks_[sink].waiting[i])));
  }
  const uint32_t table = sink_numbers_.other(sink);
  if (tables_[table].mode != Mode::kAll) return {};
  for (size_t i = 0; i < tables_[table].waiting.size(); ++i) {
    LOCI_TRY(tell(Waiting(tables_[table].waiting[i])));
  }
  return {};
}

Result<void> Fixpoint::Emit(Join* join, uint32_t row, TermId first, TermId second,
                            const Proof& proof) {
  LOCI_TRY(run_.meter->Charge(1));
  const auto cells = join->rows.row(row);
  if (join->other.known() && ValueOf(join->other, cells) != second) return {};
  if (join->same && first != second) return {};
  RowBatch& out = join->out;
  if (out.rows == 0) full_joins_.push_back(join);
  for (size_t c = 0; c < join->picks.size(); ++c) {
    const Join::Pick& pick = join->picks[c];
    using From = Join::Pick::From;
    out.columns[c].push_back(pick.from == From::kRow     ? cells[pick.column]
                             : pick.from == From::kFirst ? first
                                                         : second);
  }
  out.columns.back().push_back(cells.back());
  out.proofs.push_back(join->proofs[row] + proof);
  return ++out.rows < kBatchRows ? Result<void>() : Flush(join);
}

Result<void> Fixpoint::Flush(Join* join) {
  if (join->out.rows == 0) return {};
  RowBatch rows;
  rows.columns.resize(join->out.columns.size());
  std::swap(rows, join->out);
  return RunSegment(join->line, join->segment, std::move(rows));
}

Result<void> Fixpoint::CheckMemory() {
  uint64_t bytes = sink_numbers_.bytes() + sinks_.capacity() * sizeof(Sink) + answers_.bytes() +
                   answer_proofs_.capacity() * (sizeof(Proof) + 5) + waiting_ * sizeof(Waiting);
  for (const Table& table : tables_) {
    bytes += table.activations.bytes() + table.proofs.capacity() * (sizeof(Proof) + 5);
    for (const auto& line : table.lines) {
      for (const auto& join : line->joins) {
        bytes += join->rows.bytes() + join->proofs.capacity() * (sizeof(Proof) + 5);
      }
    }
  }
  return run_.meter->CheckMemory(bytes);
}

}  // namespace loci::query
