// SPDX-License-Identifier: Apache-2.0
//
// loci eval: public tasks on the engine. `eval recall` learns the corpus of one or more BEIR
// directories, each into a memory of its own that goes with the command, asks their queries and
// tells how well what they recall fits the judgements; several directories are one task of all
// their queries.
#include <sys/resource.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unicode.h"
#include "command/open.h"
#include "command/progress.h"
#include "command/temporary_memory.h"
#include "command/verb.h"
#include "eval/recall_task.h"
#include "eval/trec.h"
#include "formats/batch_sink.h"
#include "render/table.h"

namespace loci {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr char kTag[] = "loci";  // the name of our runs

// What all directories of a command came to.
struct Outcome {
  std::vector<eval::Figures> figures;  // of each query
  std::vector<std::string> kinds;      // of the same
  bool asked = false;                  // else an other system's run was scored: no more is known
  std::vector<double> milliseconds;
  uint64_t documents = 0, index_bytes = 0;
  double index_seconds = 0;
  Sum256 digest;
};

// Nobody reads the tenth digit, and trec_eval prints four.
double Rounded(double value) {
  return std::round(value * 1e5) / 1e5;
}

uint64_t PeakMemory() {
  rusage usage = {};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

Result<void> WriteFile(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (file.good()) return {};
  const int reason = errno;
  return Error{reason == ENOSPC ? ErrorKind::kNoSpace : ErrorKind::kIo,
               fmt::format("cannot write {}: {}", Excerpt(path, 200), std::strerror(reason))};
}

class RecallEvaluation {
 public:
  RecallEvaluation(const Invocation& invocation, Io* io)
      : invocation_(invocation), io_(io), progress_(io) {
    ask_.recall.associate = !invocation.Has("lexical");
    ask_.recall.titles_link = !invocation.Has("no-titles");
    ask_.recall.keep_going = [this] { return !io_->interrupted(); };
    ask_.depth = invocation.CountOr("limit", ask_.depth);
    ask_.progress = [this](uint64_t done, uint64_t total) {
      return progress_.Update("asking", done, total);
    };
  }

  Result<Outcome> Run(const std::vector<std::string>& directories) {
    const std::string split = invocation_.Has("split") ? invocation_.Text("split") : "test";
    for (const std::string& directory : directories) {
      LOCI_ASSIGN(const eval::Task task, eval::ReadTask(directory, split));
      eval::Run run;
      if (invocation_.Has("score-run")) {
        LOCI_ASSIGN(run, eval::ReadRun(invocation_.Text("score-run")));
      } else {
        LOCI_ASSIGN(run, Ask(directory, task));
      }
      for (const eval::Figures& one : eval::ScoreRun(task, run)) outcome_.figures.push_back(one);
      for (const eval::Query& query : task.queries) outcome_.kinds.push_back(query.kind);
      LOCI_TRY(WriteTrec(task, run));
    }
    progress_.Clear();
    return std::move(outcome_);
  }

 private:
  Result<eval::Run> Ask(const std::string& directory, const eval::Task& task) {
    std::unique_ptr<TemporaryMemory> temporary;
    std::unique_ptr<Store> named;
    const Clock::time_point begin = Clock::now();
    if (invocation_.Has("memory")) {
      LOCI_ASSIGN(named, OpenToRead(invocation_.Text("memory")));
    } else {
      LOCI_ASSIGN(temporary, TemporaryMemory::Make());
      LOCI_TRY(Learn(directory, temporary->store()));
      outcome_.index_seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    Store* const store = named ? named.get() : temporary->store();
    LOCI_ASSIGN(const auto snapshot, store->Read());
    LOCI_ASSIGN(const StoreStats stats, store->Stats());
    LOCI_ASSIGN(eval::Asked asked, eval::AskAll(snapshot, task, ask_));
    outcome_.asked = true;
    outcome_.documents += eval::CountDocuments(*snapshot);
    outcome_.index_bytes += stats.LayerBytes() + stats.tail_bytes;
    outcome_.digest.Add(snapshot->digest());
    outcome_.milliseconds.insert(outcome_.milliseconds.end(), asked.milliseconds.begin(),
                                 asked.milliseconds.end());
    return std::move(asked.run);
  }

  // As `loci learn` would, to the durable, consolidated end.
  Result<void> Learn(const std::string& directory, Store* store) {
    ReadOptions options;
    options.format = "passages";
    options.on_progress = [&](uint64_t done, uint64_t total) {
      return progress_.Update("reading " + Excerpt(directory), done, total);
    };
    BatchSink sink;
    LOCI_TRY(ReadStatements(directory, options, &sink));
    LOCI_TRY(store->Apply(sink.Finish(), progress_.ForStore()));
    return store->Consolidate(progress_.ForStore());
  }

  Result<void> WriteTrec(const eval::Task& task, const eval::Run& run) {
    std::string text;
    if (invocation_.Has("run")) {
      for (const eval::Query& query : task.queries) {
        const auto found = run.find(query.id);
        if (found == run.end()) continue;
        LOCI_TRY(eval::CheckTrecId(query.id));
        for (const eval::Hit& hit : found->second) LOCI_TRY(eval::CheckTrecId(hit.document));
        eval::AppendRun(query.id, found->second, kTag, &text);
      }
      LOCI_TRY(WriteFile(invocation_.Text("run"), text));
    }
    if (invocation_.Has("qrels")) {
      text.clear();
      for (const auto& [query, grades] : task.judgements) {
        LOCI_TRY(eval::CheckTrecId(query));
        for (const auto& [document, grade] : grades) LOCI_TRY(eval::CheckTrecId(document));
        eval::AppendQrels(query, grades, &text);
      }
      LOCI_TRY(WriteFile(invocation_.Text("qrels"), text));
    }
    return {};
  }

  const Invocation& invocation_;
  Io* io_;
  Progress progress_;
  eval::AskOptions ask_;
  Outcome outcome_;
};

// --- telling ---

using Means = std::array<eval::Mean, eval::kMeasures.size()>;

Json MeansJson(const Means& means) {
  Json json;
  for (size_t i = 0; i < means.size(); ++i) {
    json[std::string(eval::kMeasures[i].name)] = Rounded(means[i].mean);
  }
  return json;
}

// The figures of the queries of each kind; none where no query has one.
std::map<std::string, std::vector<eval::Figures>> ByKind(const Outcome& outcome) {
  std::map<std::string, std::vector<eval::Figures>> by_kind;
  for (size_t i = 0; i < outcome.figures.size(); ++i) {
    if (!outcome.kinds[i].empty()) by_kind[outcome.kinds[i]].push_back(outcome.figures[i]);
  }
  return by_kind;
}

Json LatencyJson(Outcome* outcome) {
  Json json;
  for (const auto& [name, share] : {std::pair("median", 0.5), {"p95", 0.95}, {"p99", 0.99}}) {
    json[name] = Rounded(eval::Percentile(share, outcome->milliseconds));
  }
  return json;
}

Json OutcomeJson(Outcome* outcome, bool memory_is_ours) {
  const Means means = eval::MeansOf(outcome->figures);
  Json json = MeansJson(means);
  json["ci95"] = Json::object();
  for (size_t i = 0; i < means.size(); ++i) {
    json["ci95"][std::string(eval::kMeasures[i].name)] = {Rounded(means[i].low),
                                                          Rounded(means[i].high)};
  }
  json["queries"] = outcome->figures.size();
  json["kinds"] = Json::object();
  for (const auto& [kind, figures] : ByKind(*outcome)) {
    Json one = {{"queries", figures.size()}};
    one.update(MeansJson(eval::MeansOf(figures)));
    json["kinds"][kind] = std::move(one);
  }
  if (!outcome->asked) return json;
  json["documents"] = outcome->documents;
  json["latency_ms"] = LatencyJson(outcome);
  if (memory_is_ours) json["index_seconds"] = Rounded(outcome->index_seconds);
  json["index_bytes"] = outcome->index_bytes;
  json["peak_memory_bytes"] = PeakMemory();
  json["digest"] = outcome->digest.Hex();
  return json;
}

std::string Figure(double value) {
  return fmt::format("{:.4f}", value);
}

// The same for people: measures with their intervals, kinds of queries, then what it cost.
std::vector<TableRow> MeasureRows(const Json& json) {
  std::vector<TableRow> rows = {{"measure", "mean", "95 % interval"}};
  for (const eval::MeasureInfo& measure : eval::kMeasures) {
    const std::string name(measure.name);
    const Json& interval = json["ci95"][name];
    rows.push_back({name, Figure(json[name]),
                    fmt::format("{} to {}", Figure(interval[0]), Figure(interval[1]))});
  }
  return rows;
}

std::vector<TableRow> KindRows(const Json& json) {
  std::vector<TableRow> rows;
  for (const auto& [kind, figures] : json["kinds"].items()) {
    if (rows.empty()) {
      rows.push_back({"kind", "queries"});
      for (const eval::MeasureInfo& measure : eval::kMeasures) {
        rows.back().emplace_back(measure.name);
      }
    }
    TableRow row = {kind, std::to_string(figures["queries"].get<uint64_t>())};
    for (const eval::MeasureInfo& measure : eval::kMeasures) {
      row.push_back(Figure(figures[std::string(measure.name)]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TableRow> CostRows(const Json& json) {
  std::vector<TableRow> rows = {{"queries", json["queries"].dump()}};
  if (!json.contains("documents")) return rows;
  rows.push_back({"documents", json["documents"].dump()});
  for (const auto& [name, value] : json["latency_ms"].items()) {
    rows.push_back({"latency " + name, fmt::format("{:.2f} ms", value.get<double>())});
  }
  if (json.contains("index_seconds")) {
    rows.push_back({"index time", fmt::format("{:.2f} s", json["index_seconds"].get<double>())});
  }
  rows.push_back({"index size", fmt::format("{} bytes", json["index_bytes"].get<uint64_t>())});
  rows.push_back(
      {"peak memory", fmt::format("{} bytes", json["peak_memory_bytes"].get<uint64_t>())});
  rows.push_back({"digest", json["digest"]});
  return rows;
}

std::string OutcomeText(const Json& json, bool aligned) {
  std::string text;
  for (const auto& rows : {MeasureRows(json), KindRows(json), CostRows(json)}) {
    if (rows.empty()) continue;
    if (!text.empty()) text += '\n';
    if (aligned) {
      text += AlignedTable(rows);
    } else {
      for (const TableRow& row : rows) AppendTsv(row, &text);
    }
  }
  return text;
}

Result<ExitCode> EvalRecall(const Invocation& invocation, Io* io) {
  const std::vector<std::string> directories(invocation.arguments.begin() + 1,
                                             invocation.arguments.end());
  if (directories.empty()) return Error{ErrorKind::kUsage, "eval recall: name a DIR"};
  for (const char* one : {"memory", "score-run", "run", "qrels"}) {
    if (directories.size() > 1 && invocation.Has(one)) {
      return Error{ErrorKind::kUsage, fmt::format("eval recall: --{} is for one DIR alone", one)};
    }
  }
  LOCI_ASSIGN(Outcome outcome, RecallEvaluation(invocation, io).Run(directories));
  const Json json = OutcomeJson(&outcome, !invocation.Has("memory"));
  if (invocation.Has("json")) {
    *io->out << json.dump(-1, ' ', false, Json::error_handler_t::replace) << "\n";
  } else {
    *io->out << OutcomeText(json, io->out_is_terminal);
  }
  return ExitCode::kFound;
}

}  // namespace

Result<ExitCode> RunEval(const Invocation& invocation, Io* io) {
  const std::string& task = invocation.arguments[0];
  if (task == "recall") return EvalRecall(invocation, io);
  return Error{ErrorKind::kUsage,
               fmt::format("eval: there is no task '{}'; it is recall", Excerpt(task))};
}

}  // namespace loci
