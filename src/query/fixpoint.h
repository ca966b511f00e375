// SPDX-License-Identifier: Apache-2.0
//
// Fixpoint: what the rules of one group derive, as far as it was asked for. Tabling in the manner
// of magic sets: a question (relation, mode, node) is asked once; its answers arrive in any order,
// each maybe more than once with a better proof, until none improves. Semi-naive: only what is new
// or better is joined, with all there is on the other side. So a question costs what its answers
// rest on, not what the memory holds.
//
//   sink         who asked: a question, with its answers and the rows that wait for them
//   activation   a node from which the rules of a table run for a sink: for a question at first its
//                own node; through tails (line.h) further ones
//
// It ends: an answer is looked at again only when its proof improves, proofs are sums of numbers
// that are never negative, and so only finitely many are less than one that was found. Work that
// remains is in lists, never on the stack.
#pragma once

#include <memory>
#include <vector>

#include "query/line.h"

namespace loci::query {

class Fixpoint {
 public:
  // In the run's graph the relations of this group have their stored facts only, and those of later
  // groups too. All outlive this.
  Fixpoint(const RuleSet* rules, uint32_t group, const RunState* run);

  // Finds all answers to these questions; the relation is a constant.
  Result<void> Complete(uint32_t relation, Way way, std::span<const TermId> nodes);
  Result<void> CompleteAll(uint32_t relation);

  // What was completed: the other ends of facts of the relation.
  void List(uint32_t relation, Way way, TermId node, std::vector<TermId>* others,
            std::vector<Proof>* proofs) const;
  void ListSubjects(uint32_t relation, std::vector<TermId>* out) const;
  // Of a fact whose subject or object was asked from.
  std::optional<Proof> Find(uint32_t relation, TermId subject, TermId object) const;
  bool WasAsked(uint32_t relation, Way way, TermId node) const;
  // What so many further questions will cost, going by those that were asked: in rows touched.
  double ExpectedWork(uint32_t relation, Way way, size_t questions) const;

 private:
  static constexpr uint32_t kNoSink = UINT32_MAX;

  struct Waiting {
    Join* join;
    uint32_t row;
  };
  struct Sink {
    std::vector<uint32_t> answers, changed;
    std::vector<Waiting> waiting;
  };
  struct Table {
    uint32_t relation = 0;  // constant
    Mode mode = Mode::kForward;
    bool compiled = false, complete = false;  // complete: in mode kAll
    std::vector<std::unique_ptr<Line>> lines;
    DenseTable activations;        // (node, sink)
    uint64_t asked = 0, work = 0;  // questions, and what they cost
    std::vector<Proof> proofs;
    std::vector<uint8_t> is_changed;
    std::vector<uint32_t> changed;
    // In mode kAll, where there is one activation and each subject becomes a sink:
    std::vector<uint32_t> sinks;
    std::vector<Waiting> waiting;
  };

  uint32_t TableOf(uint32_t relation, Mode mode) const {
    return place_of_.at(relation) * kModes + static_cast<uint32_t>(mode);
  }
  bool IsMember(uint32_t relation) const { return place_of_.contains(relation); }
  std::optional<uint32_t> SinkOf(uint32_t relation, Way way, TermId node) const;

  Result<void> Run();
  Result<void> Compile(Table* table);
  uint32_t Ask(uint32_t table, TermId node);
  void AskAll(uint32_t table);
  void Activate(uint32_t table, TermId node, uint32_t sink, const Proof& proof);
  Result<void> RunTable(uint32_t table);
  Result<void> FindStored(uint32_t table, std::span<const uint32_t> activations);
  Result<void> RunLine(uint32_t table, Line* line, std::span<const uint32_t> activations);
  Result<void> RunSegment(Line* line, size_t segment, RowBatch rows);
  Result<void> TakeRows(Line* line, size_t segment, const RowBatch& rows);
  Result<void> Conclude(Line* line, const RowBatch& rows);
  Result<void> PlaceRows(Join* join);
  Result<void> PlaceRow(Join* join, uint32_t row, bool placed);
  Result<void> TellAnswers(uint32_t sink);
  Result<void> Emit(Join* join, uint32_t row, TermId first, TermId second, const Proof& proof);
  Result<void> Flush(Join* join);
  Result<void> Answer(uint32_t table, uint32_t sink, TermId node, TermId value, const Proof& proof);
  Proof CostOf(const Line& line) const;
  Result<void> CheckMemory();

  const RuleGroup& group_;
  const RunState& run_;
  std::unordered_map<uint32_t, uint32_t> place_of_;  // of relations in the group; looked up only

  std::vector<Table> tables_;
  DenseTable sink_numbers_;  // (node, table)
  std::vector<Sink> sinks_;
  DenseTable answers_;  // (value, sink)
  std::vector<Proof> answer_proofs_;
  std::vector<uint8_t> answer_changed_;
  uint64_t waiting_ = 0;  // entries of all such lists

  std::vector<uint32_t> busy_tables_, busy_sinks_;
  std::vector<Join*> busy_joins_;
  std::vector<Join*> full_joins_;  // with rows to go on
};

}  // namespace loci::query
