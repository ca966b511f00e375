// SPDX-License-Identifier: Apache-2.0
#include "query/recollect.h"

#include <fmt/format.h>

#include <algorithm>

#include "query/period.h"
#include "query/recaller.h"
#include "query/snapshot_graph.h"
#include "query/tell_recall.h"
#include "query/token.h"
#include "query/token_stream.h"
#include "text/fields.h"

namespace loci::query {
namespace {

constexpr size_t kFactsShown = 5;  // of what has no text

class Recollecting {
 public:
  Recollecting(const std::shared_ptr<const Snapshot>& snapshot, const RecollectOptions& options)
      : snapshot_(snapshot), options_(options), graph_(snapshot.get(), options.engine.associate) {}

  Result<Recollection> Run(std::string_view cue) {
    LOCI_ASSIGN(const Term text, MakeText(cue));
    LOCI_ASSIGN(recall::Ranking ranking, graph_.Recall(text, false, options_.engine.cancelled));
    hits_ = MakeHits(std::move(ranking));
    LOCI_ASSIGN(const std::vector<uint32_t> candidates, Candidates(text));
    Recollection out;
    out.found = candidates.size();
    out.snapshot = snapshot_;
    const uint64_t first = std::min<uint64_t>(options_.offset, candidates.size());
    const uint64_t last = first + std::min<uint64_t>(options_.limit, candidates.size() - first);
    if (first == last) return out;
    const std::vector<uint32_t> order = hits_->ranking.Diversify(candidates, last);
    for (uint64_t i = first; i < last; ++i) {
      LOCI_ASSIGN(out.memories.emplace_back(), Tell(order[i]));
    }
    LOCI_TRY(snapshot_->damage());
    return out;
  }

 private:
  // The places of hits that pass the filters, ascending.
  Result<std::vector<uint32_t>> Candidates(TermView cue) const {
    const auto& hits = hits_->ranking.hits();
    std::vector<uint32_t> places;
    const std::string filters = Filters();
    if (filters.empty()) {
      places.resize(hits.size());
      for (uint32_t i = 0; i < places.size(); ++i) places[i] = i;
      LOCI_TRY(LeaveOut(&places));
      return places;
    }
    if (!options_.where.empty()) LOCI_TRY(CheckWhere());
    LOCI_ASSIGN(const Query query,
                Query::Parse(fmt::format("(?x) <- {}like(?x, {})", filters, ToNotation(cue))));
    QueryOptions engine = options_.engine;
    engine.limit = UINT64_MAX;
    LOCI_ASSIGN(const Answers answers, query.Run(snapshot_, engine));
    for (const Answer& answer : answers.rows) {
      const auto at = hits_->Find(answer.values[0]);
      if (at) places.push_back(hits_->places[*at]);
    }
    std::sort(places.begin(), places.end());
    LOCI_TRY(LeaveOut(&places));
    return places;
  }

  // As `not like` does.
  Result<void> LeaveOut(std::vector<uint32_t>* places) const {
    if (!options_.unlike) return {};
    LOCI_ASSIGN(recall::Ranking ranking,
                graph_.Recall(*options_.unlike, true, options_.engine.cancelled));
    const auto unlike = MakeHits(std::move(ranking));
    std::erase_if(*places, [&](uint32_t place) {
      return unlike->Find(hits_->ranking.hits()[place].item).has_value();
    });
    return {};
  }

  // By itself first, so that its fault has the column that its author counts: in parentheses as it
  // will be asked, or, where what closes them would be at fault, without.
  Result<void> CheckWhere() const {
    constexpr std::string_view kBefore = "(?x) <- like(?x, \"\"), ";  // like binds ?x
    const std::string before(kBefore);
    auto parsed = Query::Parse(before + '(' + options_.where + "\n)");
    if (!parsed.ok()) {
      size_t shift = kBefore.size() + 1;
      if (auto bare = Query::Parse(before + options_.where); !bare.ok()) {
        parsed = std::move(bare);
        --shift;
      }
      return Error{parsed.error().kind, ShiftColumn(parsed.error().message, shift)};
    }
    LOCI_TRY(CheckClosed());
    if (options_.where.find("?x") != std::string::npos) return {};
    return Error{ErrorKind::kUsage,
                 "column 1: expected clauses over ?x, which stands for what is recalled"};
  }

  // That it does not close the parenthesis in which it is put.
  Result<void> CheckClosed() const {
    int depth = 0;
    for (const Token& token : Tokenize(options_.where).all) {
      depth += (token.kind == TokenKind::kOpen) - (token.kind == TokenKind::kClose);
      if (depth >= 0) continue;
      return ErrorAt(options_.where, token.begin,
                     "found \")\", expected \",\", \"or\" or the end; it closes nothing");
    }
    return {};
  }

  static std::string ShiftColumn(const std::string& message, size_t by) {
    constexpr std::string_view kPrefix = "column ";
    if (!message.starts_with(kPrefix)) return message;
    size_t end = 0;
    const unsigned long column = std::stoul(message.substr(kPrefix.size()), &end);
    if (column <= by) return message;
    return fmt::format("column {}{}", column - by, message.substr(kPrefix.size() + end));
  }

  // Clauses, each with a comma behind it.
  std::string Filters() const {
    std::string out;
    if (!options_.where.empty()) out += fmt::format("({}\n), ", options_.where);
    if (options_.source) {
      out += fmt::format("?said_by_source(?x, _) from {}, ", ToNotation(*options_.source));
    }
    if (options_.within) {
      out += fmt::format("{}*(?x, {}), ", kPartOfRelation, ToNotation(*options_.within));
    }
    if (options_.since || options_.until) {
      out += fmt::format("{}*/time(?x, ?time_of_it), ", kPartOfRelation);
    }
    if (options_.since) out += fmt::format("?time_of_it >= {}, ", ToNotation(*options_.since));
    if (options_.until) {
      const auto end = EndOfPeriod(*options_.until);
      out += fmt::format("?time_of_it {} {}, ",
                         end ? "<" : "<=", ToNotation(end ? end->view() : options_.until->view()));
    }
    return out;
  }

  Result<Recollected> Tell(uint32_t place) const {
    LOCI_ASSIGN(RecallTold told, TellRecall(graph_, *hits_, place));
    Recollected out;
    out.item = hits_->ranking.hits()[place].item;
    out.score = hits_->ranking.hits()[place].score;
    const std::vector<std::string> stems = StemsOf(told.words);
    const std::vector<Fact> facts = FactsOf(out.item);
    std::optional<Fact> shown, title;
    size_t most = 0;
    for (const Fact& fact : facts) {
      const TermView object = snapshot_->Name(fact.object);
      const Field field = FieldOf(snapshot_->Name(fact.relation).bytes);
      if (object.kind != Kind::kText || field == Field::kNone) continue;
      const std::string_view text = SplitText(object.bytes).text;
      if (field == Field::kTitle) {
        if (!title) title = fact;
        continue;
      }
      LOCI_ASSIGN(auto spans, recall::FindWords(*snapshot_, text, stems));
      if (shown && spans.size() <= most) continue;
      most = spans.size();
      shown = fact;
      out.text = text;
      out.spans = std::move(spans);
    }
    if (title) out.title = SplitText(snapshot_->Name(title->object).bytes).text;
    if (!shown) {
      for (const Fact& fact : facts) {
        const bool is_title = FieldOf(snapshot_->Name(fact.relation).bytes) == Field::kTitle;
        if (!is_title && out.facts.size() < kFactsShown) out.facts.push_back(fact);
      }
      shown = title;
      if (!shown && !told.facts.empty()) shown = told.facts[0];
    }
    if (shown) out.shown = {*shown, snapshot_->Sources(*shown)};
    if (options_.evidence) {
      for (const Fact& fact : told.facts) {
        out.evidence.push_back({fact, snapshot_->Sources(fact)});
      }
    }
    out.words = std::move(told.words);
    out.links = std::move(told.links);
    return out;
  }

  // Those of the relation `text` first, then in canonical order; of what is no subject, those that
  // it is the object of.
  std::vector<Fact> FactsOf(TermId item) const {
    std::vector<Edge> edges;
    snapshot_->EdgesFrom(item, &edges);
    const bool is_subject = !edges.empty();
    if (!is_subject) snapshot_->EdgesTo(item, &edges);
    const auto rank = [this](const Edge& edge) {
      return snapshot_->Name(edge.relation).bytes == "text" ? 0 : 1;
    };
    std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) {
      if (rank(a) != rank(b)) return rank(a) < rank(b);
      const int order = snapshot_->Compare(a.relation, b.relation);
      return order != 0 ? order < 0 : snapshot_->Compare(a.other, b.other) < 0;
    });
    std::vector<Fact> facts;
    for (const Edge& edge : edges) {
      facts.push_back(is_subject ? Fact{item, edge.relation, edge.other}
                                 : Fact{edge.other, edge.relation, item});
    }
    return facts;
  }

  const std::shared_ptr<const Snapshot>& snapshot_;
  const RecollectOptions& options_;
  const SnapshotGraph graph_;
  std::shared_ptr<const Hits> hits_;
};

}  // namespace

Result<Recollection> Recollect(const std::shared_ptr<const Snapshot>& snapshot,
                               std::string_view cue, const RecollectOptions& options) {
  return Recollecting(snapshot, options).Run(cue);
}

}  // namespace loci::query
